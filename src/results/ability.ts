import {
  followUpKinds,
  isStage,
  levels,
  type FollowUp,
  type HookResult,
  type RawResult,
} from "../core/hook.ts";
import { defined, isObject, type Json } from "../core/json.ts";
import { guardOf } from "./_guard-signals.ts";
import {
  badExit,
  brokenOff,
  clip,
  failure,
  jsonOf,
  said,
  tooMuch,
  type Reader,
  type Reading,
} from "./reading.ts";

/** Events at which an error of a hook can still stop something. */
const gates = ["PreAbilityCall", "PreToolUse", "PermissionRequest", "UserPromptSubmit"];

/** Reads a HookResult. */
export function readAbility(hook: Reader, event: string, raw: RawResult, timeoutMs: number): Reading {
  const broken = brokenOff(raw, timeoutMs);
  const { json, text } = jsonOf(raw);
  if (broken) return failed(hook, failure(hook, broken));
  if (raw.cut) return failed(hook, failure(hook, tooMuch));
  const { result, notes } = normalise(json ?? {});
  const base = { contributions: contributionsOf(hook, result), result, notes };
  if (raw.exitCode !== undefined && raw.exitCode !== 0)
    return { ...base, status: "failed", findings: [failure(hook, badExit(raw))] };
  if (!json && text !== "") {
    const detail = `its output is not a JSON object: ${clip(text, 200)}`;
    return failed(hook, failure(hook, { kind: "bad-output", detail }));
  }
  const guard = gates.includes(event) ? guardOf(json ?? {}) : undefined;
  const { error } = result;
  if (guard && !(error !== undefined && isBlocked(hook, event, error))) {
    const words = [...(result.messages_to_user ?? []), guard.reason].join("\n");
    const status = guard.outcome === "ask" ? "asked" : "blocked";
    return { ...base, status, findings: [said(hook, guard.outcome, words)] };
  }
  if (error === undefined) return { ...base, status: "ok", findings: [] };
  const reason = [...(result.messages_to_user ?? []), `(${error})`].join("\n");
  if (isBlocked(hook, event, error))
    return { ...base, status: "blocked", findings: [said(hook, "block", reason)] };
  return { ...base, status: "warned", findings: [said(hook, "warn", `it reports trouble: ${reason}`)] };
}

const failed = (_hook: Reader, finding: Reading["findings"][number]): Reading => ({
  status: "failed",
  findings: [finding],
  contributions: [],
  notes: [],
});

/**
 * `blocked_by_policy` is a refusal whoever says it; any other error is one from a hook marked as blocking. A stop of the
 * session is only held up by a hook marked so.
 */
function isBlocked(hook: Reader, event: string, error: string): boolean {
  if (hook.blocking) return true;
  return error === "blocked_by_policy" && gates.includes(event);
}

/** How hints are told to a model. */
export const hintMark = "Hints of the hook";

/** How suggestions of ability routing are. */
export const routingMark = "Hints of ability routing";

/** How a follow-up action is shown to people. */
export const followUpMark = "Follow-up, not carried out:";

/** What it says to people and models. Suggestions are hints: nobody acts on them but who reads them. */
function contributionsOf(hook: Reader, result: HookResult): Reading["contributions"] {
  const hints = [
    ...(result.suggested_abilities ?? []).map(
      ({ id, reason, confidence }) =>
        `ability ${id}${confidence === undefined ? "" : ` (confidence ${confidence})`}: ${reason}`,
    ),
    ...(result.suggested_documents ?? []).map(({ path, reason }) => `document ${path}: ${reason}`),
    ...(result.new_intent ? [`intent ${JSON.stringify(result.new_intent)}`] : []),
  ];
  const notices = [
    ...(result.messages_to_user ?? []),
    ...(result.follow_up_actions ?? []).map(
      ({ kind, payload }) => `${followUpMark} ${kind} ${JSON.stringify(payload)}`,
    ),
  ];
  return [
    ...(hints.length === 0
      ? []
      : [{ context: clip(`${hintMark} ${hook.id}:\n${hints.map((hint) => `- ${hint}`).join("\n")}`) }]),
    ...(notices.length === 0 ? [] : [{ notice: clip(notices.join("\n")) }]),
  ];
}

type Normalised = { readonly result: HookResult; readonly notes: readonly string[] };

/** Puts a HookResult straight: spellings of its successor, keys beside a payload, whatever does not fit. */
function normalise(json: Json): Normalised {
  const notes: string[] = [];
  const dropped = (key: string): void =>
    void notes.push(`${key}: something in it does not fit and was left out`);
  const list = <T>(key: string, read: (value: unknown) => T | undefined): readonly T[] | undefined => {
    const value = json[key];
    if (value === undefined || value === null) return undefined;
    const all: unknown[] = Array.isArray(value) ? value : [value];
    const kept = all.flatMap((each) => read(each) ?? []);
    if (kept.length < all.length) dropped(key);
    return kept;
  };
  const result = defined({
    logs: list("logs", logOf),
    messages_to_user: list("messages_to_user", (value) => (typeof value === "string" ? value : undefined)),
    suggested_abilities: list("suggested_abilities", abilityOf),
    suggested_documents: list("suggested_documents", documentOf),
    new_intent: isObject(json["new_intent"]) ? json["new_intent"] : undefined,
    follow_up_actions: list("follow_up_actions", (value) => followUpOf(value, notes)),
    usage_recorded: typeof json["usage_recorded"] === "boolean" ? json["usage_recorded"] : undefined,
    error: errorOf(json["error"]),
  }) as HookResult;
  const extra = Object.fromEntries(Object.entries(json).filter(([key]) => !known.includes(key)));
  return { result: Object.keys(extra).length === 0 ? result : { ...result, extra }, notes };
}

const known = [
  "logs",
  "messages_to_user",
  "suggested_abilities",
  "suggested_documents",
  "new_intent",
  "follow_up_actions",
  "usage_recorded",
  "error",
];

type Each<K extends keyof HookResult> = NonNullable<HookResult[K]> extends readonly (infer T)[] ? T : never;

function logOf(value: unknown): Each<"logs"> | undefined {
  if (typeof value === "string") return { level: "info", message: value };
  if (!isObject(value) || typeof value["message"] !== "string") return undefined;
  const level = levels.find((each) => each === value["level"]) ?? "info";
  return { level, message: value["message"] };
}

function abilityOf(value: unknown): Each<"suggested_abilities"> | undefined {
  if (typeof value === "string") return { id: value, reason: "" };
  if (!isObject(value) || typeof value["id"] !== "string") return undefined;
  const confidence = typeof value["confidence"] === "number" ? value["confidence"] : undefined;
  const reason = typeof value["reason"] === "string" ? value["reason"] : "";
  return { id: value["id"], reason, ...(confidence === undefined ? {} : { confidence }) };
}

function documentOf(value: unknown): Each<"suggested_documents"> | undefined {
  if (typeof value === "string") return { path: value, reason: "" };
  if (!isObject(value) || typeof value["path"] !== "string") return undefined;
  const { stage } = value;
  const reason = typeof value["reason"] === "string" ? value["reason"] : "";
  return { path: value["path"], reason, ...(isStage(stage) ? { stage } : {}) };
}

function followUpOf(value: unknown, notes: string[]): FollowUp | undefined {
  if (!isObject(value)) return undefined;
  const kind = followUpKinds.find((each) => each === value["kind"]);
  if (!kind) return undefined;
  const { kind: _kind, payload, ...beside } = value;
  if (Object.keys(beside).length > 0)
    notes.push(`follow_up_actions: ${Object.keys(beside).join(", ")} belongs into payload and was put there`);
  return { kind, payload: { ...beside, ...(isObject(payload) ? payload : {}) } };
}

function errorOf(value: unknown): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  if (!isObject(value)) return value === true ? "error" : undefined;
  const { code, message } = value;
  if (typeof code === "string") return code;
  return typeof message === "string" ? message : "error";
}
