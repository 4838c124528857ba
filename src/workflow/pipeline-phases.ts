import declaration from "./shipped/pipeline.generated.json";

/** The phases of a pipeline in order, as its declaration has them. `completed` stands behind the last one. */
const { states, transitions } = declaration;

export type Phase = keyof typeof states;

// Keys of an object come in the order they are written.
export const phases = Object.keys(states) as readonly Phase[];

/** What people call each. */
export const phaseLabels = Object.fromEntries(
  phases.map((phase) => [phase, states[phase].label]),
) as Readonly<Record<Phase, string>>;

export const isPhase = (name: string): name is Phase => Object.hasOwn(states, name);

/** What must be in the workspace before a phase can be completed. */
export const artifacts: Readonly<Partial<Record<Phase, string>>> = Object.fromEntries(
  phases.flatMap((phase) => states[phase].requires.map(({ file }) => [phase, file.replace("{dir}/", "")])),
);

/** Phases in which nothing but artifacts is written, and why. */
export const readOnlyPhases: ReadonlyMap<string, string> = new Map(
  phases.flatMap((phase) => {
    const [forbidden] = states[phase].forbid;
    return forbidden ? [[phase, forbidden.why]] : [];
  }),
);

/** The phases that the steps for an effort leave out. */
export const skippedBy = (effort: string): Phase[] =>
  transitions
    .filter(({ when }) =>
      when.some(({ key, values }) => key.includes("effort") && values.includes(effort as never)),
    )
    .flatMap(({ from, to }) =>
      phases.slice(phases.indexOf(from[0] as Phase) + 1, phases.indexOf(to as Phase)),
    )
    .toSorted((a, b) => phases.indexOf(a) - phases.indexOf(b));

export const statuses = [
  "pending",
  "in_progress",
  "completed",
  "failed",
  "awaiting_human",
  "abandoned",
] as const;
export type PhaseStatus = (typeof statuses)[number];
