import { join } from "node:path";
import type { Effect } from "../core/effect.ts";
import type { World } from "../core/world.ts";
import { iterationFiles, sessionFiles, sessionsFolder } from "./ralph-layout.ts";
import { currentIteration } from "./ralph-iteration.ts";
import { readLog, timeIn } from "./ralph-logs.ts";

/** A file of a session that everything else relies on: where it is, and its path below the session's folder. */
export interface SsotFile {
  readonly path: string;
  readonly name: string;
}

/** Those of the session and of its current iteration that are there. */
export function ssotFiles(root: string, id: string, world: World): SsotFile[] {
  const { folder, metadata } = sessionFiles(root, id);
  const iteration = currentIteration(folder, world);
  const own = iteration === undefined ? undefined : iterationFiles(folder, iteration);
  return [metadata, ...(own ? [own.metadata, own.progress] : [])]
    .filter((path) => world.stat(path)?.type === "file")
    .map((path) => ({ path, name: path.slice(folder.length + 1).replaceAll("\\", "/") }));
}

/** Where the hashes are kept that a file had after the agent's own tools. */
const seenLog = (root: string, id: string, name: string): string =>
  join(root, sessionsFolder, ".hook-state", id, `${name.replaceAll("/", "__")}.jsonl`);

export const seenHashes = (root: string, id: string, name: string, world: World): string[] =>
  readLog(seenLog(root, id, name), world).map(({ sha256 }) => String(sha256));

/** Remembers a file as it is when the effect is carried out: as nobody's manual edit. */
export const seenEffect = (root: string, id: string, { path, name }: SsotFile, world: World): Effect => ({
  do: "log",
  path: seenLog(root, id, name),
  entry: { timestamp: timeIn(world), path: name },
  digest: path,
});

/** Those of its files that are as the agent's tools, or we, have left them. */
export const unedited = (root: string, id: string, world: World): SsotFile[] =>
  ssotFiles(root, id, world).filter(({ path, name }) =>
    seenHashes(root, id, name, world).includes(world.digest(path) ?? ""),
  );
