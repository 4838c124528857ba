import { join } from "node:path";
import type { Action, DeleteAction, WriteAction } from "../core/action.ts";
import { imagesOf } from "../core/images.ts";
import { isInside } from "../core/paths.ts";
import type { World } from "../core/world.ts";

type Change = WriteAction | DeleteAction;

/** The branches that are checked out by changing git's own files instead of asking git, or `?` where nobody can tell. `root` is a real path. */
export const branchesWritten = (actions: readonly Action[], root: string, world: World): string[] =>
  actions.flatMap((action) => (isHead(action, root) ? (branchAfter(action, actions, world) ?? []) : []));

/** Git's own files that say what it runs by itself and where it goes back to, as far as something else changes them. */
export const steersGit = (actions: readonly Action[]): string[] =>
  actions.flatMap((action) =>
    (action.kind === "write" || action.kind === "delete") && steers.test(action.target?.real ?? "")
      ? (action.target?.given ?? [])
      : [],
  );

const steers =
  /\/\.git\/(?:worktrees\/[^/]+\/)?(?:hooks(?:\/|$)|config(?:\.worktree)?$|logs\/HEAD$|BISECT_START$|rebase-(?:merge|apply)(?:\/|$)|sequencer(?:\/|$))/;

/** Does an action change what git goes by: all of it, what is checked out here or in a worktree, or where a branch is? */
function isHead(action: Action, root: string): action is Change {
  if (action.kind !== "write" && action.kind !== "delete") return false;
  const real = action.target?.real ?? "";
  // Git itself is judged by what it is told.
  if (real.endsWith("/.git")) return action.by?.program !== "git" && isInside(real.slice(0, -5), root);
  return /\/\.git\/(?:worktrees\/[^/]+\/)?(?:HEAD$|refs\/heads(?:\/|$))/.test(real);
}

function branchAfter(action: Change, actions: readonly Action[], world: World): string | undefined {
  if (action.kind === "delete") return /\/refs\/heads\//.test(action.target?.real ?? "") ? undefined : "?";
  const image = imagesOf(actions, world).after(action);
  if (image?.whole !== true) return "?";
  const name = /^ref:\s*(\S+)/.exec(image.text)?.[1];
  if (name === undefined) return undefined;
  // Git takes `refs//heads/main` for what it means.
  return /^\/refs\/heads\/(.+)$/.exec(join("/", name).replaceAll("\\", "/"))?.[1];
}
