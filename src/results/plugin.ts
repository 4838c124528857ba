import type { RawResult } from "../core/hook.ts";
import type { Contribution, Finding } from "../core/finding.ts";
import { isObject, type Json } from "../core/json.ts";
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

/** Events at which plain text is for the model. */
const tells = ["SessionStart", "UserPromptSubmit"];
/** Events at which `continue: false` means to end, and a refusal to go on. */
const ends = ["Stop", "SubagentStop"];

const longestContext = 100_000;

/**
 * Reads what a hook of a plugin or of nested settings said. A no in its JSON counts whatever its exit code; a yes, a
 * changed input and context count only when it exits well.
 */
export function readPlugin(hook: Reader, event: string, raw: RawResult, timeoutMs: number): Reading {
  const broken = brokenOff(raw, timeoutMs);
  const { json, broken: half, text } = jsonOf(raw);
  const answer = json ? answerIn(json) : {};
  const isEnd = ends.includes(event);
  const refusal = raw.exitCode === 2 || answer.refused === true || (answer.halted === true && !isEnd);
  const stop = answer.halted === true && isEnd ? [{ stop: clip(answer.reason ?? "a hook ended it") }] : [];
  if (refusal) {
    const reason = answer.reason ?? (raw.stderr.trim() || "it refuses, and does not say why");
    return { ...only("blocked", said(hook, "block", reason)), contributions: [...stop, ...noticeOf(answer)] };
  }
  if (broken) return only("failed", failure(hook, broken));
  if (raw.exitCode !== 0 && raw.exitCode !== undefined)
    return { ...only("failed", failure(hook, badExit(raw))), contributions: noticeOf(answer) };
  if (raw.cut) return only("failed", failure(hook, tooMuch));
  if (half)
    return only("failed", failure(hook, { kind: "bad-output", detail: `broken JSON: ${clip(text, 200)}` }));
  if (!json) {
    const isContext = text !== "" && tells.includes(event);
    return {
      status: "ok",
      findings: [],
      contributions: isContext ? [{ context: clip(text, longestContext) }] : [],
      notes: text === "" || isContext ? [] : [clip(text, 1000)],
    };
  }
  return spoken(hook, event, answer, stop);
}

const only = (status: Reading["status"], finding: Finding): Reading => ({
  status,
  findings: [finding],
  contributions: [],
  notes: [],
});

interface Answer {
  readonly refused?: true;
  readonly halted?: true;
  readonly asked?: true;
  readonly allowed?: true;
  readonly reason?: string;
  readonly notice?: string;
  readonly context?: string;
  readonly input?: Json;
  readonly output?: unknown;
  readonly native?: Json;
}

/** The dialects there are: top level, `hookSpecificOutput`, a permission's `behavior`, and `status` of older templates. */
function answerIn(json: Json): Answer {
  const nested = isObject(json["hookSpecificOutput"]) ? json["hookSpecificOutput"] : {};
  const request = isObject(nested["decision"]) ? nested["decision"] : {};
  const words = [
    json["decision"],
    json["status"],
    json["permissionDecision"],
    json["behavior"],
    nested["permissionDecision"],
    request["behavior"],
  ];
  const has = (...wanted: readonly string[]): boolean =>
    words.some((word) => wanted.includes(word as string));
  // A no is one however it is written; a yes has to be said in so many words.
  const hasLoosely = (...wanted: readonly string[]): boolean =>
    words.some((word) => typeof word === "string" && wanted.includes(word.trim().toLowerCase()));
  const notice = firstText(json, "systemMessage");
  const reason =
    firstText(nested, "permissionDecisionReason") ??
    firstText(request, "message") ??
    firstText(json, "permissionDecisionReason", "reason", "message", "stopReason", "systemMessage");
  const context = firstText(nested, "additionalContext") ?? firstText(json, "additionalContext");
  const input = [
    nested["updatedInput"],
    request["updatedInput"],
    json["updatedInput"],
    json["modifiedArgs"],
  ].find(isObject);
  const {
    hookEventName: _name,
    permissionDecision: _decision,
    permissionDecisionReason: _why,
    additionalContext: _context,
    updatedInput: _input,
    updatedToolOutput,
    decision: _request,
    ...native
  } = nested;
  const more = { ...native, ...permissionKeys(request) };
  return {
    ...(hasLoosely("block", "deny", "reject") ? { refused: true } : {}),
    ...(isNo(json["continue"]) ? { halted: true } : {}),
    ...(hasLoosely("ask") ? { asked: true } : {}),
    ...(has("allow", "approve") ? { allowed: true } : {}),
    ...(reason === undefined ? {} : { reason }),
    ...(notice === undefined ? {} : { notice }),
    ...(context === undefined ? {} : { context }),
    ...(input === undefined ? {} : { input }),
    ...(updatedToolOutput === undefined ? {} : { output: updatedToolOutput }),
    ...(Object.keys(more).length === 0 ? {} : { native: more }),
  };
}

const permissionKeys = ({ updatedPermissions, interrupt }: Json): Json => ({
  ...(updatedPermissions === undefined ? {} : { updatedPermissions }),
  ...(interrupt === undefined ? {} : { interrupt }),
});

const noticeOf = ({ notice }: Answer): Contribution[] =>
  notice === undefined ? [] : [{ notice: clip(notice) }];

function spoken(hook: Reader, event: string, answer: Answer, stop: readonly Contribution[]): Reading {
  const { input, output, native, context } = answer;
  const before = event === "PreToolUse" || event === "PermissionRequest";
  const notes = input && !before ? [`updatedInput means nothing at ${event}`] : [];
  const contributions: Contribution[] = [
    ...stop,
    ...noticeOf(answer),
    ...(context === undefined ? [] : [{ context: clip(context, longestContext) }]),
    ...(input && before ? [{ input }] : []),
    ...(output === undefined ? [] : [{ output }]),
    ...(native === undefined ? [] : [{ native }]),
  ];
  if (answer.asked)
    return {
      status: "asked",
      findings: [said(hook, "ask", answer.reason ?? "it wants to be sure")],
      contributions,
      notes,
    };
  // An approval skips the host's own prompt, so it has to be said in so many words, before a tool.
  const findings = answer.allowed && before ? [said(hook, "allow", answer.reason ?? "it approves")] : [];
  return { status: "ok", findings, contributions, notes };
}
