import type { Event } from "../../core/event.ts";
import type { World } from "../../core/world.ts";
import type { Look, Seen } from "./conditions.ts";
import type { ReadYaml } from "./keys.ts";
import { entriesOf, recordedState, todosOf, type Entry } from "./log.ts";
import { momentAfter, type Moment } from "./moment.ts";
import { courseOf, folderOf, type Course } from "./moves.ts";
import type { Workflow } from "./model.ts";
import { standingsAt, type Standing } from "./standing.ts";

/** An event, and what is needed to read what workflows say about it. */
export interface Scene {
  readonly workflows: readonly Workflow[];
  readonly event: Event;
  readonly world: World;
  readonly yaml?: ReadYaml;
  /** The branches that git commands of the event check out, in order. */
  readonly branches?: readonly string[];
  /** What was written down for each workflow, where that is more than what lies in its file. */
  readonly log?: ReadonlyMap<string, readonly Entry[]>;
}

export const entriesIn = (workflow: Workflow, { log, event, world }: Scene): readonly Entry[] =>
  log?.get(workflow.name) ?? entriesOf(workflow, event, world);

/** Where a workflow stands before the event, and where the event takes it. */
export function courseIn(workflow: Workflow, scene: Scene): Course {
  const { event, world, yaml, branches } = scene;
  if (workflow.state.by !== "record") return courseOf(workflow, event, world, yaml, branches);
  const state = recordedState(workflow, entriesIn(workflow, scene));
  return { start: [{ file: "", state }], moves: [] };
}

/** Where a workflow stands now. */
export const standingsNow = (workflow: Workflow, scene: Scene): readonly Standing[] =>
  workflow.state.by === "record"
    ? courseIn(workflow, scene).start
    : standingsAt(workflow, now(scene), scene.yaml);

export const now = ({ event, world }: Scene): Moment => momentAfter(event.actions, 0, event.root, world);

/** What conditions look at. */
export function lookAt(workflow: Workflow, standing: Standing, moment: Moment, scene: Scene): Look {
  const entries = entriesIn(workflow, scene);
  return {
    moment,
    ...(scene.yaml ? { yaml: scene.yaml } : {}),
    seen: seenIn(entries),
    todos: () => todosOf(entries),
    dir: folderOf(standing),
    stateOf: (name) => {
      const other = scene.workflows.find((each) => each.name === name);
      return other ? standingsNow(other, scene).map((each) => each.state ?? "unknown") : [];
    },
  };
}

const seenIn = (entries: readonly Entry[]): Seen[] =>
  entries.flatMap(({ saw, result }) =>
    saw === undefined ? [] : [{ watch: saw, ...(result === undefined ? {} : { result }) }],
  );
