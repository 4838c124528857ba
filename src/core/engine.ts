import { concernedBy } from "./concern.ts";
import type { Effect } from "./effect.ts";
import type { Event } from "./event.ts";
import type { Contribution, Failure, Finding } from "./finding.ts";
import { isOutcome, isStricter, mildest, type Outcome } from "./outcome.ts";
import type { Context, FailMode, Message, Remark, Rule, Yield } from "./rule.ts";
import { done, wait, type Work } from "./work.ts";
import type { Observation, RecordingWorld } from "./world.ts";

/** A rule with the settings the policy gives it. */
export interface SelectedRule {
  readonly id: string;
  /** The events and actions it is about; known without loading it. */
  readonly on: Rule["on"];
  /** Loaded when an event concerns it, so that the others cost nothing. */
  readonly rule: Rule | (() => Rule | Promise<Rule>);
  readonly outcome: Outcome;
  readonly failMode: FailMode;
  readonly options: unknown;
  /** What the policy declares for it. */
  readonly declared?: unknown;
}

/** How a rule fared that an event concerned: the raw material of `explain` and of the ledger's timings. */
export interface Looked {
  readonly rule: string;
  /** What it asked the world. */
  readonly asked: readonly Observation[];
  readonly findings: readonly Finding[];
  readonly ms: number;
}

export interface Judgement {
  readonly findings: readonly Finding[];
  readonly contributions: readonly Contribution[];
  readonly effects: readonly Effect[];
  /** The rules the event was put to, and those of them that looked at it. */
  readonly rules: readonly SelectedRule[];
  readonly looked: readonly Looked[];
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

/**
 * Puts an event to the rules, one after the other. One rule's failure is that rule's alone.
 * The limits may be given as a way to get them: an event that concerns no rule needs none.
 */
export function* judging(
  event: Event,
  rules: readonly SelectedRule[],
  world: RecordingWorld,
  given: Limits | (() => Limits | Promise<Limits>) = plainLimits,
  before: readonly Finding[] = [],
): Work<Judgement> {
  const concerned = concernedBy(rules, event);
  if (concerned.length === 0) return { ...silence, rules, looked: [] };
  const limits = typeof given === "function" ? yield* wait(given()) : given;
  const ready: Ready[] = [];
  for (const selected of concerned) {
    const preparing = prepare(selected, event, world, limits);
    ready.push(preparing instanceof Promise ? yield* wait(preparing) : preparing);
  }
  const looked = askAll(ready, { event, world, findings: before }, limits);
  return { ...together(looked), rules, looked };
}

/** The same for whoever has nothing else to do meanwhile. */
export const judge = async (...asked: Parameters<typeof judging>): Promise<Judgement> =>
  done(judging(...asked));

const silence: Said = { findings: [], contributions: [], effects: [] };

type Answered = Looked & { readonly said: Said };

/** One watch over all of them, because it costs more than most rules; over each, if together they take too long. */
function askAll(ready: readonly Ready[], scene: Scene, limits: Limits): Answered[] {
  const each = (isWatched: boolean): Answered[] => {
    const answers: Answered[] = [];
    for (const one of ready) answers.push(askTimed(one, scene, limits, isWatched));
    return answers;
  };
  try {
    return limits.within(limits.ruleMs, () => each(false));
  } catch {
    return each(true);
  }
}

/** What every rule of an event is shown. */
interface Scene extends Pick<Context, "event" | "findings"> {
  readonly world: RecordingWorld;
}

function askTimed(ready: Ready, scene: Scene, limits: Limits, isWatched: boolean): Answered {
  const { asked } = scene.world;
  const seen = asked.length;
  const started = limits.clock();
  const said = ask(ready, scene, limits, isWatched);
  const ms = ready.ms + limits.clock() - started;
  return { rule: ready.selected.id, asked: asked.slice(seen), findings: said.findings, ms, said };
}

function together(answers: readonly Answered[]): Said {
  const findings: Finding[] = [];
  const contributions: Contribution[] = [];
  const effects: Effect[] = [];
  let yielding: Map<string, readonly string[]> | undefined;
  for (const { rule, said } of answers) {
    if (said === silence) continue;
    findings.push(...said.findings);
    contributions.push(...said.contributions);
    effects.push(...said.effects);
    if (said.yieldsTo) (yielding ??= new Map()).set(rule, said.yieldsTo);
  }
  const kept = yielding
    ? findings.filter((finding) => !isSaidBefore(finding, findings, yielding.get(finding.rule)))
    : findings;
  return { findings: kept, contributions, effects: distinct(effects) };
}

/** Two rules may want the same line in the same log; it is written once, behind whatever both have asked for before. */
function distinct(effects: readonly Effect[]): readonly Effect[] {
  if (effects.length < 2) return effects;
  const texts = effects.map((effect) => JSON.stringify(effect));
  return effects.filter((_, at) => !texts.includes(texts[at] ?? "", at + 1));
}

/** One denial of one path is enough: a rule may leave it to another that says the same. */
function isSaidBefore(
  finding: Finding,
  all: readonly Finding[],
  others: readonly string[] | undefined,
): boolean {
  return (
    others !== undefined &&
    all.some(
      (other) =>
        others.includes(other.rule) &&
        other.data["path"] === finding.data["path"] &&
        !isStricter(finding.outcome, other.outcome),
    )
  );
}

type Said = Omit<Judgement, "rules" | "looked"> & { readonly yieldsTo?: readonly string[] };

/** A rule that can be asked at once, or what went wrong on the way there. */
interface Ready {
  readonly selected: SelectedRule;
  readonly rule?: Rule;
  readonly loaded?: unknown;
  readonly error?: unknown;
  /** What the waiting took. */
  readonly ms: number;
}

/** Waits only for what is not there yet: a batch asks the same rules thousands of times. */
function prepare(
  selected: SelectedRule,
  event: Event,
  world: RecordingWorld,
  limits: Limits,
): Ready | Promise<Ready> {
  try {
    const rule = typeof selected.rule === "function" ? selected.rule() : selected.rule;
    if (rule instanceof Promise) return prepareSlowly(selected, rule, event, world, limits);
    const loading = rule.load?.(event, world, selected.declared);
    if (loading instanceof Promise) return prepareSlowly(selected, rule, event, world, limits, loading);
    return { selected, rule, loaded: loading, ms: 0 };
  } catch (error) {
    return { selected, error, ms: 0 };
  }
}

async function prepareSlowly(
  selected: SelectedRule,
  coming: Rule | Promise<Rule>,
  event: Event,
  world: RecordingWorld,
  limits: Limits,
  loading?: Promise<unknown>,
): Promise<Ready> {
  const started = limits.clock();
  let rule: Rule | undefined;
  try {
    rule = await coming;
    const more = loading ?? rule.load?.(event, world, selected.declared);
    const loaded: unknown = more instanceof Promise ? await inTime(more, limits.ruleMs) : more;
    return { selected, rule, loaded, ms: limits.clock() - started };
  } catch (error) {
    return { selected, ...(rule ? { rule } : {}), error, ms: limits.clock() - started };
  }
}

function ask(
  { selected, rule, loaded, error }: Ready,
  scene: Scene,
  limits: Limits,
  isWatched: boolean,
): Said {
  try {
    if (!rule || error !== undefined) throw error;
    const { event, world, findings: before } = scene;
    const { options, declared } = selected;
    const context: Context = { event, world, findings: before, options, declared, loaded };
    const { ruleMs, maxFindings } = limits;
    const produced = isWatched
      ? limits.within(ruleMs, () => collect(rule.check(context), maxFindings))
      : collect(rule.check(context), maxFindings);
    if (produced.length === 0) return silence;
    const said = sort(selected, rule, produced.slice(0, limits.maxFindings));
    const findings =
      produced.length > limits.maxFindings
        ? [...said.findings, failed(selected, tooMany(limits.maxFindings))]
        : said.findings;
    return { ...said, findings, ...(rule.yieldsTo ? { yieldsTo: rule.yieldsTo } : {}) };
  } catch (thrown) {
    const failure = toFailure(thrown, limits.ruleMs);
    const effects = rule ? effectsOfFailure(rule, scene, failure) : [];
    return { findings: [failed(selected, failure)], contributions: [], effects };
  }
}

class BadOutput extends Error {}

const tooMany = (max: number): Failure => ({
  kind: "bad-output",
  detail: `it said more than ${max} things; the rest was not heard`,
});

/** Up to one more than `max`: a rule may go on for ever, and what it said until then still counts. */
function collect(produced: Iterable<Yield>, max: number): Yield[] {
  const all: Yield[] = [];
  for (const each of produced) {
    if (all.push(each) > max) break;
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

function sort(selected: SelectedRule, rule: Rule, all: readonly Yield[]): Said {
  const findings: Finding[] = [];
  const contributions: Contribution[] = [];
  const effects: Effect[] = [];
  for (const each of all) {
    if (typeof each !== "object" || each === null) throw new BadOutput("a yield that is no object");
    if ("effect" in each) effects.push(each.effect);
    else if ("add" in each) contributions.push(each.add);
    else findings.push(toFinding(selected, rule, each));
  }
  return { findings, contributions, effects };
}

function toFinding({ id, outcome }: SelectedRule, rule: Rule, said: Remark): Finding {
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
  if (message.verbatim) return fill(message.what, data);
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

function effectsOfFailure(rule: Rule, { event, world }: Scene, failure: Failure): readonly Effect[] {
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
