import { resolve } from "node:path";
import { fallbackFolder, headFile, workspaceFolder } from "../../ledger/places.ts";
import { readHead, type Head } from "../../ledger/head.ts";
import { segmentsOf, strangersIn } from "../../ledger/read.ts";
import { liveWorld } from "../../platform/live-world.ts";
import type { Env } from "../../platform/places.ts";
import { usualHost } from "../choose-host.ts";
import { workspaceRoot } from "../workspace.ts";
import { textFlag, UsageError, type Flag, type Given } from "./_command.ts";

export const ledgerFlag: Flag = {
  type: "string",
  value: "DIR",
  summary: "The ledger's folder; by default those of this workspace.",
};

/** A ledger a command works on. */
export interface Ledger {
  readonly folder: string;
  /** How far it had come, as remembered outside it. */
  readonly head?: Head;
}

/**
 * The ledgers of the workspace: its own, and the one its records go to when it cannot take them, if there are any, or if
 * it is to be waited for.
 */
export function ledgersOf(given: Given, { env = process.env, waits = false } = {}): Ledger[] {
  const named = textFlag(given, "ledger");
  if (named !== undefined) {
    const folder = resolve(named);
    const ledger = withHead(folder, env);
    // What is expected to be there and is not must not look as if all were well.
    if (!waits && !ledger.head && segmentsOf(folder).length + strangersIn(folder).length === 0)
      throw new UsageError(`there is no ledger in ${folder}; expected ${expectedIn(folder)}`);
    return [ledger];
  }
  const root = rootOf(env);
  const own = withHead(workspaceFolder(root), env);
  const spare = withHead(fallbackFolder(root, env), env);
  return waits || segmentsOf(spare.folder).length > 0 || spare.head ? [own, spare] : [own];
}

function expectedIn(folder: string): string {
  const inside = workspaceFolder(folder);
  return segmentsOf(inside).length > 0 ? `the folder of one, such as ${inside}` : "current.jsonl in it";
}

/** The root of the workspace we were started in, links resolved. */
export function rootOf(env: Env): string {
  const world = liveWorld(env);
  return world.realPath(workspaceRoot(process.cwd(), usualHost, world));
}

function withHead(folder: string, env: Env): Ledger {
  const head = readHead(headFile(folder, env));
  return { folder, ...(head ? { head } : {}) };
}
