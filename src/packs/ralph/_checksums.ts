import type { Effect } from "../../core/effect.ts";
import type { Event } from "../../core/event.ts";
import type { Json } from "../../core/json.ts";
import { isInside, pathBelow } from "../../core/paths.ts";
import type { World } from "../../core/world.ts";
import { logEffects } from "../../workflow/ralph-logs.ts";

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
export function checksumEffects(event: Event, world: World, paths: readonly string[]): Effect[] {
  const root = world.realPath(event.root);
  const line = (entry: Json): Effect[] => logEffects(event, world, "checksums.jsonl", entry);
  const omitted = paths.length - most;
  const known = paths.slice(0, most).flatMap((real) => {
    const stat = world.stat(real);
    if (stat && stat.type !== "file") return [];
    const sha256 = stat ? (world.digest(real) ?? null) : null;
    const entry = { path: pathBelow(root, real) ?? real, sha256, bytes: stat?.size ?? null };
    return line(entry);
  });
  return omitted > 0 ? [...known, ...line({ path: null, sha256: null, bytes: null, omitted })] : known;
}

const most = 100;
