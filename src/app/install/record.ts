import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../../core/json.ts";
import { sha256 } from "../../platform/digest.ts";
import { stateFolder, type Env } from "../../platform/places.ts";

/** What a file was before we changed it: the backup, and what `uninstall` gives back. */
export interface Before {
  /** Nothing: there was no file. */
  readonly text: string | undefined;
  /** The digest of the text we left behind. While the file has it, nobody else has touched it. */
  readonly after: string;
  /** Folders that were made for it, the outermost first. */
  readonly folders: readonly string[];
}

/** In the user's state folder: what lies in a repository comes with the repository, and settings may hold secrets. */
export const recordsFolder = (env: Env): string => join(stateFolder(env), "installed");

const folderOf = (path: string, env: Env): string => join(recordsFolder(env), sha256(path).slice(0, 32));

export function readBefore(path: string, env: Env): Before | undefined {
  const folder = folderOf(path, env);
  try {
    const record: unknown = JSON.parse(readFileSync(join(folder, "record.json"), "utf8"));
    if (!isObject(record) || record["path"] !== path || typeof record["after"] !== "string") return undefined;
    const folders = Array.isArray(record["folders"])
      ? record["folders"].filter((each) => typeof each === "string")
      : [];
    const text = record["existed"] === true ? readFileSync(join(folder, "before"), "utf8") : undefined;
    return { text, after: record["after"], folders };
  } catch {
    return undefined;
  }
}

export function keepBefore(path: string, { text, after, folders }: Before, env: Env): void {
  const folder = folderOf(path, env);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (text !== undefined) writeFileSync(join(folder, "before"), text, { mode: 0o600 });
  const record = { path, existed: text !== undefined, after, folders, time: new Date().toISOString() };
  writeFileSync(join(folder, "record.json"), `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
}

/** The file as it was when we last changed it, whoever had written what in it. */
export const backupOf = (path: string, env: Env): string => join(folderOf(path, env), "last");

export function keepBackup(path: string, text: string, env: Env): void {
  mkdirSync(folderOf(path, env), { recursive: true, mode: 0o700 });
  writeFileSync(backupOf(path, env), text, { mode: 0o600 });
}

export const forgetBefore = (path: string, env: Env): void =>
  rmSync(folderOf(path, env), { recursive: true, force: true });
