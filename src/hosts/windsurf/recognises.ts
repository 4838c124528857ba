import type { Json } from "../../core/json.ts";

/** Cascade names its events in a field nobody else has. */
export const recognises = (payload: Json): 0 | 1 | 2 =>
  typeof payload["agent_action_name"] === "string" ? 2 : 0;
