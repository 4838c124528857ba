import type { Database } from "bun:sqlite";
import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { outcomes } from "../../core/outcome.ts";
import { current, numbered } from "../places.ts";
import { segmentsOf, toRecord, type LedgerRecord } from "../read.ts";
import { offsetAt, segmentAt } from "./_add-records.ts";
import { matches, pathStart, pathTest, ruleTest, type Filter } from "./filter.ts";
import type { Index } from "./index-ledger.ts";
import { toWords } from "./view.ts";

/**
 * The latest records that fit, in the order of the chain. The index says where to look, the ledger what there is: a
 * record that does not fit after all is left out.
 */
export function find(index: Index, filter: Filter, limit: number): LedgerRecord[] {
  const found: LedgerRecord[] = [];
  using files = new Segments(index.folder);
  for (const { row, length } of rowsFor(index.db, filter)) {
    const record = files.read(segmentAt(row), offsetAt(row), length);
    if (record && matches(record, filter)) found.push(record);
    if (found.length >= limit) break;
  }
  return found.toReversed();
}

const rowsFor = (db: Database, filter: Filter): Iterable<{ row: number; length: number }> => {
  const { sql, values, order } = toSql(db, filter);
  return db
    .query<{ row: number; length: number }, (string | number)[]>(
      `SELECT r.row AS row, r.length AS length ${sql} ORDER BY ${order} DESC`,
    )
    .iterate(...values);
};

interface Sql {
  readonly sql: string;
  readonly values: (string | number)[];
  readonly order: string;
}

function toSql(db: Database, filter: Filter): Sql {
  const where: string[] = [];
  const values: (string | number)[] = [];
  const add = (text: string, ...more: (string | number)[]): void => {
    where.push(text);
    values.push(...more);
  };
  const words = filter.text === undefined ? [] : toWords(filter.text);
  if (words.length > 0) add("words MATCH ?", words.map((word) => `"${word}"*`).join(" "));
  if (filter.since !== undefined) add("r.time >= ?", filter.since);
  if (filter.until !== undefined) add("r.time < ?", filter.until);
  for (const column of ["host", "session", "tool", "event"] as const) {
    const wanted = filter[column];
    if (wanted !== undefined) add(`r.${column} = ?`, nameId(db, wanted));
  }
  if (filter.agent !== undefined) {
    const id = nameId(db, filter.agent);
    add("(r.agent = ? OR r.agent_type = ?)", id, id);
  }
  if (filter.ids) add(`r.id IN (${filter.ids.map(() => "?").join(", ")})`, ...filter.ids);
  if (filter.outcomes) {
    const codes = filter.outcomes.map((outcome) => outcomes.indexOf(outcome)).join(", ");
    add(`(r.outcome IN (${codes}) OR r.would IN (${codes}))`);
  }
  if (filter.rule !== undefined) add(among(db, "findings", "rule", rulesLike(db, filter.rule)));
  if (filter.path !== undefined) add(among(db, "paths", "path", pathsLike(db, filter.path)));
  // The words come first where there are any: they are found the latest first, and few.
  const from = words.length > 0 ? "FROM words CROSS JOIN records r ON r.row = words.rowid" : "FROM records r";
  const order = words.length > 0 ? "words.rowid" : "r.row";
  return { sql: `${from} ${where.length > 0 ? `WHERE ${where.join(" AND ")}` : ""}`, values, order };
}

const nameId = (db: Database, text: string): number =>
  db.query<{ id: number }, [string]>("SELECT id FROM names WHERE text = ?").get(text)?.id ?? -1;

const rulesLike = (db: Database, wanted: string): number[] =>
  db
    .query<{ id: number; text: string }, []>(
      "SELECT id, text FROM names WHERE id IN (SELECT DISTINCT rule FROM rule_hours)",
    )
    .all()
    .filter(({ text }) => ruleTest(wanted)(text))
    .map(({ id }) => id);

function pathsLike(db: Database, wanted: string): number[] {
  const start = pathStart(wanted);
  const fits = pathTest(wanted);
  return db
    .query<{ id: number; text: string }, [string, string]>(
      "SELECT id, text FROM path_names WHERE text >= ? AND text < ?",
    )
    .all(start, `${start}\u{10ffff}`)
    .filter(({ text }) => fits(text))
    .map(({ id }) => id);
}

/** Few rows are gathered first; of many, the latest are soon found by looking at each record. */
function among(
  db: Database,
  table: "findings" | "paths",
  column: "rule" | "path",
  ids: readonly number[],
): string {
  if (ids.length === 0) return "0";
  db.run(`CREATE TEMP TABLE IF NOT EXISTS wanted_${column} (id INTEGER PRIMARY KEY)`);
  db.run(`DELETE FROM wanted_${column}`);
  const insert = db.query(`INSERT OR IGNORE INTO wanted_${column} VALUES (?)`);
  db.transaction(() => ids.forEach((id) => insert.run(id)))();
  const rows = `SELECT row FROM ${table} WHERE ${column} IN (SELECT id FROM wanted_${column})`;
  const many = db.query(`${rows} LIMIT 1 OFFSET ${fewRows}`).get() !== null;
  if (!many) return `r.row IN (${rows})`;
  return `EXISTS (SELECT 1 FROM wanted_${column} w CROSS JOIN ${table} t ON t.${column} = w.id AND t.row = r.row)`;
}

const fewRows = 50_000;

/** Reads single records out of segments, each opened once. */
class Segments implements Disposable {
  private readonly files = new Map<number, number>();

  constructor(private readonly folder: string) {}

  read(segment: number, offset: number, length: number): LedgerRecord | undefined {
    try {
      const bytes = new Uint8Array(length);
      const count = readSync(this.open(segment), bytes, 0, length, offset);
      return toRecord({ bytes: bytes.subarray(0, count) });
    } catch {
      // Removed since, for example by retention.
      return undefined;
    }
  }

  private open(segment: number): number {
    const known = this.files.get(segment);
    if (known !== undefined) return known;
    const file = this.openFirst([numbered(segment), current]);
    this.files.set(segment, file);
    return file;
  }

  private openFirst(names: readonly string[]): number {
    // The one that is written to has no number yet, and what has its number may be no segment.
    const there = segmentsOf(this.folder);
    for (const name of names) if (there.includes(name)) return openSync(join(this.folder, name), "r");
    throw new Error("no such segment");
  }

  [Symbol.dispose](): void {
    for (const file of this.files.values()) closeSync(file);
  }
}
