import type { Answer, Call, Reply } from "../../core/host.ts";
import { defined } from "../../core/json.ts";
import { eventNamed } from "./events.ts";

type Keys = Record<string, unknown>;

/** Flat keys for the CLI, `hookSpecificOutput` for VS Code; about a tool call both, wherever both may be read. */
export function encode(given: Reply, call: Call): Answer {
  const event = eventNamed(call.native);
  if (!event) return { exitCode: 0 };
  const reply = heeding(given, call);
  const nested = { ...nestedDecision(reply, call), ...nestedText(reply, call) };
  const out = {
    ...flatDecision(reply, call),
    ...(call.dialect === "vscode" ? vscodeText(reply) : cliText(reply, call, event.own ?? [])),
    // VS Code ignores the block when the name is another event's.
    ...(isEmpty(nested) ? {} : { hookSpecificOutput: { hookEventName: call.native, ...nested } }),
  };
  return isEmpty(out) ? { exitCode: 0 } : { exitCode: 0, stdout: out };
}

const isEmpty = (keys: Keys): boolean => Object.keys(keys).length === 0;

/** Where something is about to happen, a stop also refuses it: nobody promises that a stop alone comes in time. */
function heeding(reply: Reply, { name }: Call): Reply {
  const gate = name === "PreToolUse" || name === "UserPromptSubmit";
  if (!gate || reply.stop === undefined || reply.outcome === "block") return reply;
  const { input: _dropped, ...rest } = reply;
  return { ...rest, outcome: "block", reason: reply.stop };
}

function flatDecision(reply: Reply, { name, dialect }: Call): Keys {
  if (name === "PreToolUse") {
    return {
      ...permission(reply),
      ...defined({ modifiedArgs: dialect === "vscode" ? undefined : reply.input }),
    };
  }
  if (name === "PermissionRequest") return behavior(reply);
  // VS Code reads a stop decision nested, a prompt or tool decision on top; for a subagent it is sent both ways.
  return dialect === "vscode" && name === "Stop" ? {} : block(reply);
}

function nestedDecision(reply: Reply, { name, dialect }: Call): Keys {
  // Observed: hooks of `.github/hooks` obey the flat form only, those of `.claude` either; VS Code reads the nested one.
  if (name === "PreToolUse" && dialect !== "cli")
    return { ...permission(reply), ...defined({ updatedInput: reply.input }) };
  return dialect === "vscode" && (name === "Stop" || name === "SubagentStop") ? block(reply) : {};
}

function nestedText({ context }: Reply, { name, dialect }: Call): Keys {
  const read = dialect === "vscode" || (dialect === "pascal" && name === "PreToolUse");
  return read ? additional(context) : {};
}

function cliText({ context, output, native }: Reply, { name }: Call, own: readonly string[]): Keys {
  const text: Keys = {};
  for (const key of own) if (Object.hasOwn(native, key)) text[key] = native[key];
  Object.assign(text, additional(context));
  if (output === undefined) return text;
  return name === "SubagentStop"
    ? { ...text, modifiedResponse: output }
    : { ...text, modifiedResult: result(output) };
}

const vscodeText = ({ notices, stop }: Reply): Keys => ({
  ...(notices.length === 0 ? {} : { systemMessage: notices.join("\n\n") }),
  ...(stop === undefined ? {} : { continue: false, stopReason: stop }),
});

const additional = (context: readonly string[]): Keys =>
  context.length === 0 ? {} : { additionalContext: context.join("\n\n") };

const result = (output: unknown): unknown =>
  typeof output === "string" ? { resultType: "success", textResultForLlm: output } : output;

function permission({ outcome, reason }: Reply): Keys {
  if (outcome !== "allow" && outcome !== "ask" && outcome !== "block") return {};
  return {
    permissionDecision: outcome === "block" ? "deny" : outcome,
    ...defined({ permissionDecisionReason: reason || undefined }),
  };
}

function behavior({ outcome, reason, native }: Reply): Keys {
  if (outcome === "allow") return { behavior: "allow" };
  const { interrupt } = native;
  return outcome === "block"
    ? { behavior: "deny", ...defined({ message: reason || undefined, interrupt }) }
    : {};
}

const block = ({ outcome, reason }: Reply): Keys =>
  outcome === "block" ? { decision: "block", reason } : {};
