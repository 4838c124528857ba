import { join } from "node:path";
import { pathBelow } from "../core/paths.ts";
import { homeFolder, type Env } from "./places.ts";

const most = 10_000;

/**
 * Files below a folder that differ from the last commit, new ones included, by git; nothing where git cannot tell in time. The repository
 * is somebody else's: none of its hooks run, no submodule is looked into, and nothing is written.
 */
export function changedFiles(root: string, gitRoot: string, env: Env): readonly string[] | undefined {
  const safe = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-optional-locks"];
  const ask = ["status", "--porcelain", "-z", "--no-renames", "--untracked-files=all"];
  try {
    const { success, stdout } = Bun.spawnSync(
      ["git", ...safe, ...ask, "--ignore-submodules=dirty", "--", "."],
      {
        cwd: root,
        // A variable of git's own, as in one of its hooks, would lead it elsewhere.
        env: { PATH: env["PATH"], HOME: homeFolder(env), LC_ALL: "C" },
        stdio: ["ignore", "pipe", "ignore"],
        timeout: 2000,
        maxBuffer: 8 * 1024 * 1024,
      },
    );
    if (!success) return undefined;
    const lines = stdout.toString().split("\0").filter(Boolean);
    // Two letters of state and a space stand before each path, which is told from the repository's root.
    return lines.slice(0, most).flatMap((line) => pathBelow(root, join(gitRoot, line.slice(3))) ?? []);
  } catch {
    // There is no git here.
    return undefined;
  }
}
