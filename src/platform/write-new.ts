import { dlopen, ptr } from "bun:ffi";
import { dirname } from "node:path";
import { lookAt, nodeFs } from "./files.ts";

/**
 * Puts a file in place, complete or not at all, with the folders above it. It stands apart from `files.ts` because most
 * events write nothing but their record, and by the C library because `node:fs` costs more to load than all of this.
 */
export function writeNew(path: string, text: string): void {
  const part = `${path}.${process.pid}.part`;
  if (c) writeByC(c, path, part, text);
  else {
    const fs = nodeFs();
    fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    fs.writeFileSync(part, text, { mode: 0o600 });
    fs.renameSync(part, path);
  }
}

/** Makes a file look as if it was written just now. */
export function touch(path: string): void {
  if (c && !path.includes("\0")) c.utimes(ptr(toC(path)), null);
  else nodeFs().utimesSync(path, Date.now() / 1000, Date.now() / 1000);
}

const libraries: Readonly<Record<string, string>> = { linux: "libc.so.6", darwin: "libSystem.B.dylib" };

const c = connect();

function connect() {
  const library = libraries[process.platform];
  if (library === undefined) return undefined;
  try {
    // None of these takes a variadic argument, which travel differently on some processors.
    return dlopen(library, {
      creat: { args: ["ptr", "i32"], returns: "i32" },
      mkdir: { args: ["ptr", "i32"], returns: "i32" },
      write: { args: ["i32", "ptr", "u64"], returns: "i64" },
      close: { args: ["i32"], returns: "i32" },
      utimes: { args: ["ptr", "ptr"], returns: "i32" },
      rename: { args: ["ptr", "ptr"], returns: "i32" },
    } as const).symbols;
  } catch {
    return undefined;
  }
}

function writeByC(c_: NonNullable<typeof c>, path: string, part: string, text: string): void {
  if (path.includes("\0")) throw new Error("a path cannot hold a NUL byte");
  const make = (folder: string): void => {
    if (lookAt(folder) !== "missing" || dirname(folder) === folder) return;
    make(dirname(folder));
    c_.mkdir(ptr(toC(folder)), 0o700);
  };
  make(dirname(path));
  const file = c_.creat(ptr(toC(part)), 0o600);
  if (file < 0) throw new Error(`cannot write ${part}`);
  const bytes = new TextEncoder().encode(text);
  const written = bytes.length === 0 ? 0 : Number(c_.write(file, ptr(bytes), bytes.length));
  c_.close(file);
  if (written !== bytes.length || c_.rename(ptr(toC(part)), ptr(toC(path))) !== 0) {
    nodeFs().rmSync(part, { force: true });
    throw new Error(`cannot write ${path}`);
  }
}

const toC = (path: string): Uint8Array => new TextEncoder().encode(`${path}\0`);
