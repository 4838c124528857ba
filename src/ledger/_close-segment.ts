import * as fs from "node:fs";
import { join } from "node:path";
import { sha256 } from "../platform/digest.ts";
import type { LockedFile } from "../platform/files.ts";
import { version } from "../platform/version.ts";
import { recordVersion } from "./chain.ts";
import { beginning, readTail, tailLength, type Link, type Tail } from "./chain.ts";
import { dropContents } from "./contents.ts";
import type { HeadFile } from "./head.ts";
import { openSegment } from "./_open-segment.ts";
import { current, isNumbered, numbered } from "./places.ts";
import { write, type Body, type SegmentLimits } from "./segment.ts";

/** Closes the segment that is written to, and opens the next. May have been begun by somebody who died. */
export async function closeSegment(
  file: LockedFile,
  folder: string,
  tail: Tail,
  head: HeadFile,
  headPath: string,
  limits: SegmentLimits,
): Promise<void> {
  const path = join(folder, current);
  // Whoever was faster has put another file in its place.
  if (fs.statSync(path, { throwIfNoEntry: false })?.ino !== fs.fstatSync(file.handle).ino) return;
  const closing = { v: recordVersion, kind: "closed", time: new Date().toISOString(), engine: version };
  if (!tail.closed) write(file, { ...closing, ...pruned(folder, limits) }, tail, head, { closes: true });
  fs.renameSync(path, join(folder, nextName(folder, file)));
  await openSegment(folder, headPath);
}

/**
 * The number behind the last one, which retention may have removed: the opening record knows of it. Nothing is ever
 * replaced: whoever puts a file with the last possible number there stops the closing, not the evidence.
 */
function nextName(folder: string, file: LockedFile): string {
  const start = new TextDecoder().decode(file.read(0, tailLength));
  const after = /"after":"(\d{6}\.jsonl)"/.exec(start)?.[1] ?? "";
  const last = [after, ...fs.readdirSync(folder)].filter(isNumbered).sort().at(-1);
  const next = numbered(Number.parseInt(last ?? "0", 10) + 1);
  if (isNumbered(next)) return next;
  throw new Error(`${folder} has no number left for a segment; ${String(last)} is the last there can be`);
}

/** Removes segments nobody has to keep any more, and says so in the chain: what is gone without that was taken. */
function pruned(folder: string, { keepDays }: SegmentLimits): object {
  if (keepDays === undefined) return {};
  const oldest = Date.now() - keepDays * 24 * 60 * 60 * 1000;
  const old = fs
    .readdirSync(folder)
    .filter((name) => isNumbered(name) && fs.statSync(join(folder, name)).mtimeMs < oldest)
    .sort();
  const last = old.at(-1);
  if (last === undefined) return {};
  const bytes = fs.readFileSync(join(folder, last)).subarray(-tailLength);
  const upTo = readTail(bytes);
  for (const name of old) fs.rmSync(join(folder, name), { force: true });
  dropContents(folder, oldest);
  return { pruned: { segments: old, ...(upTo ? { seq: upTo.seq, link: upTo.link } : {}) } };
}

/**
 * Goes on behind a last line that is no whole record: somebody died while writing it, or it was damaged. It stays, and
 * the next record says what it was.
 */
export function writeBehindDamage(file: LockedFile, record: Body, head: HeadFile): Link {
  const { tail, fragment, isOpen } = lastWhole(file);
  const torn = { bytes: fragment.length, sha256: sha256(fragment) };
  return write(file, { ...record, torn }, tail ?? beginning, head, { prefix: isOpen ? "\n" : "" });
}

function lastWhole(file: LockedFile): { tail: Tail | undefined; fragment: Uint8Array; isOpen: boolean } {
  const all = file.read(0, file.size);
  const isOpen = all.at(-1) !== newline;
  let end = all.length - (isOpen ? 0 : 1);
  for (;;) {
    const start = all.lastIndexOf(newline, end - 1) + 1;
    const tail = start === 0 ? undefined : readTail(all.subarray(Math.max(0, start - tailLength), start));
    if (tail || start === 0)
      return { tail, fragment: all.subarray(start, all.length - (isOpen ? 0 : 1)), isOpen };
    end = start - 1;
  }
}

const newline = 10;
