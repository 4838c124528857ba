import type { Answer, Call, Reply } from "../../core/host.ts";
import { asText, defined } from "../../core/json.ts";
import { eventNamed, type EventContract } from "./events.ts";

type Keys = Record<string, unknown>;

/** Only keys the event knows: one that is foreign to it can void the whole answer. */
export function encode(given: Reply, call: Call): Answer {
  const event = eventNamed(call.native);
  if (!event || event.deaf) return { exitCode: 0 };
  const reply = event.gate && given.stop !== undefined ? refusing(given, given.stop) : given;
  const refused = reply.outcome === "block" && event.can.includes("block");
  if (refused && event.refusal === "exit-1") return { exitCode: 1, stderr: reply.reason };
  if (!refused && event.plain === "worktreePath") return plain(asText(reply.native["worktreePath"]) ?? "");
  if (!refused && event.plain === "context") return plain(reply.context.join("\n\n"));

  const nested = { ...own(event, reply), ...told(event, reply), ...decision(event, reply) };
  const top = {
    ...topDecision(event, reply),
    ...(event.can.includes("notice") ? notice(event, reply) : {}),
    ...defined({ terminalSequence: asText(reply.native["terminalSequence"]) }),
    ...(reply.stop !== undefined && event.can.includes("stop") ? { continue: false, stopReason: reply.stop } : {}),
    // An answer without the event's own name, or with another's, is invalid as a whole.
    ...(isEmpty(nested) ? {} : { hookSpecificOutput: { hookEventName: call.native, ...nested } }),
  };
  const stdout = isEmpty(top) ? {} : { stdout: top };
  // With exit 2 the JSON is still read, and what it says cannot undo the block.
  if (refused && event.refusal === "exit-2") return { exitCode: 2, stderr: reply.reason, ...stdout };
  return { exitCode: 0, ...stdout };
}

const refusing = (reply: Reply, stop: string): Reply =>
  reply.outcome === "block" ? reply : { ...reply, outcome: "block", reason: stop };

const isEmpty = (keys: Keys): boolean => Object.keys(keys).length === 0;

// Text that starts like JSON would be read as JSON.
const plain = (text: string): Answer =>
  text === "" ? { exitCode: 0 } : { exitCode: 0, stdout: text.trimStart().startsWith("{") ? `- ${text}` : text };

/** The event's own keys, as a hook or rule that knows this host contributed them. */
function own(event: EventContract, { native, outcome }: Reply): Keys {
  // Here they belong to the decision itself.
  if (event.refusal === "behavior" || (event.refusal === "decline" && outcome === "block")) return {};
  return known(event, native);
}

const known = (event: EventContract, native: Reply["native"]): Keys =>
  Object.fromEntries(
    Object.entries(event.own ?? {}).flatMap(([key, fits]) =>
      Object.hasOwn(native, key) && fits(native[key]) ? [[key, native[key]]] : [],
    ),
  );

function told(event: EventContract, reply: Reply): Keys {
  return {
    ...(reply.context.length > 0 && event.can.includes("context") && event.plain === undefined
      ? { additionalContext: reply.context.join("\n\n") }
      : {}),
    ...(reply.output !== undefined && event.can.includes("output") ? { updatedToolOutput: reply.output } : {}),
  };
}

function decision(event: EventContract, reply: Reply): Keys {
  if (event.refusal === "permission") {
    return {
      ...permission(reply),
      ...(reply.input && event.can.includes("input") && reply.outcome !== "block" ? { updatedInput: reply.input } : {}),
    };
  }
  if (event.refusal === "behavior") return behavior(event, reply);
  return event.refusal === "decline" && reply.outcome === "block" ? { action: "decline" } : {};
}

function topDecision(event: EventContract, reply: Reply): Keys {
  // Copilot CLI runs `.claude/settings.json` too and reads the flat form; Claude Code ignores it.
  if (event.name === "PreToolUse") return permission(reply);
  const blocks = event.refusal === "decision" && reply.outcome === "block";
  return blocks ? { decision: "block", reason: reply.reason } : {};
}

function permission({ outcome, reason }: Reply): Keys {
  if (outcome !== "allow" && outcome !== "ask" && outcome !== "block") return {};
  return {
    permissionDecision: outcome === "block" ? "deny" : outcome,
    ...(reason === "" ? {} : { permissionDecisionReason: reason }),
  };
}

function behavior(event: EventContract, { outcome, reason, input, native }: Reply): Keys {
  const { updatedPermissions, interrupt } = known(event, native);
  if (outcome === "allow") {
    return { decision: { behavior: "allow", ...defined({ updatedInput: input, updatedPermissions }) } };
  }
  if (outcome !== "block") return {};
  return { decision: { behavior: "deny", ...(reason === "" ? {} : { message: reason }), ...defined({ interrupt }) } };
}

/** For the person; also a reason that the decision has no place for. */
function notice(event: EventContract, { outcome, reason, notices }: Reply): Keys {
  const homeless =
    (event.refusal === "decline" && outcome === "block") || (event.refusal === "behavior" && outcome === "ask");
  const said = homeless && reason !== "" ? [reason, ...notices] : notices;
  return said.length === 0 ? {} : { systemMessage: said.join("\n\n") };
}
