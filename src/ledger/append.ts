import { join } from "node:path";
import { followLinks, isDirectory, lookAt, nodeFs } from "../platform/files.ts";
import type { Env } from "../platform/places.ts";
import { current, fallbackFolder, headFile, workspaceFolder } from "./places.ts";
import { addTo, type SegmentLimits } from "./segment.ts";

export interface Appended {
  readonly file: string;
  /** Why the record is not in the workspace. */
  readonly trouble?: string;
  /** Why it is not anywhere. */
  readonly lost?: string;
}

/** Appends a record to the workspace's ledger, or to the user's when the workspace cannot take it. */
export async function appendRecord(
  root: string,
  record: Readonly<Record<string, unknown>>,
  env: Env,
  limits?: SegmentLimits,
): Promise<Appended> {
  try {
    const folder = workspaceLedger(root);
    await addTo(folder, record, headFile(folder, env), limits);
    return { file: join(folder, current) };
  } catch (error) {
    const trouble = error instanceof Error ? error.message : String(error);
    const folder = fallbackFolder(root, env);
    const file = join(folder, current);
    try {
      nodeFs().mkdirSync(folder, { recursive: true, mode: 0o700 });
      await addTo(folder, { ...record, trouble }, headFile(folder, env), limits);
      return { file, trouble };
    } catch (second) {
      return { file, trouble, lost: second instanceof Error ? second.message : String(second) };
    }
  }
}

/** Finds or makes the folder, and refuses one that a link leads out of the workspace. */
function workspaceLedger(root: string): string {
  const real = followLinks(root);
  const state = join(real, ".hookline");
  const folder = workspaceFolder(real);
  if (lookAt(state) === "link") throw new Error(`${state} is a link to somewhere else`);
  if (!isDirectory(folder)) {
    const { existsSync, mkdirSync, writeFileSync } = nodeFs();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const ignore = join(state, ".gitignore");
    if (!existsSync(ignore))
      writeFileSync(
        ignore,
        "# Written by Hookline: state stays out of version control, rules do not.\n*\n!rules/\n!rules/**\n",
      );
  }
  if (followLinks(folder) !== folder) throw new Error(`${folder} is a link to somewhere else`);
  return folder;
}
