import type { Effect } from "./effect.ts";
import type { Event } from "./event.ts";
import type { Contribution, Failure, Finding } from "./finding.ts";
import { isOutcome, isStricter, mildest, type Outcome } from "./outcome.ts";
import type { Context, FailMode, Message, Remark, Rule, Yield } from "./rule.ts";
import type { Observation, RecordingWorld } from "./world.ts";

/** A rule with the settings the policy gives it. */
export interface SelectedRule {
  readonly id: string;
  readonly rule: Rule;
  readonly outcome: Outcome;
  readonly failMode: FailMode;
  readonly options: unknown;
}

/** How one rule fared: the raw material of `explain` and of the ledger's timings. */
export interface Considered {
  readonly rule: string;
  /** Absent when the rule looked; else why it did not have to. */
  readonly skipped?: string;
  readonly looked: readonly Observation[];
  readonly findings: readonly Finding[];
  readonly ms: number;
}

export interface Judgement {
  readonly findings: readonly Finding[];
  readonly contributions: readonly Contribution[];
  readonly effects: readonly Effect[];
  readonly considered: readonly Considered[];
}

/** What the engine needs of the machine it runs on. */
export interface Limits {
  readonly ruleMs: number;
  readonly maxFindings: number;
  clock(): number;
  /** Runs synchronous work and throws a `TimeoutError` when it takes longer than `ms`. */
  within<T>(ms: number, work: () => T): T;
}

export class TimeoutError extends Error {
  override readonly name = "TimeoutError";
}

export const plainLimits: Limits = {
  ruleMs: 1000,
  maxFindings: 200,
  clock: () => performance.now(),
  within: (_ms, work) => work(),
};

/** Puts an event to the rules, one after the other. One rule's failure is that rule's alone. */
export async function judge(
  event: Event,
  rules: readonly SelectedRule[],
  world: RecordingWorld,
  limits: Limits = plainLimits,
): Promise<Judgement> {
  const findings: Finding[] = [];
  const contributions: Contribution[] = [];
  const effects: Effect[] = [];
  const considered: Considered[] = [];
  for (const selected of rules) {
    const skipped = reasonToSkip(selected, event);
    if (skipped !== undefined) {
      considered.push({ rule: selected.id, skipped, looked: [], findings: [], ms: 0 });
      continue;
    }
    const seen = world.asked.length;
    const started = limits.clock();
    const said = await ask(selected, event, world, limits);
    considered.push({
      rule: selected.id,
      looked: world.asked.slice(seen),
      findings: said.findings,
      ms: limits.clock() - started,
    });
    findings.push(...said.findings);
    contributions.push(...said.contributions);
    effects.push(...said.effects);
  }
  return { findings, contributions, effects, considered };
}

function reasonToSkip({ rule, outcome }: SelectedRule, event: Event): string | undefined {
  if (outcome === "pass") return "off";
  if (!rule.on.events.includes(event.name)) return `not about ${event.name}`;
  const kinds = rule.on.actions;
  if (kinds && !event.actions.some((action) => kinds.includes(action.kind)))
    return `no ${kinds.join(" or ")}`;
  return undefined;
}

type Said = Omit<Judgement, "considered">;

async function ask(
  selected: SelectedRule,
  event: Event,
  world: RecordingWorld,
  limits: Limits,
): Promise<Said> {
  const { rule, options } = selected;
  try {
    const loading = rule.load?.(event);
    const loaded = loading && (await inTime(loading, limits.ruleMs));
    const context: Context = { event, world, options, loaded };
    return sort(
      selected,
      limits.within(limits.ruleMs, () => collect(rule.check(context), limits.maxFindings)),
    );
  } catch (error) {
    const failure = toFailure(error, limits.ruleMs);
    const effects = effectsOfFailure(rule, event, world, failure);
    return { findings: [failed(selected, failure)], contributions: [], effects };
  }
}

class BadOutput extends Error {}

function collect(produced: Iterable<Yield>, max: number): Yield[] {
  const all: Yield[] = [];
  for (const each of produced) {
    if (all.push(each) > max) throw new BadOutput(`more than ${max} findings`);
  }
  return all;
}

async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError()), ms);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

function sort(selected: SelectedRule, all: readonly Yield[]): Said {
  const findings: Finding[] = [];
  const contributions: Contribution[] = [];
  const effects: Effect[] = [];
  for (const each of all) {
    if (typeof each !== "object" || each === null) throw new BadOutput("a yield that is no object");
    if ("effect" in each) effects.push(each.effect);
    else if ("add" in each) contributions.push(each.add);
    else findings.push(toFinding(selected, each));
  }
  return { findings, contributions, effects };
}

function toFinding({ id, rule, outcome }: SelectedRule, said: Remark): Finding {
  const message = Object.hasOwn(rule.messages, said.message) ? rule.messages[said.message] : undefined;
  if (!message) throw new BadOutput(`unknown message "${said.message}"`);
  if (said.outcome !== undefined && !isOutcome(said.outcome))
    throw new BadOutput(`unknown outcome ${JSON.stringify(said.outcome)}`);
  const given = said.outcome === undefined ? outcome : mildest(said.outcome, outcome);
  const data = Object.fromEntries(
    Object.entries(said.data ?? {}).map(([key, value]) => [key, String(value)]),
  );
  return {
    rule: id,
    outcome: given,
    message: render(id, given, message, rule.why, data),
    id: said.message,
    data,
  };
}

const verbs: Record<Outcome, string> = {
  pass: "Noted",
  allow: "Allowed",
  warn: "Warning from",
  ask: "Confirmation asked by",
  block: "Blocked by",
};

function render(
  id: string,
  outcome: Outcome,
  message: Message,
  why: string,
  data: Record<string, string>,
): string {
  const verb =
    outcome === "warn" || outcome === "ask" || outcome === "block" ? verbs[outcome] : `${verbs[outcome]} by`;
  const lines = [`${verb} ${id}: ${fill(message.what, data)}`, fill(message.why ?? why, data)];
  if (message.instead !== undefined) lines.push(fill(message.instead, data));
  return lines.join("\n");
}

/** Fills `{name}` from the data; the only templating there is. */
const fill = (template: string, data: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (whole, name: string) => data[name] ?? whole);

function failed({ id, failMode, outcome }: SelectedRule, failure: Failure): Finding {
  const closed = failMode === "closed";
  // A rule set to warn must not block by crashing.
  const given: Outcome = closed ? (isStricter(outcome, "warn") ? "block" : "warn") : "warn";
  const what = `the rule itself failed (${failure.kind}: ${failure.detail})`;
  const then = closed
    ? "It is set to fail closed, so nothing goes ahead that it could not check."
    : "It is set to fail open, so the action goes ahead unchecked by this rule.";
  const verb = given === "block" ? "Blocked by" : "Warning from";
  const message = `${verb} ${id}: ${what}.\n${then}\nTell the user; \`hookline explain\` shows what happened.`;
  return { rule: id, outcome: given, message, id: "failure", data: {}, failure };
}

function effectsOfFailure(
  rule: Rule,
  event: Event,
  world: RecordingWorld,
  failure: Failure,
): readonly Effect[] {
  try {
    return rule.onFailure?.(event, world, failure) ?? [];
  } catch {
    // The failure itself is on record already; a second one adds nothing.
    return [];
  }
}

function toFailure(error: unknown, ms: number): Failure {
  if (error instanceof TimeoutError) return { kind: "timeout", detail: `no answer within ${ms} ms` };
  const detail =
    error instanceof Error ? error.message : typeof error === "string" ? error : "no error object";
  return { kind: error instanceof BadOutput ? "bad-output" : "crash", detail };
}
