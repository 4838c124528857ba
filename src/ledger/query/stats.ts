import { outcomes, type Outcome } from "../../core/outcome.ts";
import { dayStart, hourOf } from "./_add-records.ts";
import { percentile, whole, type Bucket } from "./_buckets.ts";
import type { Index } from "./index-ledger.ts";

export interface StatsFilter {
  readonly since?: number;
  readonly until?: number;
  readonly host?: string;
}

/** How long something took. */
export interface Times {
  readonly runs: number;
  readonly p50: number;
  readonly p95: number;
}

export interface RuleStats extends Times {
  readonly rule: string;
  readonly hits: number;
  readonly blocks: number;
  readonly asks: number;
  readonly warns: number;
}

export interface HostStats extends Times {
  readonly host: string;
  readonly decisions: number;
  readonly blocks: number;
  readonly asks: number;
}

export interface Stats {
  readonly decisions: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** In observe mode: what would have been blocked. */
  readonly wouldBlock: number;
  readonly rules: readonly RuleStats[];
  readonly hosts: readonly HostStats[];
  readonly slowest: readonly (Times & { readonly rule: string })[];
  readonly denied: readonly { readonly subject: string; readonly count: number }[];
  readonly trend: readonly {
    readonly day: string;
    readonly decisions: number;
    readonly blocks: number;
    readonly asks: number;
  }[];
}

/** What the ledgers of a workspace add up to, by the hour. */
export function statsOf(all: readonly Counts[]): Stats {
  const decisions = all.flatMap(({ hours }) => hours);
  const findings = all.flatMap(({ rules }) => rules);
  const timings = all.flatMap(({ times }) => times);
  const timesOf = (wanted: (row: Timing) => boolean): Times => {
    const buckets = merged(timings.filter(wanted));
    const runs = buckets.reduce((sum, { count }) => sum + count, 0);
    return { runs, p50: percentile(buckets, 0.5), p95: percentile(buckets, 0.95) };
  };
  const ruleNames = names(
    [...findings, ...timings.filter(({ rule }) => rule !== whole)].map(({ rule }) => rule),
  );
  const rules = ruleNames.map((rule): RuleStats => {
    const own = findings.filter((row) => row.rule === rule);
    const of = (...wanted: Outcome[]): number => total(own.filter(({ outcome }) => wanted.includes(outcome)));
    const counts = { hits: total(own), blocks: of("block"), asks: of("ask"), warns: of("warn") };
    return { rule, ...counts, ...timesOf((row) => row.rule === rule) };
  });
  return {
    decisions: total(decisions),
    outcomes: Object.fromEntries(
      outcomes.map((outcome) => [outcome, total(decisions.filter((row) => row.outcome === outcome))]),
    ) as Record<Outcome, number>,
    wouldBlock: total(decisions.filter(({ outcome, would }) => would === "block" && outcome !== "block")),
    rules: rules.filter(({ hits }) => hits > 0).toSorted((a, b) => b.hits - a.hits),
    hosts: names(decisions.map(({ host }) => host)).map((host) => ({
      host,
      ...tally(decisions.filter((row) => row.host === host)),
      ...timesOf((row) => row.host === host && row.rule === whole),
    })),
    slowest: rules
      .filter(({ runs }) => runs > 0)
      .toSorted((a, b) => b.p95 - a.p95)
      .slice(0, 10)
      .map(({ rule, runs, p50, p95 }) => ({ rule, runs, p50, p95 })),
    denied: summed(all.flatMap(({ denied }) => denied)).slice(0, 10),
    trend: trendOf(decisions),
  };
}

interface Counted {
  readonly count: number;
}
interface Day extends Counted {
  readonly day: number;
  readonly host: string;
  readonly outcome: Outcome;
  readonly would: Outcome;
}
interface RuleCount extends Counted {
  readonly rule: string;
  readonly outcome: Outcome;
}
interface Timing extends Bucket {
  readonly rule: string;
  readonly host: string;
}
interface Denied extends Counted {
  readonly subject: string;
}

export type Counts = ReturnType<typeof countsIn>;

/** Reads what is counted in the index of a ledger, already summed over what does not matter here. */
export function countsIn({ db }: Index, { since, until, host }: StatsFilter) {
  const window = {
    from: since === undefined ? 0 : hourOf(since),
    to: until === undefined ? farAway : hourOf(until),
  };
  const only = host === undefined ? "" : " AND h.text = ?";
  const from = (table: string, column: "hour" | "day", ...windows: Window[]): string =>
    `FROM ${table} t JOIN names h ON h.id = t.host WHERE (${windows
      .map((each) => `t.${column} >= ${each.from} AND t.${column} < ${each.to}`)
      .join(" OR ")})${only}`;
  const all = <T>(sql: string): T[] => db.query<T, string[]>(sql).all(...(host === undefined ? [] : [host]));
  const name = (column: string): string => `(SELECT text FROM names WHERE id = t.${column}) AS ${column}`;
  const outcome = ({ outcome: code }: { outcome: number }): Outcome => outcomes[code] ?? "pass";
  const timing = (source: string): Timing[] =>
    all(
      `SELECT ${name("rule")}, h.text AS host, t.bucket, sum(t.count) AS count ${source} GROUP BY t.rule, 2, 3`,
    );
  const { days, edges } = wholeDays(window);
  return {
    hours: all<{ day: number; host: string; outcome: number; would: number; count: number }>(
      `SELECT t.hour / 24 AS day, h.text AS host, t.outcome, t.would, sum(t.count) AS count ${from("hours", "hour", window)} GROUP BY 1, 2, 3, 4`,
    ).map((row): Day => ({ ...row, outcome: outcome(row), would: outcomes[row.would] ?? "pass" })),
    rules: all<{ rule: string; outcome: number; count: number }>(
      `SELECT ${name("rule")}, t.outcome, sum(t.count) AS count ${from("rule_hours", "hour", window)} GROUP BY t.rule, 2`,
    ).map((row): RuleCount => ({ ...row, outcome: outcome(row) })),
    times: [
      ...(days.from < days.to ? timing(from("timing_days", "day", days)) : []),
      ...(edges.length > 0 ? timing(from("timings", "hour", ...edges)) : []),
    ],
    denied: all<Denied>(
      `SELECT ${name("subject")}, sum(t.count) AS count ${from("denied", "hour", window)} GROUP BY t.subject ORDER BY 2 DESC LIMIT 100`,
    ),
  };
}

/** From one hour or day up to another, which does not count any more. */
interface Window {
  readonly from: number;
  readonly to: number;
}

/** A day so far ahead that no hour of it comes. */
const farAway = 24 * 10_000_000;

/** The days that lie in a window altogether, and the hours before and behind them. */
function wholeDays({ from, to }: Window): { days: Window; edges: Window[] } {
  const days = { from: Math.ceil(from / 24), to: Math.floor(to / 24) };
  if (days.from >= days.to) return { days, edges: [{ from, to }] };
  const edges = [
    { from, to: days.from * 24 },
    { from: days.to * 24, to },
  ];
  return { days, edges: edges.filter((edge) => edge.from < edge.to) };
}

function trendOf(decisions: readonly Day[]): Stats["trend"] {
  const byDay = new Map<number, Day[]>();
  for (const row of decisions) byDay.set(row.day, [...(byDay.get(row.day) ?? []), row]);
  return [...byDay]
    .toSorted(([a], [b]) => a - b)
    .map(([day, rows]) => ({ day: new Date(dayStart(day)).toISOString().slice(0, 10), ...tally(rows) }));
}

const names = (all: readonly string[]): string[] => [...new Set(all)];
const total = (rows: readonly Counted[]): number => rows.reduce((sum, { count }) => sum + count, 0);

const tally = (rows: readonly Day[]): { decisions: number; blocks: number; asks: number } => ({
  decisions: total(rows),
  blocks: total(rows.filter(({ outcome }) => outcome === "block")),
  asks: total(rows.filter(({ outcome }) => outcome === "ask")),
});

function merged(rows: readonly Bucket[]): Bucket[] {
  const counts = new Map<number, number>();
  for (const { bucket, count } of rows) counts.set(bucket, (counts.get(bucket) ?? 0) + count);
  return [...counts].map(([bucket, count]) => ({ bucket, count })).toSorted((a, b) => a.bucket - b.bucket);
}

/** The same subject may stand in the workspace's ledger and in the fallback. */
function summed(rows: readonly Denied[]): Denied[] {
  const counts = new Map<string, number>();
  for (const { subject, count } of rows) counts.set(subject, (counts.get(subject) ?? 0) + count);
  return [...counts].map(([subject, count]) => ({ subject, count })).toSorted((a, b) => b.count - a.count);
}
