import { dirname, join, parse, resolve, sep } from "node:path";
import { isInside } from "../core/paths.ts";
import { WorldError, type Git, type Stat, type World } from "../core/world.ts";
import { sha256 } from "./digest.ts";
import { errorCode, followLinks, isDirectory, isMissing, lookAt, nodeFs, readText } from "./files.ts";
import { version } from "./version.ts";
import { guardedFolders, homeFolder, tempFolders, type Env } from "./places.ts";

const maxRead = 32 * 1024 * 1024;
const maxLinks = 40;

/** What is remembered of earlier events. */
export type Memory = Pick<World, "earlier" | "happened" | "holds" | "said">;

const noMemory: Memory = {
  earlier: () => undefined,
  happened: () => [],
  holds: () => 0,
  said: () => undefined,
};

/** The real disk, clock and environment. */
export function liveWorld(env: Env = process.env, memory: Partial<Memory> = {}, digest = () => ""): World {
  const folders: Folders = new Map();
  return {
    ...noMemory,
    ...memory,
    read: (path) => known(path, read),
    stat: (path) => known(path, statOf),
    list: (path) => known(path, list),
    isDirectory: (path) => known(path, isDirectory) ?? false,
    realPath: (path) => resolveLinks(path, folders),
    digest: (path) => known(path, digestOf),
    mentions: (path) => known(path, mentionsIn) ?? [],
    git: findGit,
    changed: (directory) => inGit(directory, (root) => git?.changedFiles(directory, root, env)),
    unpushed: (directory) => inGit(directory, () => git?.unpushedCommits(directory, env)),
    branchChanges: (directory) => inGit(directory, (root) => git?.filesOfBranch(directory, root, env)),
    now: () => Date.now(),
    env: (name) => env[name],
    policy: () => ({ engine: version, digest: digest() }),
    folders: () => ({
      home: homeFolder(env),
      temp: tempFolders(env),
      executable: process.execPath,
      guarded: guardedFolders(env),
    }),
  };
}

function known<T>(path: string, look: (path: string) => T): T | undefined {
  try {
    return look(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (error instanceof WorldError) throw error;
    throw new WorldError(`cannot look at ${path} (${errorCode(error)})`, { cause: error });
  }
}

const read = (path: string): string | undefined => readText(path, maxRead);

/** What is not there, a folder, or a file with something in it can be told without `node:fs`, which costs more than a rule. */
function statOf(path: string): Stat | undefined {
  if (lookAt(path) === "missing") return undefined;
  const { size, lastModified: modified } = Bun.file(path);
  if (isDirectory(path)) return { type: "directory", size, modified };
  if (size > 0 && Number.isFinite(size)) return { type: "file", size, modified };
  const stat = nodeFs().statSync(path);
  const type = stat.isFile() ? "file" : stat.isDirectory() ? "directory" : "other";
  return { type, size: stat.size, modified: Math.floor(stat.mtimeMs) };
}

const list = (folder: string): string[] | undefined =>
  lookAt(folder) === "missing" ? undefined : nodeFs().readdirSync(folder).toSorted();

function digestOf(path: string): string {
  const { size } = plainFile(path);
  if (size > maxRead) throw new WorldError(`${path} is larger than ${maxRead} bytes`);
  return sha256(nodeFs().readFileSync(path));
}

/** What is no plain file might never end. */
function plainFile(path: string): { size: number } {
  const stat = nodeFs().statSync(path);
  if (!stat.isFile()) throw new WorldError(`${path} is not a plain file`);
  return stat;
}

const sessionId = /(?<!\d)\d{6}-\d{6}(?!\d)/g;

/** Only the end: transcripts grow to many megabytes. */
function mentionsIn(path: string): readonly string[] {
  const fs = nodeFs();
  const { size } = plainFile(path);
  const bytes = new Uint8Array(Math.min(size, 200_000));
  const file = fs.openSync(path, "r");
  try {
    fs.readSync(file, bytes, 0, bytes.length, size - bytes.length);
  } finally {
    fs.closeSync(file);
  }
  const found = new TextDecoder().decode(bytes).match(sessionId) ?? [];
  return [...new Set(found.toReversed())].slice(0, 20);
}

/** Where folders really lie; many paths are asked about that lie in the same few. */
type Folders = Map<string, string>;

/** Follows every link, also a dangling one and those above a path that does not exist yet. */
function resolveLinks(path: string, folders: Folders = new Map()): string {
  try {
    // `..` goes by what is really there, as the system itself does, so it cannot be taken out beforehand.
    if (path.includes("..") && upward.test(path)) return walk(path);
    const absolute = resolve(path);
    const real = fromDeepest(absolute, 0, folders);
    // What leads to where we are may do so by `/proc/self`, which is somewhere else for who asked us.
    if (real !== absolute && process.platform === "linux" && isInside(process.cwd(), real)) walk(absolute);
    return real;
  } catch (error) {
    if (error instanceof WorldError) throw error;
    throw new WorldError(`cannot resolve ${path} (${errorCode(error)})`, { cause: error });
  }
}

const upward = /(?:^|[\\/])\.\.(?:[\\/]|$)/;

/** Resolves the deepest part that exists and adds the rest as it stands. */
function fromDeepest(absolute: string, links: number, folders: Folders): string {
  if (links > maxLinks) throw new WorldError(`cannot resolve ${absolute} (too many links)`);
  let at = absolute;
  let found = lookAt(at);
  while (found === "missing" && dirname(at) !== at) {
    at = dirname(at);
    const real = folders.get(at);
    if (real !== undefined) return joined(real, absolute.slice(at.length));
    found = lookAt(at);
  }
  const rest = absolute.slice(at.length);
  if (found !== "link") {
    const real = followLinks(at);
    if (rest !== "") folders.set(at, real);
    return joined(real, rest);
  }
  try {
    return joined(followLinks(at), rest);
  } catch (error) {
    if (!isMissing(error)) throw error;
    // A dangling link: writing through it makes the file it points to.
    const target = resolve(followLinks(dirname(at)), nodeFs().readlinkSync(at));
    return fromDeepest(joined(target, rest), links + 1, folders);
  }
}

const joined = (folder: string, rest: string): string => (rest === "" ? folder : join(folder, rest));

/** Step by step from the root, for paths with `..` in them. */
function walk(path: string): string {
  const { root } = parse(path);
  const pending = path.slice(root.length).split(/[\\/]/).filter(Boolean);
  let at = root === "" ? followLinks(".") : root;
  let links = 0;
  while (pending.length > 0) {
    const name = pending.shift() ?? "";
    if (name === ".") continue;
    if (name === "..") {
      at = dirname(at);
      continue;
    }
    const next = join(at, name);
    if (lookAt(next) !== "link") {
      at = next;
      continue;
    }
    if (next === "/proc/self" || next === "/proc/thread-self")
      throw new WorldError(`cannot resolve ${path} (it is another place for every process)`);
    if (++links > maxLinks) throw new WorldError(`cannot resolve ${path} (too many links)`);
    const link = nodeFs().readlinkSync(next);
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

function inGit<T>(directory: string, ask: (root: string) => T | undefined): T | undefined {
  const found = findGit(directory);
  return found && ask(found.root);
}

/** Questions that take git itself: few events have any, and whoever may have one brings this first. */
export const bringGit = async (): Promise<void> => {
  git ??= await import("./git-questions.ts");
};

let git: typeof import("./git-questions.ts") | undefined;

function gitAt(root: string): Git | undefined {
  const entry = join(root, ".git");
  if (lookAt(entry) === "missing") return undefined;
  // In a worktree or submodule `.git` is a file that names the real directory.
  const pointer = isDirectory(entry)
    ? undefined
    : /^gitdir: (.+)$/m.exec(known(entry, read) ?? "")?.[1]?.trim();
  const folder = pointer === undefined ? entry : resolve(root, pointer);
  const head = headOf(folder);
  if (head === undefined) return undefined;
  const branch = branchIn(head.trim());
  const main = pointer === undefined ? undefined : mainOf(folder, entry);
  return { root, ...(branch === undefined ? {} : { branch }), ...(main === undefined ? {} : { main }) };
}

const branchIn = (head: string): string | undefined =>
  head.startsWith(branchMark) && head.length > branchMark.length ? head.slice(branchMark.length) : undefined;

const branchMark = "ref: refs/heads/";

/** What is there but cannot be read, such as a pipe, names no branch; that must not keep a rule from judging. */
function headOf(folder: string): string | undefined {
  try {
    return known(join(folder, "HEAD"), read);
  } catch {
    return "";
  }
}

/** A worktree counts as one only if its repository points back at it; a file alone could claim anything. */
function mainOf(folder: string, entry: string): string | undefined {
  const back = known(join(folder, "gitdir"), read)?.trim();
  const common = known(join(folder, "commondir"), read)?.trim();
  if (
    back === undefined ||
    common === undefined ||
    resolveLinks(resolve(folder, back)) !== resolveLinks(entry)
  )
    return undefined;
  return dirname(resolve(folder, common));
}
