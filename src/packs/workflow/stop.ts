import { defineRule, type Yield } from "../../core/rule.ts";
import { lacksOf, type Lack } from "../../workflow/declared/conditions.ts";
import { entriesOf, logEffect, type Entry } from "../../workflow/declared/log.ts";
import type { StopCondition, Workflow } from "../../workflow/declared/model.ts";
import { afterwards } from "../../workflow/declared/remember.ts";
import { lookAt, now, standingsNow, type Scene } from "../../workflow/declared/scene.ts";
import { shown, type Standing } from "../../workflow/declared/standing.ts";
import { hostsLimit, isNear, noticeOf } from "../../workflow/hosts-limit.ts";
import { isSubagents } from "../../workflow/signals.ts";
import { seenLog, stopGates, testFirst } from "./_examples.ts";
import { loading, readersFor, sceneOf, type Asked } from "./_scene.ts";

type Id = "held" | "unfinished" | "released" | "left" | "unknown";

const red = { saw: "tests", result: "failed", from: "start", to: "red" };

export default defineRule({
  summary:
    "Keeps the agent from stopping before what a workflow asks for holds; a few times, never for ever.",
  why: "Work that is left half way is left to somebody who does not know it.",
  since: "0.1.0",
  outcome: "block",
  presets: { workflow: {} },
  on: { events: ["Stop", "UserPromptSubmit"] },
  options: (v) => v.strictObject({}),
  messages: {
    held: {
      what: "{workflow} is at {state}, and not to be left there: {missing}.",
      instead: "{instead} (held back {times} of {most} times{near})",
    },
    unfinished: {
      what: "it is not time to stop: {missing}.",
      instead: "{instead} (held back {times} of {most} times{near})",
    },
    released: {
      what: "{workflow} is left at {state} although {missing}.",
      why: "{why}",
      instead: "Tell the user what is missing.",
    },
    left: {
      what: "the agent stops, and this is not as it should be: {missing}.",
      why: "{why}",
      instead: "Tell the user what is missing.",
    },
    unknown: {
      what: "nobody can tell whether the agent may stop: {missing}.",
      why: "Nobody is held for what the agent cannot change.",
      instead: "Tell the user.",
    },
  },
  examples: {
    catches: [
      { event: "Stop", declared: [stopGates], files: { "TODO.md": "- [x] parse\n- [ ] test\n" } },
      { event: "Stop", declared: [testFirst], files: seenLog(red) },
      { event: "Stop", declared: [testFirst], files: seenLog(red, { held: 0 }, { held: 0 }, { held: 0 }) },
    ],
    allows: [
      { event: "Stop", declared: [stopGates], files: { "TODO.md": "- [x] parse\n" } },
      { event: "Stop", declared: [testFirst] },
      {
        event: "Stop",
        declared: [testFirst],
        files: seenLog(red, { saw: "tests", result: "passed", from: "red", to: "green" }),
      },
    ],
  },
  load: loading(judge, readersFor),
  check: judge,
});

function* judge({ event, world, declared, loaded }: Asked): Iterable<Yield<Id>> {
  const scene = sceneOf(event, world, declared, loaded);
  const counts = scene.workflows
    .filter(({ stop }) => stop.length > 0)
    .map((workflow) => ({ workflow, held: heldSince(entriesOf(workflow, event, world)) }));
  if (event.name === "UserPromptSubmit") yield* releaseAll(counts, scene);
  // What the agent has just said counts as well.
  else if (!isSubagents(event)) yield* judgeStop(counts, afterwards(scene));
}

/** What a workflow has held the agent for since it last let it go, by the place of the condition. */
interface Count {
  readonly workflow: Workflow;
  readonly held: readonly number[];
}

const heldSince = (entries: readonly Entry[]): number[] =>
  entries.slice(entries.findLastIndex(({ released }) => released) + 1).flatMap(({ held }) => held ?? []);

function* releaseAll(counts: readonly Count[], { event, world }: Scene): Iterable<Yield<Id>> {
  for (const { workflow, held } of counts)
    if (held.length > 0) yield { effect: logEffect(workflow, event, world, { released: true }) };
}

function* judgeStop(counts: readonly Count[], scene: Scene): Iterable<Yield<Id>> {
  const { event, world } = scene;
  const unmet = counts.flatMap(({ workflow, held }) =>
    workflow.stop.flatMap((condition, at) =>
      unmetAt(workflow, condition, scene).map((each) => ({
        ...each,
        workflow,
        condition,
        at,
        times: held.filter((place) => place === at).length + 1,
      })),
    ),
  );
  const open = unmet.filter(({ lacks }) => !lacks.every(isBeyond));
  const willHold = open.some(({ times, condition }) => times <= condition.most);
  const host = willHold ? hostsLimit(event, world) : undefined;
  for (const { standing, lacks, condition, at, times, workflow } of unmet) {
    const missing = lacks.slice(0, 5).map(({ text }) => text);
    const data = { workflow: workflow.name, state: shown(standing), missing: missing.join("; ") };
    if (lacks.every(isBeyond)) {
      yield { message: "unknown", outcome: "warn", data };
    } else if (times > condition.most || host?.left === 0) {
      const why =
        times > condition.most
          ? `The agent was held back ${condition.most} times, which is as often as the policy wants.`
          : `It was kept from stopping ${host?.most} times in a row, and cannot be more often.`;
      yield { message: workflow.bare ? "left" : "released", outcome: "warn", data: { ...data, why } };
    } else {
      const instead = condition.instead ?? "Go on until that is so, or tell the user why it cannot be.";
      const near = host && isNear(host) ? `; after ${host.most} in a row this agent stops by itself` : "";
      yield { effect: logEffect(workflow, event, world, { held: at }) };
      yield {
        message: workflow.bare ? "unfinished" : "held",
        data: { ...data, instead, near, times, most: condition.most },
      };
    }
  }
  if (host && host.left > 0 && isNear(host)) yield { add: { notice: noticeOf(host) } };
  // While one of them holds the agent, the others go on counting; or they would take turns for ever.
  if (!willHold || host?.left === 0) yield* releaseAll(counts, scene);
}

const isBeyond = ({ why }: Lack): boolean => why === "beyond";

function unmetAt(
  workflow: Workflow,
  { in: states, needs }: StopCondition,
  scene: Scene,
): { standing: Standing; lacks: readonly Lack[] }[] {
  return standingsNow(workflow, scene).flatMap((standing) => {
    if (states.length > 0 && !(standing.state !== undefined && states.includes(standing.state))) return [];
    const lacks =
      needs.length === 0
        ? [{ text: "it is no state to stop in" }]
        : lacksOf(needs, lookAt(workflow, standing, now(scene), scene));
    return lacks.length === 0 ? [] : [{ standing, lacks }];
  });
}
