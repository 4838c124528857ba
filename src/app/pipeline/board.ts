import { join } from "node:path";
import { asText } from "../../core/json.ts";
import type { World } from "../../core/world.ts";
import { artifacts, phaseLabels, phases, type Phase } from "../../workflow/pipeline-phases.ts";
import { namesOf, tasksOf, type Pipeline } from "../../workflow/pipeline-state.ts";

export interface Board {
  readonly workspace: string;
  readonly name: string | null;
  readonly phase: string;
  readonly status: string;
  readonly effort: string | null;
  readonly flow: string | null;
  readonly branch: string | null;
  readonly updated: string;
  readonly phases: readonly {
    readonly id: Phase;
    readonly label: string;
    readonly status: string;
    readonly artifact: string | null;
    readonly present: boolean | null;
  }[];
  readonly tasks: readonly {
    readonly id: string;
    readonly title: string | null;
    readonly mode: string | null;
    readonly impl: string | null;
    readonly review: string | null;
  }[];
}

/** Where a pipeline stands, by its own files. */
export function boardOf(pipeline: Pipeline, world: World): Board {
  const { folder, phase, status, updated, state } = pipeline;
  const text = (key: string): string | null => asText(state[key]) ?? null;
  const completed = new Set(namesOf(pipeline, "completedPhases"));
  const skipped = new Set(namesOf(pipeline, "skippedPhases"));
  const statusOf = (id: Phase): string =>
    id === phase ? status : completed.has(id) ? "completed" : skipped.has(id) ? "skipped" : "pending";
  return {
    workspace: folder,
    name: text("specName"),
    phase,
    status,
    effort: text("effort"),
    flow: text("flowTemplate"),
    branch: text("branch"),
    updated,
    phases: phases.slice(0, -1).map((id) => {
      const artifact = artifacts[id] ?? null;
      const present = artifact === null ? null : hasText(folder, artifact, world);
      return { id, label: phaseLabels[id], status: statusOf(id), artifact, present };
    }),
    tasks: tasksOf(pipeline).map(([id, task]) => ({
      id,
      title: asText(task["title"]) ?? null,
      mode: asText(task["executionMode"]) ?? null,
      impl: asText(task["implStatus"]) ?? null,
      review: asText(task["reviewStatus"]) ?? null,
    })),
  };
}

/** Is there such a file, with something in it? */
export function hasText(folder: string, name: string, world: World): boolean {
  try {
    const stat = world.stat(join(folder, name));
    return stat?.type === "file" && stat.size > 0;
  } catch {
    return false;
  }
}
