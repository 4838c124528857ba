import type { EventName } from "../../core/event.ts";
import { defineHost } from "../../core/host.ts";
import { asText as text, defined, isObject, type Json } from "../../core/json.ts";
import { onDrive, operationsOf } from "../../core/operation.ts";
import { isOwnRefusal } from "../../core/own-refusal.ts";
import { encode } from "./encode.ts";
import { abilities, eventNamed } from "./events.ts";
import { recognises } from "./recognises.ts";
import { tools } from "./tools.ts";

const dialect = "settings";

export default defineHost({
  title: "Gemini CLI",
  reference: "Gemini CLI 0.61.0: package, source of 2026-08-21, and observed behaviour",
  get can() {
    return { [dialect]: abilities() };
  },

  recognises,

  projectDirectory: (env) => env("GEMINI_PROJECT_DIR") || env("CLAUDE_PROJECT_DIR"),

  decode(payload, event) {
    const tool = text(payload["tool_name"]);
    const native =
      text(payload["hook_event_name"]) ?? event ?? (tool === undefined ? "unknown" : "BeforeTool");
    const input = isObject(payload["tool_input"]) ? payload["tool_input"] : {};
    const response = isObject(payload["tool_response"]) ? payload["tool_response"] : {};
    const error = isObject(response["error"]) ? (text(response["error"]["message"]) ?? "failed") : undefined;
    const name = eventNamed(native)?.name ?? "Other";
    const server = isObject(payload["mcp_context"]) ? text(payload["mcp_context"]["server_name"]) : undefined;
    return {
      name: nameOf(name, error, payload),
      native,
      dialect,
      ...defined({
        session: text(payload["session_id"]),
        cwd: text(payload["cwd"]),
        transcript: text(payload["transcript_path"]) || undefined,
        prompt: text(payload["prompt"]),
        said: text(payload["prompt_response"]),
        // It is false again after every tool call (observed with 0.61.0).
        heldBefore: payload["stop_hook_active"] === true ? true : undefined,
        tool:
          tool === undefined
            ? undefined
            : {
                name: tool,
                input: payload["tool_input"],
                ...defined({
                  output: payload["tool_response"],
                  error,
                  exitCode: name === "PostToolUse" ? exitCodeOf(tool, response) : undefined,
                  server,
                }),
              },
      }),
      operations: tool === undefined ? [] : operationsOf(tools, tool, input).map(onDrive(payload["cwd"])),
    };
  },

  said: ({ type, content }) => (type === "gemini" ? (text(content) ?? "") : undefined),

  encode,
});

function nameOf(name: EventName, error: string | undefined, payload: Json): EventName {
  // There is no event of its own for a tool that fails.
  if (name === "PostToolUse" && error !== undefined) return "PostToolUseFailure";
  // What keeps the agent from stopping comes back as a prompt (observed with 0.61.0).
  return name === "UserPromptSubmit" && isOwnRefusal(text(payload["prompt"]) ?? "") ? "Other" : name;
}

/** Where the line stands. */
const tail = 2000;

/** The code of a command stands in what the model reads, and only when it is not 0. */
function exitCodeOf(
  tool: string,
  { llmContent, error }: Readonly<Record<string, unknown>>,
): number | undefined {
  if (tool !== "run_shell_command" || error !== undefined) return undefined;
  // The last one: what the command itself has printed stands before it.
  const said = text(llmContent)?.slice(-tail) ?? "";
  const code = /^Exit Code: (\d{1,10})$(?![^]*^Exit Code: )/m.exec(said)?.[1];
  return code === undefined ? 0 : Number(code);
}
