import type { Database } from "bun:sqlite";
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../../platform/places.ts";
import { readTail, tailLength } from "../chain.ts";
import { current, isNumbered } from "../places.ts";
import { linesOf, segmentsOf, toRecord } from "../read.ts";
import { adder, rowAt } from "./_add-records.ts";
import { byRow, bySegment, indexFile, inMemory, openDatabase, removeDatabase } from "./_database.ts";

/** An index that is as far as its ledger. */
export interface Index extends Disposable {
  readonly folder: string;
  readonly db: Database;
  /** How many records were taken in to get there. */
  readonly added: number;
}

/** Opens the index of a ledger and brings it up to date; what does not fit the ledger any more is indexed again. */
export function openIndex(folder: string, env: Env, said: (text: string) => void = () => undefined): Index {
  const file = indexFile(folder, env);
  // As it is; made anew; and where no disk can take one, in memory.
  for (const attempt of [file, file, inMemory]) {
    try {
      return upToDate(folder, openDatabase(attempt), said);
    } catch (error) {
      if (!isBroken(error) || attempt === inMemory) throw error;
      removeDatabase(file);
    }
  }
  throw new Error("unreachable: memory either takes it or fails");
}

/**
 * Asks an index something. A damage may lie where only the question comes across it: then the index is made anew, and
 * asked once more.
 */
export function ask<T>(
  folder: string,
  env: Env,
  question: (index: Index) => T,
  said?: (text: string) => void,
): T {
  try {
    using index = openIndex(folder, env, said);
    return question(index);
  } catch (error) {
    if (!isBroken(error)) throw error;
    removeDatabase(indexFile(folder, env));
    using index = openIndex(folder, env, said);
    return question(index);
  }
}

/** Half written, or written over. */
const isBroken = (error: unknown): boolean =>
  /^SQLITE_(CORRUPT|NOTADB|ERROR|IOERR|FULL|READONLY|CANTOPEN|CONSTRAINT)/.test(
    String((error as { code?: unknown }).code),
  );

function upToDate(folder: string, db: Database, said: (text: string) => void): Index {
  try {
    let added = 0;
    const segments = numberedSegments(folder);
    dropGone(db, segments);
    // A batch at a time, so that others can look in between and a kill loses little.
    for (const [number, name] of segments) {
      for (;;) {
        const batch = db.transaction(() => addBatch(db, folder, number, name)).immediate();
        added += batch.added;
        if (batch.done) break;
        if (added > 0) said(`indexed ${added} records`);
      }
    }
    if (added > 10_000) db.run("ANALYZE");
    return { folder, db, added, [Symbol.dispose]: () => db.close() };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The segments with their numbers; the one that is written to will get the next when it is closed. */
function numberedSegments(folder: string): [number, string][] {
  const names = segmentsOf(folder);
  const last = names.filter(isNumbered).at(-1);
  return names.map((name) => [
    name === current ? (last === undefined ? 0 : Number.parseInt(last, 10)) + 1 : Number.parseInt(name, 10),
    name,
  ]);
}

interface Known {
  readonly first: string;
  readonly size: number;
  readonly tail: string;
  readonly modified: number;
}

function dropGone(db: Database, segments: readonly (readonly [number, string])[]): void {
  const there = new Set(segments.map(([number]) => number));
  const known = db.query<{ number: number }, []>("SELECT number FROM segments").all();
  const gone = known.filter(({ number }) => !there.has(number));
  if (gone.length > 0) db.transaction(() => gone.forEach(({ number }) => drop(db, number))).immediate();
}

const batchSize = 20_000;

function addBatch(
  db: Database,
  folder: string,
  number: number,
  name: string,
): { added: number; done: boolean } {
  const path = join(folder, name);
  const stat = statSync(path, { throwIfNoEntry: false });
  // Closed and renamed since we looked: the next query finds it under its new name.
  if (!stat) return { added: 0, done: true };
  const known = db
    .query<Known, [number]>("SELECT first, size, tail, modified FROM segments WHERE number = ?")
    .get(number);
  if (known && known.size === stat.size && known.modified === stat.mtimeMs) return { added: 0, done: true };
  const first = textAt(path, 0, tailLength);
  const goesOn =
    known !== null &&
    known.first === first &&
    stat.size >= known.size &&
    known.size > 0 &&
    (stat.size > known.size || name === current) &&
    linkBefore(path, known.size) === known.tail;
  if (known && !goesOn) drop(db, number);
  const from = goesOn ? known.size : 0;
  const index = adder(db, number);
  let added = 0;
  let end = from;
  for (const line of linesOf(folder, name, from)) {
    if (!line.whole) break;
    const length = line.bytes.length;
    const record = toRecord(line);
    if (record) index.add(record, line.offset, length);
    end = line.offset + length + 1;
    if (++added === batchSize) break;
  }
  index.finish();
  const done = added < batchSize;
  db.query(
    "INSERT OR REPLACE INTO segments (number, first, size, tail, modified) VALUES (?, ?, ?, ?, ?)",
  ).run(
    number,
    first,
    end,
    linkBefore(path, end),
    // Not before it has been read to the end: what is half indexed is looked at again.
    done && end === stat.size ? stat.mtimeMs : 0,
  );
  return { added, done };
}

function drop(db: Database, number: number): void {
  const [from, to] = [rowAt(number, 0), rowAt(number + 1, 0)];
  for (const table of [...byRow, "records"])
    db.query(`DELETE FROM ${table} WHERE row >= ? AND row < ?`).run(from, to);
  db.query("DELETE FROM words WHERE rowid >= ? AND rowid < ?").run(from, to);
  for (const table of bySegment) db.query(`DELETE FROM ${table} WHERE segment = ?`).run(number);
  db.query("DELETE FROM segments WHERE number = ?").run(number);
}

/** The link of the record that ends at a place. */
const linkBefore = (path: string, at: number): string =>
  readTail(new TextEncoder().encode(textAt(path, Math.max(0, at - tailLength), Math.min(at, tailLength))))
    ?.link ?? "";

function textAt(path: string, from: number, length: number): string {
  const file = openSync(path, "r");
  try {
    const bytes = new Uint8Array(length);
    return new TextDecoder().decode(bytes.subarray(0, readSync(file, bytes, 0, length, from)));
  } finally {
    closeSync(file);
  }
}
