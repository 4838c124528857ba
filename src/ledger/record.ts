import type { DoneEffect } from "../core/effect.ts";
import type { Event } from "../core/event.ts";
import type { Finding } from "../core/finding.ts";
import type { HookRun } from "../core/hook.ts";
import type { Outcome } from "../core/outcome.ts";
import { lazily } from "../core/lazily.ts";
import type { Observation } from "../core/world.ts";
import { sha256 } from "../platform/digest.ts";
import { newId } from "../platform/id.ts";
import { version } from "../platform/version.ts";
import { mayHoldSecret } from "../secrets/secret-hint.ts";
import { setPlainAside, withoutPlainNames } from "./_plain-aside.ts";
import { writtenActions } from "./_written-actions.ts";
import { recordVersion } from "./chain.ts";

/** What the app knows of a decision when it is done. */
export interface Decision {
  readonly time: number;
  readonly event?: Event;
  /** Why there is no event: the payload could not be read, or we failed. */
  readonly failure?: {
    readonly kind: "payload" | "internal";
    readonly detail: string;
    readonly sample?: string;
  };
  readonly host: string;
  /** The version of the host, as far as it tells. */
  readonly hostVersion?: string | undefined;
  readonly policy: {
    readonly digest: string;
    readonly mode: string;
    readonly origin: string;
    readonly packs: Readonly<Record<string, string>>;
    readonly trouble: readonly string[];
  };
  readonly findings: readonly Finding[];
  /** Every hook that was concerned, with what it brought back: a replay runs none. */
  readonly hooks?: readonly HookRun[];
  /** The tool's input as hooks have left it. */
  readonly changed?: Readonly<Record<string, unknown>>;
  /** What routing suggested, and what a model said about it. */
  readonly routing?: Readonly<Record<string, unknown>>;
  readonly verdict: { readonly outcome: Outcome; readonly would?: Outcome; readonly told: Outcome };
  readonly unexpressed: readonly string[];
  readonly effects: readonly DoneEffect[];
  readonly observations: readonly Observation[];
  readonly notes: readonly string[];
  /** What a refused call would have left behind. */
  readonly trace?: readonly object[];
  /** Milliseconds by step. */
  readonly ms: Readonly<Record<string, number>>;
  /** What each rule took that was asked. */
  readonly ruleMs?: readonly { readonly rule: string; readonly ms: number }[];
}

/** How much of an event is written down. */
export interface Keeping {
  /** Secrets are not masked. */
  readonly raw: boolean;
  /** Texts up to this length are kept whole, beside the record where they are long. */
  readonly contentKb: number;
}

export interface Written {
  readonly record: Record<string, unknown>;
  /** Texts the record only names, by their digests. */
  readonly contents: ReadonlyMap<string, string>;
}

/**
 * The ledger line of a decision. Secrets are masked and long texts replaced by their digest before
 * anything leaves this function.
 */
export async function toRecord(decision: Decision, { raw, contentKb }: Keeping): Promise<Written> {
  const { event } = decision;
  const contents = new Map<string, string>();
  const keep = (text: string): boolean => {
    const fits = text.length <= contentKb * 1024;
    if (fits) contents.set(sha256(text), text);
    return fits;
  };
  const { text: foreign, length } = foreignText(decision);
  const suspicious = !raw && mayHoldSecret(foreign);
  const full = {
    host: {
      name: decision.host,
      ...(decision.hostVersion ? { version: decision.hostVersion.slice(0, 64) } : {}),
      ...(event ? { dialect: event.dialect } : {}),
    },
    ...(event
      ? {
          event: {
            name: event.name,
            native: event.native,
            session: event.session,
            agent: event.agent,
            cwd: event.cwd,
            root: event.root,
            tool: event.tool?.name,
            payload: event.payload,
          },
          actions: writtenActions(event.actions),
        }
      : {}),
    ...(decision.failure ? { failure: decision.failure } : {}),
    policy: decision.policy,
    findings: decision.findings,
    ...(decision.hooks ? { hooks: decision.hooks } : {}),
    ...(decision.changed ? { changed: decision.changed } : {}),
    ...(decision.routing ? { routing: decision.routing } : {}),
    verdict: decision.verdict,
    unexpressed: decision.unexpressed,
    effects: decision.effects,
    ...(decision.trace && decision.trace.length > 0 ? { trace: decision.trace } : {}),
    world: await observationsOf(decision.observations, raw, keep),
    notes: decision.notes,
  };
  const isShort = length < longest;
  const looked = suspicious || !isShort ? await lookedAt(full, length, suspicious, keep) : undefined;
  const record = {
    ...bareRecord(event?.call === undefined ? {} : { call: event.call }, decision.time),
    ...(looked?.entries ?? full),
    ...(raw ? { raw } : { masked: looked?.masked ?? [] }),
    ...times(decision),
  };
  return { record, contents };
}

/** A record with its secrets masked, where it may hold any, and with its long texts cut. */
async function lookedAt(
  full: Readonly<Record<string, unknown>>,
  length: number,
  suspicious: boolean,
  keep: Keep,
): Promise<{ readonly entries: Readonly<Record<string, unknown>>; readonly masked: readonly string[] }> {
  const aside = setPlainAside(full, longest, !suspicious || length > lasting);
  const size = aside.isLess ? JSON.stringify(aside.odd).length : length;
  // Mask first: a cut could hide half of a secret from the patterns that find it whole.
  const body = size > largest ? shorten(aside.odd, 0, { head: longest }) : aside.odd;
  const { value, masked, without } = suspicious
    ? maskEverywhere(body, (await redaction()).redact)
    : { value: body, masked: [], without: unchanged };
  const cut = size < longest ? value : shorten(value, 0, { head: 512, keep });
  const entries = aside.putBack(cut as Record<string, unknown>, without); // an object stays one
  return { entries, masked: masked.map((path) => aside.pathOf(path)) };
}

const unchanged = (value: unknown): unknown => value;

/** To the microsecond. Most calls concern no rule. */
function times({ ms: steps, ruleMs: rules = [] }: Decision): object {
  const ms: Record<string, number> = {};
  for (const step in steps) ms[step] = micros(steps[step] ?? 0);
  const ruleMs: Record<string, number> = {};
  for (const { rule, ms: took } of rules) ruleMs[rule] = micros(took);
  return rules.length === 0 ? { ms } : { ms, ruleMs };
}

const micros = (ms: number): number => Math.round(ms * 1000) / 1000;

const redaction = lazily(() => import("../secrets/redact.ts"));

/** What every record begins with, and whatever else is known. */
export const bareRecord = (
  known: Readonly<Record<string, unknown>>,
  time = Date.now(),
): Record<string, unknown> => ({
  v: recordVersion,
  kind: "decision",
  id: newId(),
  time: new Date(time).toISOString(),
  engine: version,
  ...known,
});

/**
 * A rule may have looked at a piece of a secret by itself, say as a path: what was masked in one place is
 * masked in all.
 */
function maskEverywhere(
  body: unknown,
  redact: typeof import("../secrets/redact.ts").redact,
): { value: unknown; masked: string[]; without: (value: unknown) => unknown } {
  const { value, masked, secrets } = redact(body);
  const known = secrets.filter((secret) => secret.length > 3).toSorted((a, b) => b.length - a.length);
  const without = known.length === 0 ? unchanged : (each: unknown) => withoutTexts(each, known);
  return { value: without(value), masked, without };
}

function withoutTexts(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === "string")
    return secrets.reduce((text, secret) => text.replaceAll(secret, "[masked:seen]"), value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => withoutTexts(each, secrets));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutTexts(each, secrets)]));
}

/** All text of a record that is not ours, without the ids and names that only look like secrets, and how long it is with these. */
function foreignText({ event, failure, notes, observations, hooks, routing }: Decision): {
  readonly text: string;
  readonly length: number;
} {
  const seen: Observation[] = [];
  let left = 0;
  for (const each of observations)
    if (each.ask !== "folders" && !isText(each.ask)) {
      if (each.ask === "list") left += JSON.stringify(each).length;
      seen.push(withoutPlainNames(each));
    }
  let text = JSON.stringify([event?.payload, failure, notes, seen, hooks, routing]);
  for (const id of [event?.tool?.id, event?.session, event?.agent?.id]) {
    // A short id could be part of anything; only one that looks like a secret is worth taking out.
    if (id && id.length >= 20) text = text.replaceAll(id, "");
  }
  return { text, length: text.length + left };
}

type Keep = (text: string) => boolean;

/** Questions whose answer is a text of somebody else's, which may hold anything. */
const isText = (ask: Observation["ask"]): boolean => ask === "read" || ask === "env" || ask === "said";

async function observationsOf(
  all: readonly Observation[],
  raw: boolean,
  keep: Keep,
): Promise<Record<string, unknown>[]> {
  const seen: Record<string, unknown>[] = [];
  for (const each of all) seen.push(await toObservation(each, raw, keep));
  return seen;
}

/** What was read is named by its digest, as is a variable with a secret in it, and kept only if there is none. */
async function toObservation(
  { ask, of, answer, error }: Observation,
  raw: boolean,
  keep: Keep,
): Promise<Record<string, unknown>> {
  const question = { ask, ...(of === undefined ? {} : { of }) };
  if (error !== undefined) return { ...question, error };
  if (!isText(ask) || typeof answer !== "string")
    return answer === undefined ? question : { ...question, answer };
  const clean =
    raw || !(mayHoldSecret(`${ask === "env" ? of : ""}=${answer}`) && (await holdsSecret(of, answer)));
  // What is shorter than its digest needs no file of its own, which would cost more than all the rest of the record.
  if (clean && ask === "env" && answer.length <= longest) return { ...question, answer };
  return {
    ...question,
    sha256: sha256(answer),
    chars: answer.length,
    ...(clean && keep(answer) ? { kept: true } : {}),
  };
}

async function holdsSecret(name: string | undefined, text: string): Promise<boolean> {
  return (await redaction()).redact({ [name ?? ""]: text }).masked.length > 0;
}

const longest = 4096;
/** Beyond this, to tell what is plain takes longer than to look at it. */
const lasting = 32 * 1024;
/** Beyond this, long texts are cut before secrets are looked for, and once more after. */
const largest = 256 * 1024;
const deepest = 64;

/** Long strings become their beginning, length and digest; what is nested too deep is left out. */
function shorten(
  value: unknown,
  depth: number,
  how: { readonly head: number; readonly keep?: Keep },
): unknown {
  if (typeof value === "string") {
    if (value.length <= longest) return value;
    const kept = how.keep?.(value) === true ? { kept: true } : {};
    return { cut: value.slice(0, how.head), chars: value.length, sha256: sha256(value), ...kept };
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth > deepest) return "[too deep]";
  if (Array.isArray(value)) {
    const kept = value.slice(0, 1000).map((each) => shorten(each, depth + 1, how));
    return value.length > kept.length ? [...kept, `[${value.length - kept.length} more]`] : kept;
  }
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 1000)
      .map(([key, each]) => [key, shorten(each, depth + 1, how)]),
  );
}
