import type { EventName, Trouble } from "../../core/event.ts";
import { defineHost } from "../../core/host.ts";
import { asFlag, asText as text, defined, isObject, type Json } from "../../core/json.ts";
import { onDrive } from "../../core/operation.ts";
import { isOwnRefusal } from "../../core/own-refusal.ts";
import { encode } from "./encode.ts";
import { abilities, eventNamed } from "./events.ts";
import { recognises } from "./recognises.ts";
import { operationsIn } from "./tools.ts";

const dialect = "settings";

export default defineHost({
  title: "Qwen Code",
  reference: "Qwen Code 0.24.4: package, source and docs of 2026-08-22, and observed behaviour",
  get can() {
    return { [dialect]: abilities() };
  },

  // Read in the package 0.24.4: `agent_id` is a common field.
  namesAgents: [dialect],

  recognises,

  projectDirectory: (env) => env("QWEN_PROJECT_DIR") || env("CLAUDE_PROJECT_DIR"),

  // The eighth refusal is overruled (seen with 0.24.4). A setting may say otherwise, which hooks are not told.
  mostHolds: (env) => (Number(env("QWEN_CODE_STOP_HOOK_BLOCK_CAP")) || 8) - 1,

  // Seen with 0.24.4.
  version: (env) => env("QWEN_CODE_STARTUP_VERSION"),

  decode(payload, event) {
    const tool = text(payload["tool_name"]);
    const native =
      text(payload["hook_event_name"]) ?? event ?? (tool === undefined ? "unknown" : "PreToolUse");
    const input = isObject(payload["tool_input"]) ? payload["tool_input"] : {};
    const id = text(payload["agent_id"]);
    const type = text(payload["agent_type"]);
    const duration = payload["duration_ms"];
    return {
      name: nameOf(native, payload),
      native,
      dialect,
      ...defined({
        session: text(payload["session_id"]),
        cwd: text(payload["cwd"]),
        transcript: text(payload["agent_transcript_path"]) || text(payload["transcript_path"]) || undefined,
        permissionMode: text(payload["permission_mode"]),
        prompt: text(payload["submitted_prompt"]) ?? text(payload["prompt"]),
        said: text(payload["last_assistant_message"]),
        heldBefore: asFlag(payload["stop_hook_active"]),
        agent: id === undefined && type === undefined ? undefined : defined({ id, type }),
        error: native === "StopFailure" ? troubleIn(payload) : undefined,
        tool:
          tool === undefined
            ? undefined
            : {
                name: tool,
                input: payload["tool_input"],
                ...defined({
                  id: text(payload["tool_use_id"]),
                  output: payload["tool_response"],
                  error: text(payload["error"]),
                  duration: typeof duration === "number" ? duration : undefined,
                  exitCode: exitCodeOf(tool, payload),
                  server: /^mcp__(.+?)__./.exec(tool)?.[1],
                }),
              },
      }),
      operations: tool === undefined ? [] : operationsIn(tool, input).map(onDrive(payload["cwd"])),
    };
  },

  said({ type, message }) {
    if (type !== "assistant" || !isObject(message) || !Array.isArray(message["parts"])) return undefined;
    return message["parts"]
      .flatMap((part) => (isObject(part) && part["thought"] !== true ? (text(part["text"]) ?? []) : []))
      .join("\n");
  },

  encode,
});

/** The prompt event comes again, without a prompt, with every tool result that goes to the model (seen with 0.24.4). */
function nameOf(native: string, payload: Json): EventName {
  const name = eventNamed(native)?.name ?? "Other";
  const prompt = text(payload["submitted_prompt"]) || text(payload["prompt"]);
  return name === "UserPromptSubmit" && prompt !== undefined && (prompt === "" || isOwnRefusal(prompt))
    ? "Other"
    : name;
}

function troubleIn(payload: Json): Trouble | undefined {
  const kind = text(payload["error"]);
  return kind === undefined ? undefined : { message: text(payload["error_details"]) ?? kind, kind };
}

/** Where the line stands. */
const tail = 2000;

/** What the model reads has a line for it; of a command that fails it is the error (seen with 0.24.4). */
function exitCodeOf(tool: string, { tool_response: output, error }: Json): number | undefined {
  if (tool !== "run_shell_command") return undefined;
  const said = text(error) ?? (isObject(output) ? text(output["llmContent"]) : undefined);
  // The last one: what the command itself has printed stands before it.
  const code = /^Exit Code: (\d{1,10})$(?![^]*^Exit Code: )/m.exec(said?.slice(-tail) ?? "")?.[1];
  return code === undefined ? undefined : Number(code);
}
