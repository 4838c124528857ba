import { isOneOf } from "../../core/one-of.ts";
import { join, resolve } from "node:path";
import { beforeTool } from "../../core/event.ts";
import { defineRule } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { folderOf, gitLoss, looksLikeFile, otherLoss } from "./_git.ts";
import { listedLoss } from "./_git-listed.ts";
import { isScratch } from "./_places.ts";
import { runsOf, shown } from "./_runs.ts";

export default defineRule({
  summary: "Stops git commands that throw work away or rewrite history others may have.",
  why: "Uncommitted work and replaced commits are hard or impossible to get back.",
  since: "0.1.0",
  outcome: "block",
  presets: { recommended: {} },
  on: {
    events: beforeTool,
    actions: ["exec"],
    programs: "git git-filter-repo git-filter-branch bfg java hg svn jj bzr p4 fossil sl".split(" "),
  },
  options: (v) =>
    v.strictObject({
      protectedBranches: v.pipe(
        v.optional(v.array(v.string()), ["main", "master", "trunk", "production", "release/*"]),
        v.description(
          "Branches that are not pushed to with force, not even with a lease. `*` stands for one segment.",
        ),
      ),
    }),
  messages: { loses: { what: "`{command}` {what}.", instead: "{instead}" } },
  examples: {
    catches: [
      { shell: "git reset --hard HEAD~3" },
      { shell: "git clean -fdx" },
      { shell: "git checkout -- ." },
      { shell: "git push --force origin main" },
      { shell: "git push origin +feature" },
      { shell: "cd app && git stash clear" },
      { shell: "git -C x -c a=b branch -D topic" },
      { shell: "git push --force-with-lease origin main" },
      { shell: "git ls-files --others | xargs rm -rf" },
    ],
    allows: [
      { shell: "git push --force-with-lease origin feature/cart" },
      { shell: "git reset --soft HEAD~1" },
      { shell: "git checkout -b topic" },
      { shell: "git clean -n" },
      { shell: "git commit -m 'undo git reset --hard'" },
      { shell: "git restore --staged a.ts" },
      { shell: "git rebase main" },
      { shell: "git ls-files --others --ignored --exclude-standard | xargs rm -rf" },
    ],
  },
  *check({ event, world, options }) {
    const isProtected = (branch: string): boolean =>
      options.protectedBranches.some((pattern) => toPattern(pattern).test(branch));
    for (const run of runsOf(event)) {
      const listed = listedLoss(run);
      if (!listed && !isGit(run.program)) continue;
      // A repository made in scratch space is nobody's work.
      const folder = folderOf(run) ?? run.cwd;
      if (folder !== undefined && isScratch(folder, world.realPath(event.root), world)) continue;
      const git = world.git(folder ?? event.cwd);
      // What is there is a file, unless it is a branch: git refuses what could be both.
      const isFile = (word: string): boolean => {
        if (git && isThere(join(git.root, ".git/refs/heads", word), world)) return false;
        return isThere(resolve(folder ?? event.cwd, word), world) || looksLikeFile(word);
      };
      const found = listed ?? otherLoss(run) ?? gitLoss(run, git?.branch, isProtected, isFile);
      if (found)
        yield {
          message: "loses",
          outcome: found.outcome,
          data: { command: shown(run), what: found.what, instead: found.instead },
        };
    }
  },
});

function isThere(path: string, world: World): boolean {
  try {
    return world.stat(path) !== undefined;
  } catch {
    return false;
  }
}

const isGit = (program: string): boolean =>
  isOneOf(program, "git-filter-repo git-filter-branch git bfg java hg svn jj bzr p4 fossil sl");

const toPattern = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split("*")
      .map((part) => part.replace(/[\\^$.|+?()[\]{}]/g, "\\$&"))
      .join("[^/]*")}$`,
  );
