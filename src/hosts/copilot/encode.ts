import type { Answer, Call, Reply } from "../../core/host.ts";
import { defined, type Json } from "../../core/json.ts";
import { eventNamed } from "./events.ts";

type Keys = Record<string, unknown>;

/** Flat keys for the CLI, `hookSpecificOutput` for VS Code, and for a tool call both wherever both may be read. */
export function encode(given: Reply, call: Call): Answer {
  const event = eventNamed(call.native);
  const vscode = call.dialect === "vscode";
  const can = vscode ? event?.vscode : event?.cli;
  if (!event || !can) return { exitCode: 0 };
  const reply = heeding(given, call, can.includes("stop"));
  const nested = can.includes(reply.outcome as "block") ? nestedDecision(reply, call) : {};
  if (reply.input && call.name === "PreToolUse" && call.dialect !== "cli") nested["updatedInput"] = reply.input;
  const flat = can.includes(reply.outcome as "block") ? flatDecision(reply, call) : {};
  if (reply.input && call.name === "PreToolUse" && !vscode) flat["modifiedArgs"] = reply.input;
  if (reply.context.length > 0 && can.includes("context")) {
    const said = { additionalContext: reply.context.join("\n\n") };
    if (!vscode) Object.assign(flat, said);
    if (vscode || (call.dialect === "pascal" && call.name === "PreToolUse")) Object.assign(nested, said);
  }
  if (reply.output !== undefined && can.includes("output")) Object.assign(flat, outputOf(reply.output, call));
  if (reply.notices.length > 0 && can.includes("notice")) flat["systemMessage"] = reply.notices.join("\n\n");
  if (reply.stop !== undefined && can.includes("stop")) Object.assign(flat, { continue: false, stopReason: reply.stop });
  const own = vscode ? [] : (event.own ?? []).filter((key) => Object.hasOwn(reply.native, key));
  for (const key of own) flat[key] = reply.native[key];
  return answer(flat, nested, call);
}

/** Where something is about to happen a stop also refuses it; what is refused is not rewritten as well. */
function heeding(reply: Reply, { name }: Call, stops: boolean): Reply {
  const gate = name === "PreToolUse" || name === "UserPromptSubmit";
  const stopped = stops && gate && reply.stop !== undefined && reply.outcome !== "block";
  const { input, ...rest } = stopped ? { ...reply, outcome: "block" as const, reason: reply.stop ?? "" } : reply;
  return rest.outcome === "block" || input === undefined ? rest : { ...rest, input };
}

function flatDecision(reply: Reply, { name, dialect }: Call): Keys {
  if (name === "PreToolUse") return permission(reply);
  if (name === "PermissionRequest") return behavior(reply);
  // VS Code reads a stop decision nested, a prompt or tool decision on top; for a subagent it is sent both ways.
  return dialect === "vscode" && name === "Stop" ? {} : block(reply);
}

function nestedDecision(reply: Reply, { name, dialect }: Call): Keys {
  // Hooks of `.github/hooks` obey the flat form only, VS Code the nested one; who reads `.claude` takes either.
  if (name === "PreToolUse") return dialect === "cli" ? {} : permission(reply);
  return dialect === "vscode" && (name === "Stop" || name === "SubagentStop") ? block(reply) : {};
}

function permission({ outcome, reason }: Reply): Keys {
  if (outcome !== "allow" && outcome !== "ask" && outcome !== "block") return {};
  return {
    permissionDecision: outcome === "block" ? "deny" : outcome,
    ...(reason === "" ? {} : { permissionDecisionReason: reason }),
  };
}

function behavior({ outcome, reason, native }: Reply): Keys {
  if (outcome === "allow") return { behavior: "allow" };
  if (outcome !== "block") return {};
  const { interrupt } = native;
  return { behavior: "deny", ...(reason === "" ? {} : { message: reason }), ...defined({ interrupt }) };
}

const block = ({ outcome, reason }: Reply): Keys => (outcome === "block" ? { decision: "block", reason } : {});

function outputOf(output: unknown, { name }: Call): Keys {
  if (name === "SubagentStop") return { modifiedResponse: output };
  return { modifiedResult: typeof output === "string" ? { resultType: "success", textResultForLlm: output } : output };
}

function answer(flat: Json, nested: Json, call: Call): Answer {
  const out =
    Object.keys(nested).length === 0 ? flat : { ...flat, hookSpecificOutput: { hookEventName: call.native, ...nested } };
  return Object.keys(out).length === 0 ? { exitCode: 0 } : { exitCode: 0, stdout: out };
}
