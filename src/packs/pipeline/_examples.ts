/** Pipelines for examples. */
const folder = ".specs/20260115-cart";

/** A workspace whose pipeline is at a phase. */
export const active = (
  phase: string,
  status = "in_progress",
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, string>> => ({
  [`${folder}/state.json`]: JSON.stringify({
    currentPhase: phase,
    currentPhaseStatus: status,
    timestamps: { lastUpdated: "2026-01-15T10:00:00Z" },
    ...more,
  }),
});

/** Tasks in progress, one for each mode. */
export const tasks = (...modes: readonly string[]): Readonly<Record<string, unknown>> => ({
  tasks: Object.fromEntries(
    modes.map((executionMode, at) => [String(at + 1), { executionMode, implStatus: "in_progress" }]),
  ),
});
