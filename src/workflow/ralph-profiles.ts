import current from "./shipped/ralph.generated.json";
import later from "./shipped/ralph-later.generated.json";

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

interface Declared {
  readonly states: object;
  readonly transitions: readonly {
    readonly from: readonly string[];
    readonly to: string;
    readonly label: string;
  }[];
}

/** States and steps of a declared orchestrator. A way out that leads from everywhere is no step of its own. */
const machineOf = ({ states, transitions }: Declared): Pick<RalphProfile, "states" | "transitions"> => ({
  states: Object.keys(states),
  transitions: transitions.flatMap(({ from, to, label }) =>
    from.filter((name) => name !== "*").map((name) => ({ from: name, to, when: label })),
  ),
});

export const ralphProfiles = {
  "v2.2.0": {
    ...machineOf(current),
    statuses: ["in_progress", "completed", "awaiting_feedback", "aborted", "blocked"],
    signalTypes: ["STEER", "PAUSE", "ABORT", "INFO", "APPROVE", "SKIP"],
    scaffold: ["signals/inputs", "signals/processed", "logs"],
  },
  later: {
    ...machineOf(later),
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
