import { join } from "node:path";
import { sha256 } from "../platform/digest.ts";
import { append, followLinks, isDirectory, lookAt, nodeFs } from "../platform/files.ts";
import { stateFolder, type Env } from "../platform/places.ts";

/** Segments are numbered, so that a later one can carry on where an earlier was closed. */
const segment = "000001.jsonl";

export interface Appended {
  readonly file: string;
  /** Why the record is not in the workspace. */
  readonly trouble?: string;
  /** Why it is not anywhere. */
  readonly lost?: string;
}

/** Appends a record to the workspace's ledger, or to the user's when the workspace cannot take it. */
export function appendRecord(root: string, record: Readonly<Record<string, unknown>>, env: Env): Appended {
  const line = `${JSON.stringify(record)}\n`;
  try {
    const file = join(workspaceLedger(root), segment);
    append(file, line, 0o600);
    return { file };
  } catch (error) {
    const trouble = error instanceof Error ? error.message : String(error);
    const folder = join(stateFolder(env), "ledgers", sha256(root).slice(0, 32));
    const file = join(folder, segment);
    try {
      nodeFs().mkdirSync(folder, { recursive: true, mode: 0o700 });
      append(file, line, 0o600);
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
  const folder = join(state, "ledger");
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
