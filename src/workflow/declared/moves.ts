import type { Action } from "../../core/action.ts";
import type { World } from "../../core/world.ts";
import type { ReadYaml } from "./keys.ts";
import { momentAfter, realRoot, touches, type Moment } from "./moment.ts";
import type { Transition, Workflow } from "./model.ts";
import { standingsAt, type Standing } from "./standing.ts";
import { fitsGlob, mayFitBelow } from "./glob.ts";
import { pathBelow } from "../../core/paths.ts";

/** A step of a workflow that some action of an event takes. */
export interface Move {
  readonly from: Standing;
  readonly to: Standing;
  /** How many of the event's actions are done by then. */
  readonly count: number;
  /** The workspace at that moment. */
  readonly moment: Moment;
}

/** What an event means to where a workflow stands. */
export interface Course {
  /** Before anything happens. */
  readonly start: readonly Standing[];
  readonly moves: readonly Move[];
}

/** Follows a workflow through the actions of an event: each write of what it is kept in may be a step. */
export function courseOf(
  workflow: Workflow,
  event: { readonly actions: readonly Action[]; readonly root: string },
  world: World,
  yaml?: ReadYaml,
  branches: readonly string[] = [],
): Course {
  const { actions, root } = event;
  const now = momentAfter(actions, 0, root, world);
  const start = standingsAt(workflow, now, yaml);
  const moves: Move[] = [];
  let before = start;
  const goTo = (moment: Moment, count: number): void => {
    const after = standingsAt(workflow, moment, yaml);
    for (const { from, to } of stepsBetween(before, after, workflow)) moves.push({ from, to, count, moment });
    before = after;
  };
  if (workflow.state.by === "branch")
    for (const branch of branches)
      goTo(momentAfter(actions, actions.length, root, world, branch), actions.length);
  else
    for (const [at, action] of actions.entries())
      if (mayMove(workflow, action, root, world)) goTo(momentAfter(actions, at + 1, root, world), at + 1);
  return { start, moves };
}

/** A run that begins comes from the initial state, and one that goes away ends there. */
function stepsBetween(
  before: readonly Standing[],
  after: readonly Standing[],
  { initial }: Workflow,
): { from: Standing; to: Standing }[] {
  const files = [...new Set([...before, ...after].map(({ file }) => file))];
  return files.flatMap((file) => {
    const nowhere = { file, state: initial };
    const from = before.find((each) => each.file === file) ?? nowhere;
    const to = after.find((each) => each.file === file) ?? nowhere;
    return isSame(from, to) ? [] : [{ from, to }];
  });
}

const isSame = (one: Standing, other: Standing): boolean =>
  one.state === other.state && one.found === other.found && one.trouble === other.trouble;

/** Does an action touch what a workflow is kept in? */
function mayMove({ state }: Workflow, action: Action, root: string, world: World): boolean {
  if ((action.kind !== "write" && action.kind !== "delete") || !action.target) return false;
  const place = realRoot(root, world);
  const path = pathBelow(place, action.target.real);
  const globs = globsOf(state);
  return globs.some((glob) =>
    glob.includes("*") || glob.includes("?") || glob.includes("{")
      ? path !== undefined && (fitsGlob(glob, path) || mayFitBelow(glob, path))
      : touches(action, world.realPath(`${place}/${glob}`)),
  );
}

const globsOf = (state: Workflow["state"]): readonly string[] => {
  if (state.by === "key" || state.by === "marker") return [state.file];
  return state.by === "presence" ? Object.values(state.files) : [];
};

/** The transitions that lead from one state to another. */
export const transitionsBetween = (
  { transitions }: Workflow,
  from: string,
  to: string,
): readonly Transition[] =>
  transitions.filter(
    (each) => each.to === to && (each.from.includes(from) || (each.from.includes("*") && from !== to)),
  );

export const nextStates = ({ transitions }: Workflow, from: string): string[] => [
  ...new Set(
    transitions
      .filter((each) => each.from.includes(from) || (each.from.includes("*") && each.to !== from))
      .map(({ to }) => to),
  ),
];

/** The folder of the file a run is kept in. */
export const folderOf = ({ file }: Standing): string => file.slice(0, Math.max(0, file.lastIndexOf("/")));
