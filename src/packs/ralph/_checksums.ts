import type { Effect } from "../../core/effect.ts";
import type { Event } from "../../core/event.ts";
import type { Json } from "../../core/json.ts";
import { isInside, pathBelow } from "../../core/paths.ts";
import { WorldError, type World } from "../../core/world.ts";
import { logEffects, type LogFolder } from "../../workflow/ralph-logs.ts";

/** The files of the workspace that a call has written or deleted, links resolved, each once. */
export function changedFiles(event: Event, world: World): string[] {
  const root = world.realPath(event.root);
  const paths = event.actions.flatMap((action) =>
    (action.kind === "write" || action.kind === "delete") &&
    action.target &&
    isInside(root, action.target.real)
      ? [action.target.real]
      : [],
  );
  return [...new Set(paths)];
}

/** A line of `logs/checksums.jsonl` for each of these files as it is now; a folder has none. */
export function checksumEffects(
  event: Event,
  world: World,
  paths: readonly string[],
  folder: LogFolder,
): Effect[] {
  const root = world.realPath(event.root);
  const line = (entry: Json): Effect[] => logEffects(event, world, "checksums.jsonl", entry, folder);
  const omitted = paths.length - most;
  const known = paths.slice(0, most).flatMap((real) => {
    const seen = look(real, world);
    return seen ? line({ path: pathBelow(root, real) ?? real, ...seen }) : [];
  });
  return omitted > 0 ? [...known, ...line({ path: null, sha256: null, bytes: null, omitted })] : known;
}

const most = 100;

/** What one file cannot tell, because it is too large or may not be read, keeps nobody from looking at the others. */
function look(path: string, world: World): Json | undefined {
  try {
    const stat = world.stat(path);
    if (!stat) return { sha256: null, bytes: null };
    if (stat.type !== "file") return undefined;
    return stat.size > largest
      ? { sha256: null, bytes: stat.size, error: "too large" }
      : { sha256: world.digest(path) ?? null, bytes: stat.size };
  } catch (error) {
    if (!(error instanceof WorldError)) throw error;
    return { sha256: null, bytes: null, error: "cannot be read" };
  }
}

const largest = 32 * 1024 * 1024;
