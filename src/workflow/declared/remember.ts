import { mayAct } from "./actors.ts";
import { missingOf, type Seen } from "./conditions.ts";
import { recordedState, type Entry } from "./log.ts";
import type { Transition, Workflow } from "./model.ts";
import { entriesIn, lookAt, now, type Scene } from "./scene.ts";
import { sightsIn } from "./sights.ts";

/** What comes of something that was seen. */
export interface Memory {
  readonly seen: Seen;
  /** What is written down, if it says anything new. */
  readonly entry?: Entry;
  /** The step it takes, or would take if nothing were missing. */
  readonly step?: { readonly from: string; readonly to: string; readonly missing: readonly string[] };
}

/** All that an event shows of what a workflow watches, one after the other. */
export function memoriesOf(workflow: Workflow, scene: Scene): Memory[] {
  const memories: Memory[] = [];
  let at = scene;
  for (const seen of sightsIn(workflow, scene.event, scene.world)) {
    const memory = memoryOf(workflow, seen, at);
    memories.push(memory);
    if (memory.entry) at = withEntries(at, workflow, [memory.entry]);
  }
  return memories;
}

/** The scene as it is when what the event shows has been written down. */
export const afterwards = (scene: Scene): Scene =>
  scene.workflows.reduce(
    (at, workflow) =>
      withEntries(
        at,
        workflow,
        memoriesOf(workflow, scene).flatMap(({ entry }) => entry ?? []),
      ),
    scene,
  );

const withEntries = (scene: Scene, workflow: Workflow, more: readonly Entry[]): Scene =>
  more.length === 0
    ? scene
    : {
        ...scene,
        log: new Map([...(scene.log ?? []), [workflow.name, [...entriesIn(workflow, scene), ...more]]]),
      };

function memoryOf(workflow: Workflow, seen: Seen, scene: Scene): Memory {
  const { watch: saw, result } = seen;
  const entry = { saw, ...(result === undefined ? {} : { result }) };
  const entries = entriesIn(workflow, scene);
  // Edit after edit says no more than one.
  const told = result === undefined && entries.at(-1)?.saw === saw ? {} : { entry };
  if (workflow.state.by !== "record") return { seen, ...told };
  const from = recordedState(workflow, entries);
  const tried = stepsFrom(from, workflow, seen, scene);
  const taken = tried.find(({ missing }) => missing.length === 0);
  if (taken) return { seen, entry: { ...entry, from, to: taken.to }, step: taken };
  return { seen, ...told, ...(tried[0] ? { step: tried[0] } : {}) };
}

function stepsFrom(
  from: string,
  workflow: Workflow,
  seen: Seen,
  scene: Scene,
): NonNullable<Memory["step"]>[] {
  const { requires = [], by } = workflow.states[from] ?? {};
  const steps = workflow.transitions.filter(
    (step) =>
      waitsFor(step, seen) &&
      step.to !== from &&
      (step.from.includes(from) || step.from.includes("*")) &&
      mayAct(step.by ?? by, scene.event),
  );
  const look = lookAt(workflow, { file: "", state: from }, now(scene), scene);
  return steps.map((step) => ({
    from,
    to: step.to,
    missing: missingOf([...(step.anyway ? [] : requires), ...step.when], {
      ...look,
      seen: [...look.seen, seen],
    }),
  }));
}

const waitsFor = ({ on }: Transition, { watch, result }: Seen): boolean =>
  on?.watch === watch && (on.result === undefined || on.result === result);
