import { dirname, join, resolve } from "node:path";
import { defined } from "../core/json.ts";
import { expandHome } from "../core/paths.ts";
import type { World } from "../core/world.ts";

/** What of git's settings says which branch a command means. */
export interface GitSettings {
  /** By name in small letters: git does not care. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly remotes: ReadonlySet<string>;
}

/** The settings of the user and of the repository a folder is in, with the files they include. */
export function gitSettings(folder: string, world: World): GitSettings {
  const { home } = world.folders();
  const git = gitFolders(folder, world);
  const files = [
    join(home, ".config/git/config"),
    join(home, ".gitconfig"),
    ...(git ? [join(git.common, "config"), join(git.own, "config.worktree")] : []),
  ];
  const aliases = new Map<string, string>();
  const remotes = new Set(["origin", "upstream"]);
  for (const file of files)
    for (const { section, name, key, value, isSure } of settingsIn(file, world)) {
      if (section === "remote" && name !== undefined) remotes.add(name);
      if (section !== "alias" || key === undefined) continue;
      const alias = key.toLowerCase();
      // Of two that may hold nobody can tell which does, and it is as if there were none.
      if (isSure || (aliases.get(alias) ?? value) === value) aliases.set(alias, value);
      else aliases.delete(alias);
    }
  return { aliases, remotes };
}

interface Setting {
  readonly section: string;
  readonly name?: string;
  /** Nothing for the head of a section. */
  readonly key?: string;
  readonly value: string;
  /** It is included under no condition. */
  readonly isSure: boolean;
}

const deepest = 5;

/** What stands in a file of settings, line by line, with what it includes. */
function settingsIn(file: string, world: World, isSure = true, depth = 0): Setting[] {
  let head: { section: string; name?: string } = { section: "" };
  // A line that ends in a backslash goes on in the next one.
  const lines = (readOr(file, world) ?? "").replace(/\\\r?\n/g, "").split("\n");
  return lines.flatMap((line): Setting[] => {
    const [start, section, name] = /^\s*\[\s*([\w.-]+)(?:\s+"(.*)")?\s*\]/.exec(line) ?? [];
    if (section !== undefined) head = { section: section.toLowerCase(), ...defined({ name }) };
    const [, key, given] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line.slice(start?.length ?? 0)) ?? [];
    const value = unquoted(given ?? "");
    const here =
      section === undefined && key === undefined ? [] : [{ ...head, ...defined({ key }), value, isSure }];
    if (key?.toLowerCase() !== "path" || !/^include(?:if)?$/.test(head.section) || depth >= deepest)
      return here;
    const more = resolve(dirname(file), expandHome(value, world));
    return [...here, ...settingsIn(more, world, isSure && head.section === "include", depth + 1)];
  });
}

const unquoted = (value: string): string =>
  value.startsWith('"') && value.endsWith('"') && value.length > 1
    ? value.slice(1, -1).replace(/\\(.)/g, "$1")
    : value;

/** The branch that was left so many checkouts ago, by git's own log. */
export function previousBranch(folder: string, steps: number, world: World): string | undefined {
  if (steps < 1) return undefined;
  const left = (leftIn("logs/HEAD", folder, world) ?? "")
    .split("\n")
    .flatMap((line) => /\tcheckout: moving from (\S+) to \S+/.exec(line)?.[1] ?? []);
  return left.at(-steps);
}

/** What one of git's own files of a worktree says. */
export function leftIn(file: string, folder: string, world: World): string | undefined {
  const git = gitFolders(folder, world);
  return git && readOr(join(git.own, file), world);
}

/** Where git keeps what it knows: of this worktree, and of all of them. */
function gitFolders(folder: string, world: World): { own: string; common: string } | undefined {
  try {
    const git = world.git(folder);
    if (!git) return undefined;
    const place = join(git.root, ".git");
    if (world.isDirectory(place)) return { own: place, common: place };
    const linked = /^gitdir: (.*)$/m.exec(world.read(place) ?? "")?.[1];
    const own = linked === undefined ? place : resolve(git.root, linked.trim());
    return { own, common: git.main === undefined ? own : join(git.main, ".git") };
  } catch {
    return undefined;
  }
}

function readOr(path: string, world: World): string | undefined {
  try {
    return world.read(path);
  } catch {
    return undefined;
  }
}
