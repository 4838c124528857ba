import type { LedgerRecord } from "../read.ts";
import { viewOf } from "../query/view.ts";

/** Upper bounds of the durations that are counted, in seconds. */
export const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface Histogram {
  readonly counts: readonly number[];
  readonly sum: number;
}

/**
 * What everything sent so far adds up to. Sums since one moment, not since the last message: to send them twice, or to
 * leave one out, changes nothing.
 */
export interface Totals {
  /** Milliseconds since the epoch. */
  readonly start: number;
  /** By `host event outcome`. */
  readonly decisions: Readonly<Record<string, number>>;
  /** By `rule outcome`. */
  readonly findings: Readonly<Record<string, number>>;
  /** By host. */
  readonly durations: Readonly<Record<string, Histogram>>;
}

export const noTotals = (start: number): Totals => ({ start, decisions: {}, findings: {}, durations: {} });

export function addUp(totals: Totals, records: readonly LedgerRecord[]): Totals {
  const decisions = { ...totals.decisions };
  const findings = { ...totals.findings };
  const durations = { ...totals.durations };
  const count = (into: Record<string, number>, ...key: string[]): void => {
    const text = key.join(" ");
    into[text] = (into[text] ?? 0) + 1;
  };
  for (const record of records) {
    const view = viewOf(record);
    if (view.repeats) continue;
    const host = view.host.replaceAll(" ", "_");
    count(decisions, host, view.event.replaceAll(" ", "_"), view.outcome);
    for (const { rule, outcome } of view.findings) count(findings, rule.replaceAll(" ", "_"), outcome);
    durations[host] = withOne(durations[host] ?? { counts: [], sum: 0 }, view.ms / 1000);
  }
  return { start: totals.start, decisions, findings, durations };
}

function withOne({ counts, sum }: Histogram, seconds: number): Histogram {
  const all = [...bounds, Number.POSITIVE_INFINITY].map((_, at) => counts[at] ?? 0);
  const at = bounds.findIndex((bound) => seconds <= bound);
  const slot = at === -1 ? bounds.length : at;
  return { counts: all.with(slot, (all[slot] ?? 0) + 1), sum: sum + seconds };
}
