import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const chunkSize = 64 * 1024;
const newline = 10;

export interface Reach {
  /** How far back from the end is looked. */
  readonly bytes: number;
  /** Longer lines are passed over: nobody wants to parse them. */
  readonly line: number;
}

const usualReach: Reach = { bytes: 64 * 1024 * 1024, line: 4 * 1024 * 1024 };

/**
 * The lines of a file from its end, each without its newline, read piece by piece as they are wanted. Throws when
 * there is no such file, or when it is no plain one.
 */
export function* lastLines(path: string, { bytes, line: longest }: Reach = usualReach): Generator<string> {
  const file = openSync(path, "r");
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw new Error(`${path} is not a plain file`);
    const least = Math.max(0, stat.size - bytes);
    // What has been read of the line that is being put together, the latest piece first.
    let pieces: Uint8Array[] = [];
    let length = 0;
    const add = (piece: Uint8Array): void => {
      length += piece.length;
      if (length <= longest) pieces.push(piece);
      else pieces = [];
    };
    const take = (): string | undefined => {
      const text = length > longest ? undefined : decode(pieces);
      pieces = [];
      length = 0;
      return text;
    };
    for (let end = stat.size; end > least;) {
      const start = Math.max(least, end - chunkSize);
      const chunk = new Uint8Array(end - start);
      readSync(file, chunk, 0, chunk.length, start);
      let stop = chunk.length;
      for (
        let at = chunk.lastIndexOf(newline);
        at !== -1;
        at = at === 0 ? -1 : chunk.lastIndexOf(newline, at - 1)
      ) {
        add(chunk.subarray(at + 1, stop));
        const text = take();
        if (text) yield text;
        stop = at;
      }
      add(chunk.subarray(0, stop));
      end = start;
    }
    // Where the look back ends in the middle of a file, half a line is no line.
    const first = take();
    if (least === 0 && first) yield first;
  } finally {
    closeSync(file);
  }
}

function decode(pieces: readonly Uint8Array[]): string {
  return new TextDecoder().decode(Buffer.concat(pieces.toReversed()));
}
