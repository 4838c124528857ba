import { join } from "node:path";
import { nearest } from "../../core/nearest.ts";
import type { World } from "../../core/world.ts";
import { isSessionId, sessionFolder, sessionsFolder } from "../../workflow/ralph-layout.ts";
import { activeSession } from "../../workflow/ralph-session.ts";

/** A Ralph session somebody works on. */
export interface Chosen {
  readonly root: string;
  readonly id: string;
  readonly folder: string;
  readonly world: World;
}

/** There is no such session, or nobody can tell which is meant. */
export class NoSession extends Error {
  override readonly name = "NoSession";
}

/** The session that is named, or else the active one, or the only one there is. */
export function chooseSession(root: string, named: string | undefined, world: World): Chosen {
  const folder = join(root, sessionsFolder);
  const ids = (world.list(folder) ?? []).filter(
    (id) => isSessionId(id) && world.isDirectory(join(folder, id)),
  );
  const id = named ?? activeSession(folder, world) ?? (ids.length === 1 ? ids[0] : undefined);
  if (id !== undefined && ids.includes(id)) return { root, id, folder: sessionFolder(root, id), world };
  const known = ids.length === 0 ? "there is none yet (hookline ralph new)" : `there are ${ids.join(", ")}`;
  if (id === undefined) throw new NoSession(`name a session with --session ID; ${known}`);
  const near = nearest(id, ids);
  throw new NoSession(
    `there is no session ${id} in ${folder}; ${near === undefined ? known : `did you mean ${near}?`}`,
  );
}
