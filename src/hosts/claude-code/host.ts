import type { Trouble } from "../../core/event.ts";
import { defineHost } from "../../core/host.ts";
import { asFlag, asText as text, beginsSmall, defined, isObject, type Json } from "../../core/json.ts";
import { operationsOf, type Operation } from "../../core/operation.ts";
import { encode } from "./encode.ts";
import { abilities, eventNamed } from "./events.ts";
import { resultIn, tools } from "./tools.ts";

const dialect = "settings";

export default defineHost({
  title: "Claude Code",
  reference: "Claude Code 2.1.325: package, hooks reference, and observed behaviour",
  get can() {
    return { [dialect]: abilities() };
  },

  namesAgents: [dialect],

  recognises(payload) {
    const name = payload["hook_event_name"];
    // Cursor's names begin small, also where it runs hooks of `.claude/settings.json`.
    if (typeof name !== "string" || beginsSmall(name)) return 0;
    // Copilot sends the same names with a time stamp, and a patch as a bare string; Claude Code never does.
    if ("timestamp" in payload || typeof payload["tool_input"] === "string") return 0;
    // Codex sends nearly the same fields, but its transcripts are not named after the session alone.
    const session = text(payload["session_id"]);
    const transcript = text(payload["transcript_path"])?.replaceAll("\\", "/");
    return session && transcript?.endsWith(`/${session}.jsonl`) ? 2 : 1;
  },

  projectDirectory: (env) => env("CLAUDE_PROJECT_DIR"),

  // Read in the package 2.1.325, and seen: hooks get the variable. 0 is no limit.
  mostHolds(env) {
    const most = Number(env("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP") || 8);
    return most > 0 ? most : undefined;
  },

  // Seen with 2.1.325: AI_AGENT=claude-code_2-1-325_harness; its own check also knows claude-code/2.1.325/agent.
  version(env) {
    const agent = (env("AI_AGENT") ?? "").replaceAll("/", "_").split("_");
    return agent[0] === "claude-code" ? agent[1]?.replaceAll("-", ".") : undefined;
  },

  decode(payload, event) {
    const tool = text(payload["tool_name"]);
    // A call that does not say when it comes is judged as one that can still be stopped.
    const native =
      text(payload["hook_event_name"]) ?? event ?? (tool === undefined ? "unknown" : "PreToolUse");
    const input = isObject(payload["tool_input"]) ? payload["tool_input"] : {};
    const server = isObject(payload["mcp_server"]) ? text(payload["mcp_server"]["name"]) : undefined;
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
        // `agent_type` without an id is the main thread of `--agent`.
        agent: (id ?? type) === undefined ? undefined : defined({ id, type }),
        error: tool === undefined ? troubleIn(payload) : undefined,
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
                  duration: number(payload["duration_ms"]),
                  exitCode: exitCodeOf(native, tool, payload),
                  server,
                }),
              },
      }),
      // A skill's page is none.
      ...(native === "ConfigChange" && payload["source"] !== "skills" ? { settings: true as const } : {}),
      operations:
        tool === undefined ? [] : [...operations(tool, input), ...resultIn(tool, payload["tool_response"])],
    };
  },

  said(entry) {
    const message = entry["message"];
    if (!isObject(message) || message["role"] !== "assistant") return undefined;
    // A subagent's words stood in the same file once; its own transcript holds nothing else.
    if (entry["isSidechain"] === true && entry["agentId"] === undefined) return undefined;
    const content = message["content"];
    if (typeof content === "string") return content;
    return (Array.isArray(content) ? content : [])
      .flatMap((block) => (isObject(block) && block["type"] === "text" ? (text(block["text"]) ?? []) : []))
      .join("\n");
  },

  // A prompt or the result of a tool: the answer is yet to come.
  lags: ({ message }) => isObject(message) && message["role"] === "user",

  encode,
});

/** The turn was ended by an error of the model's interface. */
function troubleIn(payload: Json): Trouble | undefined {
  const kind = text(payload["error"]);
  if (kind === undefined) return undefined;
  const said = text(payload["error_details"]) ?? text(payload["last_assistant_message"]);
  return { message: said ?? kind, kind };
}

const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

/** A command that ends with another code than 0 is a failure that begins with it (observed with 2.1.325). */
function exitCodeOf(native: string, tool: string, payload: Json): number | undefined {
  const error = text(payload["error"]);
  const code = error === undefined ? undefined : /^Exit code (\d{1,3})\b/.exec(error)?.[1];
  if (code !== undefined) return Number(code);
  // What goes on in the background has not ended.
  const { tool_response: output } = payload;
  if (isObject(output) && output["backgroundTaskId"] !== undefined) return undefined;
  return native === "PostToolUse" && tool === "Bash" ? 0 : undefined;
}

function operations(tool: string, input: Json): readonly Operation[] {
  const known = operationsOf(tools, tool, input);
  // Other agents borrow Claude's tool names and keep their own argument names: then guess rather than see nothing.
  return known.length > 0 ? known : operationsOf({}, tool, input);
}
