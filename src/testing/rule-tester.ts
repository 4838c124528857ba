import { describe, test } from "bun:test";
import type { Failure, Finding } from "../core/finding.ts";
import { isStricter, type Outcome } from "../core/outcome.ts";
import type { Rule } from "../core/rule.ts";
import { rules } from "../packs/index.generated.ts";
import { tryRule, type Case, type Trial } from "./_trial.ts";

/** A case the rule must object to, and as much of the objection as the test cares for. */
export interface Catch extends Case {
  readonly message?: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly outcome?: Outcome;
  /** How many findings there are, when one is not the whole story. */
  readonly count?: number;
  /** The rule itself must fail like this, and answer as its fail mode says. */
  readonly fails?: Failure["kind"];
}

export interface Cases {
  readonly catches?: readonly Catch[];
  readonly allows?: readonly Case[];
}

/**
 * Tests a rule on its own examples and on further cases, each in a throw-away workspace of its own.
 *
 * @example
 * ruleTester("safety/workspace-boundary", { catches: [{ write: "/etc/hosts", message: "outside" }] });
 */
export function ruleTester(id: string, more: Cases = {}): void {
  describe(id, () => {
    const rule = Object.hasOwn(rules, id) ? rules[id] : undefined;
    if (!rule) throw new Error(`there is no rule ${id}; run \`npm run generate\` after adding one`);
    const catches: readonly Catch[] = [...rule.examples.catches, ...(more.catches ?? [])];
    const allows: readonly Case[] = [...rule.examples.allows, ...(more.allows ?? [])];
    test("cases differ from each other, and both sides have some", () =>
      complain(mistakesIn(catches, allows, more)));
    for (const given of catches) {
      test(`catches ${titleOf(given)}`, async () => complain(await problemsWithCatch(id, rule, given)));
    }
    for (const given of allows) {
      test(`allows ${titleOf(given)}`, async () => complain(await problemsWithAllow(id, rule, given)));
    }
  });
}

function complain(problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

/** What is wrong with the cases themselves. */
export function mistakesIn(catches: readonly Catch[], allows: readonly Case[], more: Cases = {}): string[] {
  const problems: string[] = [];
  if (catches.length === 0 || more.catches?.length === 0) problems.push("there is nothing to catch");
  if (allows.length === 0 || more.allows?.length === 0) problems.push("there is nothing to allow");
  const situations = [...catches, ...allows].map(situationOf);
  for (const [at, situation] of situations.entries()) {
    const before = situations.slice(0, at);
    if (before.some((other) => Bun.deepEquals(other, situation)))
      problems.push(`the same case twice: ${titleOf(situation)}`);
  }
  return problems;
}

export async function problemsWithCatch(id: string, rule: Rule, given: Catch): Promise<string[]> {
  const trial = await tryRule(id, rule, given);
  const { findings } = trial;
  const problems = problemsWithAny(trial, given, given.fails);
  if (findings.length === 0) problems.push("nothing was found");
  else if (!findings.some((finding) => isExpected(finding, given))) {
    const { message, outcome, data } = given;
    problems.push(`none of the findings is ${show({ message, outcome, data })}: ${show(findings)}`);
  }
  if (given.count !== undefined && findings.length !== given.count) {
    problems.push(`${findings.length} findings instead of ${given.count}: ${show(findings)}`);
  }
  if (given.fails !== undefined && findings.some((finding) => finding.outcome !== outcomeOfFailure(rule))) {
    problems.push(`a rule that fails ${rule.failMode} must ${outcomeOfFailure(rule)}: ${show(findings)}`);
  }
  return problems;
}

export async function problemsWithAllow(id: string, rule: Rule, given: Case): Promise<string[]> {
  const trial = await tryRule(id, rule, given);
  const problems = problemsWithAny(trial, given, undefined);
  if (trial.findings.length > 0) problems.push(`found: ${show(trial.findings)}`);
  return problems;
}

function problemsWithAny(
  { findings, effects, unlike }: Trial,
  given: Case,
  fails: Failure["kind"] | undefined,
): string[] {
  const problems: string[] = [];
  const failed = findings.find((finding) => finding.failure);
  if (failed?.failure?.kind !== fails) {
    const how = failed?.failure
      ? `failed (${failed.failure.kind}: ${failed.failure.detail})`
      : "did not fail";
    problems.push(fails === undefined ? `the rule ${how}` : `the rule ${how}, but ${fails} was expected`);
  }
  if (given.effects && !Bun.deepEquals(effects, given.effects)) {
    problems.push(`other effects than expected: ${show(effects)}`);
  }
  if (unlike !== undefined) problems.push(`judged from the record alone it came out differently: ${unlike}`);
  return problems;
}

function isExpected(finding: Finding, { message, outcome, data }: Catch): boolean {
  if (message !== undefined && finding.id !== message) return false;
  if (outcome !== undefined && finding.outcome !== outcome) return false;
  return Object.entries(data ?? {}).every(([name, value]) => finding.data[name] === value);
}

const outcomeOfFailure = (rule: Rule): Outcome =>
  rule.failMode === "closed" && isStricter(rule.outcome, "warn") ? "block" : "warn";

function titleOf(given: Case): string {
  if (given.title !== undefined) return given.title;
  const { files, declared: _declared, ...rest } = situationOf(given);
  const text = JSON.stringify(files ? { ...rest, files: Object.keys(files) } : rest);
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}

/** A case without its title and what is expected of it. */
function situationOf({ title: _t, effects: _e, ...given }: Case): Case {
  const { message: _m, data: _d, outcome: _o, count: _c, fails: _f, ...situation }: Catch = given;
  return situation;
}

const show = (value: unknown): string => JSON.stringify(value);
