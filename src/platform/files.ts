import type * as Fs from "node:fs";
import { libc } from "./libc.ts";

/**
 * The few file operations every event needs. Loading `node:fs` costs as much as half of an answer, so on
 * Linux and macOS they go straight to the C library; whatever it cannot do or explain is asked of `node:fs`.
 */

/** `node:fs`, loaded when first wanted. */
export const nodeFs = (): typeof Fs => process.getBuiltinModule("node:fs");

export const errorCode = (error: unknown): string => String((error as { code?: unknown }).code ?? error);

/** Is it that nothing is there? */
export const isMissing = (error: unknown): boolean =>
  errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR";

/** The text of a file, or nothing when there is none. What is no plain file is an error: it might never end. */
export function readText(path: string, limit: number): string | undefined {
  const found = libc?.readFile(path, limit);
  if (found === "missing") return undefined;
  if (found instanceof Uint8Array) return decoder.decode(found);
  return nothingWhenMissing(() => {
    const fs = nodeFs();
    const stat = fs.statSync(path);
    if (!stat.isFile()) throw coded(stat.isDirectory() ? "EISDIR" : "ENOTSUP", "not a plain file");
    if (stat.size > limit) throw coded("EFBIG", `larger than ${limit} bytes`);
    return fs.readFileSync(path, "utf8");
  });
}

const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code });

// A byte order mark stays, as it does for everybody who reads the file otherwise.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The path with every link followed; throws when something on the way is missing. */
export const followLinks = (path: string): string =>
  libc?.realPath(path) ?? nodeFs().realpathSync.native(path);

/** What a path itself is, links not followed. */
export function lookAt(path: string): "missing" | "link" | "other" {
  const seen = libc?.lookAt(path);
  if (seen !== undefined) return seen;
  const stat = nothingWhenMissing(() => nodeFs().lstatSync(path));
  if (!stat) return "missing";
  return stat.isSymbolicLink() ? "link" : "other";
}

export const isDirectory = (path: string): boolean =>
  libc?.isDirectory(path) ?? nothingWhenMissing(() => nodeFs().statSync(path).isDirectory()) ?? false;

/** Adds to the end of a file in one write, so that lines of parallel writers never mix. A link is not followed. */
export function append(path: string, text: string, mode: number): void {
  if (libc?.append(path, text)) return;
  const fs = nodeFs();
  const there = fs.lstatSync(path, { throwIfNoEntry: false });
  if (there && !there.isFile()) throw coded("ENOTSUP", `${path} is not a plain file`);
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = fs.constants;
  const file = fs.openSync(path, O_WRONLY | O_APPEND | O_CREAT | (O_NOFOLLOW ?? 0), mode);
  try {
    fs.writeSync(file, text);
  } finally {
    fs.closeSync(file);
  }
}

function nothingWhenMissing<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
