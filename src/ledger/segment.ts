import { join } from "node:path";
import { openLocked, type LockedFile } from "../platform/files.ts";
import { beginning, readTail, tailLength, toLine, type Link, type Tail } from "./chain.ts";
import { openHead, type HeadFile } from "./head.ts";
import { current } from "./places.ts";

export interface SegmentLimits {
  /** A segment is closed when it has grown beyond this, */
  readonly bytes: number;
  /** or was opened longer ago than this. */
  readonly days: number;
  /** Closed segments older than this are removed. */
  readonly keepDays?: number;
}

const usualLimits: SegmentLimits = { bytes: 32 * 1024 * 1024, days: 30 };

export type Body = Readonly<Record<string, unknown>>;

/**
 * Adds a record to the chain of a ledger's folder, and remembers in `head` how far the chain has come. Throws when
 * the record is not there afterwards.
 */
export async function addTo(
  folder: string,
  record: Body,
  headPath: string,
  limits: SegmentLimits = usualLimits,
): Promise<Link> {
  const path = join(folder, current);
  for (let attempt = 0; attempt < 5; attempt++) {
    const file = await locked(path);
    if (file === "missing") {
      await (await import("./_open-segment.ts")).openSegment(folder, headPath);
      continue;
    }
    const head = openHead(headPath);
    try {
      const known = head.head;
      // As long as the head left it, so it ends with what the head knows.
      const tail = known?.size === file.size ? { ...known, closed: false } : tailOf(file);
      if (tail && !tail.closed && !isFull(file, tail, limits)) return write(file, record, tail, head);
      const slow = await import("./_close-segment.ts");
      if (!tail) return slow.writeBehindDamage(file, record, head);
      await slow.closeSegment(file, folder, tail, head, headPath, limits);
    } finally {
      head.close();
      file.close();
    }
  }
  throw new Error(`${path} is closed again and again`);
}

/** Waits a little for whoever is writing: a record takes a fraction of a millisecond. */
export async function locked(path: string): Promise<LockedFile | "missing"> {
  const patience = performance.now() + longestWait;
  for (;;) {
    const file = openLocked(path);
    if (file !== "busy") return file;
    if (performance.now() > patience) throw new Error(`${path} is held by another process`);
    await Bun.sleep(Math.random() * 2);
  }
}

const longestWait = 1000;

const tailOf = (file: LockedFile): Tail | undefined =>
  readTail(file.read(Math.max(0, file.size - tailLength), tailLength));

function isFull(file: LockedFile, { seq }: Link, limits: SegmentLimits): boolean {
  if (file.size > limits.bytes) return true;
  // To look at the age costs more, and nobody minds some records more.
  if (seq % 64 !== 0) return false;
  const start = decoder.decode(file.read(0, 128));
  const at = start.indexOf(timeMark) + timeMark.length;
  const oldest = new Date(Date.now() - limits.days * 24 * 60 * 60 * 1000).toISOString();
  return at >= timeMark.length && start.slice(at, at + oldest.length) < oldest;
}

const timeMark = '"time":"';

/**
 * Writes a record behind the last one. If the head knows of later ones, the end has been cut off: the chain goes on from
 * where it was, so that the gap stays visible.
 */
export function write(
  file: LockedFile,
  record: Body,
  tail: Link,
  head: HeadFile,
  { prefix = "", closes = false }: { prefix?: string; closes?: boolean } = {},
): Link {
  const known = head.head ?? beginning;
  const isCut = known.seq > tail.seq || (known.seq === tail.seq && known.link !== tail.link && tail.seq > 0);
  const before = isCut ? known : tail;
  const bytes = encoder.encode(
    prefix + toLine(isCut ? { ...record, gap: { after: tail.seq } } : record, before, closes),
  );
  const written = file.append(bytes);
  if (written !== bytes.length) {
    // Half a record is worse than none, and nobody else can have built upon it.
    if (written > 0) file.cut(file.size);
    throw new Error("the disk did not take the record");
  }
  const added = readTail(bytes.subarray(-tailLength)) ?? before;
  head.remember({ ...added, size: file.size + bytes.length });
  return added;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();
