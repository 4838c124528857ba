import type { Answer, Call, Reply } from "../../core/host.ts";
import { isObject } from "../../core/json.ts";
import { eventNamed, type EventContract } from "./events.ts";

type Keys = Record<string, unknown>;

/** JSON with exit 0: it is read whatever the code is, and only then is the reason the bare one. */
export function encode(given: Reply, call: Call): Answer {
  const event = eventNamed(call.native);
  if (!event) return { exitCode: 0 };
  const reply = merging(event.gate ? heeding(given) : given, call);
  const nested = { ...own(event, reply), ...told(event, reply) };
  const top = {
    ...decision(event, reply),
    ...(reply.notices.length === 0 ? {} : { systemMessage: reply.notices.join("\n\n") }),
    ...(reply.stop === undefined ? {} : { continue: false, stopReason: reply.stop }),
    ...(isEmpty(nested) ? {} : { hookSpecificOutput: { hookEventName: call.native, ...nested } }),
  };
  return isEmpty(top) ? { exitCode: 0 } : { exitCode: 0, stdout: top };
}

const isEmpty = (keys: Keys): boolean => Object.keys(keys).length === 0;

/** Where something is about to happen, a stop also refuses it. */
function heeding(reply: Reply): Reply {
  if (reply.stop === undefined || reply.outcome === "block") return reply;
  const { input: _dropped, ...rest } = reply;
  return { ...rest, outcome: "block", reason: reply.stop };
}

/**
 * The host lays a changed input over the arguments: what was taken out would still be there, and nobody has judged that. What a
 * command is for does not matter to it, and hooks written for other agents leave it out.
 */
function merging(reply: Reply, { tool }: Call): Reply {
  const { input, ...rest } = reply;
  if (input === undefined || !isObject(tool?.input)) return reply;
  const left = Object.keys(tool.input).filter(
    (key) => !Object.hasOwn(input, key) && !(tool.name === "run_shell_command" && key === "description"),
  );
  if (left.length === 0) return reply;
  const reason = `The changed call leaves out ${left.join(", ")}, which this agent would keep.`;
  return { ...rest, outcome: "block", reason };
}

function decision({ can }: EventContract, { outcome, reason, output }: Reply): Keys {
  if (outcome === "block" && can.includes("block")) return { decision: "deny", reason };
  // The reason of a refusal takes the place of the tool's output.
  return output === undefined ? {} : { decision: "deny", reason: asOutput(output) };
}

const asOutput = (output: unknown): string =>
  typeof output === "string" ? output : (JSON.stringify(output) ?? "");

/** The event's own keys, where a rule or hook that knows this host contributed them. */
function own(event: EventContract, { native, outcome }: Reply): Keys {
  if (outcome === "block") return {};
  return Object.fromEntries(
    Object.entries(event.own ?? {}).flatMap(([key, fits]) =>
      Object.hasOwn(native, key) && fits(native[key]) ? [[key, native[key]]] : [],
    ),
  );
}

const told = ({ can }: EventContract, { context, input }: Reply): Keys => ({
  ...(context.length === 0 || !can.includes("context") ? {} : { additionalContext: context.join("\n\n") }),
  ...(input === undefined || !can.includes("input") ? {} : { tool_input: input }),
});
