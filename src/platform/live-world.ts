import { closeSync, fstatSync, lstatSync, openSync, readFileSync, readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, parse, resolve, sep } from "node:path";
import { WorldError, type Git, type Stat, type World } from "../core/world.ts";
import { guardedFolders, homeFolder, tempFolders, type Env } from "./places.ts";

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
      guarded: guardedFolders(env),
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
    const found = gitAt(at);
    if (found) return found;
    if (dirname(at) === at) return undefined;
  }
}

function gitAt(root: string): Git | undefined {
  const entry = join(root, ".git");
  const stat = known(entry, statOf);
  if (!stat) return undefined;
  // In a worktree or submodule `.git` is a file that names the real directory.
  const pointer = stat.type === "file" ? /^gitdir: (.+)$/m.exec(known(entry, readText) ?? "")?.[1]?.trim() : undefined;
  const folder = pointer === undefined ? entry : resolve(root, pointer);
  const head = known(join(folder, "HEAD"), readText);
  if (head === undefined) return undefined;
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head.trim())?.[1];
  const main = pointer === undefined ? undefined : mainOf(folder, entry);
  return { root, ...(branch === undefined ? {} : { branch }), ...(main === undefined ? {} : { main }) };
}

/** A worktree counts as one only if its repository points back at it; a file alone could claim anything. */
function mainOf(folder: string, entry: string): string | undefined {
  const back = known(join(folder, "gitdir"), readText)?.trim();
  const common = known(join(folder, "commondir"), readText)?.trim();
  if (back === undefined || common === undefined || resolveLinks(resolve(folder, back)) !== resolveLinks(entry)) return undefined;
  return dirname(resolve(folder, common));
}
