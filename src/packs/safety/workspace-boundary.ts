import { matchesGlob, resolve } from "node:path";
import type { Action, Target } from "../../core/action.ts";
import { agentFolders, findPlace } from "../../core/agent-files.ts";
import { beforeTool, type Event } from "../../core/event.ts";
import { expandHome, isInside, isSink, pathBelow } from "../../core/paths.ts";
import { defineRule } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { SaidOfPatterns } from "./_said-of-patterns.ts";

export default defineRule({
  summary: "Keeps writes and deletes inside the workspace.",
  why: "The task is about this workspace; a change elsewhere is not seen by its reviewers and not undone with it.",
  since: "0.1.0",
  outcome: "block",
  failMode: "closed",
  presets: { recommended: {} },
  on: { events: beforeTool, actions: ["write", "delete"] },
  options: (v) =>
    v.strictObject({
      allow: v.pipe(
        v.optional(v.array(v.string()), []),
        v.description(
          "Further places that may be written: paths or globs, absolute, `~/…`, or relative to the workspace root.",
        ),
      ),
    }),
  messages: {
    outside: {
      what: "`{path}` is outside the workspace `{root}`.",
      instead: "Work inside the workspace, or ask the user to make this change.",
    },
    unresolved: {
      what: "where `{path}` really lies cannot be told ({trouble}).",
      instead: "Name the file by a plain path inside the workspace.",
    },
    unknown: {
      what: "the call does not say which file it changes.",
      instead: "Name the file by a plain path inside the workspace.",
    },
  },
  examples: {
    catches: [
      { write: "/etc/hosts", text: "127.0.0.1 x\n" },
      { write: "../neighbour/notes.md", text: "hi" },
      { write: "src/../../neighbour/new/deep/file.ts", text: "" },
      { links: { out: "/etc" }, write: "out/hosts", text: "" },
      { links: { "later.txt": "../not-yet-there.txt" }, write: "later.txt", text: "" },
      { delete: "~/.bashrc" },
      { patch: "*** Begin Patch\n*** Update File: a.ts\n*** Move to: ../b.ts\n@@\n-x\n+y\n*** End Patch" },
    ],
    allows: [
      { write: "src/index.ts", text: "" },
      { write: "new/deep/file.ts", text: "" },
      { write: "src/../README.md", text: "" },
      { read: "/etc/hosts" },
      { write: "/dev/null", text: "" },
      { write: "/tmp/hookline-scratch/notes.txt", text: "" },
      { write: "~/.claude/plans/today.md", text: "" },
      { write: "../common/notes.md", text: "", options: { allow: ["../common"] } },
      { write: "~/notes/a.md", text: "", options: { allow: ["~/notes/*.md"] } },
    ],
  },
  *check({ event, world, options }) {
    const root = world.realPath(event.root);
    const said = new SaidOfPatterns();
    for (const action of event.actions) {
      if (action.kind !== "write" && action.kind !== "delete") continue;
      const { target } = action;
      // A shell's variable target is daily work; a file tool that hides its target is not.
      if (!target) {
        if (!action.by) yield { message: "unknown", outcome: "ask" };
      } else if (action.kind === "write" && isSink(target)) continue;
      else if (target.trouble !== undefined) {
        yield { message: "unresolved", data: { path: target.given, trouble: target.trouble } };
      } else if (
        !said.has(target) &&
        !isFine(target, root, event, world, action) &&
        !isAllowed(target, options.allow, event, world)
      ) {
        said.add(target);
        yield { message: "outside", data: { path: target.given, root: event.root } };
      }
    }
  },
});

function isFine({ real }: Target, root: string, event: Event, world: World, action: Action): boolean {
  if (isInside(root, real)) return true;
  const { home, temp } = world.folders();
  if (temp.some((folder) => isScratch(world.realPath(folder), real, root))) return true;
  // `cp x /tmp/` goes into the folder; to delete it is another matter.
  if (action.kind === "write" && action.by && temp.some((folder) => world.realPath(folder) === real))
    return true;
  // A mode on one's own keys is housekeeping.
  if (
    action.kind === "write" &&
    action.by?.program === "chmod" &&
    /^\.ssh(?:\/|$)/.test(pathBelow(world.realPath(home), real) ?? "")
  )
    return true;
  const atHome = pathBelow(world.realPath(home), real);
  if (atHome !== undefined && findPlace(agentFolders, atHome, false) !== undefined) return true;
  return isInWorktree(real, root, event, world);
}

/** A workspace that itself lies in the temporary directory has neighbours there that are no scratch files. */
function isScratch(temp: string, real: string, root: string): boolean {
  const inTemp = pathBelow(temp, real);
  if (inTemp === undefined || inTemp === "") return false;
  const rootInTemp = pathBelow(temp, root);
  return rootInTemp === undefined || rootInTemp.split("/")[0] !== inTemp.split("/")[0];
}

/** The agent may have moved into a linked worktree of the same repository. */
function isInWorktree(real: string, root: string, event: Event, world: World): boolean {
  const git = gitAt(event.cwd, world);
  return (
    git?.main !== undefined && isInside(world.realPath(git.root), real) && world.realPath(git.main) === root
  );
}

function isAllowed({ real }: Target, allow: readonly string[], event: Event, world: World): boolean {
  return allow.some((entry) => {
    // A glob cannot follow links or `..`, so only what stands behind the plain part of the entry is matched.
    const plain = entry.search(/[^\\/]*[*?[{]/);
    const folder = plain === -1 ? entry : entry.slice(0, plain);
    const below = pathBelow(world.realPath(resolve(event.root, expandHome(folder, world))), real);
    return below !== undefined && (plain === -1 || matchesGlob(below, entry.slice(plain)));
  });
}

// A repository nobody can read is nobody's worktree.
function gitAt(folder: string, world: World): ReturnType<World["git"]> {
  try {
    return world.git(folder);
  } catch {
    return undefined;
  }
}
