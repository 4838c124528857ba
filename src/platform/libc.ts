import { dlopen, ptr, read, type Pointer } from "bun:ffi";

/** File operations by the C library. `undefined` means: ask `node:fs`, which also knows how to explain errors. */
export interface Libc {
  readFile(path: string, limit: number): Uint8Array | "missing" | undefined;
  realPath(path: string): string | undefined;
  lookAt(path: string): "missing" | "link" | "other" | undefined;
  isDirectory(path: string): boolean | undefined;
  /** Adds to a file that exists; false when nothing was written. */
  append(path: string, text: string): boolean;
  /** Reads from standard input; `undefined` when that cannot be done now. */
  readStdin(into: Uint8Array): number | undefined;
  /** Writes to standard output; how much of it, or `undefined` when that cannot be done now. */
  writeStdout(bytes: Uint8Array): number | undefined;
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

const writeOnly = 1;
const missing = [2, 20]; // ENOENT, ENOTDIR
const notALink = 22; // EINVAL
const pathMax = 4096;

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
    realpath: { args: ["ptr", "ptr"], returns: "ptr" },
    readlink: { args: ["ptr", "ptr", "u64"], returns: "i32" },
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

    append(path, text) {
      const bytes = encoder.encode(text);
      const how = writeOnly | flags.append | flags.noFollow | flags.nonBlocking;
      return opened(path, how, (file) => c.write(file, ptr(bytes), bytes.length) === bytes.length) === true;
    },

    readStdin(into) {
      const count = c.read(0, ptr(into), into.length);
      return count < 0 ? undefined : count;
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
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size);
}
