import type { EventName, Tool, Trouble } from "../../core/event.ts";
import { defineHost } from "../../core/host.ts";
import { asFlag, asText as text, defined, isObject, type Json } from "../../core/json.ts";
import { onDrive } from "../../core/operation.ts";
import { isOwnRefusal } from "../../core/own-refusal.ts";
import { encode } from "./encode.ts";
import { eventNamed, events, guessEvent, type Dialect } from "./events.ts";
import { first, nameIn, recognises } from "./recognises.ts";
import { argumentsOf, isVscodeTool, operationsIn } from "./tools.ts";

export default defineHost({
  title: "GitHub Copilot",
  reference: "Copilot CLI 1.0.102 and the VS Code local harness: package, references, and observed behaviour",
  get can() {
    return {
      cli: Object.fromEntries(events.map((event) => [event.camel, event.cli])),
      pascal: Object.fromEntries(events.map((event) => [event.pascal, event.cli])),
      vscode: Object.fromEntries(
        events.flatMap((event) => (event.vscode ? [[event.pascal, event.vscode]] : [])),
      ),
    };
  },

  // Observed with 1.0.102; VS Code says so only when a subagent starts and stops.
  namesAgents: ["cli", "pascal"],

  recognises,

  projectDirectory: (env) => env("COPILOT_PROJECT_DIR") || env("CLAUDE_PROJECT_DIR"),

  // Observed with the CLI 1.0.102.
  mostHolds: () => 8,

  // Seen with the CLI 1.0.102.
  version: (env) => env("COPILOT_CLI_BINARY_VERSION"),

  decode(payload, event) {
    const dialect = dialectOf(payload);
    const said = dialect === "cli" ? (event ?? guessEvent(payload)) : (nameIn(payload) ?? event);
    const contract = eventNamed(said ?? "");
    const native = (dialect === "cli" ? contract?.camel : contract?.pascal) ?? said ?? "unknown";
    const tool = first(payload, "toolName", "tool_name");
    const given = argumentsOf(
      payload["toolArgs"] ?? payload["toolInput"] ?? payload["tool_input"] ?? payload["arguments"],
    );
    const output = payload["toolResult"] ?? payload["tool_result"] ?? payload["tool_response"];
    const id = first(payload, "agentId", "agent_id");
    const session = first(payload, "sessionId", "session_id");
    // A subagent's own events have its id for the session, too (observed with 1.0.102).
    const parent = id === session ? first(payload, "parentAgentId", "parent_agent_id") : "";
    const type = first(payload, "agentType", "agent_type", "agentName", "agent_name");
    return {
      name: nameOf(contract?.name ?? "Other", payload, parent),
      native,
      dialect,
      ...defined({
        session: parent || session,
        cwd: text(payload["cwd"]),
        transcript: first(payload, "transcriptPath", "transcript_path"),
        prompt: first(payload, "prompt", "initialPrompt", "initial_prompt"),
        said: first(payload, "response", "last_assistant_message"),
        heldBefore: asFlag(payload["stop_hook_active"]),
        agent: (id ?? type) === undefined ? undefined : defined({ id, type }),
        error: tool === undefined ? troubleIn(payload) : undefined,
        tool:
          tool === undefined
            ? undefined
            : {
                name: tool,
                input: given.input,
                ...defined({
                  id: first(payload, "tool_use_id", "toolCallId"),
                  output,
                  ...outcomeOf(output, troubleIn(payload)?.message),
                  server: text(payload["serverName"]),
                }),
              },
      }),
      operations: tool === undefined ? [] : operationsIn(tool, given).map(onDrive(payload["cwd"])),
    };
  },

  said(entry) {
    if (entry["type"] !== "assistant.message" || entry["agentId"] !== undefined) return undefined;
    const data = entry["data"];
    if (!isObject(data) || data["parentToolCallId"] !== undefined) return undefined;
    return text(data["content"]) ?? "";
  },

  // Observed with 1.0.102: the hook's own start is written down with the time the payload has, some moments after the turn's end.
  lags(entry, { timestamp }) {
    const event = typeof timestamp === "number" ? timestamp : Date.parse(text(timestamp) ?? "");
    return Date.parse(text(entry["timestamp"]) ?? "") < event - 20;
  },

  encode,
});

/**
 * What keeps the agent from stopping comes back as a prompt. What a subagent is asked is no word of the user's, and of
 * its end another event tells (observed with 1.0.102).
 */
const nameOf = (name: EventName, payload: Json, parent?: string): EventName =>
  (name === "Stop" && parent) ||
  (name === "UserPromptSubmit" && (parent || isOwnRefusal(text(payload["prompt"]) ?? "")))
    ? "Other"
    : name;

function troubleIn(payload: Json): Trouble | undefined {
  const { error } = payload;
  const message = isObject(error)
    ? [text(error["name"]), text(error["message"])].filter(Boolean).join(": ")
    : text(error);
  return message
    ? { message, ...defined({ kind: first(payload, "errorContext", "error_context") }) }
    : undefined;
}

/** A command that fails is still a result of its tool: only the text has its exit code. */
function outcomeOf(output: unknown, error: string | undefined): Pick<Tool, "error" | "exitCode"> {
  const result = isObject(output) ? output : {};
  const said = first(result, "textResultForLlm", "text_result_for_llm") ?? text(output);
  const type = first(result, "resultType", "result_type") ?? "success";
  const code = /completed with exit code (\d{1,10})>\s*$/.exec(said?.slice(-200) ?? "")?.[1];
  return defined({
    error: error ?? (type === "success" ? undefined : (said ?? type)),
    exitCode: code === undefined ? undefined : Number(code),
  });
}

const onlyCamel = ["sessionId", "toolName", "hookName"];
const onlyCli = [
  "stop_reason",
  "agent_name",
  "initial_prompt",
  "error_context",
  "custom_instructions",
  "tool_result",
];

function dialectOf(payload: Json): Dialect {
  const name = nameIn(payload);
  // Older VS Code builds wrote `sessionId` too, but with a name, and the time as text.
  const old = name !== undefined && typeof payload["timestamp"] === "string";
  if (onlyCamel.some((key) => key in payload) && !old) return "cli";
  if (name === undefined) return "session_id" in payload || "tool_name" in payload ? "pascal" : "cli";
  if (typeof payload["hookEventName"] === "string") return "vscode";
  if (eventNamed(name)?.vscode === undefined || onlyCli.some((key) => key in payload)) return "pascal";
  const tool = text(payload["tool_name"]);
  if (tool !== undefined) return "tool_use_id" in payload || isVscodeTool(tool) ? "vscode" : "pascal";
  return "transcript_path" in payload ? "vscode" : "pascal";
}
