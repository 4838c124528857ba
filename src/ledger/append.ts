import { closeSync, constants, existsSync, mkdirSync, openSync, realpathSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../platform/digest.ts";
import { stateFolder, type Env } from "../platform/places.ts";

/** Segments are numbered, so that a later one can carry on where an earlier was closed. */
const segment = "000001.jsonl";

export interface Appended {
  readonly file: string;
  /** Why the record is not in the workspace, or not anywhere. */
  readonly trouble?: string;
}

/** Appends a record to the workspace's ledger, or to the user's when the workspace cannot take it. */
export function appendRecord(root: string, record: Readonly<Record<string, unknown>>, env: Env): Appended {
  const line = `${JSON.stringify(record)}\n`;
  try {
    const file = join(workspaceLedger(root), segment);
    appendLine(file, line);
    return { file };
  } catch (error) {
    const trouble = error instanceof Error ? error.message : String(error);
    const folder = join(stateFolder(env), "ledgers", sha256(root).slice(0, 32));
    const file = join(folder, segment);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      appendLine(file, line);
      return { file, trouble };
    } catch (second) {
      return { file, trouble: `${trouble}; ${second instanceof Error ? second.message : String(second)}` };
    }
  }
}

/** Finds or makes the folder, and refuses one that a link leads out of the workspace. */
function workspaceLedger(root: string): string {
  const real = realpathSync.native(root);
  const state = join(real, ".hookline");
  const folder = join(state, "ledger");
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const ignore = join(state, ".gitignore");
    if (!existsSync(ignore)) writeFileSync(ignore, "# Written by Hookline: state stays out of version control, rules do not.\n*\n!rules/\n!rules/**\n");
  }
  if (realpathSync.native(folder) !== folder) throw new Error(`${folder} is a link to somewhere else`);
  return folder;
}

/** One write to a file opened for appending: lines of parallel writers never mix. */
function appendLine(file: string, line: string): void {
  const noFollow = constants.O_NOFOLLOW ?? 0;
  const handle = openSync(file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | noFollow, 0o600);
  try {
    writeSync(handle, line);
  } finally {
    closeSync(handle);
  }
}
