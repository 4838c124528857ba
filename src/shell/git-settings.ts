import { join, resolve } from "node:path";
import type { World } from "../core/world.ts";

/** What of git's settings says which branch a command means. */
export interface GitSettings {
  /** By name in small letters: git does not care. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly remotes: ReadonlySet<string>;
}

/** The settings of the user and of the repository a folder is in. Files they include are not followed. */
export function gitSettings(folder: string, world: World): GitSettings {
  const { home } = world.folders();
  const git = gitFolders(folder, world);
  const files = [
    join(home, ".config/git/config"),
    join(home, ".gitconfig"),
    ...(git ? [join(git.common, "config")] : []),
  ];
  const aliases = new Map<string, string>();
  const remotes = new Set(["origin", "upstream"]);
  for (const file of files) {
    let section = "";
    // A line that ends in a backslash goes on in the next one.
    for (const line of (readOr(file, world) ?? "").replace(/\\\r?\n/g, "").split("\n")) {
      const head = /^\s*\[\s*([\w.-]+)(?:\s+"(.*)")?\s*\]/.exec(line);
      if (head) {
        section = head[1]?.toLowerCase() ?? "";
        if (section === "remote" && head[2] !== undefined) remotes.add(head[2]);
      }
      const [, key, value] = /^\s*(?:\[[^\]]*\]\s*)?([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      if (section === "alias" && key !== undefined) aliases.set(key.toLowerCase(), unquoted(value ?? ""));
    }
  }
  return { aliases, remotes };
}

const unquoted = (value: string): string =>
  value.startsWith('"') && value.endsWith('"') && value.length > 1
    ? value.slice(1, -1).replace(/\\(.)/g, "$1")
    : value;

/** The branch that was left so many checkouts ago, by git's own log. */
export function previousBranch(folder: string, steps: number, world: World): string | undefined {
  const git = gitFolders(folder, world);
  const log = git && readOr(join(git.own, "logs/HEAD"), world);
  const left = (log ?? "")
    .split("\n")
    .flatMap((line) => /\tcheckout: moving from (\S+) to \S+/.exec(line)?.[1] ?? []);
  return left.at(-steps);
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
