import { defineHost, type Answer, type Call, type Reply } from "../../core/host.ts";
import { asText as text, defined, type Json } from "../../core/json.ts";
import { operationsOf, type Operation } from "../../core/operation.ts";
import { eventNamed, events, guessEvent, type Dialect } from "./events.ts";
import { argumentsOf, isVscodeTool, tools } from "./tools.ts";

export default defineHost({
  title: "GitHub Copilot",
  reference: "Copilot CLI 1.0.102 and the VS Code local harness: package, references, and observed behaviour",
  can: {
    cli: Object.fromEntries(events.map((event) => [event.camel, event.cli])),
    pascal: Object.fromEntries(events.map((event) => [event.pascal, event.cli])),
    vscode: Object.fromEntries(events.flatMap((event) => (event.vscode ? [[event.pascal, event.vscode]] : []))),
  },

  recognises(payload) {
    if ("sessionId" in payload && ("timestamp" in payload || "cwd" in payload)) return 2;
    if (payload["hookName"] === "permissionRequest") return 2;
    return nameIn(payload) !== undefined && "timestamp" in payload ? 1 : 0;
  },

  projectDirectory: (env) => env("COPILOT_PROJECT_DIR") ?? env("CLAUDE_PROJECT_DIR"),

  decode(payload, event) {
    const dialect = dialectOf(payload);
    const said = dialect === "cli" ? (event ?? guessEvent(payload)) : (nameIn(payload) ?? event);
    const contract = eventNamed(said ?? "");
    const native = (dialect === "cli" ? contract?.camel : contract?.pascal) ?? said ?? "unknown";
    const tool = text(payload["toolName"]) ?? text(payload["tool_name"]);
    const given = payload["toolArgs"] ?? payload["toolInput"] ?? payload["tool_input"] ?? payload["arguments"];
    const id = text(payload["agentId"]) ?? text(payload["agent_id"]);
    const type =
      text(payload["agentType"]) ?? text(payload["agent_type"]) ?? text(payload["agentName"]) ?? text(payload["agent_name"]);
    return {
      name: contract?.name ?? "Other",
      native,
      dialect,
      ...defined({
        session: text(payload["sessionId"]) ?? text(payload["session_id"]),
        cwd: text(payload["cwd"]),
        transcript: text(payload["transcriptPath"]) ?? text(payload["transcript_path"]),
        prompt: text(payload["prompt"]) ?? text(payload["initialPrompt"]) ?? text(payload["initial_prompt"]),
        agent: id === undefined && type === undefined ? undefined : defined({ id, type }),
        tool:
          tool === undefined
            ? undefined
            : {
                name: tool,
                input: argumentsOf(given),
                ...defined({
                  id: text(payload["tool_use_id"]) ?? text(payload["toolCallId"]),
                  output: payload["toolResult"] ?? payload["tool_result"] ?? payload["tool_response"],
                  error: text(payload["error"]),
                  server: text(payload["serverName"]),
                }),
              },
      }),
      operations: tool === undefined ? [] : operations(tool, argumentsOf(given), given),
    };
  },

  encode(reply, call) {
    const event = eventNamed(call.native);
    if (!event) return { exitCode: 0 };
    const flat: Record<string, unknown> = {};
    const nested: Record<string, unknown> = {};
    write(reply, call, flat, nested);
    for (const key of event.own ?? []) if (key in reply.native) flat[key] = reply.native[key];
    return answer(flat, nested, call);
  },
});

/** `hook_event_name`, or the spelling of older VS Code builds. */
const nameIn = (payload: Json): string | undefined => text(payload["hook_event_name"]) ?? text(payload["hookEventName"]);

function dialectOf(payload: Json): Dialect {
  const named = nameIn(payload) !== undefined;
  if (!named || ("sessionId" in payload && typeof payload["timestamp"] === "number")) return "cli";
  const tool = text(payload["tool_name"]);
  if ("tool_use_id" in payload || "tool_response" in payload || (tool !== undefined && isVscodeTool(tool))) return "vscode";
  // Without a tool the two differ only in what the CLI adds: a stop reason, an agent name, an error context.
  const fromCli = ["stop_reason", "agent_name", "initial_prompt", "error_context", "custom_instructions"];
  if (fromCli.some((key) => key in payload)) return "pascal";
  return tool === undefined && "transcript_path" in payload ? "vscode" : "pascal";
}

function operations(tool: string, input: Json, given: unknown): readonly Operation[] {
  // A free-form patch comes as a bare string, under its own name or under Claude's `Edit`.
  const bare = typeof given === "string" && input["patch"] === given;
  return bare && /edit|patch/i.test(tool) ? [{ do: "patch", text: given }] : operationsOf(tools, tool, input);
}

function write(reply: Reply, call: Call, flat: Record<string, unknown>, nested: Record<string, unknown>): void {
  const { outcome, reason } = reply;
  const vscode = call.dialect === "vscode";
  if (call.name === "PreToolUse") {
    const decision = { allow: "allow", ask: "ask", block: "deny" }[outcome as string];
    // Native hooks read the flat form, VS Code and hooks from `.claude` the nested one: say both.
    if (decision !== undefined) {
      const said = { permissionDecision: decision, permissionDecisionReason: reason };
      if (!vscode) Object.assign(flat, said);
      if (call.dialect !== "cli") Object.assign(nested, said);
    }
    if (reply.input && !vscode) flat["modifiedArgs"] = reply.input;
    if (reply.input && call.dialect !== "cli") nested["updatedInput"] = reply.input;
  } else if (call.name === "PermissionRequest") {
    if (outcome === "block") Object.assign(flat, { behavior: "deny", message: reason });
    else if (outcome === "allow") flat["behavior"] = "allow";
  } else if (outcome === "block") {
    const said = { decision: "block", reason };
    // VS Code reads a stop decision nested, a prompt or tool decision on top; for a subagent send both.
    if (!vscode || call.name !== "Stop") Object.assign(flat, said);
    if (vscode && (call.name === "Stop" || call.name === "SubagentStop")) Object.assign(nested, said);
  }
  if (reply.context.length > 0) {
    const context = reply.context.join("\n\n");
    if (!vscode) flat["additionalContext"] = context;
    else nested["additionalContext"] = context;
  }
  if (reply.output !== undefined) Object.assign(flat, outputOf(reply.output, call));
  if (reply.notices.length > 0) flat["systemMessage"] = reply.notices.join("\n\n");
  if (reply.stop !== undefined) Object.assign(flat, { continue: false, stopReason: reply.stop });
}

function outputOf(output: unknown, call: Call): Json {
  if (call.name === "SubagentStop") return { modifiedResponse: output };
  return { modifiedResult: typeof output === "string" ? { resultType: "success", textResultForLlm: output } : output };
}

function answer(flat: Json, nested: Json, call: Call): Answer {
  const out =
    Object.keys(nested).length === 0 ? flat : { ...flat, hookSpecificOutput: { hookEventName: call.native, ...nested } };
  return Object.keys(out).length === 0 ? { exitCode: 0 } : { exitCode: 0, stdout: out };
}
