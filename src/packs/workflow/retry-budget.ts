import { beforeTool } from "../../core/event.ts";
import { defineRule, type Yield } from "../../core/rule.ts";
import { isRun } from "../../workflow/declared/forbidden.ts";
import { fitsName } from "../../workflow/declared/glob.ts";
import { entriesOf, logEffect, type Entry } from "../../workflow/declared/log.ts";
import type { RetryBudget, Workflow } from "../../workflow/declared/model.ts";
import { standingsNow, type Scene } from "../../workflow/declared/scene.ts";
import { callResult } from "../../workflow/declared/sights.ts";
import { seenLog, testFirst } from "./_examples.ts";
import { readersFor, sceneOf } from "./_scene.ts";

type Id = "spent" | "failed";

const failures = (count: number): Entry[] => Array.from({ length: count }, () => ({ failed: 0 }));

export default defineRule({
  summary:
    "Counts how often a command or a subagent fails in a row, and hands the work over when that is too often.",
  why: "What fails again and again does not get better by being tried again.",
  since: "0.1.0",
  outcome: "block",
  presets: { workflow: {} },
  on: { events: [...beforeTool, "PostToolUse", "PostToolUseFailure", "UserPromptSubmit"] },
  options: (v) => v.strictObject({}),
  messages: {
    spent: {
      what: "`{what}` has failed {times} times in a row, and {workflow} gives it no more than {most}.",
      instead: "{handOff}",
    },
    failed: {
      what: "`{what}` has failed ({times} of {most}).",
      why: "{workflow} counts it.",
      instead: "{next}",
    },
  },
  examples: {
    catches: [
      { declared: [testFirst], shell: "npm run deploy", files: seenLog(...failures(2)) },
      { event: "PostToolUseFailure", declared: [testFirst], shell: "npm run deploy", exitCode: 1 },
    ],
    allows: [
      { declared: [testFirst], shell: "npm run deploy", files: seenLog(...failures(1)) },
      { declared: [testFirst], shell: "npm test", files: seenLog(...failures(2)) },
      { declared: [testFirst], shell: "npm run deploy", files: seenLog(...failures(2), { succeeded: 0 }) },
      { event: "PostToolUse", declared: [testFirst], shell: "npm run deploy", exitCode: 0 },
    ],
  },
  load: readersFor,
  *check({ event, world, declared, loaded }) {
    const scene = sceneOf(event, world, declared, loaded);
    for (const workflow of scene.workflows)
      for (const [at, budget] of workflow.retries.entries()) yield* judgeBudget(workflow, budget, at, scene);
  },
});

function* judgeBudget(
  workflow: Workflow,
  budget: RetryBudget,
  at: number,
  scene: Scene,
): Iterable<Yield<Id>> {
  const { event, world } = scene;
  const entries = entriesOf(workflow, event, world);
  const spent = failuresIn(entries, at);
  const { most, handOff } = budget;
  if (event.name === "UserPromptSubmit") {
    // Whoever was handed the work has spoken.
    if (spent >= most) yield { effect: logEffect(workflow, event, world, { succeeded: at }) };
    return;
  }
  const what = callIn(budget, scene);
  if (what === undefined || !isHere(workflow, budget, scene)) return;
  if (event.name === "PreToolUse" || event.name === "PermissionRequest") {
    if (spent >= most)
      yield { message: "spent", data: { workflow: workflow.name, what, times: spent, most, handOff } };
    return;
  }
  const result = callResult(budget, event);
  if (result === "passed" && spent > 0)
    yield { effect: logEffect(workflow, event, world, { succeeded: at }) };
  if (result !== "failed") return;
  yield { effect: logEffect(workflow, event, world, { failed: at }) };
  const times = spent + 1;
  const next = times < most ? "Find the cause before you try again." : `Do not try again. ${handOff}`;
  yield { message: "failed", outcome: "warn", data: { workflow: workflow.name, what, times, most, next } };
}

/** Failures since it last went well, or since the workflow went on. */
function failuresIn(entries: readonly Entry[], at: number): number {
  const last = entries.findLastIndex(({ succeeded, to }) => succeeded === at || to !== undefined);
  return entries.slice(last + 1).filter(({ failed }) => failed === at).length;
}

const isHere = (workflow: Workflow, { in: states }: RetryBudget, scene: Scene): boolean =>
  states.length === 0 ||
  standingsNow(workflow, scene).some(({ state }) => state !== undefined && states.includes(state));

/** The call that a budget is about, as it was made. */
function callIn({ run, delegate }: RetryBudget, { event }: Scene): string | undefined {
  for (const action of event.actions) {
    if (action.kind === "delegate" && delegate.some((name) => fitsName(name, action.agent ?? "")))
      return action.agent ?? "an agent";
    if (action.kind !== "exec") continue;
    const found = action.commands.find((each) => run.some((pattern) => isRun(pattern, each)));
    if (found) return [found.program, ...found.args.slice(0, 3).map(({ text }) => text)].join(" ");
  }
  return undefined;
}
