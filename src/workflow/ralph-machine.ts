import type { RalphProfileName } from "./ralph-profiles.ts";
import current from "./shipped/ralph.generated.json";
import later from "./shipped/ralph-later.generated.json";

/** The orchestrator of a version of the Ralph workflow. */
export interface RalphMachine {
  readonly states: readonly string[];
  readonly transitions: readonly Transition[];
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
const machineOf = ({ states, transitions }: Declared): RalphMachine => ({
  states: Object.keys(states),
  transitions: transitions.flatMap(({ from, to, label }) =>
    from.filter((name) => name !== "*").map((name) => ({ from: name, to, when: label })),
  ),
});

export const ralphMachines: Readonly<Record<RalphProfileName, RalphMachine>> = {
  "v2.2.0": machineOf(current),
  later: machineOf(later),
};

/** A step of the machine, if it is one. */
export const transitionBetween = (machine: RalphMachine, from: string, to: string): Transition | undefined =>
  machine.transitions.find((each) => each.from === from && each.to === to);

/** Where the machine can go from a state. */
export const nextStates = (machine: RalphMachine, from: string): string[] =>
  machine.transitions.filter((each) => each.from === from).map((each) => each.to);
