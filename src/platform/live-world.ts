import { closeSync, fstatSync, lstatSync, openSync, readFileSync, readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, parse, resolve, sep } from "node:path";
import { WorldError, type Git, type Stat, type World } from "../core/world.ts";
import { homeFolder, policyPaths, tempFolders, type Env } from "./places.ts";

const maxRead = 32 * 1024 * 1024;
const maxLinks = 40;

/** The real disk, clock and environment. */
export function liveWorld(env: Env = process.env): World {
  return {
    read: (path) => known(path, readText),
    stat: (path) => known(path, statOf),
    list: (path) => known(path, (folder) => readdirSync(folder).toSorted()),
    realPath: resolveLinks,
    git: findGit,
    now: () => Date.now(),
    env: (name) => env[name],
    folders: () => ({
      home: homeFolder(env),
      temp: tempFolders(env),
      executable: process.execPath,
      policies: Object.values(policyPaths(env)),
    }),
  };
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

const isMissing = (error: unknown): boolean => codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR";

function known<T>(path: string, look: (path: string) => T): T | undefined {
  try {
    return look(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (error instanceof WorldError) throw error;
    throw new WorldError(`cannot look at ${path} (${String(codeOf(error) ?? error)})`, { cause: error });
  }
}

function readText(path: string): string {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    if (size > maxRead) throw new WorldError(`${path} is larger than ${maxRead} bytes`);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

function statOf(path: string): Stat {
  const stat = statSync(path);
  const type = stat.isFile() ? "file" : stat.isDirectory() ? "directory" : "other";
  return { type, size: stat.size, modified: stat.mtimeMs };
}

/** Follows every link, also a dangling one and those above a path that does not exist yet. */
function resolveLinks(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync.native(absolute);
  } catch (error) {
    if (!isMissing(error)) throw new WorldError(`cannot resolve ${path} (${String(codeOf(error))})`, { cause: error });
  }
  const { root } = parse(absolute);
  const pending = absolute.slice(root.length).split(sep).filter(Boolean);
  let at = root;
  let links = 0;
  while (pending.length > 0) {
    const name = pending.shift() ?? "";
    if (name === ".") continue;
    if (name === "..") {
      at = dirname(at);
      continue;
    }
    const next = join(at, name);
    const link = readLink(next);
    if (link === undefined) {
      at = next;
      continue;
    }
    if (++links > maxLinks) throw new WorldError(`cannot resolve ${path} (too many links)`);
    if (isAbsolute(link)) at = parse(link).root;
    pending.unshift(...link.slice(isAbsolute(link) ? parse(link).root.length : 0).split(sep).filter(Boolean));
  }
  return at;
}

function readLink(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new WorldError(`cannot resolve ${path} (${String(codeOf(error))})`, { cause: error });
  }
}

/** Reads `.git` itself: a process for the branch would cost more than the whole verdict. */
function findGit(directory: string): Git | undefined {
  for (let at = resolve(directory); ; at = dirname(at)) {
    const entry = join(at, ".git");
    const stat = known(entry, statOf);
    const head = stat && headOf(entry, stat);
    if (head !== undefined) {
      const branch = /^ref: refs\/heads\/(.+)$/.exec(head.trim())?.[1];
      return branch === undefined ? { root: at } : { root: at, branch };
    }
    if (dirname(at) === at) return undefined;
  }
}

function headOf(entry: string, stat: Stat): string | undefined {
  if (stat.type === "directory") return known(join(entry, "HEAD"), readText);
  // In a worktree or submodule `.git` is a file that names the real directory.
  const pointer = /^gitdir: (.+)$/m.exec(known(entry, readText) ?? "")?.[1];
  return pointer === undefined ? undefined : known(join(resolve(dirname(entry), pointer.trim()), "HEAD"), readText);
}
