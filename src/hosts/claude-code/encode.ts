import type { Answer, Call, Reply } from "../../core/host.ts";
import { asText, defined } from "../../core/json.ts";
import { eventNamed, type EventContract } from "./events.ts";

type Keys = Record<string, unknown>;

/** One answer for one event. A key the event does not know can void the whole of it, the denial included. */
export function encode(given: Reply, call: Call): Answer {
  const event = eventNamed(call.native);
  if (!event || event.deaf) return { exitCode: 0 };
  const reply = event.gate ? heeding(given) : given;
  const refused = reply.outcome === "block";
  if (refused && event.refusal === "exit-1") return { exitCode: 1, stderr: reply.reason };
  if (!refused && event.plain === "worktreePath") return plain(asText(reply.native["worktreePath"]) ?? "");
  if (!refused && event.plain === "context") return plain(reply.context.join("\n\n"));

  const nested = { ...own(event, reply), ...told(event, reply), ...nestedDecision(event, reply) };
  const top = {
    ...topDecision(event, reply),
    ...notice(event, reply),
    ...defined({ terminalSequence: asText(reply.native["terminalSequence"]) }),
    ...(reply.stop === undefined ? {} : { continue: false, stopReason: reply.stop }),
    // An answer without the event's own name, or with another's, is invalid as a whole.
    ...(isEmpty(nested) ? {} : { hookSpecificOutput: { hookEventName: call.native, ...nested } }),
  };
  const stdout = isEmpty(top) ? {} : { stdout: top };
  // With exit 2 the JSON is still read, and nothing in it can undo the block.
  if (refused && event.refusal === "exit-2") return { exitCode: 2, stderr: reply.reason, ...stdout };
  return { exitCode: 0, ...stdout };
}

const isEmpty = (keys: Keys): boolean => Object.keys(keys).length === 0;

/** Observed: `continue: false` alone ends the turn after the tool has run. At a gate a stop also refuses. */
function heeding(reply: Reply): Reply {
  if (reply.stop === undefined || reply.outcome === "block") return reply;
  const { input: _dropped, ...rest } = reply;
  return { ...rest, outcome: "block", reason: reply.stop };
}

// Text that starts like JSON would be read as JSON.
const plain = (text: string): Answer =>
  text === ""
    ? { exitCode: 0 }
    : { exitCode: 0, stdout: text.trimStart().startsWith("{") ? `- ${text}` : text };

/** The event's own keys, where a rule or hook that knows this host contributed them. */
function own(event: EventContract, { native, outcome }: Reply): Keys {
  // Here they are part of the decision.
  if (event.refusal === "behavior" || (event.refusal === "decline" && outcome === "block")) return {};
  return known(event, native);
}

function known({ own: checks = {} }: EventContract, native: Reply["native"]): Keys {
  const keys: Keys = {};
  for (const key in checks)
    if (Object.hasOwn(native, key) && checks[key]?.(native[key])) keys[key] = native[key];
  return keys;
}

const told = (event: EventContract, { context, output }: Reply): Keys =>
  defined({
    // An event that takes plain text does not know the key.
    additionalContext: context.length === 0 || event.plain ? undefined : context.join("\n\n"),
    updatedToolOutput: output,
  });

function nestedDecision(event: EventContract, reply: Reply): Keys {
  if (event.refusal === "permission")
    return { ...permission(reply), ...defined({ updatedInput: reply.input }) };
  if (event.refusal === "behavior") return behavior(event, reply);
  return event.refusal === "decline" && reply.outcome === "block" ? { action: "decline" } : {};
}

function topDecision(event: EventContract, reply: Reply): Keys {
  // Copilot runs `.claude/settings.json` too, and its own hooks read the flat form only; Claude Code ignores it.
  if (event.name === "PreToolUse") return permission(reply);
  return event.refusal === "decision" && reply.outcome === "block"
    ? { decision: "block", reason: reply.reason }
    : {};
}

function permission({ outcome, reason }: Reply): Keys {
  if (outcome !== "allow" && outcome !== "ask" && outcome !== "block") return {};
  return {
    permissionDecision: outcome === "block" ? "deny" : outcome,
    ...defined({ permissionDecisionReason: reason || undefined }),
  };
}

function behavior(event: EventContract, { outcome, reason, input, native }: Reply): Keys {
  const { updatedPermissions, interrupt } = known(event, native);
  if (outcome === "allow") {
    return { decision: { behavior: "allow", ...defined({ updatedInput: input, updatedPermissions }) } };
  }
  return outcome === "block"
    ? { decision: { behavior: "deny", ...defined({ message: reason || undefined, interrupt }) } }
    : {};
}

/** For the person, also the reason of a decision that has no place for one. */
function notice(event: EventContract, { outcome, reason, notices }: Reply): Keys {
  const homeless =
    (event.refusal === "decline" && outcome === "block") ||
    (event.refusal === "behavior" && outcome === "ask");
  const said = homeless && reason !== "" ? [reason, ...notices] : notices;
  return said.length === 0 ? {} : { systemMessage: said.join("\n\n") };
}
