import {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
  type Stats,
} from "node:fs";
import { dirname, join, parse, resolve, sep } from "node:path";
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
  try {
    // `..` goes by what is really there, as the system itself does, so it cannot be taken out beforehand.
    return /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path) ? walk(path) : fromDeepest(resolve(path), 0);
  } catch (error) {
    if (error instanceof WorldError) throw error;
    throw new WorldError(`cannot resolve ${path} (${String(codeOf(error) ?? error)})`, { cause: error });
  }
}

/** Resolves the deepest part that exists and adds the rest as it stands. */
function fromDeepest(absolute: string, links: number): string {
  if (links > maxLinks) throw new WorldError(`cannot resolve ${absolute} (too many links)`);
  let at = absolute;
  let found = lookAt(at);
  while (!found && dirname(at) !== at) {
    at = dirname(at);
    found = lookAt(at);
  }
  const rest = absolute.slice(at.length);
  if (!found?.isSymbolicLink()) return joined(realpathSync.native(at), rest);
  try {
    return joined(realpathSync.native(at), rest);
  } catch (error) {
    if (!isMissing(error)) throw error;
    // A dangling link: writing through it makes the file it points to.
    const target = resolve(realpathSync.native(dirname(at)), readlinkSync(at));
    return fromDeepest(joined(target, rest), links + 1);
  }
}

const joined = (folder: string, rest: string): string => (rest === "" ? folder : join(folder, rest));

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Step by step from the root, for paths with `..` in them. */
function walk(path: string): string {
  const { root } = parse(path);
  const pending = path.slice(root.length).split(/[\\/]/).filter(Boolean);
  let at = root === "" ? realpathSync.native(".") : root;
  let links = 0;
  while (pending.length > 0) {
    const name = pending.shift() ?? "";
    if (name === ".") continue;
    if (name === "..") {
      at = dirname(at);
      continue;
    }
    const next = join(at, name);
    if (!lookAt(next)?.isSymbolicLink()) {
      at = next;
      continue;
    }
    if (++links > maxLinks) throw new WorldError(`cannot resolve ${path} (too many links)`);
    const link = readlinkSync(next);
    const top = parse(link).root;
    if (top !== "") at = top;
    pending.unshift(...link.slice(top.length).split(sep).filter(Boolean));
  }
  return at;
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
