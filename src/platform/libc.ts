import { dlopen, ptr, read, type Pointer } from "bun:ffi";
import { joinBytes } from "./join-bytes.ts";

/** File operations by the C library. `undefined` means: ask `node:fs`, which also knows how to explain errors. */
export interface Libc {
  readFile(path: string, limit: number): Uint8Array | "missing" | undefined;
  realPath(path: string): string | undefined;
  lookAt(path: string): "missing" | "link" | "other" | undefined;
  isDirectory(path: string): boolean | undefined;
  /** A small file that exists, opened for reading it and writing over it. */
  openSmall(path: string): SmallFile | "missing" | undefined;
  /** A file that exists, opened for adding to it while nobody else does; "busy" when somebody is just doing so. */
  openLocked(path: string): LockedFile | "missing" | "busy" | undefined;
  /** Reads from standard input; `undefined` when that cannot be done now. */
  readStdin(into: Uint8Array): number | undefined;
  /** Waits until something can be read from standard input, or it ends; not longer than that. */
  stdinIsReady(ms: number): boolean;
  /** Writes to standard output; how much of it, or `undefined` when that cannot be done now. */
  writeStdout(bytes: Uint8Array): number | undefined;
}

/** A file nobody else who asks for the lock can write to until it is closed. */
export interface LockedFile {
  /** The system's number for it. */
  readonly handle: number;
  readonly size: number;
  /** Up to `length` bytes from a place on. */
  read(from: number, length: number): Uint8Array;
  /** Adds to the end; how much was written. */
  append(bytes: Uint8Array): number;
  /** Cuts off what comes behind. */
  cut(size: number): void;
  close(): void;
}

/** A file of fixed length. */
export interface SmallFile {
  read(): string;
  /** Writes over the beginning. */
  write(text: string): void;
  close(): void;
}

/** Numbers of <fcntl.h>, which differ by system and partly by processor. */
interface Flags {
  readonly nonBlocking: number;
  readonly append: number;
  readonly noFollow: number;
  readonly directory: number;
}

const darwin = {
  library: "libSystem.B.dylib",
  errno: "__error",
  flags: { nonBlocking: 0x4, append: 0x8, noFollow: 0x100, directory: 0x100000 },
} as const;
const linux = { library: "libc.so.6", errno: "__errno_location" } as const;
const systems: Readonly<Record<string, { library: string; errno: string; flags: Flags }>> = {
  "linux-x64": {
    ...linux,
    flags: { nonBlocking: 0o4000, append: 0o2000, noFollow: 0o400000, directory: 0o200000 },
  },
  "linux-arm64": {
    ...linux,
    flags: { nonBlocking: 0o4000, append: 0o2000, noFollow: 0o100000, directory: 0o40000 },
  },
  "darwin-x64": darwin,
  "darwin-arm64": darwin,
};

const readWrite = 2;
const exclusiveNow = 2 | 4; // LOCK_EX | LOCK_NB
const [fromStart, fromEnd] = [0, 2]; // SEEK_SET, SEEK_END
const missing = [2, 20]; // ENOENT, ENOTDIR
const notALink = 22; // EINVAL
const pathMax = 4096;
const smallest = 256;

export const libc: Libc | undefined = connect();

function connect(): Libc | undefined {
  const system = systems[`${process.platform}-${process.arch}`];
  if (!system) return undefined;
  try {
    return bind(system);
  } catch {
    // Another C library, or a system that does not let us bind to it.
    return undefined;
  }
}

function bind({ library, errno, flags }: { library: string; errno: string; flags: Flags }): Libc {
  const { symbols: c } = dlopen(library, {
    // Never with a mode: it is a variadic argument, and those travel differently on Apple's processors.
    open: { args: ["ptr", "i32"], returns: "i32" },
    read: { args: ["i32", "ptr", "u64"], returns: "i32" },
    write: { args: ["i32", "ptr", "u64"], returns: "i32" },
    close: { args: ["i32"], returns: "i32" },
    flock: { args: ["i32", "i32"], returns: "i32" },
    lseek: { args: ["i32", "i64", "i32"], returns: "i64" },
    realpath: { args: ["ptr", "ptr"], returns: "ptr" },
    readlink: { args: ["ptr", "ptr", "u64"], returns: "i32" },
    poll: { args: ["ptr", "u64", "i32"], returns: "i32" },
    [errno]: { args: [], returns: "ptr" },
  } as const);
  const lastError = c[errno] as unknown as () => Pointer;
  const buffer = new Uint8Array(64 * 1024);
  const isMissing = (): boolean => missing.includes(read.i32(lastError()));

  /** A path for C, or nothing: a NUL byte would end it early and name another file. */
  const toC = (path: string): Uint8Array | undefined =>
    path.includes("\0") ? undefined : encoder.encode(`${path}\0`);

  const opened = <T>(path: string, how: number, use: (file: number) => T): T | "missing" | undefined => {
    const name = toC(path);
    if (!name) return undefined;
    const file = c.open(ptr(name), how);
    if (file < 0) return isMissing() ? "missing" : undefined;
    try {
      return use(file);
    } finally {
      c.close(file);
    }
  };

  return {
    // Without blocking: a pipe in the place of a file must not hold us up.
    readFile: (path, limit) =>
      opened(path, flags.nonBlocking, (file) => readAll(file, limit, c.read, buffer)),

    realPath(path) {
      const name = toC(path);
      if (!name || !c.realpath(ptr(name), ptr(buffer))) return undefined;
      return decoder.decode(buffer.subarray(0, buffer.indexOf(0)));
    },

    lookAt(path) {
      const name = toC(path);
      if (!name) return undefined;
      if (c.readlink(ptr(name), ptr(buffer), pathMax) >= 0) return "link";
      const error = read.i32(lastError());
      if (error === notALink) return "other";
      return missing.includes(error) ? "missing" : undefined;
    },

    isDirectory(path) {
      const seen = opened(path, flags.directory | flags.nonBlocking, () => true);
      return seen === "missing" ? false : seen;
    },

    openSmall(path) {
      const name = toC(path);
      if (!name) return undefined;
      const file = c.open(ptr(name), readWrite | flags.noFollow | flags.nonBlocking);
      if (file < 0) return isMissing() ? "missing" : undefined;
      return {
        read: () => decoder.decode(readSome(file, buffer, smallest, c.read)),
        write(text) {
          const bytes = encoder.encode(text);
          c.lseek(file, 0, fromStart);
          c.write(file, ptr(bytes), bytes.length);
        },
        close: () => void c.close(file),
      };
    },

    openLocked(path) {
      const name = toC(path);
      if (!name) return undefined;
      const file = c.open(ptr(name), readWrite | flags.append | flags.noFollow | flags.nonBlocking);
      if (file < 0) return isMissing() ? "missing" : undefined;
      // What has no length is no plain file; `node:fs` says what it is.
      const isPlain = Number(c.lseek(file, 0, fromEnd)) >= 0;
      if (!isPlain || c.flock(file, exclusiveNow) !== 0) {
        c.close(file);
        return isPlain ? "busy" : undefined;
      }
      return {
        handle: file,
        size: Number(c.lseek(file, 0, fromEnd)),
        read(from, length) {
          c.lseek(file, from, fromStart);
          return readSome(file, new Uint8Array(length), length, c.read);
        },
        append: (bytes) => c.write(file, ptr(bytes), bytes.length),
        cut: (size) => process.getBuiltinModule("node:fs").ftruncateSync(file, size),
        close: () => void c.close(file),
      };
    },

    readStdin(into) {
      const count = c.read(0, ptr(into), into.length);
      return count < 0 ? undefined : count;
    },

    stdinIsReady(ms) {
      // struct pollfd: the file, what is waited for (POLLIN), what happened. An interrupted wait goes on by reading.
      const waited = new Int32Array([0, 1]);
      return c.poll(ptr(waited), 1, ms) !== 0;
    },

    writeStdout(bytes) {
      const count = c.write(1, ptr(bytes), bytes.length);
      return count < 0 ? undefined : count;
    },
  };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

type Read = (file: number, into: Pointer, size: number) => number;

function readSome(file: number, into: Uint8Array, length: number, read_: Read): Uint8Array {
  const count = read_(file, ptr(into), length);
  return into.subarray(0, count > 0 ? count : 0);
}

function readAll(file: number, limit: number, read_: Read, buffer: Uint8Array): Uint8Array | undefined {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const count = read_(file, ptr(buffer), buffer.length);
    if (count < 0) return undefined;
    if (count === 0) break;
    chunks.push(buffer.slice(0, count));
    size += count;
    if (size > limit) return undefined;
  }
  // A pipe that nobody writes to looks like an empty file.
  if (size === 0) return undefined;
  return joinBytes(chunks);
}
