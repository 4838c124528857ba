import type { Answer, Call, Reply } from "../../core/host.ts";
import { defined } from "../../core/json.ts";
import { eventNamed, type EventContract } from "./events.ts";

type Keys = Record<string, unknown>;

/** Exit 0 also for a refusal: only then is the JSON read, and with it the reason. */
export function encode(reply: Reply, call: Call): Answer {
  const event = eventNamed(call.native);
  if (!event) return { exitCode: 0 };
  const out = { ...own(event, reply), ...decision(event, reply) };
  return Object.keys(out).length === 0 ? { exitCode: 0 } : { exitCode: 0, stdout: out };
}

function own({ own: keys = [] }: EventContract, { native }: Reply): Keys {
  return Object.fromEntries(keys.flatMap((key) => (Object.hasOwn(native, key) ? [[key, native[key]]] : [])));
}

function decision({ form }: EventContract, reply: Reply): Keys {
  const { outcome, reason, context, notices, input, stop } = reply;
  const refused = outcome === "block";
  switch (form) {
    case "permission":
      return {
        ...permission(reply),
        ...said(reply, "user_message", "agent_message"),
        ...defined({ updated_input: refused ? undefined : input }),
      };
    case "quiet-permission":
      return { ...permission(reply), ...said(reply, "user_message") };
    case "bare-permission":
      return permission(reply);
    case "continue":
      return refused || stop !== undefined
        ? { continue: false, user_message: (refused ? reason : stop) || "Stopped by policy." }
        : { continue: true };
    case "followup":
      return refused ? { followup_message: reason } : {};
    case "context":
      return context.length === 0 ? {} : { additional_context: context.join("\n\n") };
    case "message":
      return notices.length === 0 ? {} : { user_message: notices.join("\n\n") };
    default:
      return {};
  }
}

/**
 * A gate cannot be passed in silence: an answer without `permission` counts as broken, and with `failClosed` refuses the
 * call (seen by others with 3.15.6: "returned no output"). No objection and approval are the same word here.
 */
const permission = ({ outcome }: Reply): Keys => ({
  permission: outcome === "block" ? "deny" : outcome === "ask" ? "ask" : "allow",
});

/** For the person and for the model: there is one reason. */
const said = ({ outcome, reason }: Reply, ...keys: readonly string[]): Keys =>
  (outcome === "block" || outcome === "ask") && reason !== ""
    ? Object.fromEntries(keys.map((key) => [key, reason]))
    : {};
