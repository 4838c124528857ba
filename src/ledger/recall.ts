import { join } from "node:path";
import { beforeTool } from "../core/event.ts";
import { isObject, type Json } from "../core/json.ts";
import { isOutcome } from "../core/outcome.ts";
import type { Earlier, Happened } from "../core/world.ts";
import { lookAt, nodeFs } from "../platform/files.ts";
import type { Memory } from "../platform/live-world.ts";
import type { Env } from "../platform/places.ts";
import { isLike } from "./fingerprint.ts";
import { current, headFile, refusedFile } from "./places.ts";
import { segmentsOf } from "./read.ts";
import { executedRule } from "./append.ts";
import { refusedIn, saidIn } from "./refused.ts";

/** Remembers by the latest records of a workspace's own ledger, and of the one that stands in for it. */
export const memoryOf = (
  folders: () => readonly string[],
  env: Env,
): Pick<Memory, "earlier" | "happened" | "holds"> => ({
  earlier: (call) => earlierIn(folders(), call),
  holds: (session) => Math.max(...folders().map((folder) => holdsIn(folder, session))),
  happened: (session) => {
    const calls = folders().flatMap((folder) => refusedCalls(folder, session, env));
    return calls.flatMap((call) => seenOf(call));
  },
});

/** Mostly the record is among the last few; a call that took hours may be far back, but none takes more than a day. */
const reaches = [128 * 1024, 1024 * 1024, 8 * 1024 * 1024, Number.POSITIVE_INFINITY];
const longestCall = 24 * 60 * 60 * 1000;

function earlierIn(folders: readonly string[], call: string): Earlier | undefined {
  const needle = `"call":${JSON.stringify(call)}`;
  let reached = false;
  for (const folder of folders) {
    for (const reach of reaches) {
      const end = endOf(join(folder, current), reach);
      if (!end) break;
      const found = announced(end.bytes, needle, call);
      if (found) return found;
      if (beginsBefore(end.bytes, Date.now() - longestCall)) {
        reached = true;
        break;
      }
      // Further back than the segment before this it may have been announced, or not.
      if (!end.whole) continue;
      const before = endBefore(folder);
      const earlier = before && announced(before, needle, call);
      if (earlier) return earlier;
      reached = before === undefined;
      break;
    }
  }
  return reached ? { told: "none" } : undefined;
}

function announced(bytes: Buffer, needle: string, call: string): Earlier | undefined {
  for (const record of recordsWith(bytes, [needle])) {
    if (record["call"] !== call || !isAnnouncement(record)) continue;
    const told = isObject(record["verdict"]) ? record["verdict"]["told"] : undefined;
    const time = Date.parse(String(record["time"]));
    return {
      told: isOutcome(told) ? told : "pass",
      record: String(record["id"]),
      ...(Number.isNaN(time) ? {} : { time }),
    };
  }
  return undefined;
}

/** Refused stops since the agent last stopped or somebody spoke to it. */
function holdsIn(folder: string, session: string): number {
  const needle = `"session":${JSON.stringify(session)}`;
  let holds = 0;
  for (const reach of reaches.slice(0, 3)) {
    const end = endOf(join(folder, current), reach);
    if (!end) return 0;
    holds = 0;
    for (const { event, verdict } of recordsWith(end.bytes, [needle])) {
      if (!isObject(event) || event["session"] !== session) continue;
      if (event["name"] === "UserPromptSubmit") return holds;
      // A subagent's own stop may be told as well.
      const { agent } = event;
      if (event["name"] !== "Stop" || (isObject(agent) && agent["id"] !== undefined)) continue;
      if (!isObject(verdict) || verdict["told"] !== "block") return holds;
      holds += 1;
    }
    if (end.whole) break;
  }
  return holds;
}

/** Was the first whole line written before then? */
function beginsBefore(bytes: Buffer, then: number): boolean {
  const start = bytes.indexOf(newline) + 1;
  const line = bytes.toString("latin1", start, start + 160);
  const at = line.indexOf(timeMark);
  return at !== -1 && Date.parse(line.slice(at + timeMark.length, at + timeMark.length + 24)) < then;
}

const timeMark = '"time":"';

const isAnnouncement = (record: Json): boolean =>
  isObject(record["event"]) && beforeTool.some((name) => name === (record["event"] as Json)["name"]);

const recently = 2 * 1024 * 1024;

/** They are kept apart; where nothing can be kept outside the ledger, its latest records are searched. */
const refusedCalls = (ledger: string, session: string, env: Env): Json[] =>
  lookAt(headFile(ledger, env)) === "missing"
    ? refusedLately(ledger, session)
    : refusedIn(refusedFile(ledger, env), session);

function refusedLately(ledger: string, session: string): Json[] {
  const end = endOf(join(ledger, current), recently);
  if (!end) return [];
  const before = end.whole ? endBefore(ledger) : undefined;
  const all = before ? [end.bytes, before] : [end.bytes];
  const said = new Set(all.flatMap((bytes) => recordsWith(bytes, [executedRule]).flatMap(saidIn)));
  return all
    .flatMap((bytes) => recordsWith(bytes, ['"trace":[', `"session":${JSON.stringify(session)}`]))
    .filter(({ id }) => !said.has(id))
    .map(({ event, ...record }) => ({ ...record, tool: isObject(event) ? event["tool"] : undefined }));
}

/** The end of the segment before the one that is written to. */
function endBefore(ledger: string): Buffer | undefined {
  const last = segmentsOf(ledger).findLast((name) => name !== current);
  return last === undefined ? undefined : endOf(join(ledger, last), recently)?.bytes;
}

function seenOf({ id, trace, tool }: Json): Happened[] {
  return (Array.isArray(trace) ? trace : []).filter(isObject).flatMap((step) => {
    const { path } = step;
    if (typeof path !== "string" || !isSeen(step, path)) return [];
    return [{ record: String(id), tool: String(tool), path }];
  });
}

const isSeen = (step: Json, path: string): boolean =>
  step["kind"] === "delete" ? isGone(path) === true : isLike(path, step);

/** Not known of a path under a folder that may not be entered. */
export function isGone(path: string): boolean | undefined {
  try {
    return lookAt(path) === "missing";
  } catch {
    return undefined;
  }
}

/** The records whose lines hold all of some words, the latest first. Only lines with the first of them are ever decoded. */
function recordsWith(bytes: Buffer, [first = "", ...others]: readonly string[]): Json[] {
  const found: Json[] = [];
  const needle = Buffer.from(first);
  for (let at = bytes.lastIndexOf(needle); at !== -1;) {
    const start = bytes.lastIndexOf(newline, at) + 1;
    const end = bytes.indexOf(newline, at);
    const line = bytes.toString("utf8", start, end === -1 ? bytes.length : end);
    const record = others.every((word) => line.includes(word)) ? toRecord(line) : undefined;
    if (record) found.push(record);
    at = start === 0 ? -1 : bytes.lastIndexOf(needle, start - 1);
  }
  return found;
}

const newline = 10;

/** Nothing for half a line at the beginning of what was read. */
function toRecord(line: string): Json | undefined {
  try {
    const record: unknown = JSON.parse(line);
    return isObject(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

function endOf(path: string, reach: number): { bytes: Buffer; whole: boolean } | undefined {
  const { closeSync, fstatSync, openSync, readSync } = nodeFs();
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return undefined;
  }
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.allocUnsafe(Math.min(size, reach));
    const count = readSync(file, bytes, 0, bytes.length, size - bytes.length);
    return { bytes: bytes.subarray(0, count), whole: bytes.length === size };
  } finally {
    closeSync(file);
  }
}
