/** What changed between versions of the Ralph workflow, as data. */
export interface RalphProfile {
  readonly states: readonly string[];
  readonly transitions: readonly Transition[];
  /** What the session's `status` may be. */
  readonly statuses: readonly string[];
  readonly signalTypes: readonly string[];
  /** The folders every session starts with. */
  readonly scaffold: readonly string[];
}

/** A step of the orchestrator's state machine. */
export interface Transition {
  readonly from: string;
  readonly to: string;
  /** When the workflow takes it. */
  readonly when: string;
}

const step = (from: string, to: string, when: string): Transition => ({ from, to, when });

export const ralphProfiles = {
  "v2.2.0": {
    states: [
      "INITIALIZING",
      "PLANNING",
      "REPLANNING",
      "BATCHING",
      "EXECUTING_BATCH",
      "REVIEWING_BATCH",
      "SESSION_REVIEW",
      "KNOWLEDGE_EXTRACTION",
      "KNOWLEDGE_APPROVAL",
      "COMPLETE",
    ],
    transitions: [
      step("INITIALIZING", "PLANNING", "`plan-init` is [x]"),
      step("PLANNING", "BATCHING", "no planning task is [ ] any more"),
      step("BATCHING", "EXECUTING_BATCH", "a wave has a task that is neither [x] nor [C]"),
      step("BATCHING", "SESSION_REVIEW", "no wave has a task left to do"),
      step("EXECUTING_BATCH", "REVIEWING_BATCH", "every task of the wave is [P] or [F]"),
      step("REVIEWING_BATCH", "BATCHING", "every [P] task is judged"),
      step("SESSION_REVIEW", "KNOWLEDGE_EXTRACTION", "the review is written"),
      step("KNOWLEDGE_EXTRACTION", "COMPLETE", "nothing is staged"),
      step("KNOWLEDGE_EXTRACTION", "KNOWLEDGE_APPROVAL", "something is staged"),
      step("KNOWLEDGE_APPROVAL", "COMPLETE", "APPROVE or SKIP came"),
      step("COMPLETE", "REPLANNING", "feedback for the next iteration is there"),
      step("REPLANNING", "BATCHING", "every replanning task is [x]"),
    ],
    statuses: ["in_progress", "completed", "awaiting_feedback", "aborted", "blocked"],
    signalTypes: ["STEER", "PAUSE", "ABORT", "INFO", "APPROVE", "SKIP"],
    scaffold: ["signals/inputs", "signals/processed", "logs"],
  },
  later: {
    states: [
      "INITIALIZING",
      "PLANNING",
      "REPLANNING",
      "BATCHING",
      "EXECUTING_BATCH",
      "REVIEWING_BATCH",
      "KNOWLEDGE_EXTRACTION",
      "ITERATION_REVIEW",
      "ITERATION_CRITIQUE_REPLAN",
      "SESSION_REVIEW",
      "COMPLETE",
    ],
    transitions: [
      step("INITIALIZING", "PLANNING", "`plan-init` is [x]"),
      step("PLANNING", "BATCHING", "no planning task is [ ] any more"),
      step("BATCHING", "EXECUTING_BATCH", "a wave has a task that is neither [x] nor [C]"),
      step("BATCHING", "KNOWLEDGE_EXTRACTION", "no wave has a task left to do"),
      step("EXECUTING_BATCH", "REVIEWING_BATCH", "every task of the wave is [P] or [F]"),
      step("REVIEWING_BATCH", "BATCHING", "every [P] task is judged"),
      step("KNOWLEDGE_EXTRACTION", "ITERATION_REVIEW", "the knowledge is extracted"),
      step("ITERATION_REVIEW", "ITERATION_CRITIQUE_REPLAN", "the review found issues to mend"),
      step("ITERATION_REVIEW", "SESSION_REVIEW", "a retrospective is wanted"),
      step("ITERATION_REVIEW", "COMPLETE", "the review is written"),
      step("ITERATION_CRITIQUE_REPLAN", "BATCHING", "the critique is planned for"),
      step("ITERATION_CRITIQUE_REPLAN", "COMPLETE", "no critique cycle is left"),
      step("SESSION_REVIEW", "COMPLETE", "the retrospective is written"),
      step("COMPLETE", "REPLANNING", "feedback for the next iteration is there"),
      step("REPLANNING", "BATCHING", "every replanning task is [x]"),
    ],
    statuses: ["in_progress", "completed", "awaiting_feedback", "aborted", "blocked"],
    signalTypes: ["STEER", "PAUSE", "ABORT", "INFO"],
    scaffold: ["signals/inputs", "signals/processed", "signals/acks", "logs"],
  },
} as const satisfies Record<string, RalphProfile>;

export type RalphProfileName = keyof typeof ralphProfiles;

export const ralphProfileNames = Object.keys(ralphProfiles) as RalphProfileName[];

/** A step of the machine, if it is one. */
export const transitionBetween = (profile: RalphProfile, from: string, to: string): Transition | undefined =>
  profile.transitions.find((each) => each.from === from && each.to === to);

/** Where the machine can go from a state. */
export const nextStates = (profile: RalphProfile, from: string): string[] =>
  profile.transitions.filter((each) => each.from === from).map((each) => each.to);
