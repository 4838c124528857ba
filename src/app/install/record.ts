import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../../core/json.ts";
import { sha256 } from "../../platform/digest.ts";
import { stateFolder, type Env } from "../../platform/places.ts";

/** What a file was before we changed it: the backup, and what `uninstall` gives back. */
export interface Before {
  /** Nothing: there was no file. */
  readonly text: string | undefined;
  /** Digests of the texts we left behind, or were about to when something stopped us. While the file has one of them, nobody else has touched it. */
  readonly after: readonly string[];
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
    if (!isObject(record) || record["path"] !== path) return undefined;
    const after = textsOf(record["after"]);
    if (after.length === 0) return undefined;
    const folders = textsOf(record["folders"]);
    const text = record["existed"] === true ? readFileSync(join(folder, "before"), "utf8") : undefined;
    return { text, after, folders };
  } catch {
    return undefined;
  }
}

const textsOf = (given: unknown): string[] =>
  [given].flat().filter((each): each is string => typeof each === "string");

/** What a file was before, where its text is as we left it. */
export const ifAsLeft = (text: string | undefined, before: Before | undefined): Before | undefined =>
  text !== undefined && before?.after.includes(sha256(text)) === true ? before : undefined;

export function keepBefore(path: string, { text, after, folders }: Before, env: Env): void {
  const folder = folderOf(path, env);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (text !== undefined) replace(join(folder, "before"), text);
  const record = { path, existed: text !== undefined, after, folders, time: new Date().toISOString() };
  replace(join(folder, "record.json"), `${JSON.stringify(record, null, 2)}\n`);
}

/** Complete or not at all: what is written over has to outlive us. */
function replace(path: string, text: string): void {
  writeFileSync(`${path}.part`, text, { mode: 0o600 });
  renameSync(`${path}.part`, path);
}

/** The file as it was when we last changed it, whoever had written what in it. */
export const backupOf = (path: string, env: Env): string => join(folderOf(path, env), "last");

export function keepBackup(path: string, text: string, env: Env): void {
  mkdirSync(folderOf(path, env), { recursive: true, mode: 0o700 });
  replace(backupOf(path, env), text);
}

export const forgetBefore = (path: string, env: Env): void =>
  rmSync(folderOf(path, env), { recursive: true, force: true });
