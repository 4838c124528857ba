/** What changed between versions of the Ralph workflow, as data; `ralph-machine.ts` has their orchestrators. */
export interface RalphProfile {
  /** What the session's `status` may be. */
  readonly statuses: readonly string[];
  readonly signalTypes: readonly string[];
  /** The folders every session starts with. */
  readonly scaffold: readonly string[];
}

export const ralphProfiles = {
  "v2.2.0": {
    statuses: ["in_progress", "completed", "awaiting_feedback", "aborted", "blocked"],
    signalTypes: ["STEER", "PAUSE", "ABORT", "INFO", "APPROVE", "SKIP"],
    scaffold: ["signals/inputs", "signals/processed", "logs"],
  },
  later: {
    statuses: ["in_progress", "completed", "awaiting_feedback", "aborted", "blocked"],
    signalTypes: ["STEER", "PAUSE", "ABORT", "INFO"],
    scaffold: ["signals/inputs", "signals/processed", "signals/acks", "logs"],
  },
} as const satisfies Record<string, RalphProfile>;

export type RalphProfileName = keyof typeof ralphProfiles;

export const ralphProfileNames = Object.keys(ralphProfiles) as RalphProfileName[];
