/** What changed between versions of the Ralph workflow, as data. */
export interface RalphProfile {
  readonly states: readonly string[];
}

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
  },
} as const satisfies Record<string, RalphProfile>;

export type RalphProfileName = keyof typeof ralphProfiles;

export const ralphProfileNames = Object.keys(ralphProfiles) as RalphProfileName[];
