import type { HookDefinition, HookResult, HookRun, RawResult } from "../core/hook.ts";
import type { Contribution, Failure, Finding } from "../core/finding.ts";
import { isObject, type Json } from "../core/json.ts";
import type { Outcome } from "../core/outcome.ts";

/** What a hook must be known by for its result to be read. */
export type Reader = HookRun["hook"];

/** A raw result made sense of. */
export interface Reading {
  readonly status: HookRun["status"];
  readonly findings: readonly Finding[];
  readonly contributions: readonly Contribution[];
  /** What an ability hook returned, put straight. */
  readonly result?: HookResult;
  /** What is worth a line in the record and nothing more. */
  readonly notes: readonly string[];
}

const ruleOf = (hook: Pick<HookDefinition, "id">): string => `hooks/${hook.id}`;

const verbs = {
  block: "Blocked by",
  ask: "Confirmation asked by",
  warn: "Warning from",
  allow: "Allowed by",
};

/** Long enough for a reason; a hook that writes a book must not fill the model's memory with it. */
const longestReason = 10_000;

export const clip = (text: string, most = longestReason): string =>
  text.length > most ? `${text.slice(0, most)}… (${text.length - most} characters more)` : text;

export function said(hook: Reader, outcome: Exclude<Outcome, "pass">, reason: string): Finding {
  const message = `${verbs[outcome]} ${ruleOf(hook)}: ${clip(reason.trim())}`;
  return { rule: ruleOf(hook), outcome, message, id: outcome, data: {} };
}

/** A hook that could not give an answer of its own: a warning, or a refusal where it fails closed. */
export function failure(hook: Reader, why: Failure): Finding {
  const closed = hook.failMode === "closed";
  const outcome = closed ? "block" : "warn";
  const then = closed
    ? "It is set to fail closed, so nothing goes ahead that it could not check."
    : "It fails open, so this goes ahead unchecked by it.";
  const message = `${verbs[outcome]} ${ruleOf(hook)}: the hook itself failed (${clip(why.detail, 1000)}).\n${then}`;
  return { rule: ruleOf(hook), outcome, message, id: "failure", data: {}, failure: why };
}

/** How a process ended that did not simply exit, or nothing. */
export function brokenOff(raw: RawResult, timeoutMs?: number): Failure | undefined {
  if (raw.ended === "timeout")
    return {
      kind: "timeout",
      detail:
        raw.detail ?? (timeoutMs === undefined ? "it took too long" : `no answer within ${timeoutMs} ms`),
    };
  if (raw.ended === "signal") return { kind: "crash", detail: `it ended by ${raw.signal ?? "a signal"}` };
  if (raw.ended === "failed") return { kind: "crash", detail: raw.detail ?? "it could not be run" };
  // What coreutils' `timeout` says.
  if (raw.exitCode === 124)
    return { kind: "timeout", detail: "it exited with 124, which means a time limit" };
  return undefined;
}

export const badExit = ({ exitCode, stderr }: RawResult): Failure => {
  const first = stderr.trim();
  return { kind: "crash", detail: `exit ${exitCode}${first === "" ? "" : `: ${clip(first, 500)}`}` };
};

export const tooMuch: Failure = {
  kind: "bad-output",
  detail: "it printed more than 1 MiB; nothing of it was read",
};

/** The whole of standard output as one JSON object; `broken` when it sets out to be one and is not. */
export function jsonOf({ stdout, value }: RawResult): { json?: Json; broken?: true; text: string } {
  if (value !== undefined) return isObject(value) ? { json: value, text: "" } : { broken: true, text: "" };
  const text = stdout.trim();
  if (!text.startsWith("{")) return { text };
  try {
    const json: unknown = JSON.parse(text);
    return isObject(json) ? { json, text } : { text };
  } catch {
    return { broken: true, text };
  }
}

/** `false`, also as a text, which is what many a shell script prints. */
export const isNo = (value: unknown): boolean =>
  value === false || (typeof value === "string" && value.trim().toLowerCase() === "false");

export const firstText = (json: Json, ...keys: readonly string[]): string | undefined => {
  for (const key of keys) {
    const value = json[key];
    if (typeof value === "string" && value.trim() !== "") return value;
  }
  return undefined;
};
