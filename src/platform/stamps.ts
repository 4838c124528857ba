import { dlopen, ptr } from "bun:ffi";
import { dirname, join } from "node:path";
import { nodeFs } from "./files.ts";

/** Names to look at, folder by folder, as one text with line breaks between them. */
export type Places = readonly (readonly [folder: string, names: string])[];

/** What tells whether files have changed: one number for all of them, and when the last of them did. */
export interface Stamp {
  readonly mark: string;
  /** Milliseconds since 1970. */
  readonly newest: number;
}

/** Paths as places. A name with a line break in it cannot be said. */
export function placesOf(paths: readonly string[]): Places | undefined {
  const folders = new Map<string, string[]>();
  for (const path of new Set(paths)) {
    if (/[\n\0]/.test(path)) return undefined;
    const folder = dirname(path);
    const names = folders.get(folder) ?? [];
    // A folder is looked at from within, which is cheaper than by its path.
    names.push(path.slice(folder === "/" ? 1 : folder.length + 1) || ".");
    folders.set(folder, names);
  }
  return [...folders].map(([folder, names]) => [folder, names.join("\n")]);
}

/** Looks at many files. By the C library on Linux, where a thousand take a millisecond or two. */
export const stampOf = (places: Places): Stamp => (c ? byStatx(places, c) : byNode(places));

const basicStats = 0x7ff; // STATX_BASIC_STATS
/** Of `struct statx`: mode, inode and size; then the times of the last change of it and of its content. */
const [what, whatEnd, times, timesEnd] = [28, 48, 96, 128];
const each = whatEnd - what + timesEnd - times;

const c = connect();

function connect() {
  if (process.platform !== "linux") return undefined;
  try {
    return dlopen("libc.so.6", {
      statx: { args: ["i32", "ptr", "i32", "u32", "ptr"], returns: "i32" },
      // Never with a mode: it is a variadic argument.
      open: { args: ["ptr", "i32"], returns: "i32" },
      close: { args: ["i32"], returns: "i32" },
    } as const).symbols;
  } catch {
    // Another C library, or one that is too old.
    return undefined;
  }
}

function byStatx(places: Places, { statx, open, close }: NonNullable<typeof c>): Stamp {
  const encoder = new TextEncoder();
  const buffer = new Uint8Array(256);
  const [about, dates] = [buffer.subarray(what, whatEnd), buffer.subarray(times, timesEnd)];
  const into = ptr(buffer);
  const looks: Uint8Array[] = [];
  for (const [folder, names] of places) {
    const texts = encoder.encode(`${names.replaceAll("\n", "\0")}\0`);
    const path = encoder.encode(`${folder}\0`);
    const handle = open(ptr(path), 0);
    const from = ptr(texts);
    // What is missing stays zero.
    const seen = new Uint8Array(names.split("\n").length * each);
    let at = 0;
    for (let start = 0, end = texts.indexOf(0); end !== -1; start = end + 1, end = texts.indexOf(0, start)) {
      // A pointer is a number to the one who may add to it.
      if (handle >= 0 && statx(handle, (from + start) as typeof from, 0, basicStats, into) === 0) {
        seen.set(about, at);
        seen.set(dates, at + about.length);
      }
      at += each;
    }
    if (handle >= 0) close(handle);
    looks.push(seen);
  }
  const mark = looks.map((seen) => Bun.hash(seen).toString(36)).join("-");
  return {
    mark,
    // Most look only whether anything has changed.
    get newest() {
      return looks.reduce((newest, seen) => Math.max(newest, newestIn(seen)), 0);
    },
  };
}

function newestIn(seen: Uint8Array): number {
  const view = new DataView(seen.buffer);
  let newest = 0;
  for (let at = whatEnd - what; at < seen.length; at += each) {
    const seconds = view.getUint32(at, true) + view.getInt32(at + 4, true) * 2 ** 32;
    newest = Math.max(newest, seconds * 1000 + view.getUint32(at + 8, true) / 1e6);
  }
  return newest;
}

function byNode(places: Places): Stamp {
  let newest = 0;
  const seen = places.flatMap(([folder, names]) =>
    names.split("\n").map((name) => {
      const stat = nodeFs().statSync(join(folder, name), { throwIfNoEntry: false, bigint: true });
      if (!stat) return "";
      newest = Math.max(newest, Number(stat.ctimeMs));
      return `${stat.ino} ${stat.size} ${stat.mode} ${stat.mtimeNs} ${stat.ctimeNs}`;
    }),
  );
  return { mark: Bun.hash(seen.join("\n")).toString(36), newest };
}

/** What kind of file a path leads to, and whether it may be executed; nothing when it leads nowhere. */
export function kindOf(
  path: string,
): { type: "file" | "directory" | "other"; executable: boolean } | undefined {
  const mode = modeOf(path);
  if (mode === undefined) return undefined;
  const format = mode & 0o170000;
  const type = format === 0o100000 ? "file" : format === 0o040000 ? "directory" : "other";
  return { type, executable: (mode & 0o111) !== 0 };
}

const current = -100; // AT_FDCWD

function modeOf(path: string): number | undefined {
  if (!c || path.includes("\0")) {
    const stat = nodeFs().statSync(path, { throwIfNoEntry: false });
    return stat?.mode;
  }
  const buffer = new Uint8Array(256);
  const name = new TextEncoder().encode(`${path}\0`);
  if (c.statx(current, ptr(name), 0, basicStats, ptr(buffer)) !== 0) return undefined;
  return new DataView(buffer.buffer).getUint16(what, true);
}
