import { join } from "node:path";
import { nearest } from "../../core/nearest.ts";
import type { World } from "../../core/world.ts";
import { liveWorld } from "../../platform/live-world.ts";
import { isSessionId, sessionFolder, sessionsFolder } from "../../workflow/ralph-layout.ts";
import { activeSession } from "../../workflow/ralph-session.ts";
import { hostFor } from "../choose-host.ts";
import { workspaceRoot } from "../workspace.ts";
import { textFlag, UsageError, type Flag, type Given } from "./_command.ts";

export const sessionFlag: Flag = {
  type: "string",
  value: "ID",
  summary: "The Ralph session; by default the active one, or the only one there is.",
};

/** A Ralph session a command works on. */
export interface Chosen {
  readonly root: string;
  readonly id: string;
  readonly folder: string;
  readonly world: World;
}

export const rootHere = (world: World): string =>
  world.realPath(workspaceRoot(process.cwd(), hostFor(undefined), world));

export function chosenSession(given: Given): Chosen {
  const world = liveWorld(process.env);
  const root = rootHere(world);
  const folder = join(root, sessionsFolder);
  const ids = (world.list(folder) ?? []).filter(
    (id) => isSessionId(id) && world.isDirectory(join(folder, id)),
  );
  const named = textFlag(given, "session");
  const id = named ?? activeSession(folder, world) ?? (ids.length === 1 ? ids[0] : undefined);
  if (id !== undefined && ids.includes(id)) return { root, id, folder: sessionFolder(root, id), world };
  const known = ids.length === 0 ? "there is none yet (hookline ralph new)" : `there are ${ids.join(", ")}`;
  if (id === undefined) throw new UsageError(`name a session with --session ID; ${known}`);
  const near = nearest(id, ids);
  throw new UsageError(
    `there is no session ${id} in ${folder}; ${near === undefined ? known : `did you mean ${near}?`}`,
  );
}
