import type { Contribution, Finding } from "./finding.ts";
import { strictest, type Outcome } from "./outcome.ts";

/** The merged outcome of an event, before it is fitted to what a host can say. */
export interface Verdict {
  readonly outcome: Outcome;
  /** In observe mode: what the outcome would have been. */
  readonly would?: Outcome;
  readonly findings: readonly Finding[];
  readonly contributions: readonly Contribution[];
}

/** `enforced` findings count even in observe mode: a managed policy has locked their rules. */
export function merge(
  findings: readonly Finding[],
  contributions: readonly Contribution[],
  mode: "enforce" | "observe",
  enforced: (finding: Finding) => boolean = () => false,
): Verdict {
  const full = strictest(findings);
  if (mode === "enforce") return { outcome: full, findings, contributions };
  const outcome = strictest(findings.filter(enforced));
  // Nothing is refused for the sake of being heard, either.
  const mild = contributions.map(({ insist: _insist, ...rest }) => rest);
  return outcome === full
    ? { outcome, findings, contributions: mild }
    : { outcome, would: full, findings, contributions: mild };
}
