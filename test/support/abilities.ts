import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { hooked } from "./hooks.ts";
import type { Ran, Workspace } from "./hookline.ts";

/** Files of a low-level ability: its registry file and a shell script. */
export const ability = (
  id: string,
  body: string,
  more = "",
  invocation = "",
): Readonly<Record<string, string>> => ({
  [`.system/registry/low-level/${id}.yaml`]: `operation_key: ${id}
kind: script
version: "1.2"
summary: For a test.
${more}implementations:
  - id: ${id}.local
    kind: script
    invocation:
      command: ./scripts/abilities/${id}.sh
${invocation}`,
  [`scripts/abilities/${id}.sh`]: `#!/bin/sh\n${body}\n`,
});

export interface AbilityPlace extends Workspace {
  read(file: string): string;
  /** Makes a task and gives its key. */
  create(id: string, input?: object, ...more: readonly string[]): Promise<string>;
  runTask(key: string, ...more: readonly string[]): Promise<Ran>;
  /** The records of one event. */
  fired(event: string): Record<string, any>[];
}

/** A workspace with abilities and hooks, all of them trusted. */
export async function able(
  files: Readonly<Record<string, string>>,
  how: { trust?: boolean } = {},
): Promise<AbilityPlace> {
  const w = await hooked(files, how);
  const made: AbilityPlace = {
    ...w,
    read: (file) => readFileSync(w.path(file), "utf8"),
    async create(id, input = {}, ...more) {
      const ran = await w.run(["ability", "create", id, "--input", JSON.stringify(input), "--json", ...more]);
      if (ran.exitCode !== 0) throw new Error(`create failed: ${ran.stdout}${ran.stderr}`);
      return ran.json().key;
    },
    runTask: (key, ...more) => w.run(["ability", "run", key, "--json", ...more]),
    fired: (event) => w.records().filter((record) => record["event"]?.name === event),
  };
  return made;
}

export const trustAll = async (w: Workspace): Promise<void> => {
  const { exitCode, stderr } = await w.run(["trust", "--yes"]);
  if (exitCode !== 0) throw new Error(stderr);
};

export const makeExecutable = (w: Workspace, file: string): void => chmodSync(w.path(file), 0o755);

/** Whatever has a place below a folder. */
export function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true }).map(String).toSorted();
  } catch {
    return [];
  }
}

/** Waits until something holds; a test that waits for ever is ended by its runner. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await Bun.sleep(10);
}

/** Whether a process is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // What has ended and was not yet collected by its parent does nothing any more.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
