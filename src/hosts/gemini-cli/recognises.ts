import { asText as text, type Json } from "../../core/json.ts";

/** Names that only Gemini CLI has for its events. */
const own = /^(?:(?:Before|After)(?:Agent|Model|Tool)|BeforeToolSelection|PreCompress)$/;

/** Its other events have names that everybody uses; the transcript is named after the day and the session's beginning. */
export function recognises(payload: Json): 0 | 1 | 2 {
  const event = text(payload["hook_event_name"]);
  if (event === undefined || typeof payload["timestamp"] !== "string") return 0;
  if (own.test(event)) return 2;
  // Qwen Code, which stems from it, says in every payload how permissions are handled.
  if ("permission_mode" in payload) return 0;
  const session = text(payload["session_id"])?.slice(0, 8);
  const transcript = text(payload["transcript_path"])?.replaceAll("\\", "/");
  if (!session || transcript === undefined) return 0;
  return /\/chats\/session-[^/]*$/.test(transcript) && transcript.endsWith(`-${session}.jsonl`) ? 2 : 0;
}
