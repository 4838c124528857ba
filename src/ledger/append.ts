import { join } from "node:path";
import { isObject } from "../core/json.ts";
import { followLinks, isDirectory, lookAt, nodeFs } from "../platform/files.ts";
import type { Env } from "../platform/places.ts";
import { current, fallbackFolder, headFile, policyFile, refusedFile, workspaceFolder } from "./places.ts";
import { addTo, type SegmentLimits } from "./segment.ts";

export interface Appended {
  readonly file: string;
  /** Why the record is not in the workspace. */
  readonly trouble?: string;
  /** Why it is not anywhere. */
  readonly lost?: string;
}

/** What is kept beside a record, so that it can be replayed. */
export interface Beside {
  /** Texts it only names, by their digests. */
  readonly contents?: ReadonlyMap<string, string>;
  readonly policy?: { readonly digest: string; readonly text: () => string };
}

/** Appends a record to the workspace's ledger, or to the user's when the workspace cannot take it. */
export async function appendRecord(
  root: string,
  record: Readonly<Record<string, unknown>>,
  env: Env,
  { limits, ...more }: Beside & { limits?: SegmentLimits } = {},
): Promise<Appended> {
  try {
    const folder = workspaceLedger(root);
    await keep(folder, more);
    await noteRefused(folder, record, env);
    await addTo(folder, record, headFile(folder, env), limits);
    return { file: join(folder, current) };
  } catch (error) {
    const trouble = error instanceof Error ? error.message : String(error);
    const folder = fallbackFolder(root, env);
    const file = join(folder, current);
    try {
      nodeFs().mkdirSync(folder, { recursive: true, mode: 0o700 });
      await keep(folder, more);
      await noteRefused(folder, record, env);
      await addTo(folder, { ...record, trouble }, headFile(folder, env), limits);
      return { file, trouble };
    } catch (second) {
      return { file, trouble, lost: second instanceof Error ? second.message : String(second) };
    }
  }
}

/** Few calls are refused, and fewer happen nevertheless. */
async function noteRefused(
  folder: string,
  record: Readonly<Record<string, unknown>>,
  env: Env,
): Promise<void> {
  if (record["trace"] === undefined && !saysExecuted(record["findings"])) return;
  try {
    await (await import("./refused.ts")).noteRefused(refusedFile(folder, env), record);
  } catch {
    // Nothing can be kept outside the ledger, and so no head either: then the ledger itself is searched.
  }
}

function saysExecuted(findings: unknown): boolean {
  if (!Array.isArray(findings)) return false;
  for (const finding of findings) if (isObject(finding) && finding["rule"] === executedRule) return true;
  return false;
}

/** The rule that says so. */
export const executedRule = "safety/denied-but-executed";

/** What could not be kept is missed by a replay, which says so; the record does not depend on it. */
async function keep(folder: string, { contents, policy }: Beside): Promise<void> {
  const policyPath = policy && policyFile(folder, policy.digest);
  try {
    if (policyPath !== undefined && lookAt(policyPath) === "missing")
      (await import("./contents.ts")).keepBeside(policyPath, policy?.text() ?? "");
    if (contents && contents.size > 0) (await import("./contents.ts")).keepContents(folder, contents);
  } catch (error) {
    console.error(
      `hookline: what the record names could not be kept: ${error instanceof Error ? error.message : String(error)}`,
    );
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
