import type { Answer, Call, Reply } from "../../core/host.ts";
import { defined } from "../../core/json.ts";
import { eventNamed } from "./events.ts";

/** What our plugin file reads: always a decision, because silence could be a program that died. */
export function encode(reply: Reply, call: Call): Answer {
  const event = eventNamed(call.native);
  if (!event) return { exitCode: 0 };
  const { outcome, reason, context, input, output, stop } = reply;
  const said = event.can.includes("context") && context.length > 0 ? { context } : {};
  const refusal = outcome === "block" ? reason : event.gate ? stop : undefined;
  if (refusal !== undefined && event.can.includes("block"))
    return { exitCode: 0, stdout: { decision: "block", reason: refusal, ...said } };
  return { exitCode: 0, stdout: { decision: "go", ...said, ...defined({ args: input, output }) } };
}
