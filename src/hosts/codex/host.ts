import { defineHost } from "../../core/host.ts";
import { asFlag, asText as text, defined, isObject } from "../../core/json.ts";
import { onDrive } from "../../core/operation.ts";
import { encode } from "./encode.ts";
import { abilities, eventNamed } from "./events.ts";
import { recognises } from "./recognises.ts";
import { operationsIn } from "./tools.ts";

const dialect = "hooks";

export default defineHost({
  title: "Codex CLI",
  reference: "Codex 0.166.0: binary, source of 2026-08-22, and observed behaviour",
  get can() {
    return { [dialect]: abilities() };
  },

  namesAgents: [dialect],

  recognises,

  decode(payload, event) {
    const tool = text(payload["tool_name"]);
    const native =
      text(payload["hook_event_name"]) ?? event ?? (tool === undefined ? "unknown" : "PreToolUse");
    const given = payload["tool_input"];
    const id = text(payload["agent_id"]);
    const type = text(payload["agent_type"]);
    return {
      name: eventNamed(native)?.name ?? "Other",
      native,
      dialect,
      ...defined({
        session: text(payload["session_id"]),
        cwd: text(payload["cwd"]),
        transcript: text(payload["agent_transcript_path"]) || text(payload["transcript_path"]) || undefined,
        permissionMode: text(payload["permission_mode"]),
        prompt: text(payload["prompt"]),
        said: text(payload["last_assistant_message"]),
        heldBefore: asFlag(payload["stop_hook_active"]),
        agent: id === undefined && type === undefined ? undefined : defined({ id, type }),
        tool:
          tool === undefined
            ? undefined
            : {
                name: tool,
                input: given,
                ...defined({
                  id: text(payload["tool_use_id"]),
                  output: payload["tool_response"],
                  exitCode: exitCodeOf(payload["tool_response"]),
                  server: /^mcp__(.+?)__./.exec(tool)?.[1],
                }),
              },
      }),
      operations:
        tool === undefined
          ? []
          : operationsIn(tool, given, isObject(given) ? given : {}).map(onDrive(payload["cwd"])),
    };
  },

  said(entry) {
    const item = entry["payload"];
    if (entry["type"] !== "response_item" || !isObject(item)) return undefined;
    if (item["type"] !== "message" || item["role"] !== "assistant") return undefined;
    return (Array.isArray(item["content"]) ? item["content"] : [])
      .flatMap((part) => (isObject(part) ? (text(part["text"]) ?? []) : []))
      .join("\n");
  },

  encode,
});

/** Only a patch says how it ended; of a command there is nothing but what it printed (seen with 0.166.0). */
function exitCodeOf(output: unknown): number | undefined {
  const code = /^Exit code: (\d{1,10})\nWall time: /.exec(text(output) ?? "")?.[1];
  return code === undefined ? undefined : Number(code);
}
