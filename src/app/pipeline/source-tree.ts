import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { seenFolder } from "../../workflow/declared/log.ts";
import { specsFolder } from "../../workflow/pipeline-state.ts";
import { gitIn, type Git } from "./git.ts";

/**
 * All files of the workspace as they lie there, as a tree of git; nothing where git does not know them. The index stays as it is: what lies there is put
 * into a copy of it.
 */
export async function sourceTree(root: string): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "hookline-tree-"));
  try {
    const index = join(folder, "index");
    const own = await gitIn(root)("rev-parse", "--git-path", "index");
    if (!own.ok) return undefined;
    const path = resolve(root, own.out);
    if (existsSync(path)) {
      copyFileSync(path, index);
      // Git looks again at what was written in the same moment as the index; a younger one would take it for looked at.
      const { atime, mtime } = statSync(path);
      utimesSync(index, atime, mtime);
    }
    const git = gitIn(root, { GIT_INDEX_FILE: index });
    const added = await git("-c", "core.fsmonitor=false", "add", "-A", "--", ".");
    const tree = added.ok ? await git("write-tree") : added;
    return tree.ok ? tree.out : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const isTree = (tree: unknown): tree is string => typeof tree === "string" && /^[0-9a-f]{40,64}$/.test(tree);

/** The files that differ from what they were, artifacts and Hookline's own aside; none where nobody can tell. */
export async function changedSince(before: unknown, root: string): Promise<readonly string[]> {
  if (!isTree(before)) return [];
  const git: Git = gitIn(root);
  const now = await sourceTree(root);
  if (now === undefined || now === before) return [];
  const aside = [specsFolder, seenFolder.split("/")[0] ?? ""].map((name) => `:(exclude)${name}`);
  const { ok, out } = await git("diff", "--name-only", "--relative", "-z", before, now, "--", ".", ...aside);
  return ok ? out.split("\0").filter((name) => name !== "") : [];
}
