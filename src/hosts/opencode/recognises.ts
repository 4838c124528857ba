import type { Json } from "../../core/json.ts";

/** What our own plugin file sends; OpenCode itself has no hooks that are commands. */
export const recognises = (payload: Json): 0 | 1 | 2 =>
  typeof payload["hook"] === "string" && typeof payload["directory"] === "string" ? 2 : 0;
