import type * as Fs from "node:fs";
import { libc, type LockedFile, type SmallFile } from "./libc.ts";

export type { LockedFile };

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

/** The bytes of a plain file, or nothing. */
export function readBytes(path: string, limit: number): Uint8Array | undefined {
  const found = libc?.readFile(path, limit);
  if (found === "missing") return undefined;
  if (found instanceof Uint8Array) return found;
  try {
    const fs = nodeFs();
    return fs.statSync(path).isFile() ? fs.readFileSync(path) : undefined;
  } catch {
    return undefined;
  }
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

/** Adds to the end of a file in one write. A link is not followed. */
export function append(path: string, text: string, mode: number): void {
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

/** A small file that exists, opened for reading it and writing over it. A link is not followed. */
export function openSmall(path: string): SmallFile | "missing" {
  const opened = libc?.openSmall(path);
  if (opened !== undefined) return opened;
  const fs = nodeFs();
  if (fs.lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return "missing";
  const file = fs.openSync(path, "r+");
  return {
    read: () => fs.readFileSync(file, "utf8"),
    write: (text) => void fs.writeSync(file, text, 0),
    close: () => fs.closeSync(file),
  };
}

/** A plain file that exists, opened for adding to it while nobody else does. A link is not followed. */
export function openLocked(path: string): LockedFile | "missing" | "busy" {
  const opened = libc?.openLocked(path);
  if (opened !== undefined) return opened;
  return openLockedByFile(path);
}

function nothingWhenMissing<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Where the system's own locks cannot be had: whoever makes the file beside it has the lock. */
export function openLockedByFile(path: string): LockedFile | "missing" | "busy" {
  const fs = nodeFs();
  const lock = `${path}.lock`;
  const there = fs.lstatSync(path, { throwIfNoEntry: false });
  if (!there) return "missing";
  if (!there.isFile()) throw coded("ENOTSUP", `${path} is not a plain file`);
  try {
    fs.closeSync(fs.openSync(lock, "wx", 0o600));
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    // Nobody needs a second for a record: whoever made it has died.
    const made = fs.statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Date.now() - made > deadAfter) fs.rmSync(lock, { force: true });
    return "busy";
  }
  const file = openOrRemove(path, lock);
  return {
    handle: file,
    size: fs.fstatSync(file).size,
    read(from, length) {
      const into = new Uint8Array(length);
      return into.subarray(0, fs.readSync(file, into, 0, length, from));
    },
    append: (bytes) => fs.writeSync(file, bytes),
    cut: (size) => fs.ftruncateSync(file, size),
    close() {
      fs.closeSync(file);
      fs.rmSync(lock, { force: true });
    },
  };
}

const deadAfter = 5000;

/** Whoever may not open the file lets go of its lock at once. */
function openOrRemove(path: string, lock: string): number {
  try {
    return nodeFs().openSync(path, "a+");
  } catch (error) {
    nodeFs().rmSync(lock, { force: true });
    throw error;
  }
}
