import { statSync } from "node:fs";
import { join } from "node:path";
import { current } from "../places.ts";
import { linesOf, segmentsOf, toRecord, type LedgerRecord } from "../read.ts";

/** A place in a ledger, behind which everything is new. */
export interface Position {
  /** The file that segment is, whatever it is called by now. */
  readonly inode: number;
  readonly offset: number;
}

/** Where a ledger ends now. */
function endOf(folder: string): Position | undefined {
  const stat = statSync(join(folder, current), { throwIfNoEntry: false });
  return stat ? { inode: stat.ino, offset: lastWhole(folder, current, stat.size) } : undefined;
}

/** A record that is just being written begins behind the last whole line. */
function lastWhole(folder: string, segment: string, size: number): number {
  let end = Math.max(0, size - longestLine);
  for (const line of linesOf(folder, segment, end)) if (line.whole) end = line.offset + line.bytes.length + 1;
  return end;
}

const longestLine = 4 * 1024 * 1024;

/** What has come since a place, and the place behind it. Without a place: everything there is. */
function since(
  folder: string,
  from: Position | undefined,
): { records: LedgerRecord[]; position: Position | undefined } {
  const { segments, known } = findPlace(folder, from);
  const records: LedgerRecord[] = [];
  let position = from;
  for (const [at, { name, inode, size }] of segments.slice(Math.max(0, known)).entries()) {
    let offset = at === 0 && known !== -1 ? (from?.offset ?? 0) : 0;
    if (offset < size)
      for (const line of linesOf(folder, name, offset)) {
        if (!line.whole) break;
        const record = toRecord(line);
        if (record) records.push(record);
        offset = line.offset + line.bytes.length + 1;
      }
    position = { inode, offset };
  }
  return { records, position };
}

/** A segment may be closed, and so renamed, while we look for it: then it is looked for again. */
function findPlace(folder: string, from: Position | undefined) {
  for (let attempt = 0; ; attempt++) {
    const segments = segmentsOf(folder).flatMap((name) => {
      const stat = statSync(join(folder, name), { throwIfNoEntry: false });
      return stat ? [{ name, inode: stat.ino, size: stat.size }] : [];
    });
    const known = segments.findIndex(
      ({ inode, size }) => inode === from?.inode && size >= (from?.offset ?? 0),
    );
    if (from === undefined || known !== -1 || attempt === 3) return { segments, known };
  }
}

const pollMs = 200;

/** Records as they come from this moment on, of several ledgers, until `stop` says so. */
export function follow(folders: readonly string[], stop: AbortSignal): AsyncGenerator<LedgerRecord> {
  return followFrom(new Map(folders.map((folder) => [folder, endOf(folder)])), stop);
}

async function* followFrom(
  places: Map<string, Position | undefined>,
  stop: AbortSignal,
): AsyncGenerator<LedgerRecord> {
  while (!stop.aborted) {
    for (const [folder, place] of places) {
      const { records, position } = since(folder, place);
      places.set(folder, position);
      yield* records;
    }
    await Bun.sleep(pollMs);
  }
}
