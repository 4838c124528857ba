import type { Answer, Call, Reply } from "../../core/host.ts";
import { eventNamed, type EventContract } from "./events.ts";

type Keys = Record<string, unknown>;

/**
 * Nothing but what the event knows: one foreign key, one key that does not go with another, and the whole answer is dropped and
 * the call runs (source of 2026-08-22, seen with 0.166.0).
 */
export function encode(given: Reply, call: Call): Answer {
  const event = eventNamed(call.native);
  if (!event) return { exitCode: 0 };
  const reply = heeding(event, given);
  const nested = { ...told(event, reply), ...nestedDecision(event, reply) };
  const top = {
    ...topDecision(event, reply),
    ...notice(event, reply),
    ...(isEmpty(nested) ? {} : { hookSpecificOutput: { hookEventName: call.native, ...nested } }),
  };
  return isEmpty(top) ? { exitCode: 0 } : { exitCode: 0, stdout: top };
}

const isEmpty = (keys: Keys): boolean => Object.keys(keys).length === 0;

/** A stop at a gate is a refusal: `continue: false` voids the answer to PreToolUse. A refused call has no other input. */
function heeding({ gate }: EventContract, reply: Reply): Reply {
  const { stop, input: _dropped, ...rest } = reply;
  if (gate && stop !== undefined)
    return reply.outcome === "block" ? rest : { ...rest, outcome: "block", reason: stop };
  return reply;
}

const told = ({ can }: EventContract, { context }: Reply): Keys =>
  context.length === 0 || !can.includes("context") ? {} : { additionalContext: context.join("\n\n") };

function nestedDecision({ refusal }: EventContract, reply: Reply): Keys {
  const { outcome, reason, input } = reply;
  if (refusal === "permission") {
    if (outcome === "block")
      return {
        permissionDecision: "deny",
        permissionDecisionReason: spoken(reason),
      };
    return input === undefined ? {} : { permissionDecision: "allow", updatedInput: input };
  }
  if (refusal !== "behavior") return {};
  if (outcome === "allow") return { decision: { behavior: "allow" } };
  return outcome === "block" ? { decision: { behavior: "deny", message: spoken(reason) } } : {};
}

// A refusal without a reason is none.
const spoken = (reason: string): string => (reason.trim() === "" ? "Blocked by policy." : reason);

function topDecision({ refusal }: EventContract, { outcome, reason, output, stop }: Reply): Keys {
  const refused = outcome === "block";
  if (refusal === "stop" && refused) return { continue: false, stopReason: spoken(reason) };
  return {
    ...(refusal === "decision" && refused ? { decision: "block", reason: spoken(reason) } : {}),
    // The reason of a block takes the place of the tool's output.
    ...(output === undefined || refused ? {} : { decision: "block", reason: spoken(asOutput(output)) }),
    ...(stop === undefined ? {} : { continue: false, stopReason: stop }),
  };
}

const asOutput = (output: unknown): string =>
  typeof output === "string" ? output : (JSON.stringify(output) ?? "");

/** For the person, also the reason why a prompt should be looked at twice. */
function notice({ can, refusal }: EventContract, { outcome, reason, notices }: Reply): Keys {
  const homeless = refusal === "behavior" && outcome === "ask" && reason !== "";
  const said = homeless ? [reason, ...notices] : notices;
  return said.length === 0 || !can.includes("notice") ? {} : { systemMessage: said.join("\n\n") };
}
