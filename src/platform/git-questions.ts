import { join } from "node:path";
import { pathBelow } from "../core/paths.ts";
import type { BranchChanges, Unpushed } from "../core/world.ts";
import { homeFolder, type Env } from "./places.ts";

const most = 10_000;

/** Files below a folder that differ from the last commit, new ones included; nothing where git cannot tell in time. */
export function changedFiles(root: string, gitRoot: string, env: Env): readonly string[] | undefined {
  const said = ask(root, env, [
    "status",
    "--porcelain",
    "-z",
    "--no-renames",
    "--untracked-files=all",
    "--ignore-submodules=dirty",
    "--",
    ".",
  ]);
  // Two letters of state and a space stand before each path, which is told from the repository's root.
  return listIn(said)?.flatMap((line) => pathBelow(root, join(gitRoot, line.slice(3))) ?? []);
}

/** Commits of what is checked out that no remote has, as far as this repository has seen the remotes. */
export function unpushedCommits(root: string, env: Env): Unpushed | undefined {
  const remotes = ask(root, env, ["remote"]);
  if (remotes === undefined) return undefined;
  const hasRemote = remotes.trim() !== "";
  if (headOf(root, env) === undefined) return { hasRemote, commits: 0 };
  const count = ask(root, env, ["rev-list", "--count", `--max-count=${most}`, "HEAD", "--not", "--remotes"]);
  return count === undefined ? undefined : { hasRemote, commits: Number(count) };
}

/** Files that differ from where the branch has left the main one; on the main branch itself, from where the remote's is. */
export function filesOfBranch(root: string, gitRoot: string, env: Env): BranchChanges | undefined {
  const now = changedFiles(root, gitRoot, env);
  const head = headOf(root, env);
  // Before the first commit there is nothing to differ from.
  if (now === undefined || head === undefined) return now && { base: "", files: now };
  const base = mainBranches.find((name) => ask(root, env, ["rev-parse", "-q", "--verify", name]));
  const from = base === undefined ? head : ask(root, env, ["merge-base", "HEAD", base])?.trim();
  if (from === undefined) return undefined;
  const said = ask(root, env, [
    "diff",
    "--name-only",
    "-z",
    "--no-renames",
    "--no-ext-diff",
    "--relative",
    "--ignore-submodules=dirty",
    from,
    "--",
    ".",
  ]);
  const files = listIn(said);
  return (
    files && {
      base: base?.replace(/^refs\/(?:heads|remotes)\//, "") ?? "",
      files: [...new Set([...files, ...now])],
    }
  );
}

const mainBranches = [
  "refs/remotes/origin/HEAD",
  "refs/remotes/origin/main",
  "refs/remotes/origin/master",
  "refs/heads/main",
  "refs/heads/master",
];

const headOf = (root: string, env: Env): string | undefined =>
  ask(root, env, ["rev-parse", "-q", "--verify", "HEAD^{commit}"])?.trim();

const listIn = (said: string | undefined): string[] | undefined =>
  said?.split("\0").filter(Boolean).slice(0, most);

/**
 * What git says; nothing where it fails, is not there, or takes too long. The repository is somebody else's: none of its hooks
 * run, no submodule is looked into, nothing is fetched and nothing is written.
 */
function ask(root: string, env: Env, words: readonly string[]): string | undefined {
  const safe = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-optional-locks"];
  try {
    const { success, stdout } = Bun.spawnSync(["git", ...safe, ...words], {
      cwd: root,
      // A variable of git's own, as in one of its hooks, would lead it elsewhere.
      env: {
        PATH: env["PATH"],
        HOME: homeFolder(env),
        XDG_CONFIG_HOME: env["XDG_CONFIG_HOME"],
        LC_ALL: "C",
        GIT_NO_LAZY_FETCH: "1",
      },
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 2000,
      maxBuffer: 8 * 1024 * 1024,
    });
    return success ? stdout.toString() : undefined;
  } catch {
    // There is no git here.
    return undefined;
  }
}
