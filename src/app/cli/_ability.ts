import { liveWorld } from "../../platform/live-world.ts";
import { realRoot } from "../../sources/trust.ts";
import { BadInput } from "../abilities/create-task.ts";
import { Unavailable } from "../abilities/implementation.ts";
import { TaskTrouble, type TaskStore } from "../abilities/task-store.ts";
import { orchestrator } from "../orchestrator.ts";
import { workspaceRoot } from "../workspace.ts";
import { type Given, UsageError } from "./_command.ts";

/** The tasks of the workspace we are in. */
export function tasksHere(): TaskStore {
  const { env } = process;
  const world = liveWorld(env);
  return { root: realRoot(workspaceRoot(process.cwd(), orchestrator("deny").host, world)), env, world };
}

/** The second word, which names what the action is about. */
export function subjectOf(given: Given, what: string): string {
  const [, subject, more] = given.words;
  if (subject === undefined) throw new UsageError(what);
  if (more !== undefined) throw new UsageError(`nobody knows what "${more}" is for; put it into quotes`);
  return subject;
}

/**
 * What was asked for cannot be done, as answer: `available: false` with the reason for programs, the same in words for people. Exit
 * 1: nothing is wrong with the command line.
 */
export function refusal(error: unknown, json: boolean): number {
  if (!(error instanceof Unavailable || error instanceof BadInput || error instanceof TaskTrouble))
    throw error;
  const suggestion = error instanceof Unavailable ? error.suggestion : undefined;
  if (json)
    console.log(
      JSON.stringify({
        available: false,
        reason: error.message,
        ...(error instanceof BadInput ? { problems: error.problems } : {}),
        ...(suggestion === undefined ? {} : { suggestion }),
      }),
    );
  else console.error(`hookline: ${error.message}${suggestion === undefined ? "" : `\n  ${suggestion}`}`);
  return 1;
}
