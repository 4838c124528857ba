import { asText as text, type Json } from "../../core/json.ts";

/** Claude Code's names, with a turn's id in nearly every payload and a transcript named after time and session. */
export function recognises(payload: Json): 0 | 1 | 2 {
  if (typeof payload["hook_event_name"] !== "string" || "timestamp" in payload) return 0;
  // Cursor and others number their turns as well, but under another name.
  if (typeof payload["turn_id"] === "string" && typeof payload["model"] === "string") return 2;
  const session = text(payload["session_id"]);
  const transcript = text(payload["transcript_path"])?.replaceAll("\\", "/");
  if (!session || !transcript?.endsWith(`-${session}.jsonl`)) return 0;
  return transcript.startsWith("rollout-", transcript.lastIndexOf("/") + 1) ? 2 : 0;
}
