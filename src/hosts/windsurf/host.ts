import type { EventName, Tool } from "../../core/event.ts";
import { defineHost, type Ability, type Answer, type Call, type Reply } from "../../core/host.ts";
import { asText as text, defined, isObject, type Json } from "../../core/json.ts";
import { operationsOf, type Operation, type ToolTable } from "../../core/operation.ts";
import { recognises } from "./recognises.ts";

const dialect = "hooks";

/** Before: exit 2 refuses. After: exit 2 undoes nothing, but the agent reads what stderr says. */
const events: Readonly<Record<string, { readonly name: EventName; readonly can: readonly Ability[] }>> = {
  pre_user_prompt: { name: "UserPromptSubmit", can: ["block"] },
  pre_read_code: { name: "PreToolUse", can: ["block"] },
  pre_write_code: { name: "PreToolUse", can: ["block"] },
  pre_run_command: { name: "PreToolUse", can: ["block"] },
  pre_mcp_tool_use: { name: "PreToolUse", can: ["block"] },
  post_read_code: { name: "PostToolUse", can: ["block"] },
  post_write_code: { name: "PostToolUse", can: ["block"] },
  post_run_command: { name: "PostToolUse", can: ["block"] },
  post_mcp_tool_use: { name: "PostToolUse", can: ["block"] },
  // Sent when the answer is given, and not waited for: nobody can be kept from stopping.
  post_cascade_response: { name: "Stop", can: [] },
  post_cascade_response_with_transcript: { name: "Stop", can: [] },
  post_setup_worktree: { name: "Other", can: [] },
};

const eventNamed = (native: string) => (Object.hasOwn(events, native) ? events[native] : undefined);

/** No names of tools are sent, so they are called by what the event is about. */
const tools: ToolTable = {
  read_code: (input) => [{ do: "read", path: text(input["file_path"]) ?? "" }],
  write_code: (input) => [
    {
      do: "edit",
      path: text(input["file_path"]) ?? "",
      // A new file comes as an edit of nothing (inferred).
      edits: list(input["edits"]).map((edit) => ({
        old: text(edit["old_string"]) ?? "",
        new: text(edit["new_string"]) ?? "",
      })),
    },
  ],
  run_command: (input) => [{ do: "exec", command: text(input["command_line"]) ?? "" }],
};

const list = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

export default defineHost({
  title: "Windsurf",
  reference: "Windsurf's Cascade hooks page and adapters of 2026; never run by us",
  get can() {
    return { [dialect]: Object.fromEntries(Object.entries(events).map(([name, { can }]) => [name, can])) };
  },

  recognises,

  // Told by adapters for one event only; elsewhere hooks are started at the top of the workspace.
  projectDirectory: (env) => env("ROOT_WORKSPACE_PATH"),

  decode(payload, event) {
    const native = text(payload["agent_action_name"]) ?? event ?? "unknown";
    const info = isObject(payload["tool_info"]) ? payload["tool_info"] : {};
    const tool = toolIn(native, info);
    const cwd = text(info["cwd"]) || undefined;
    return {
      name: eventNamed(native)?.name ?? "Other",
      native,
      dialect,
      ...defined({
        session: text(payload["trajectory_id"]),
        cwd,
        transcript: text(info["transcript_path"]),
        prompt: text(info["user_prompt"]),
        said: text(info["response"]),
        tool,
      }),
      operations: tool === undefined ? [] : operationsIn(tool, info, cwd),
    };
  },

  encode,
});

/** Exit codes are all that is read: JSON on standard output is shown to the person at best. */
function encode({ outcome, reason }: Reply, { native }: Call): Answer {
  return outcome === "block" && eventNamed(native) ? { exitCode: 2, stderr: reason } : { exitCode: 0 };
}

function toolIn(native: string, info: Json): Tool | undefined {
  const [when, ...rest] = native.split("_");
  const name = rest.join("_");
  if (when !== "pre" && when !== "post") return undefined;
  if (name === "mcp_tool_use") return servedTool(info);
  if (!Object.hasOwn(tools, name) || !("file_path" in info || "command_line" in info)) return undefined;
  const { cwd: _where, ...input } = info;
  return { name, input };
}

function servedTool(info: Json): Tool | undefined {
  const name = text(info["mcp_tool_name"]);
  if (name === undefined) return undefined;
  return {
    name,
    input: info["mcp_tool_arguments"],
    ...defined({ server: text(info["mcp_server_name"]), output: info["mcp_result"] }),
  };
}

function operationsIn({ name, input, server }: Tool, info: Json, cwd: string | undefined): Operation[] {
  const given = isObject(input) ? input : {};
  const found = server === undefined ? operationsOf(tools, name, given) : operationsOf({}, name, given);
  // On a drive of Windows the terminal is PowerShell's.
  const windows = /^[A-Za-z]:[\\/]/.test(cwd ?? text(info["file_path"]) ?? "");
  return found.map((each) => (each.do === "exec" && windows ? { ...each, shell: "powershell" } : each));
}
