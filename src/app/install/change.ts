import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "../../platform/digest.ts";
import { errorCode, openLocked, readText, type LockedFile } from "../../platform/files.ts";
import type { Env } from "../../platform/places.ts";
import { forgetBefore, ifAsLeft, keepBackup, keepBefore, readBefore, recordsFolder } from "./record.ts";
import { realOf } from "./config-text.ts";
import { forgetStanding } from "../standing/look.ts";
import { ConfigTrouble } from "./trouble.ts";

/** One file that is to be written, changed or removed. */
export interface Change {
  /** What it is to the user. */
  readonly title: string;
  /** Where it really lies. */
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** What the file would be without us, where that is not what it was before. */
  readonly bare?: string | undefined;
  /** Every user of the machine has to read it, whatever the umask of whoever writes it. */
  readonly isPublic?: true;
  /** Nothing of ours is left afterwards. */
  readonly isUndo?: true;
}

/** Somebody else has changed a file since it was looked at. */
export class ChangedMeanwhile extends ConfigTrouble {}

/** Carries out all changes, or none: files are made complete beside the old ones, then put in their place, and put back if one fails. */
function carryOut(changes: readonly Change[], env: Env): void {
  const made: string[] = [];
  const done: Change[] = [];
  try {
    for (const change of changes)
      // A link that has come into the way since would lead elsewhere.
      if (
        (readText(change.path, largest) ?? undefined) !== change.before ||
        realOf(change.path) !== change.path
      )
        throw new ChangedMeanwhile(
          `${change.path} has changed in the meantime; nothing was written. Run it again`,
        );
    for (const change of changes) if (change.after !== undefined) made.push(...missingAbove(change.path));
    for (const change of changes) if (!change.isUndo) remember(change, made, env);
    for (const change of changes) stage(change);
    for (const change of changes) {
      putInPlace(change);
      done.push(change);
    }
    for (const change of changes) if (change.isUndo) forget(change, env);
    if (changes.length > 0) forgetStanding(env);
  } catch (error) {
    for (const change of done) putBack(change);
    for (const { path } of changes) removePart(path);
    for (const folder of made.toReversed()) removeIfEmpty(folder);
    throw error;
  }
}

const largest = 64 * 1024 * 1024;
const partOf = (path: string): string => `${path}.hookline-part`;

/** Writes the new text beside the file. */
function stage({ path, after, isPublic }: Pick<Change, "path" | "after" | "isPublic">): void {
  if (after === undefined) return;
  const missing = missingAbove(path);
  mkdirSync(dirname(path), { recursive: true });
  if (isPublic) for (const folder of missing) chmodSync(folder, 0o755);
  const was = statSync(path, { throwIfNoEntry: false });
  // What somebody who was killed has left behind.
  rmSync(partOf(path), { force: true });
  const file = openSync(partOf(path), "wx", was ? was.mode & 0o777 : 0o644);
  try {
    // The umask has no say in the mode of a file that is there.
    if (was || isPublic) fchmodSync(file, was ? was.mode & 0o777 : 0o644);
    if (was && process.getuid?.() === 0) fchownSync(file, was.uid, was.gid);
    for (let bytes = Buffer.from(after); bytes.length > 0; bytes = bytes.subarray(writeSync(file, bytes)));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** The folders that have to be made for a file, the outermost first. */
function missingAbove(path: string): string[] {
  const folder = dirname(path);
  return existsSync(folder) || folder === path ? [] : [...missingAbove(folder), folder];
}

function putInPlace({ path, after }: Change): void {
  if (after === undefined) rmSync(path);
  else renameSync(partOf(path), path);
}

function putBack({ path, before }: Change): void {
  if (before === undefined) rmSync(path, { force: true });
  else {
    stage({ path, after: before });
    renameSync(partOf(path), path);
  }
}

/** The backup is there before the file changes. Several changes of ours in a row lead back to before the first. */
function remember({ path, before, after, bare }: Change, made: readonly string[], env: Env): void {
  if (after === undefined) return;
  if (before !== undefined) keepBackup(path, before, env);
  const known = readBefore(path, env);
  const own = ifAsLeft(before, known);
  const folders = made.filter((folder) => path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`));
  keepBefore(
    path,
    own
      ? { ...own, after: [sha256(before ?? ""), sha256(after)] }
      : {
          text: bare ?? before,
          after: [sha256(after)],
          folders: folders.length > 0 ? folders : (known?.folders ?? []),
        },
    env,
  );
}

function forget({ path, after }: Change, env: Env): void {
  const folders = readBefore(path, env)?.folders ?? [];
  if (after === undefined) for (const folder of folders.toReversed()) removeIfEmpty(folder);
  forgetBefore(path, env);
}

function removePart(path: string): void {
  try {
    rmSync(partOf(path), { force: true });
  } catch {
    // Nothing we made; why it failed is said by what failed first.
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody has put something into it.
  }
}

export type CarryOut = (changes: readonly Change[]) => void;

/**
 * One installs at a time, from the first look at a file to the last change where nobody has to be asked in between.
 * Where no lock can be had nothing can be changed, but it can be found that nothing has to be.
 */
export function holding<T>(env: Env, work: (carry: CarryOut) => T): T {
  const lock = takeLock(env);
  try {
    return work((changes) => {
      if (changes.length === 0) return;
      if (lock instanceof ConfigTrouble) throw lock;
      carryOut(changes, env);
    });
  } finally {
    if (!(lock instanceof ConfigTrouble)) lock.close();
  }
}

/** The system takes the lock back from whoever dies. While somebody has it, what is seen proves nothing. */
function takeLock(env: Env): LockedFile | ConfigTrouble {
  for (
    const until = Date.now() + patience;
    ;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
  ) {
    const lock = tryLock(env);
    if (typeof lock !== "string") return lock;
    if (Date.now() > until)
      throw new ConfigTrouble("another hookline is changing the configuration; nothing was written");
  }
}

const patience = 10_000;

function tryLock(env: Env): LockedFile | "missing" | "busy" | ConfigTrouble {
  const folder = recordsFolder(env);
  const file = join(folder, "lock");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!lstatSync(file, { throwIfNoEntry: false })) makeEmpty(file);
    return openLocked(file);
  } catch (error) {
    return new ConfigTrouble(
      `no backup can be kept in ${folder} (${(error as { code?: string }).code ?? String(error)}); nothing was written`,
    );
  }
}

/** Whoever makes it first; a link that somebody has put there is not followed. */
function makeEmpty(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}
