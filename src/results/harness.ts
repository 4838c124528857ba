import type { RawResult } from "../core/hook.ts";
import type { Json } from "../core/json.ts";
import {
  badExit,
  brokenOff,
  clip,
  failure,
  firstText,
  isNo,
  jsonOf,
  said,
  tooMuch,
  type Reader,
  type Reading,
} from "./reading.ts";

/** Reads what a Harness hook said: text is context, exit 2 a refusal, and before a tool JSON is a decision. */
export function readHarness(hook: Reader, event: string, raw: RawResult, timeoutMs: number): Reading {
  const broken = brokenOff(raw, timeoutMs);
  if (broken) return quiet("failed", failure(hook, broken));
  const { json, text } = jsonOf(raw);
  const decision = event === "PreToolUse" && json && isDecision(json) ? json : undefined;
  if (raw.exitCode === 2) {
    const reason = (decision && reasonOf(decision)) ?? (raw.stderr.trim() || nothingSaid);
    return quiet("blocked", said(hook, "block", reason));
  }
  if (raw.exitCode !== 0 && raw.exitCode !== undefined) return quiet("failed", failure(hook, badExit(raw)));
  if (raw.cut) return quiet("failed", failure(hook, tooMuch));
  if (decision) return decided(hook, decision);
  const context = json && raw.value !== undefined ? JSON.stringify(json) : text;
  const contributions = context === "" ? [] : [{ context: clip(context, longestContext) }];
  return { status: "ok", findings: [], contributions, notes: [] };
}

const nothingSaid = "it refuses, and does not say why";
const longestContext = 100_000;

const quiet = (status: Reading["status"], finding: Reading["findings"][number]): Reading => ({
  status,
  findings: [finding],
  contributions: [],
  notes: [],
});

const isDecision = (json: Json): boolean => "continue" in json || "decision" in json;

const reasonOf = (json: Json): string | undefined => firstText(json, "message", "reason", "stopReason");

function decided(hook: Reader, json: Json): Reading {
  const word = json["decision"];
  const decision = typeof word === "string" ? word.trim().toLowerCase() : word;
  const reason = reasonOf(json);
  if (decision === "block" || decision === "deny" || isNo(json["continue"]))
    return quiet("blocked", said(hook, "block", reason ?? nothingSaid));
  if (decision === "ask") return quiet("asked", said(hook, "ask", reason ?? "it wants to be sure"));
  if (decision !== undefined && !fine.includes(decision))
    return quiet(
      "failed",
      failure(hook, { kind: "bad-output", detail: `unknown decision ${JSON.stringify(word)}` }),
    );
  // To go on is no approval: only the host's own rules may skip a prompt.
  return { status: "ok", findings: [], contributions: [], notes: reason === undefined ? [] : [reason] };
}

const fine: readonly unknown[] = ["allow", "approve", "continue"];
