import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeTool } from "../core/event.ts";
import { isObject, type Json } from "../core/json.ts";
import { isOutcome } from "../core/outcome.ts";
import type { Earlier, Happened } from "../core/world.ts";
import { sha256 } from "../platform/digest.ts";
import type { Memory } from "../platform/live-world.ts";
import { current } from "./places.ts";
import { segmentsOf } from "./read.ts";

/** Remembers by the ledger's latest records. */
export const memoryOf = (ledger: () => string): Pick<Memory, "earlier" | "happened"> => ({
  earlier: (call) => earlierIn(ledger(), call),
  happened: (session) => happenedIn(ledger(), session),
});

/** Mostly the record is among the last few; a call that took hours may be far back. */
const reaches = [128 * 1024, 2 * 1024 * 1024, Number.POSITIVE_INFINITY];

function earlierIn(ledger: string, call: string): Earlier | undefined {
  const needle = `"call":${JSON.stringify(call)}`;
  for (const reach of reaches) {
    const end = endOf(join(ledger, current), reach);
    if (!end) return undefined;
    for (const record of recordsWith(end.text, [needle])) {
      if (record["call"] !== call || !isAnnouncement(record)) continue;
      const told = isObject(record["verdict"]) ? record["verdict"]["told"] : undefined;
      const time = Date.parse(String(record["time"]));
      return {
        told: isOutcome(told) ? told : "pass",
        record: String(record["id"]),
        ...(Number.isNaN(time) ? {} : { time }),
      };
    }
    // Further back than this segment it may have been announced, or not.
    if (end.whole) return segmentsOf(ledger).length > 1 ? undefined : { told: "none" };
  }
  return undefined;
}

const isAnnouncement = (record: Json): boolean =>
  isObject(record["event"]) && beforeTool.some((name) => name === (record["event"] as Json)["name"]);

const recently = 2 * 1024 * 1024;

function happenedIn(ledger: string, session: string): Happened[] {
  const end = endOf(join(ledger, current), recently);
  if (!end) return [];
  const said = saidBefore(end.text);
  return recordsWith(end.text, ['"trace":[', `"session":${JSON.stringify(session)}`])
    .filter(({ id }) => !said.has(id))
    .flatMap((record) => seenOf(record));
}

const ruleName = "safety/denied-but-executed";

/** The records somebody has been told about already. */
function saidBefore(text: string): Set<unknown> {
  const findings = recordsWith(text, [ruleName]).flatMap(({ findings: all }): unknown[] =>
    Array.isArray(all) ? all : [],
  );
  return new Set(findings.filter(isObject).map(({ data }) => (isObject(data) ? data["record"] : undefined)));
}

function seenOf({ id, time, trace, event }: Json): Happened[] {
  const tool = isObject(event) ? String(event["tool"]) : "";
  return (Array.isArray(trace) ? trace : []).filter(isObject).flatMap((step) => {
    const { path } = step;
    if (typeof path !== "string" || !isSeen(step, path, Date.parse(String(time)))) return [];
    return [{ record: String(id), tool, path }];
  });
}

function isSeen({ kind, sha256: digest, bytes }: Json, path: string, since: number): boolean {
  const now = statSync(path, { throwIfNoEntry: false });
  if (kind === "delete") return now === undefined;
  if (!now?.isFile() || now.size !== bytes || now.mtimeMs < since) return false;
  return sha256(readFileSync(path)) === digest;
}

/** The records of a text whose lines hold all of some words, the latest first. */
function recordsWith(text: string, words: readonly string[]): Json[] {
  const found: Json[] = [];
  for (const line of text.split("\n").toReversed()) {
    if (!words.every((word) => line.includes(word))) continue;
    try {
      const record: unknown = JSON.parse(line);
      if (isObject(record)) found.push(record);
    } catch {
      // Half a line at the beginning of what was read.
    }
  }
  return found;
}

function endOf(path: string, reach: number): { text: string; whole: boolean } | undefined {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return undefined;
  }
  try {
    const { size } = fstatSync(file);
    const bytes = new Uint8Array(Math.min(size, reach));
    readSync(file, bytes, 0, bytes.length, size - bytes.length);
    return { text: new TextDecoder().decode(bytes), whole: bytes.length === size };
  } finally {
    closeSync(file);
  }
}
