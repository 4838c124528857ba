import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isObject } from "../../core/json.ts";
import { sha256 } from "../../platform/digest.ts";
import { openLocked } from "../../platform/files.ts";
import { stateFolder, type Env } from "../../platform/places.ts";
import { writeNew } from "../../platform/write-new.ts";
import type { LedgerRecord } from "../read.ts";
import { nextBatch, type Place } from "./_place.ts";
import { addUp, noTotals, type Totals } from "./_totals.ts";
import type { Sent, Sink } from "./sink.ts";

/**
 * How far a ledger has been sent to a destination. The ledger itself is the spool: it survives restarts and outages, and
 * what has been sent is remembered when the receiver has said that it has it, never before.
 */
interface Cursor {
  readonly v: 1;
  readonly place?: Place;
  readonly totals: Totals;
  /** Have the totals been sent since they last changed? */
  readonly told: boolean;
}

export interface ExportOptions {
  readonly follow: boolean;
  /** For how long to go on trying when nothing gets through; for ever when following. */
  readonly patienceMs: number;
  readonly stop: AbortSignal;
  /** Words for the person who looks on. */
  readonly say: (text: string) => void;
}

export interface Exported {
  readonly records: number;
  /** Why it ended before everything was sent. */
  readonly trouble?: string;
}

const pollMs = 1000;

/** Sends what has not been sent yet, in the order of the chain, each at least once. */
export async function exportLedger(
  folder: string,
  sink: Sink,
  env: Env,
  options: ExportOptions,
): Promise<Exported> {
  const file = cursorFile(folder, sink, env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(`${file}.lock`, "a", 0o600));
  const lock = openLocked(`${file}.lock`);
  if (lock === "busy") return { records: 0, trouble: "somebody else is sending there at the moment" };
  try {
    return await sendAll(folder, file, sink, options);
  } finally {
    if (lock !== "missing") lock.close();
    sink.close?.();
  }
}

const cursorFile = (folder: string, { name }: Sink, env: Env): string =>
  join(stateFolder(env), "exports", `${sha256(`${folder}\n${name}`).slice(0, 32)}.json`);

/** The oldest record that has not been sent there yet. */
export function waitingFor(folder: string, sink: Sink, env: Env): { seq: number; since: number } | undefined {
  const [record] = nextBatch(folder, readCursor(cursorFile(folder, sink, env)).place, 1).records;
  return record && { seq: record.seq, since: Date.parse(record.time) };
}

async function sendAll(folder: string, file: string, sink: Sink, options: ExportOptions): Promise<Exported> {
  let cursor = readCursor(file);
  let records = 0;
  while (!options.stop.aborted) {
    const batch = nextBatch(folder, cursor.place, sink.most);
    if (batch.lost)
      options.say(`records ${batch.lost.from} to ${batch.lost.to} were removed before they could be sent`);
    if (batch.records.length > 0) {
      const sent = await patiently(() => sink.send(batch.records), options);
      const trouble =
        sent.kind === "refused" ? await oneByOne(batch.records, sink, options, sent.why) : whyNot(sent);
      if (trouble !== undefined) return { records, trouble };
      records += batch.records.length;
    }
    if (batch.place !== cursor.place) {
      cursor = {
        ...cursor,
        ...(batch.place ? { place: batch.place } : {}),
        totals: addUp(cursor.totals, batch.records),
        told: cursor.told && batch.records.length === 0,
      };
      writeNew(file, JSON.stringify(cursor));
    }
    if (batch.records.length > 0) continue;
    if (!cursor.told && sink.sendTotals) {
      const { totals } = cursor;
      const sent = await patiently(
        async () => (await sink.sendTotals?.(totals)) ?? { kind: "done" },
        options,
      );
      if (sent.kind !== "done") {
        if (!options.follow) return { records, trouble: sent.why };
        options.say(sent.why);
      } else writeNew(file, JSON.stringify((cursor = { ...cursor, told: true })));
    }
    if (!options.follow) break;
    await pause(pollMs, options.stop);
  }
  return { records };
}

/** One that is refused must not hold up the others for ever. Says why it could not go on. */
async function oneByOne(
  all: readonly LedgerRecord[],
  sink: Sink,
  options: ExportOptions,
  why: string,
): Promise<string | undefined> {
  if (all.length === 1) {
    options.say(`record ${String(all[0]?.id)} is left out: ${why}`);
    return undefined;
  }
  const half = Math.ceil(all.length / 2);
  for (const part of [all.slice(0, half), all.slice(half)]) {
    const sent = await patiently(() => sink.send(part), options);
    const trouble = sent.kind === "refused" ? await oneByOne(part, sink, options, sent.why) : whyNot(sent);
    if (trouble !== undefined) return trouble;
  }
  return undefined;
}

const whyNot = (sent: Sent): string | undefined => (sent.kind === "done" ? undefined : sent.why);

const shortestWait = 500;
const longestWait = 60_000;

/** Tries until it is done or refused, waiting as long as the receiver asks for, or ever longer. */
async function patiently(
  send: () => Promise<Sent>,
  { follow, patienceMs, stop, say }: ExportOptions,
): Promise<Sent> {
  const end = follow ? Number.POSITIVE_INFINITY : Date.now() + patienceMs;
  let complained = "";
  for (let attempt = 0; ; attempt++) {
    const sent = await send();
    if (sent.kind === "done" && sent.note !== undefined) say(sent.note);
    if (sent.kind === "done" || sent.kind === "refused") return sent;
    // Somebody may mend it while we follow; who waits for an end is told at once.
    if (sent.kind === "wrong" && !follow) return sent;
    if (sent.why !== complained) say(`${sent.why}; trying again`);
    complained = sent.why;
    const wait = waitFor(sent, attempt);
    if (stop.aborted || Date.now() + wait > end) return sent;
    await pause(wait, stop);
    if (stop.aborted) return sent;
  }
}

function waitFor(sent: Sent, attempt: number): number {
  const asked = sent.kind === "later" ? sent.afterMs : undefined;
  const usual = Math.min(longestWait, shortestWait * 2 ** Math.min(attempt, 10));
  // A little apart, so that many who were turned away together do not come back together.
  return Math.min(10 * longestWait, asked ?? usual) + Math.random() * shortestWait;
}

/** Sleeps, but not past the end. */
async function pause(ms: number, stop: AbortSignal): Promise<void> {
  if (stop.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const wake = (): void => resolve();
  stop.addEventListener("abort", wake);
  await promise;
  stop.removeEventListener("abort", wake);
  clearTimeout(timer);
}

/** A cursor that cannot be read is begun anew: everything is sent again, nothing is left out. */
function readCursor(file: string): Cursor {
  try {
    const found: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (isObject(found) && found["v"] === 1 && isObject(found["totals"])) return found as unknown as Cursor;
  } catch {
    // There is none yet.
  }
  return { v: 1, totals: noTotals(Date.now()), told: true };
}
