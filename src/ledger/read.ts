import type { Dirent } from "node:fs";
import { join } from "node:path";
import { isMissing, nodeFs } from "../platform/files.ts";
import { current, isNumbered } from "./places.ts";

/** A line as it stands in a segment. */
export interface Line {
  readonly segment: string;
  /** Counted from 1. */
  readonly number: number;
  /** Where it begins in its segment. */
  readonly offset: number;
  /** Its bytes without the newline; valid until the next line is asked for. */
  readonly bytes: Uint8Array;
  /** False for a last line without a newline. */
  readonly whole: boolean;
}

/** The segments of a ledger in the order of the chain. Plain files only: a pipe or a link may be anything. */
export function segmentsOf(folder: string): string[] {
  const names = entriesOf(folder).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  return [...names.filter(isNumbered).sort(), ...names.filter((name) => name === current)];
}

/** What lies among the segments, looks like one, and is none. */
export const strangersIn = (folder: string): string[] =>
  entriesOf(folder)
    .filter((entry) => entry.name.endsWith(".jsonl") && !(entry.isFile() && isSegment(entry.name)))
    .map(({ name }) => name)
    .sort();

const isSegment = (name: string): boolean => name === current || isNumbered(name);

function entriesOf(folder: string): Dirent[] {
  try {
    return nodeFs().readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // One that may not be looked into is not an empty one.
    if (isMissing(error)) return [];
    throw error;
  }
}

const chunkSize = 1024 * 1024;
const newline = 10;

/** The lines of a segment from a place on, read in large pieces. */
export function* linesOf(folder: string, segment: string, from = 0): Generator<Line> {
  const { closeSync, fstatSync, openSync, readSync } = nodeFs();
  const file = openSync(join(folder, segment), "r");
  try {
    const { size } = fstatSync(file);
    let rest = new Uint8Array(0);
    let offset = from;
    let number = 0;
    for (let at = from; at < size;) {
      const chunk = new Uint8Array(rest.length + Math.min(chunkSize, size - at));
      chunk.set(rest);
      const count = readSync(file, chunk, rest.length, chunk.length - rest.length, at);
      if (count === 0) break;
      at += count;
      const bytes = chunk.subarray(0, rest.length + count);
      let start = 0;
      for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
        number++;
        yield { segment, number, offset, bytes: bytes.subarray(start, end), whole: true };
        offset += end + 1 - start;
        start = end + 1;
      }
      rest = bytes.slice(start);
    }
    if (rest.length > 0) yield { segment, number: number + 1, offset, bytes: rest, whole: false };
  } finally {
    closeSync(file);
  }
}

export type LedgerRecord = Readonly<Record<string, unknown>> & {
  readonly v: number;
  readonly kind?: string;
  readonly id?: string;
  readonly time: string;
  readonly seq: number;
  readonly link: string;
};

/** A line as a record, or nothing when it is none: damage is the business of `verify`. */
export function toRecord({ bytes }: Pick<Line, "bytes">): LedgerRecord | undefined {
  try {
    return JSON.parse(decoder.decode(bytes)) as LedgerRecord;
  } catch {
    return undefined;
  }
}

const decoder = new TextDecoder();
