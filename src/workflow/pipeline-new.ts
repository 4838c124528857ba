import type { Json } from "../core/json.ts";
import { skippedBy, type Phase } from "./pipeline-phases.ts";

/** What an effort leaves out. */
export const flows = {
  S: { template: "light", skips: skippedBy("S") },
  M: { template: "standard", skips: skippedBy("M") },
  L: { template: "full", skips: skippedBy("L") },
} as const;

export type Effort = keyof typeof flows;

export interface Wanted {
  readonly effort?: Effort;
  readonly branch?: string;
  readonly autoApprove: boolean;
  readonly skipPr: boolean;
}

/** The state of a pipeline that has been set up and has yet to start. */
export function newState(name: string, folder: string, wanted: Wanted, now: string): Json {
  const flow = wanted.effort === undefined ? undefined : flows[wanted.effort];
  // Without a pull request there is nothing the final commit could be for.
  const withoutPr: readonly Phase[] = wanted.skipPr ? ["pr-creation", "final-commit"] : [];
  return {
    version: 1,
    specName: name,
    workspace: folder,
    branch: wanted.branch ?? null,
    effort: wanted.effort ?? null,
    flowTemplate: flow?.template ?? null,
    autoApprove: wanted.autoApprove,
    skipPr: wanted.skipPr,
    useCurrentBranch: false,
    debug: false,
    skippedPhases: [...(flow?.skips ?? []), ...withoutPr],
    currentPhase: "phase-1",
    currentPhaseStatus: "pending",
    completedPhases: ["setup"],
    revisions: { designRevisions: 0, taskRevisions: 0, designInlineRevisions: 0, taskInlineRevisions: 0 },
    checkpointRevisionPending: {},
    needsBatchCommit: false,
    tasks: {},
    phaseLog: [],
    timestamps: { created: now, lastUpdated: now, phaseStarted: null },
    error: null,
  };
}
