import { closeSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../platform/digest.ts";
import { readTail, tailLength } from "../chain.ts";
import { linesOf, segmentsOf, toRecord, type LedgerRecord } from "../read.ts";

/** Behind which record somebody was, in words that outlive a restart, a rename and a copy of the ledger. */
export interface Place {
  /** Tells a segment from others, whatever it is called by now: the digest of how it begins. */
  readonly segment: string;
  readonly offset: number;
  readonly seq: number;
  readonly link: string;
}

export interface Batch {
  readonly records: readonly LedgerRecord[];
  readonly place: Place | undefined;
  /** Records between the place and these that are there no more, by their numbers. */
  readonly lost?: { readonly from: number; readonly to: number };
}

const largest = 2 * 1024 * 1024;

/** The next decisions behind a place; without one, from the beginning. Empty when there are none yet. */
export function nextBatch(folder: string, from: Place | undefined, most: number): Batch {
  const segments = segmentsOf(folder);
  const known = from ? segments.findIndex((name) => isAt(folder, name, from)) : -1;
  const records: LedgerRecord[] = [];
  let place = from;
  let bytes = 0;
  let lost: Batch["lost"];
  for (const [at, name] of segments.slice(Math.max(0, known)).entries()) {
    const segment = identityOf(folder, name);
    if (segment === undefined) continue;
    for (const line of linesOf(folder, name, at === 0 && known !== -1 ? (from?.offset ?? 0) : 0)) {
      if (!line.whole) break;
      const record = toRecord(line);
      const next = placeBehind(record, segment, line.offset + line.bytes.length + 1);
      // Without its old place the chain's numbers say what has been sent already.
      if (!record || !next || (known === -1 && from && next.seq <= from.seq)) continue;
      if (known === -1 && from && !lost && records.length === 0 && next.seq > from.seq + 1)
        lost = { from: from.seq + 1, to: next.seq - 1 };
      place = next;
      if (record.kind !== "decision") continue;
      records.push(record);
      bytes += line.bytes.length;
      if (records.length >= most || bytes >= largest) return { records, place, ...(lost ? { lost } : {}) };
    }
  }
  return { records, place, ...(lost ? { lost } : {}) };
}

function placeBehind(record: LedgerRecord | undefined, segment: string, offset: number): Place | undefined {
  if (typeof record?.seq !== "number" || typeof record.link !== "string") return undefined;
  return { segment, offset, seq: record.seq, link: record.link };
}

function isAt(folder: string, name: string, { segment, offset, link }: Place): boolean {
  if (identityOf(folder, name) !== segment) return false;
  const before = bytesAt(join(folder, name), Math.max(0, offset - tailLength), Math.min(offset, tailLength));
  return before !== undefined && readTail(before)?.link === link;
}

/** By the first record, which names the link of the one before it and its own. */
function identityOf(folder: string, name: string): string | undefined {
  const start = bytesAt(join(folder, name), 0, 1024);
  const end = start?.indexOf(newline) ?? -1;
  return start && end !== -1 ? sha256(start.slice(0, end)).slice(0, 32) : undefined;
}

const newline = 10;

function bytesAt(path: string, from: number, length: number): Uint8Array | undefined {
  if (!statSync(path, { throwIfNoEntry: false })) return undefined;
  const file = openSync(path, "r");
  try {
    const bytes = new Uint8Array(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, from));
  } finally {
    closeSync(file);
  }
}
