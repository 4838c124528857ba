import { beginsSmall, type Json } from "../../core/json.ts";

/** Nobody else sends `cursor_version`. Hooks of `.claude/settings.json` keep Claude's names for events, and Claude's answers. */
export const recognises = (payload: Json): 0 | 1 | 2 => {
  const name = payload["hook_event_name"];
  if (typeof name !== "string" || !beginsSmall(name)) return 0;
  if (typeof payload["cursor_version"] === "string") return 2;
  return typeof payload["conversation_id"] === "string" && Array.isArray(payload["workspace_roots"]) ? 2 : 0;
};
