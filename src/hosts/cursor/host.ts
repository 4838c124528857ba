import type { EventName, Tool } from "../../core/event.ts";
import { defineHost } from "../../core/host.ts";
import { asText as text, defined, isObject, type Json } from "../../core/json.ts";
import type { Operation } from "../../core/operation.ts";
import { isOwnRefusal } from "../../core/own-refusal.ts";
import { encode } from "./encode.ts";
import { abilities, eventNamed } from "./events.ts";
import { recognises } from "./recognises.ts";
import { operationsIn } from "./tools.ts";

const dialect = "hooks";

export default defineHost({
  title: "Cursor",
  reference: "Cursor's hooks reference of 2026-08-22, and what others report of 2.6 to 3.21; never run by us",
  get can() {
    return { [dialect]: abilities() };
  },

  recognises,

  projectDirectory: (env) => env("CURSOR_PROJECT_DIR") || env("CLAUDE_PROJECT_DIR"),

  // As documented, where the entry says no other.
  mostHolds: () => 5,

  version: (env) => env("CURSOR_VERSION"),

  decode(payload, event) {
    // A call that does not say when it comes is judged as one that can still be stopped.
    const native =
      text(payload["hook_event_name"]) ?? event ?? ("tool_name" in payload ? "preToolUse" : "unknown");
    const contract = eventNamed(native);
    const tool = toolIn(native, payload);
    const input = isObject(tool?.input) ? tool.input : {};
    const cwd = cwdOf(payload, tool?.name === "Shell" ? text(input["working_directory"]) : undefined);
    return {
      name: nameOf(contract?.name ?? "Other", native, payload),
      native,
      dialect,
      ...defined({
        session: text(payload["conversation_id"]) ?? text(payload["session_id"]),
        cwd,
        transcript: text(payload["agent_transcript_path"]) || text(payload["transcript_path"]) || undefined,
        prompt: text(payload["prompt"]),
        said: native === "afterAgentResponse" ? text(payload["text"]) : text(payload["summary"]),
        heldBefore: typeof payload["loop_count"] === "number" ? payload["loop_count"] > 0 : undefined,
        agent: agentIn(payload),
        error:
          tool === undefined && payload["status"] === "error"
            ? { message: text(payload["error_message"]) ?? "the agent ended with an error", kind: native }
            : undefined,
        tool,
        again: contract?.again,
      }),
      operations: tool === undefined ? [] : operationsIn(tool.name, input).map(onDrive(cwd)),
    };
  },

  encode,
});

/** An agent that was interrupted or broke down must not be kept going by what a finished one is asked. */
function nameOf(name: EventName, native: string, { status, prompt }: Json): EventName {
  // What makes it go on is sent in the user's name.
  if (name === "UserPromptSubmit" && isOwnRefusal(text(prompt) ?? "")) return "Other";
  if (native !== "stop" || status === undefined || status === "completed") return name;
  return status === "error" ? "ErrorOccurred" : "Other";
}

/** The tool of a generic event, or the one that an event about shell, servers or files is about. */
function toolIn(native: string, payload: Json): Tool | undefined {
  const path = text(payload["file_path"]);
  switch (native) {
    case "beforeShellExecution":
    case "afterShellExecution":
      return command(payload);
    case "beforeMCPExecution":
    case "afterMCPExecution":
      return served(payload);
    case "beforeReadFile":
      return path === undefined ? undefined : { name: "Read", input: { file_path: path } };
    case "beforeTabFileRead":
      return path === undefined ? undefined : { name: "TabRead", input: { file_path: path } };
    case "afterFileEdit":
    case "afterTabFileEdit":
      return path === undefined
        ? undefined
        : {
            name: native === "afterFileEdit" ? "Write" : "TabWrite",
            input: { file_path: path, edits: payload["edits"] },
          };
    default:
      return generic(payload);
  }
}

function command(payload: Json): Tool | undefined {
  const line = text(payload["command"]);
  if (line === undefined) return undefined;
  return {
    name: "Shell",
    input: { command: line },
    ...defined({ output: payload["output"], duration: number(payload["duration"]) }),
  };
}

/** Here the input is JSON in a text, and the server is known by its address or the command that starts it. */
function served(payload: Json): Tool | undefined {
  const name = text(payload["tool_name"]);
  if (name === undefined) return undefined;
  return {
    name: `MCP:${name}`,
    input: parsed(payload["tool_input"]),
    ...defined({
      output: parsed(payload["result_json"]),
      duration: number(payload["duration"]),
      server: text(payload["url"]) ?? text(payload["command"]),
    }),
  };
}

function generic(payload: Json): Tool | undefined {
  const name = text(payload["tool_name"]);
  if (name === undefined) return undefined;
  const output = parsed(payload["tool_output"]);
  return {
    name,
    input: parsed(payload["tool_input"]),
    ...defined({
      id: text(payload["tool_use_id"]),
      output,
      error: text(payload["error_message"]),
      duration: number(payload["duration"]),
      exitCode: isObject(output) ? number(output["exitCode"]) : undefined,
    }),
  };
}

function agentIn(payload: Json): { id?: string; type?: string } | undefined {
  const id = text(payload["subagent_id"]);
  const type = text(payload["subagent_type"]);
  return id === undefined && type === undefined ? undefined : defined({ id, type });
}

/** A command runs where it says, else where the event says, else at the top of the workspace. */
function cwdOf(payload: Json, own: string | undefined): string | undefined {
  const roots = Array.isArray(payload["workspace_roots"]) ? payload["workspace_roots"] : [];
  const cwd = text(payload["cwd"]) || text(roots[0]) || undefined;
  if (!own) return cwd;
  return cwd === undefined || /^(?:[\\/]|[A-Za-z]:)/.test(own) ? own : `${cwd}/${own}`;
}

/** On a drive of Windows the terminal is PowerShell's. */
const onDrive =
  (cwd: string | undefined) =>
  (operation: Operation): Operation =>
    operation.do === "exec" && operation.shell === undefined && /^[A-Za-z]:[\\/]/.test(cwd ?? "")
      ? { ...operation, shell: "powershell" }
      : operation;

/** What is JSON in a text is read; any other text is left as it is. */
function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
