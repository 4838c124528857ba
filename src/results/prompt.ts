import type { RawResult } from "../core/hook.ts";
import { brokenOff, failure, jsonOf, said, type Reader, type Reading } from "./reading.ts";

/** Reads what an evaluator answered; without one, the prompt itself is something to tell the model. */
export function readPrompt(hook: Reader, _event: string, raw: RawResult, timeoutMs: number): Reading {
  if (raw.detail === injected)
    return { status: "ok", findings: [], contributions: [{ context: raw.stdout }], notes: [injected] };
  const broken = brokenOff(raw, timeoutMs);
  if (broken) return { status: "failed", findings: [failure(hook, broken)], contributions: [], notes: [] };
  const { json } = jsonOf(raw);
  const notes = raw.detail === undefined ? [] : [raw.detail];
  if (json?.["ok"] === true) return { status: "ok", findings: [], contributions: [], notes };
  const reason =
    typeof json?.["reason"] === "string" ? json["reason"] : "the rule does not hold, and no reason was given";
  return { status: "blocked", findings: [said(hook, "block", reason)], contributions: [], notes };
}

/** Nobody was asked: the text went to the model as it is. */
export const injected = "injected";
