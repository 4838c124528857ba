import { resolve } from "node:path";
import type { Host } from "../core/host.ts";
import type { World } from "../core/world.ts";

/** The host's project directory if it is one, else the git root above `cwd`, else `cwd`. */
export function workspaceRoot(cwd: string, host: Host, world: World): string {
  const named = host.projectDirectory?.((name) => world.env(name));
  if (named) {
    const folder = resolve(cwd, named);
    if (world.isDirectory(folder)) return folder;
  }
  try {
    return world.git(cwd)?.root ?? cwd;
  } catch {
    // A repository that cannot be read does not make its folder a workspace.
    return cwd;
  }
}
