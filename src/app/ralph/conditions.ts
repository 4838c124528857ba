import { join } from "node:path";
import type { World } from "../../core/world.ts";
import { currentIteration } from "../../workflow/ralph-iteration.ts";
import { iterationFiles, sessionFolder } from "../../workflow/ralph-layout.ts";
import { currentStatuses, progressOf, type ProgressLine } from "../../workflow/ralph-progress.ts";
import { ralphProfiles } from "../../workflow/ralph-profiles.ts";
import { signalsOf } from "../../workflow/ralph-signals.ts";
import type { Session } from "../signals.ts";

interface Look {
  readonly tasks: ReadonlyMap<string, ProgressLine>;
  readonly planning: ReadonlyMap<string, ProgressLine>;
  readonly hasReview: boolean;
  readonly staged: number;
  readonly isDecided: boolean;
}

/** When the workflow takes a step, as far as files can tell. What is missing is said, not forbidden. */
const conditions: Readonly<Record<string, (look: Look) => string | undefined>> = {
  "INITIALIZING PLANNING": ({ planning }) => lacking(planning, ["plan-init"], "x"),
  "PLANNING BATCHING": ({ planning }) => open(planning, " ", "planning is not done"),
  "BATCHING EXECUTING_BATCH": ({ tasks }) =>
    [...tasks.values()].some(({ status }) => status !== "x" && status !== "C")
      ? undefined
      : "no task is left to execute",
  "EXECUTING_BATCH REVIEWING_BATCH": ({ tasks }) => open(tasks, "/", "tasks are still in progress"),
  "REVIEWING_BATCH BATCHING": ({ tasks }) => open(tasks, "P", "tasks still wait for their review"),
  "SESSION_REVIEW KNOWLEDGE_EXTRACTION": ({ hasReview }) =>
    hasReview ? undefined : "review.md is not written",
  "KNOWLEDGE_EXTRACTION COMPLETE": ({ staged }) =>
    staged === 0 ? undefined : `${staged} staged files wait for KNOWLEDGE_APPROVAL`,
  "KNOWLEDGE_EXTRACTION KNOWLEDGE_APPROVAL": ({ staged }) => (staged > 0 ? undefined : "nothing is staged"),
  "KNOWLEDGE_APPROVAL COMPLETE": ({ isDecided }) =>
    isDecided ? undefined : "neither APPROVE nor SKIP has come, so the staged knowledge is carried over",
  "REPLANNING BATCHING": ({ planning }) =>
    lacking(planning, ["plan-rebrainstorm", "plan-reresearch", "plan-update", "plan-rebreakdown"], "x"),
};

function open(lines: ReadonlyMap<string, ProgressLine>, status: string, what: string): string | undefined {
  const ids = [...lines].filter(([, line]) => line.status === status).map(([id]) => id);
  return ids.length === 0 ? undefined : `${what}: ${ids.map((id) => `${id} [${status}]`).join(", ")}`;
}

function lacking(
  lines: ReadonlyMap<string, ProgressLine>,
  ids: readonly string[],
  status: string,
): string | undefined {
  const missing = ids.filter((id) => lines.get(id)?.status !== status);
  return missing.length === 0
    ? undefined
    : missing
        .map((id) => `${id} is ${lines.has(id) ? `[${lines.get(id)?.status}]` : "missing"}, not [${status}]`)
        .join(", ");
}

export function unmetCondition({ root, id, world }: Session, from: string, to: string): string | undefined {
  const key = `${from} ${to}`;
  const condition = Object.hasOwn(conditions, key) ? conditions[key] : undefined;
  return condition?.(lookAt(sessionFolder(root, id), world));
}

function lookAt(folder: string, world: World): Look {
  const iteration = currentIteration(folder, world) ?? 1;
  const progress = progressOf(folder, iteration, world);
  const files = iterationFiles(folder, iteration);
  const { all } = signalsOf(folder, ralphProfiles["v2.2.0"].signalTypes, world);
  return {
    isDecided: all.some(
      ({ type, state }) => state === "processed" && (type === "APPROVE" || type === "SKIP"),
    ),
    tasks: currentStatuses(progress?.tasks ?? []),
    planning: currentStatuses(progress?.planning ?? []),
    hasReview: world.stat(files.review) !== undefined,
    staged: ["tutorials", "how-to", "reference", "explanation"].reduce(
      (count, category) => count + (world.list(join(files.knowledge, category))?.length ?? 0),
      0,
    ),
  };
}
