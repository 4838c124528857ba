import type { Json } from "../../core/json.ts";

/** Claude Code's names with Gemini CLI's time stamp; no other host sends a time and a permission mode together. */
export const recognises = (payload: Json): 0 | 1 | 2 =>
  typeof payload["hook_event_name"] === "string" &&
  typeof payload["timestamp"] === "string" &&
  typeof payload["permission_mode"] === "string"
    ? 2
    : 0;
