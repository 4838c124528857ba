import { beforeTool } from "../core/event.ts";
import type { Finding } from "../core/finding.ts";
import { fit, type Answer, type Call, type Host } from "../core/host.ts";
import { hostFor } from "./choose-host.ts";
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
export function answerFailure(
  detail: string,
  text: string,
  setting: Setting,
  next = "Tell the user; the failure is in the ledger.",
): FailureAnswer {
  const native = setting.event ?? eventIn(text);
  const host = setting.caller?.host ?? hostFor(setting.host, native);
  const call = host.decode({}, native);
  const can = host.can[call.dialect]?.[call.native] ?? canInOtherDialect(host, call);
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

/** The event a broken payload names, if it got that far. */
const eventIn = (text: string): string | undefined =>
  /"(?:hook_event_name|hookEventName|hookName)"\s*:\s*"(\w{1,64})"/.exec(text)?.[1];

const canInOtherDialect = (host: Host, { native }: Call) =>
  Object.values(host.can).find((can) => native in can)?.[native];
