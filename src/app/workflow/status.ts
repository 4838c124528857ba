import { join } from "node:path";
import type { World } from "../../core/world.ts";
import { missingOf } from "../../workflow/declared/conditions.ts";
import { entriesOf, seenFolder } from "../../workflow/declared/log.ts";
import { notesOf } from "../../workflow/declared/mermaid.ts";
import type { Transition, Workflow } from "../../workflow/declared/model.ts";
import { lookAt, now, standingsNow, type Scene } from "../../workflow/declared/scene.ts";
import { shown, type Standing } from "../../workflow/declared/standing.ts";

/** Where one run of a workflow stands, what it may not do there, and what it takes to go on. */
export interface WorkflowStatus {
  readonly workflow: string;
  /** The file it is kept in, if there is one. */
  readonly file: string | null;
  readonly state: string | null;
  readonly label: string | null;
  /** Why the state is not known. */
  readonly trouble: string | null;
  readonly notes: readonly string[];
  readonly next: readonly {
    readonly to: string;
    readonly by: readonly string[] | null;
    /** What is seen when it is taken. */
    readonly on: string | null;
    readonly missing: readonly string[];
  }[];
  /** What is missing before the agent may stop. */
  readonly stop: readonly string[];
  readonly retries: readonly { readonly what: string; readonly failed: number; readonly most: number }[];
  readonly seen: readonly string[];
}

export function statusOf(workflow: Workflow, scene: Scene): WorkflowStatus[] {
  return standingsNow(workflow, scene).map((standing) => runStatus(workflow, standing, scene));
}

function runStatus(workflow: Workflow, standing: Standing, scene: Scene): WorkflowStatus {
  const { state } = standing;
  const look = lookAt(workflow, standing, now(scene), scene);
  const declared = state === undefined ? undefined : workflow.states[state];
  const leaving = (step: Transition) =>
    missingOf([...(step.anyway ? [] : (declared?.requires ?? [])), ...step.when], look);
  const steps = workflow.transitions.filter(
    ({ from, to }) => state !== undefined && to !== state && (from.includes(state) || from.includes("*")),
  );
  const entries = entriesOf(workflow, scene.event, scene.world);
  return {
    workflow: workflow.name,
    file: standing.file || null,
    state: state ?? null,
    label: declared?.label ?? null,
    trouble: state === undefined ? shown(standing) : null,
    notes: declared ? notesOf(declared) : [],
    next: steps.map((step) => ({
      to: step.to,
      by: step.by ?? declared?.by ?? null,
      on: step.on ? [step.on.watch, step.on.result].filter(Boolean).join(" ") : null,
      missing: leaving(step),
    })),
    stop: workflow.stop
      .filter(({ in: states }) => states.length === 0 || (state !== undefined && states.includes(state)))
      .flatMap(({ needs }) => (needs.length === 0 ? ["it is no state to stop in"] : missingOf(needs, look))),
    retries: workflow.retries.map(({ run, delegate, most }, at) => {
      const last = entries.findLastIndex(({ succeeded, to }) => succeeded === at || to !== undefined);
      const failed = entries.slice(last + 1).filter((entry) => entry.failed === at).length;
      return { what: [...run, ...delegate].join(", "), failed, most };
    }),
    seen: look.seen.slice(-5).map(({ watch, result }) => [watch, result].filter(Boolean).join(" ")),
  };
}

/** The session whose log of a workflow was written last, where nobody says which one is meant. */
export function lastSession({ name }: Workflow, root: string, world: World): string | undefined {
  const folder = join(root, seenFolder, name);
  const logs = (world.list(folder) ?? []).filter((file) => file.endsWith(".jsonl") && !file.startsWith("_"));
  const times = logs.map((file) => ({ file, time: world.stat(join(folder, file))?.modified ?? 0 }));
  return times.toSorted((a, b) => b.time - a.time)[0]?.file.replace(/\.jsonl$/, "");
}
