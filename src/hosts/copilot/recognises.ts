import type { Json } from "../../core/json.ts";

/** The CLI has names of its own for fields; VS Code has Claude Code's, with a time stamp. */
export function recognises(payload: Json): 0 | 1 | 2 {
  if (typeof payload["sessionId"] === "string" && ("timestamp" in payload || "cwd" in payload)) return 2;
  if (payload["hookName"] === "permissionRequest") return 2;
  if (nameIn(payload) === undefined) return 0;
  // Claude Code sends neither; other agents that borrow its names may.
  return "timestamp" in payload || typeof payload["tool_input"] === "string" ? 1 : 0;
}

/** `hook_event_name`, or the spelling of older VS Code builds. */
export const nameIn = (payload: Json): string | undefined =>
  first(payload, "hook_event_name", "hookEventName");

export function first(payload: Json, ...keys: readonly string[]): string | undefined {
  for (const key of keys) if (typeof payload[key] === "string") return payload[key];
  return undefined;
}
