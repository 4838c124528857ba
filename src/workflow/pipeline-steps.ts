import { isObject, type Json } from "../core/json.ts";
import { artifacts, isPhase, phases, type Phase, type PhaseStatus } from "./pipeline-phases.ts";
import { isActive, namesOf, tasksOf, type Pipeline } from "./pipeline-state.ts";

export const stepNames = ["start", "complete", "fail", "skip", "checkpoint", "approve", "abandon"] as const;
export type StepName = (typeof stepNames)[number];

export interface Asked {
  /** The phase that is meant, where it is said: it must be the current one. */
  readonly phase?: string;
  /** Why a phase has failed. */
  readonly reason?: string;
  readonly now: string;
  /** The files as they are when a phase begins that only reads. */
  readonly tree?: string;
  /** Files that have changed since, when such a phase is to end. */
  readonly changed?: readonly string[];
  /** Is there such a file in the pipeline's workspace, with something in it? */
  readonly has: (name: string) => boolean;
}

/** What comes of a step: a new state, with remarks, or why there is none. */
export type Taken =
  | { readonly state: Json; readonly warnings: readonly string[] }
  | { readonly refused: string };

/** Takes a step under the rules of the phases. Pure: nothing is written. */
export function takeStep(pipeline: Pipeline, step: StepName, asked: Asked): Taken {
  const { phase, status } = pipeline;
  // Whatever keeps an agent from stopping can be given up, also what no step could have led to.
  if (step === "abandon" && isActive(pipeline) && (asked.phase ?? phase) === phase)
    return abandoned(pipeline, asked.now);
  if (!isPhase(phase)) return no(`\`currentPhase\` is ${JSON.stringify(phase)}, which is no phase`);
  if (asked.phase !== undefined && asked.phase !== phase)
    return no(`the pipeline is at ${phase} (${status}), not at ${asked.phase}`);
  const from = allowed[step];
  if (!(from as readonly string[]).includes(status))
    return no(
      `${step} needs ${from.join(" or ")}, and ${phase} is ${status || "without a status"}${hints[status] ?? ""}`,
    );
  const refused = guards[step]?.(phase, pipeline, asked);
  return refused === undefined ? steps[step](phase, pipeline, asked) : no(refused);
}

const no = (refused: string): Taken => ({ refused });

/** The statuses each step can be taken from. What has failed can be started again. */
const allowed: Readonly<Record<StepName, readonly PhaseStatus[]>> = {
  start: ["pending", "failed"],
  complete: ["in_progress"],
  fail: ["in_progress"],
  skip: ["pending", "in_progress", "failed"],
  checkpoint: ["in_progress"],
  approve: ["awaiting_human"],
  abandon: ["pending", "in_progress", "failed", "awaiting_human"],
};

const hints: Readonly<Record<string, string>> = {
  pending: " (start it first)",
  awaiting_human: " (approve it, or ask whoever has to)",
};

const isCheckpoint = (phase: Phase): boolean => phase === "checkpoint-a" || phase === "checkpoint-b";

/** Why a step that the status allows is not taken all the same. */
const guards: Partial<
  Record<StepName, (phase: Phase, pipeline: Pipeline, asked: Asked) => string | undefined>
> = {
  skip: (phase, _, { changed }) => whyNotLeft(phase, changed),
  complete(phase, pipeline, { has, changed }) {
    if (isCheckpoint(phase) && pipeline.state["autoApprove"] !== true)
      return `${phase} is for a person to approve: take \`checkpoint\`, then \`approve\``;
    const missing = missingFor(phase, pipeline, has);
    return missing.length === 0 ? whyNotLeft(phase, changed) : `${phase} is not done: ${missing.join("; ")}`;
  },
  approve(phase, { state }) {
    const pending = state["checkpointRevisionPending"];
    return isObject(pending) && pending[phase] === true
      ? `a revision is pending at ${phase}; do it first`
      : undefined;
  },
};

/** What only reads leaves everything as it was. */
function whyNotLeft(phase: Phase, changed: readonly string[] = []): string | undefined {
  if (changed.length === 0) return undefined;
  const more = changed.length > 5 ? ` and ${changed.length - 5} more` : "";
  return `${phase} only reads, and files have changed since it was started: ${changed.slice(0, 5).join(", ")}${more}. Put them back as they were`;
}

/** What a phase still owes. */
function missingFor(phase: Phase, pipeline: Pipeline, has: Asked["has"]): string[] {
  const artifact = artifacts[phase];
  if (artifact !== undefined) return has(artifact) ? [] : [`${artifact} is missing or empty`];
  return tasksOf(pipeline).flatMap(([number, task]) => {
    if (phase === "phase-5")
      return [
        ...(task["implStatus"] === "completed" ? [] : [`task ${number} is ${shown(task["implStatus"])}`]),
        ...(has(`impl-${number}.md`) ? [] : [`impl-${number}.md is missing or empty`]),
      ];
    if (phase !== "phase-6") return [];
    return [
      ...(/^completed_pass/.test(shown(task["reviewStatus"]))
        ? []
        : [`the review of task ${number} is ${shown(task["reviewStatus"])}`]),
      ...(has(`review-${number}.md`) ? [] : [`review-${number}.md is missing or empty`]),
    ];
  });
}

const shown = (value: unknown): string => (typeof value === "string" ? value : "pending");

const steps: Readonly<Record<StepName, (phase: Phase, pipeline: Pipeline, asked: Asked) => Taken>> = {
  start: (phase, pipeline, { now, tree }) => ({
    state: changed(
      pipeline,
      now,
      { currentPhaseStatus: "in_progress", error: null, ...(tree === undefined ? {} : { sourceTree: tree }) },
      { phaseStarted: now },
    ),
    warnings: warningsAt(phase, pipeline),
  }),
  complete: (phase, pipeline, { now }) => ({
    state: next(phase, pipeline, now, "completedPhases"),
    warnings: [],
  }),
  fail: (phase, pipeline, { now, reason = "" }) => ({
    state: changed(pipeline, now, {
      currentPhaseStatus: "failed",
      error: { phase, message: reason, timestamp: now },
    }),
    warnings: [],
  }),
  skip: (phase, pipeline, { now }) => ({ state: next(phase, pipeline, now, "skippedPhases"), warnings: [] }),
  checkpoint: (_, pipeline, { now }) => ({
    state: changed(pipeline, now, { currentPhaseStatus: "awaiting_human" }),
    warnings: [],
  }),
  approve: (phase, pipeline, { now }) => ({
    state: next(phase, pipeline, now, "completedPhases"),
    warnings: [],
  }),
  abandon: (_, pipeline, { now }) => abandoned(pipeline, now),
};

const abandoned = (pipeline: Pipeline, now: string): Taken => ({
  state: changed(pipeline, now, { currentPhaseStatus: "abandoned" }),
  warnings: [],
});

function warningsAt(phase: Phase, pipeline: Pipeline): string[] {
  const { effort } = pipeline.state;
  if (phase === "phase-1" && (effort === undefined || effort === null || effort === ""))
    return ["effort is not set, so no phase will be skipped (hookline pipeline init --effort S|M|L)"];
  return phase === "phase-5" && tasksOf(pipeline).length === 0 ? ["there are no tasks in state.json"] : [];
}

/** Behind a phase: the next one that is not to be skipped, or the end. */
function next(
  phase: Phase,
  pipeline: Pipeline,
  now: string,
  list: "completedPhases" | "skippedPhases",
): Json {
  const done = [...new Set([...namesOf(pipeline, list), phase])];
  const skipped = new Set(list === "skippedPhases" ? done : namesOf(pipeline, "skippedPhases"));
  const following = phases.slice(phases.indexOf(phase) + 1).find((each) => !skipped.has(each)) ?? "completed";
  const { sourceTree: _over, ...state } = pipeline.state;
  return changed({ state }, now, {
    [list]: done,
    currentPhase: following,
    currentPhaseStatus: following === "completed" ? "completed" : "pending",
    error: null,
    ...(list === "completedPhases" ? { phaseLog: [...logOf(pipeline), entryOf(phase, pipeline, now)] } : {}),
  });
}

const logOf = ({ state }: Pipeline): readonly unknown[] =>
  Array.isArray(state["phaseLog"]) ? state["phaseLog"] : [];

function entryOf(phase: Phase, { state }: Pipeline, now: string): Json {
  const times = isObject(state["timestamps"]) ? state["timestamps"] : {};
  const took = Date.parse(now) - Date.parse(String(times["phaseStarted"]));
  return { phase, ...(took >= 0 ? { duration_ms: took } : {}), timestamp: now };
}

/** The state with some keys changed, and everything else as it was. */
function changed({ state }: Pick<Pipeline, "state">, now: string, keys: Json, moments: Json = {}): Json {
  const times = isObject(state["timestamps"]) ? state["timestamps"] : {};
  return { ...state, ...keys, timestamps: { ...times, ...moments, lastUpdated: now } };
}
