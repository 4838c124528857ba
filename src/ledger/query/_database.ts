import { Database } from "bun:sqlite";
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "../../platform/digest.ts";
import { cacheFolder, type Env } from "../../platform/places.ts";

/** Raised whenever tables or what stands in them change: an index of another shape is made anew. */
const shape = 4;

/**
 * Rows are numbered by where their record stands (segment and offset), so that they sort in the order of the chain.
 * What many records share (hosts, tools, sessions …) stands once, in `names`.
 */
const tables = `
  CREATE TABLE segments (number INTEGER PRIMARY KEY, first TEXT NOT NULL, size INTEGER NOT NULL, tail TEXT NOT NULL,
    modified REAL NOT NULL);
  CREATE TABLE names (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
  CREATE TABLE records (row INTEGER PRIMARY KEY, length INTEGER NOT NULL, id TEXT NOT NULL, time INTEGER NOT NULL,
    host INTEGER NOT NULL, event INTEGER NOT NULL, session INTEGER, agent INTEGER, agent_type INTEGER, tool INTEGER,
    outcome INTEGER NOT NULL, would INTEGER);
  CREATE INDEX records_session ON records (session);
  CREATE INDEX records_agent ON records (agent) WHERE agent IS NOT NULL;
  CREATE INDEX records_agent_type ON records (agent_type) WHERE agent_type IS NOT NULL;
  CREATE INDEX records_tool ON records (tool);
  CREATE INDEX records_host ON records (host);
  CREATE INDEX records_event ON records (event);
  CREATE INDEX records_outcome ON records (outcome);
  CREATE INDEX records_would ON records (would) WHERE would IS NOT NULL;
  CREATE INDEX records_time ON records (time);
  CREATE INDEX records_id ON records (id);
  CREATE TABLE findings (rule INTEGER NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (rule, row)) WITHOUT ROWID;
  CREATE TABLE paths (path INTEGER NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (path, row)) WITHOUT ROWID;
  CREATE TABLE path_names (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
  CREATE VIRTUAL TABLE words USING fts5 (text, content='', contentless_delete=1, detail='none',
    tokenize="ascii tokenchars '_'");
  CREATE TABLE hours (segment INTEGER NOT NULL, hour INTEGER NOT NULL, host INTEGER NOT NULL, outcome INTEGER NOT NULL,
    would INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (hour, segment, host, outcome, would)) WITHOUT ROWID;
  CREATE TABLE rule_hours (segment INTEGER NOT NULL, hour INTEGER NOT NULL, host INTEGER NOT NULL, rule INTEGER NOT NULL,
    outcome INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (hour, segment, host, rule, outcome)) WITHOUT ROWID;
  CREATE TABLE timings (segment INTEGER NOT NULL, hour INTEGER NOT NULL, host INTEGER NOT NULL, rule INTEGER NOT NULL,
    bucket INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (hour, segment, host, rule, bucket)) WITHOUT ROWID;
  CREATE TABLE timing_days (segment INTEGER NOT NULL, day INTEGER NOT NULL, host INTEGER NOT NULL, rule INTEGER NOT NULL,
    bucket INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (day, segment, host, rule, bucket)) WITHOUT ROWID;
  CREATE TABLE denied (segment INTEGER NOT NULL, hour INTEGER NOT NULL, host INTEGER NOT NULL, subject INTEGER NOT NULL,
    count INTEGER NOT NULL, PRIMARY KEY (hour, segment, host, subject)) WITHOUT ROWID;
  PRAGMA user_version = ${shape};
`;

/** Tables whose rows belong to one segment, and how they say which. */
export const bySegment = ["hours", "rule_hours", "timings", "timing_days", "denied"] as const;
export const byRow = ["findings", "paths"] as const;

/** The index of a ledger lies in the user's cache: one in the repository could come with the repository. */
export const indexFile = (ledger: string, env: Env): string =>
  join(cacheFolder(env), "indexes", `${sha256(ledger).slice(0, 32)}.sqlite`);

export const inMemory = ":memory:";

/** Opens an index, or makes one. What is none, or of another shape, is thrown away: nothing in it is the truth. */
export function openDatabase(file: string): Database {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return patiently(file);
  } catch (error) {
    if (isBusy(error)) throw error;
  }
  try {
    removeDatabase(file);
    return patiently(file);
  } catch (error) {
    if (isBusy(error)) throw error;
    // A cache that cannot be written: slower, never wrong.
    return opened(inMemory);
  }
}

export function removeDatabase(file: string): void {
  for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });
}

const isBusy = (error: unknown): boolean =>
  String((error as { code?: unknown }).code).startsWith("SQLITE_BUSY");

/** While another opens it for the first time, `journal_mode` is refused at once, whatever `busy_timeout` says. */
function patiently(file: string): Database {
  const until = Date.now() + patience;
  for (;;) {
    try {
      return opened(file);
    } catch (error) {
      if (!isBusy(error) || Date.now() > until) throw error;
      Bun.sleepSync(10);
    }
  }
}

const patience = 10_000;

function opened(file: string): Database {
  const db = new Database(file, { create: true, readwrite: true });
  try {
    db.run(`PRAGMA busy_timeout = ${patience}`);
    db.run("PRAGMA journal_mode = WAL");
    db.run("PRAGMA synchronous = NORMAL");
    db.run("PRAGMA temp_store = MEMORY");
    db.run("PRAGMA cache_size = -65536");
    db.run("PRAGMA mmap_size = 1073741824");
    if (shapeOf(db) === shape) return db;
    db.transaction(() => {
      const found = shapeOf(db);
      if (found === 0) db.run(tables);
      else if (found !== shape) throw new Error("an index of another version");
    }).immediate();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

const shapeOf = (db: Database): number =>
  db.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
