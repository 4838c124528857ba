import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { isObject } from "../../core/json.ts";
import { isInside } from "../../core/paths.ts";
import type { World } from "../../core/world.ts";
import { sha256 } from "../../platform/digest.ts";
import { errorCode, nodeFs, openLocked, readText, type LockedFile } from "../../platform/files.ts";
import { stateFolder, type Env } from "../../platform/places.ts";
import { writeNew } from "../../platform/write-new.ts";
import { isKey, type Task } from "./task.ts";

/**
 * Tasks lie in the user's state folder: an input may hold a secret, and whoever could write a task could say what runs. The
 * `tool_call.md` in the workspace is made from it, for people and agents to read.
 */
export interface TaskStore {
  /** The workspace, links followed. */
  readonly root: string;
  readonly env: Env;
  readonly world: World;
}

const implementFolder = ".system/implement";

const folderOf = ({ root, env }: TaskStore): string =>
  join(stateFolder(env), "abilities", sha256(root).slice(0, 32));

const fileOf = (store: TaskStore, key: string): string => join(folderOf(store), `${key}.json`);
const lockOf = (store: TaskStore, key: string): string => join(folderOf(store), `${key}.lock`);

const largest = 64 * 1024 * 1024;

/** Something about a task that whoever asked has to know. */
export class TaskTrouble extends Error {
  override readonly name = "TaskTrouble";
}

export function readTask(store: TaskStore, key: string): Task {
  checkKey(key);
  const text = readText(fileOf(store, key), largest);
  const found = text === undefined ? undefined : parsed(text);
  if (found) return found;
  if (text !== undefined)
    throw new TaskTrouble(`the task ${key} cannot be read; delete it and create it again`);
  const recorded = store.world.stat(join(store.root, implementFolder, key)) !== undefined;
  throw new TaskTrouble(
    recorded
      ? `the task ${key} was created by somebody else or on another machine; create it again here to run it`
      : `there is no task ${key} (hookline ability status)`,
  );
}

export function checkKey(key: string): void {
  if (!isKey(key))
    throw new TaskTrouble(
      `${JSON.stringify(key.slice(0, 80))} is no key of a task; expected one such as task-20260514-3f9a1c`,
    );
}

function parsed(text: string): Task | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && value["v"] === 1 && Array.isArray(value["attempts"])
      ? (value as unknown as Task) // we wrote it ourselves
      : undefined;
  } catch {
    return undefined;
  }
}

export function writeTask(store: TaskStore, task: Task): void {
  try {
    writeNew(fileOf(store, task.key), JSON.stringify(task));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new TaskTrouble(`the task ${task.key} cannot be written down: ${why}`);
  }
}

/** The keys of all tasks of the workspace, oldest first. */
export function taskKeys(store: TaskStore): string[] {
  try {
    return nodeFs()
      .readdirSync(folderOf(store))
      .flatMap((name) => (name.endsWith(".json") && isKey(name.slice(0, -5)) ? [name.slice(0, -5)] : []))
      .toSorted();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** A name nobody has had: a record may still speak of a task that was deleted. */
export function allocateKey(store: TaskStore, now: number): string {
  const fs = nodeFs();
  const folder = join(store.root, implementFolder);
  if (!isInside(store.root, store.world.realPath(folder)))
    throw new TaskTrouble(`${implementFolder} leads out of the workspace; nothing is written there`);
  fs.mkdirSync(folder, { recursive: true });
  const day = new Date(now).toISOString().slice(0, 10).replaceAll("-", "");
  for (;;) {
    const key = `task-${day}-${randomBytes(4).toString("hex")}`;
    try {
      fs.mkdirSync(join(folder, key));
      return key;
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }
}

/** Has a task for oneself until it is closed; nothing when somebody else has it. The system lets go of it for who dies. */
export function holdTask(store: TaskStore, key: string): LockedFile | undefined {
  const fs = nodeFs();
  const path = lockOf(store, key);
  fs.mkdirSync(folderOf(store), { recursive: true, mode: 0o700 });
  fs.closeSync(fs.openSync(path, "a", 0o600));
  const held = openLocked(path);
  return typeof held === "string" ? undefined : held;
}

/** Takes a task away with its record in the workspace. */
export function removeTask(store: TaskStore, key: string): void {
  const fs = nodeFs();
  const folder = join(store.root, implementFolder, key);
  if (!isInside(store.world.realPath(store.root), store.world.realPath(folder)))
    throw new TaskTrouble(`${implementFolder}/${key} leads out of the workspace; nothing was deleted`);
  fs.rmSync(folder, { recursive: true, force: true });
  fs.rmSync(fileOf(store, key), { force: true });
  fs.rmSync(lockOf(store, key), { force: true });
}
