import type { Database } from "bun:sqlite";
import { outcomes } from "../../core/outcome.ts";
import type { LedgerRecord } from "../read.ts";
import { bucketOf, whole } from "./_buckets.ts";
import { viewOf, wordsOf, type View } from "./view.ts";

/** Where a record stands: segments are far enough apart for any offset within one. */
export const rowAt = (segment: number, offset: number): number => segment * span + offset;
export const segmentAt = (row: number): number => Math.floor(row / span);
export const offsetAt = (row: number): number => row % span;
const span = 2 ** 36;

const hourMs = 60 * 60 * 1000;
export const hourOf = (time: number): number => Math.floor(time / hourMs);
const dayOf = (hour: number): number => Math.floor(hour / 24);
export const dayStart = (day: number): number => day * 24 * hourMs;

/** Takes records into the index; what is counted by the hour is written at `finish`. */
export function adder(db: Database, segment: number) {
  const insert = statements(db);
  const names = nameIds(db, "names");
  const paths = nameIds(db, "path_names");
  const counts = new Map<string, number>();
  const count = (...key: (string | number)[]): void => {
    const text = key.join(" ");
    counts.set(text, (counts.get(text) ?? 0) + 1);
  };

  // By the day as well: over months the hours would be too many to add up while somebody waits.
  const countTime = (hour: number, host: number, rule: number, ms: number): void => {
    count("timings", hour, host, rule, bucketOf(ms));
    count("timing_days", dayOf(hour), host, rule, bucketOf(ms));
  };
  const countUp = (view: View, hour: number, host: number): void => {
    count("hours", hour, host, outcomes.indexOf(view.outcome), outcomes.indexOf(view.would ?? view.outcome));
    countTime(hour, host, names(whole), view.ms);
    for (const rule in view.ruleMs) countTime(hour, host, names(rule), view.ruleMs[rule] ?? 0);
    for (const { rule, outcome } of view.findings)
      count("rule_hours", hour, host, names(rule), outcomes.indexOf(outcome));
    if ((view.would ?? view.outcome) === "block") count("denied", hour, host, names(subjectOf(view)));
  };

  return {
    add(record: LedgerRecord, offset: number, length: number): void {
      if (record.kind !== "decision" || typeof record.seq !== "number") return;
      const view = viewOf(record);
      if (Number.isNaN(view.time)) return;
      const row = rowAt(segment, offset);
      const name = (text: string | undefined): number | null => (text === undefined ? null : names(text));
      const host = names(view.host);
      insert.record.run(
        row,
        length,
        view.id,
        view.time,
        host,
        names(view.event),
        name(view.session),
        name(view.agent),
        name(view.agentType),
        name(view.tool),
        outcomes.indexOf(view.outcome),
        view.would === undefined ? null : outcomes.indexOf(view.would),
      );
      for (const { rule } of view.findings) insert.finding.run(names(rule), row);
      for (const path of view.paths) insert.path.run(paths(path), row);
      insert.words.run(row, [...wordsOf(record)].join(" "));
      if (!view.repeats) countUp(view, hourOf(view.time), host);
    },
    finish(): void {
      for (const [key, number] of counts) {
        const [table = "", ...values] = key.split(" ");
        insert.count(table, values.length).run(segment, ...values.map(Number), number);
      }
      counts.clear();
    },
  };
}

const subjectOf = ({ tool, subject }: View): string =>
  (subject === "" ? (tool ?? "") : subject).slice(0, 300);

function statements(db: Database) {
  return {
    record: db.query(
      `INSERT OR REPLACE INTO records (row, length, id, time, host, event, session, agent, agent_type, tool, outcome, would)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    finding: db.query("INSERT OR IGNORE INTO findings (rule, row) VALUES (?, ?)"),
    path: db.query("INSERT OR IGNORE INTO paths (path, row) VALUES (?, ?)"),
    words: db.query("INSERT INTO words (rowid, text) VALUES (?, ?)"),
    count: (table: string, keys: number) =>
      db.query(
        `INSERT INTO ${table} VALUES (?, ${"?, ".repeat(keys)}?) ON CONFLICT DO UPDATE SET count = count + excluded.count`,
      ),
  };
}

/** The numbers of texts, made when a text is new. */
function nameIds(db: Database, table: "names" | "path_names"): (text: string) => number {
  const known = new Map<string, number>();
  const find = db.query<{ id: number }, [string]>(`SELECT id FROM ${table} WHERE text = ?`);
  const make = db.query<{ id: number }, [string]>(`INSERT INTO ${table} (text) VALUES (?) RETURNING id`);
  return (text) => {
    const id = known.get(text) ?? find.get(text)?.id ?? make.get(text)?.id ?? 0;
    if (known.size < 200_000) known.set(text, id);
    return id;
  };
}
