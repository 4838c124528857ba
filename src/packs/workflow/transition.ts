import { join } from "node:path";
import { beforeTool, type Event } from "../../core/event.ts";
import { nearest } from "../../core/nearest.ts";
import { isInside } from "../../core/paths.ts";
import { defineRule, type Yield } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { lacksOf, missingOf, sayCondition, type Lack } from "../../workflow/declared/conditions.ts";
import { seenFolder } from "../../workflow/declared/log.ts";
import { momentAfter, realRoot, type Moment } from "../../workflow/declared/moment.ts";
import { conditionsOf, type Transition, type Workflow } from "../../workflow/declared/model.ts";
import { nextStates, transitionsBetween, type Course, type Move } from "../../workflow/declared/moves.ts";
import { actorOf, mayAct } from "../../workflow/declared/actors.ts";
import { courseIn, lookAt, now, type Scene } from "../../workflow/declared/scene.ts";
import { shown } from "../../workflow/declared/standing.ts";
import { release, releaseFile } from "./_examples.ts";
import { loading, readersFor, sceneOf, workflowsIn, type Asked } from "./_scene.ts";

type Id = "noStep" | "byHand" | "unmet" | "notYours" | "unclear" | "noState" | "lost" | "ours";

export default defineRule({
  summary:
    "Lets a workflow go from state to state only by its transitions, by those who may, and when their guards hold.",
  why: "A state that can be set by hand says nothing about the work.",
  since: "0.1.0",
  outcome: "block",
  presets: { workflow: {} },
  on: { events: beforeTool, actions: ["write", "delete", "exec"], programs: ["git", "git-*"] },
  options: (v) => v.strictObject({}),
  messages: {
    noStep: {
      what: "{workflow} does not go from {from} to {to}.",
      instead: "From {from} it goes to {next}.",
    },
    unmet: {
      what: "{workflow} cannot go from {from} to {to} yet: {missing}.",
      instead: "Do what is missing first, then take the step.",
    },
    byHand: {
      what: "{workflow} waits for a person to see to this: {what}.",
      why: "An approval that whoever waits for it can write is none.",
      instead: "Ask the user.",
    },
    notYours: {
      what: "{workflow} is taken from {from} to {to} by {by}, and not by {actor}.",
      instead: "Leave the step to {by}.",
    },
    unclear: {
      what: "where {workflow} would stand cannot be told: {trouble}.",
      instead: "Change its state by a plain edit of {place}, and by nothing else in the same call.",
    },
    noState: {
      what: "{to} is no state of {workflow}.{near}",
      instead: "From {from} it goes to {next}.",
    },
    lost: {
      what: "where {workflow} stands cannot be told ({from}), so that nobody can say whether it may go to {to}.",
      instead: "Ask the user to put {place} right; `hookline workflow status` shows what is there.",
    },
    ours: {
      what: "`{path}` is {what}.",
      why: "A workflow that whoever follows it can rewrite is none.",
      instead: "Leave it; ask the user to change it.",
    },
  },
  examples: {
    catches: [
      {
        files: { [releaseFile]: "phase: draft\n" },
        declared: [release],
        write: releaseFile,
        text: "phase: published\n",
      },
      {
        files: { [releaseFile]: "phase: draft\n" },
        declared: [release],
        shell: `sed -i s/draft/review/ ${releaseFile}`,
      },
      { files: { [releaseFile]: "phase: published\n" }, declared: [release], shell: `rm ${releaseFile}` },
      {
        files: { [releaseFile]: "phase: draft\n" },
        declared: [release],
        shell: `python3 gen.py > ${releaseFile}`,
      },
    ],
    allows: [
      {
        files: { [releaseFile]: "phase: draft\n", "CHANGELOG.md": "# 1.0\n" },
        declared: [release],
        shell: `sed -i s/draft/review/ ${releaseFile}`,
      },
      {
        files: { [releaseFile]: "phase: draft\n" },
        declared: [release],
        write: releaseFile,
        text: "phase: draft\nby: a\n",
      },
    ],
  },
  load: loading(judge, readersFor),
  check: judge,
});

function* judge({ event, world, declared, loaded }: Asked): Iterable<Yield<Id>> {
  const scene = sceneOf(event, world, declared, loaded);
  yield* ownFiles(scene.workflows, scene.event, world);
  for (const workflow of scene.workflows) {
    const course = courseIn(workflow, scene);
    yield* byHands(workflow, course, scene);
    for (const move of course.moves) yield* judgeMove(workflow, move, scene);
  }
}

/** What a person has to bring about does not come from an agent's call, nor from one of which nobody can tell. */
function* byHands(workflow: Workflow, { start }: Course, scene: Scene): Iterable<Yield<Id>> {
  const { actions, root } = scene.event;
  const said = new Set<string>();
  for (const condition of conditionsOf(workflow)) {
    if (!("byHand" in condition) || !condition.byHand) continue;
    for (const standing of start) {
      const lacks = (moment: Moment): readonly Lack[] =>
        lacksOf([condition], lookAt(workflow, standing, moment, scene));
      const what = sayCondition(condition);
      const [before] = lacks(now(scene));
      if (said.has(what) || !before) continue;
      const [after] = lacks(momentAfter(actions, actions.length, root, scene.world));
      if (after && (after.why === undefined || after.text === before.text)) continue;
      said.add(what);
      yield { message: "byHand", data: { workflow: workflow.name, what } };
    }
  }
}

function* judgeMove(workflow: Workflow, move: Move, scene: Scene): Iterable<Yield<Id>> {
  const { from, to, moment } = move;
  const data = {
    workflow: workflow.name,
    from: shown(from),
    to: shown(to),
    next: from.state === undefined ? "" : nextStates(workflow, from.state).join(" or ") || "nowhere",
    place: placeOf(workflow, move),
  };
  if (to.trouble !== undefined) {
    yield { message: "unclear", data: { ...data, trouble: to.trouble } };
    return;
  }
  if (to.state === undefined) {
    const near = nearest(to.found ?? "", Object.keys(workflow.states));
    yield { message: "noState", data: { ...data, near: near === undefined ? "" : ` Did you mean ${near}?` } };
    return;
  }
  if (from.state === undefined) {
    yield { message: "lost", outcome: "ask", data };
    return;
  }
  const steps = transitionsBetween(workflow, from.state, to.state);
  if (steps.length === 0) {
    yield { message: "noStep", data };
    return;
  }
  const { requires = [], by } = workflow.states[from.state] ?? {};
  const who = (step: Transition): readonly string[] | undefined => step.by ?? by;
  const mine = steps.filter((step) => mayAct(who(step), scene.event));
  if (mine.length === 0) {
    const others = [...new Set(steps.flatMap((step) => who(step) ?? []))];
    yield {
      message: "notYours",
      data: { ...data, by: others.join(" or ") || "nobody", actor: actorOf(scene.event) },
    };
    return;
  }
  const look = lookAt(workflow, to, moment, scene);
  const missing = mine.map((step) => missingOf([...(step.anyway ? [] : requires), ...step.when], look));
  if (missing.some((each) => each.length === 0)) return;
  const least = missing.toSorted((a, b) => a.length - b.length)[0] ?? [];
  yield { message: "unmet", data: { ...data, missing: least.slice(0, 5).join("; ") } };
}

function placeOf({ state }: Workflow, { to, from }: Move): string {
  if (state.by === "branch") return "the branch";
  return (
    to.file || from.file || (state.by === "presence" ? Object.values(state.files).join(" or ") : "its state")
  );
}

/** What workflows remember, and the files they are declared in, are not for the agent to write. */
function* ownFiles(
  workflows: ReturnType<typeof workflowsIn>,
  event: Event,
  world: World,
): Iterable<Yield<Id>> {
  const place = realRoot(event.root, world);
  const log = join(place, seenFolder);
  const files = workflows.flatMap(({ file }) => file ?? []);
  for (const action of event.actions) {
    if ((action.kind !== "write" && action.kind !== "delete") || !action.target) continue;
    const { real, given: path } = action.target;
    const isLog = isInside(log, real) || (action.kind === "delete" && isInside(real, log));
    const isOwn = files.some((file) => real === file || (action.kind === "delete" && isInside(real, file)));
    if (isLog) yield { message: "ours", data: { path, what: "what Hookline has seen of the work" } };
    else if (isOwn) yield { message: "ours", data: { path, what: "where a workflow is declared" } };
  }
}
