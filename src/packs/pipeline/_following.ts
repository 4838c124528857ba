import { join } from "node:path";
import type { Event } from "../../core/event.ts";
import { lazily } from "../../core/lazily.ts";
import { isInside } from "../../core/paths.ts";
import type { World } from "../../core/world.ts";
import { specsFolder } from "../../workflow/pipeline-state.ts";

export const hasCommands = ({ actions }: Event): boolean => actions.some(({ kind }) => kind === "exec");

/** What it takes to judge command lines, and the event with what they do by way of scripts. */
export async function following(
  event: Event,
  world: World,
): Promise<Awaited<ReturnType<typeof git>> & { readonly event: Event }> {
  const readers = await git();
  const [specs, root] = [join(event.root, specsFolder), event.root].map((path) => realOr(path, world));
  // What lies in the repository was there before; the rest may be the agent's own.
  const isLoose = (path: string): boolean => isInside(specs ?? "", path) || !isInside(root ?? "", path);
  return { ...readers, event: await readers.throughScripts(event, world, isLoose) };
}

export function realOr(path: string, world: World): string {
  try {
    return world.realPath(path);
  } catch {
    return path;
  }
}

const git = lazily(async () => ({
  ...(await import("../../shell/git-commands.ts")),
  ...(await import("../../shell/git-branch.ts")),
  ...(await import("../../shell/git-tree.ts")),
  ...(await import("../../shell/scripts.ts")),
}));
