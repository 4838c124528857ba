import type { Json } from "../core/json.ts";
import { sha256 } from "../platform/digest.ts";
import { lookAt, nodeFs } from "../platform/files.ts";

/**
 * What tells a file from others: its size, and the SHA-256 of all of it. A large one that lies there is known by its two
 * ends, because somebody waits while it is read, and a program is many megabytes.
 */
export type Fingerprint =
  | { readonly bytes: number; readonly sha256: string }
  | { readonly bytes: number; readonly ends: string };

const large = 1024 * 1024;
const end = 64 * 1024;

export const fingerprintOf = (text: Uint8Array): Fingerprint => ({
  bytes: text.length,
  sha256: sha256(text),
});

/** What a copy of one file leaves in another's place; nothing where that would change nothing, or nobody can tell. */
export function fingerprintOfCopy(from: string, to: string): Fingerprint | undefined {
  const left = fingerprintAt(from);
  if (left === undefined || !isLike(to, { ...left })) return left;
  if (!("ends" in left)) return undefined;
  // Only by all of them can two be told apart that have the same ends.
  try {
    const whole = { bytes: left.bytes, sha256: wholeAt(from) };
    return isLike(to, whole) ? undefined : whole;
  } catch {
    return undefined;
  }
}

/** Nothing where there is no file, or none that may be read. */
function fingerprintAt(path: string): Fingerprint | undefined {
  const bytes = sizeOf(path);
  if (bytes === undefined) return undefined;
  try {
    return bytes > large ? { bytes, ends: endsAt(path, bytes) } : { bytes, sha256: wholeAt(path) };
  } catch {
    return undefined;
  }
}

/**
 * Is it a file with these bytes? Its times are not asked: a file system's clock is some milliseconds late, and a moved file keeps
 * those it had.
 */
export function isLike(path: string, { bytes, sha256: whole, ends }: Json): boolean {
  const now = sizeOf(path);
  if (now === undefined || now !== bytes) return false;
  try {
    return ends === undefined ? wholeAt(path) === whole : endsAt(path, now) === ends;
  } catch {
    return false;
  }
}

function sizeOf(path: string): number | undefined {
  try {
    // Mostly nothing is there, and that can be told without `node:fs`.
    if (lookAt(path) === "missing") return undefined;
    const seen = nodeFs().statSync(path);
    return seen.isFile() ? seen.size : undefined;
  } catch {
    return undefined;
  }
}

const wholeAt = (path: string): string => sha256(nodeFs().readFileSync(path));

function endsAt(path: string, bytes: number): string {
  const { closeSync, openSync, readSync } = nodeFs();
  const file = openSync(path, "r");
  try {
    return endsOf((from) => {
      const piece = new Uint8Array(end);
      return piece.subarray(0, readSync(file, piece, 0, end, from));
    }, bytes);
  } finally {
    closeSync(file);
  }
}

/** The digest of a large file's first and last bytes. */
function endsOf(pieceAt: (from: number) => Uint8Array, bytes: number): string {
  const both = new Uint8Array(2 * end);
  both.set(pieceAt(0));
  both.set(pieceAt(bytes - end), end);
  return sha256(both);
}
