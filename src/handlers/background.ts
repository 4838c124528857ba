import { join } from "node:path";
import type { Handler } from "../core/hook.ts";
import { nodeFs, readText } from "../platform/files.ts";
import { newId } from "../platform/id.ts";
import { stateFolder, type Env } from "../platform/places.ts";
import { writeNew } from "../platform/write-new.ts";
import { spare } from "./_processes.ts";
import { runCommand } from "./command.ts";

/** What a process that outlives us needs to know. */
interface Job {
  readonly handler: Extract<Handler, { kind: "command" }>;
  readonly input: string;
  readonly cwd: string;
  readonly timeoutMs: number;
}

/** In a folder agents are kept out of: whoever writes here says what runs. */
const fileOf = (id: string, env: Env): string => join(stateFolder(env), "jobs", `${id}.json`);

/** Starts a hook that nobody waits for, with somebody to end it at its time limit. */
export function startInBackground(job: Job, variables: Env, env: Env): void {
  const id = newId();
  writeNew(fileOf(id, env), JSON.stringify(job));
  const child = Bun.spawn([process.execPath, "background", id], {
    cwd: job.cwd,
    env: variables,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
    detached: true,
  });
  spare(child.pid);
  child.unref();
}

/** The process that does wait. */
export async function runInBackground(id: string, env: Env): Promise<number> {
  if (!/^[\w-]+$/.test(id)) return 2;
  const file = fileOf(id, env);
  const job = JSON.parse(readText(file, 64 * 1024 * 1024) ?? "null") as Job | null; // we wrote it ourselves
  nodeFs().rmSync(file, { force: true });
  if (!job) return 2;
  const { handler, input, cwd, timeoutMs } = job;
  const { ended, exitCode } = await runCommand(handler, { input, cwd, env, timeoutMs });
  return ended === "exit" ? (exitCode ?? 0) : 1;
}
