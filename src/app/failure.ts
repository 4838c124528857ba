import { beforeTool } from "../core/event.ts";
import type { Finding } from "../core/finding.ts";
import { abilitiesAt, fit, type Answer, type Call, type Host } from "../core/host.ts";
import { isObject } from "../core/json.ts";
import { hostFor, recognise } from "./choose-host.ts";
import type { Setting } from "./pass.ts";

export interface FailureAnswer {
  readonly finding: Finding;
  readonly answer: Answer;
  readonly told: Finding["outcome"];
}

/**
 * An answer for when there is no event to judge: who cannot be checked at a gate does not get through, and
 * where nobody can tell whether it is a gate, it is one.
 */
export async function answerFailure(
  detail: string,
  text: string,
  setting: Setting,
  next = "Tell the user; the failure is in the ledger.",
): Promise<FailureAnswer> {
  const native = setting.event ?? eventIn(text);
  const host = setting.caller?.host ?? (await hostFor(setting.host ?? callerIn(text), native));
  const call = host.decode({}, native);
  const can = abilitiesAt(host, call) ?? canInOtherDialect(host, call);
  const isOpen = setting.caller?.failMode === "open";
  const isGate = !isOpen && (can === undefined || (beforeTool as readonly string[]).includes(call.name));
  const outcome = isGate ? "block" : "warn";
  const verb = isGate ? "Blocked by" : "Warning from";
  const message = `${verb} hookline: ${detail}.\nWhat cannot be read cannot be checked.\n${next}`;
  const finding: Finding = { rule: "hookline/payload", outcome, message, id: "failure", data: {} };
  // Exit 2 with a reason on stderr is what most hosts take for a refusal.
  if (can === undefined && isOpen) return { finding, answer: { exitCode: 0, stderr: message }, told: "pass" };
  if (can === undefined) return { finding, answer: { exitCode: 2, stderr: message }, told: "block" };
  const { reply } = fit({ outcome, findings: [finding], contributions: [] }, can);
  return { finding, answer: host.encode(reply, call), told: reply.outcome };
}

/**
 * Who a payload seems to come from, by as much of it as can be read: up to the first value that is no plain one, because what
 * stands in a tool's input tells nothing of the caller.
 */
function callerIn(text: string): string | undefined {
  try {
    const payload: unknown = JSON.parse(text);
    return isObject(payload) ? recognise(payload, 2) : undefined;
  } catch {
    const [head = ""] = text.split(/:\s*[[{]/, 1);
    const fields = head.matchAll(/"(\w{1,64})"\s*:\s*"((?:[^"\\]|\\.){0,4096})"/g);
    return recognise(Object.fromEntries([...fields].map(([, key = "", value = ""]) => [key, value])), 2);
  }
}

/** The event a broken payload names, if it got that far. */
const eventIn = (text: string): string | undefined =>
  /"(?:hook_event_name|hookEventName|hookName|agent_action_name)"\s*:\s*"(\w{1,64})"/.exec(text)?.[1];

const canInOtherDialect = (host: Host, { native }: Call) =>
  Object.values(host.can).find((can) => Object.hasOwn(can, native))?.[native];
