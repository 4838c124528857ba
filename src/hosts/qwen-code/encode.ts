import type { Answer, Call, Reply } from "../../core/host.ts";
import { defined } from "../../core/json.ts";
import { eventNamed, type EventContract } from "./events.ts";

type Keys = Record<string, unknown>;

/** JSON with exit 0: exit 2 has its standard output ignored, and lets through what it says nothing about. */
export function encode(given: Reply, call: Call): Answer {
  const event = eventNamed(call.native);
  if (!event) return { exitCode: 0 };
  const reply = event.gate ? heeding(given) : given;
  const nested = { ...told(event, reply), ...nestedDecision(event, reply) };
  const top = {
    ...topDecision(event, reply),
    ...notice(event, reply),
    ...(reply.stop === undefined ? {} : { continue: false, stopReason: reply.stop }),
    ...(isEmpty(nested) ? {} : { hookSpecificOutput: { hookEventName: call.native, ...nested } }),
  };
  return isEmpty(top) ? { exitCode: 0 } : { exitCode: 0, stdout: top };
}

const isEmpty = (keys: Keys): boolean => Object.keys(keys).length === 0;

/** Where something is about to happen, a stop also refuses it. */
function heeding(reply: Reply): Reply {
  if (reply.stop === undefined || reply.outcome === "block") return reply;
  return { ...reply, outcome: "block", reason: reply.stop };
}

const told = ({ can }: EventContract, { context }: Reply): Keys =>
  context.length === 0 || !can.includes("context") ? {} : { additionalContext: context.join("\n\n") };

function nestedDecision({ refusal }: EventContract, { outcome, reason, input }: Reply): Keys {
  if (refusal === "permission" && (outcome === "block" || outcome === "ask"))
    return {
      permissionDecision: outcome === "block" ? "deny" : "ask",
      ...defined({ permissionDecisionReason: reason || undefined }),
    };
  if (refusal !== "behavior") return {};
  if (outcome === "allow") return { decision: { behavior: "allow", ...defined({ updatedInput: input }) } };
  return outcome === "block" ? { decision: { behavior: "deny", message: reason } } : {};
}

/** A refusal of a tool is said on top as well, where it wins over every approval that is said there. */
function topDecision({ refusal }: EventContract, { outcome, reason }: Reply): Keys {
  if (outcome !== "block") return {};
  if (refusal === "permission") return { decision: "deny", reason };
  return refusal === "decision" ? { decision: "block", reason } : {};
}

/** For the person, also the reason why a prompt should be looked at twice. */
function notice({ refusal }: EventContract, { outcome, reason, notices }: Reply): Keys {
  const homeless = refusal === "behavior" && outcome === "ask" && reason !== "";
  const said = homeless ? [reason, ...notices] : notices;
  return said.length === 0 ? {} : { systemMessage: said.join("\n\n") };
}
