import type { World } from "../../core/world.ts";
import { liveWorld } from "../../platform/live-world.ts";
import { rootHere } from "./_ralph.ts";

/** Where routing documents are looked for: the workspace, and the folder we are in. */
export interface Place {
  readonly root: string;
  readonly files: World;
  readonly from: string;
}

export function placeHere(): Place {
  const files = liveWorld(process.env);
  return { root: rootHere(files), files, from: files.realPath(process.cwd()) };
}
