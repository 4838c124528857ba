import { join } from "node:path";
import type { Json } from "../../core/json.ts";
import { redact } from "../../secrets/redact.ts";
import { carryOut } from "../effects.ts";
import { isRecorded, stateOf, toolCallPath, type Attempt, type Task, type TaskState } from "./task.ts";
import { holdTask, readTask, TaskTrouble, writeTask, type TaskStore } from "./task-store.ts";
import { toolCallPage } from "./tool-call-page.ts";
import { recordRun } from "./usage.ts";

/** Writes `tool_call.md` anew from the task. What cannot be written is said. */
export function savePage(store: TaskStore, task: Task, running = false): string[] {
  const path = join(store.root, toolCallPath(task.key));
  const text = toolCallPage(task, stateOf(task, running, store.world.now()));
  return carryOut([{ do: "replace", path, text }], store.root, store.world).flatMap(
    ({ error }) => error ?? [],
  );
}

/** The task with its last attempt changed, written down. */
export function changeLast(store: TaskStore, task: Task, change: Partial<Attempt>): Task {
  const changed = withLast(task, change);
  if (changed !== task) writeTask(store, changed);
  return changed;
}

function withLast(task: Task, change: Partial<Attempt>): Task {
  const last = task.attempts.at(-1);
  return last ? { ...task, attempts: [...task.attempts.slice(0, -1), { ...last, ...change }] } : task;
}

export interface Settled {
  readonly task: Task;
  readonly warnings: readonly string[];
}

/**
 * Finishes what somebody who was ended has left half done: a run without an end is marked as interrupted, and one that is not on
 * record yet is put there. Only for who holds the task.
 */
export function settle(store: TaskStore, key: string): Settled {
  let task = readTask(store, key);
  const last = task.attempts.at(-1);
  if (!last || isRecorded(last)) return { task, warnings: [] };
  if (last.status === undefined)
    task = changeLast(store, task, {
      ended: new Date(store.world.now()).toISOString(),
      status: "failure",
      interrupted: true,
      detail: "hookline was ended before it was known how it went; it may have done some of its work",
    });
  return finish(store, task);
}

export interface TaskNow {
  readonly task: Task;
  readonly state: TaskState;
}

/** A task as it stands at this moment, with what somebody has left half done finished. */
export function taskNow(store: TaskStore, key: string): TaskNow {
  const now = store.world.now();
  const task = readTask(store, key);
  const last = task.attempts.at(-1);
  if (!last || isRecorded(last)) return { task, state: stateOf(task, false, now) };
  const hold = holdSoon(store, key);
  if (!hold) return { task, state: "running" };
  try {
    const { task: whole } = settle(store, key);
    return { task: whole, state: stateOf(whole, false, now) };
  } finally {
    hold.close();
  }
}

/** For programs, with secrets masked. */
export function statusJson({ task, state }: TaskNow): Json {
  const { key, ability, operation, implementation, kind, environment, created, expires, attempts } = task;
  return redact({
    key,
    status: state,
    ability_id: ability,
    operation_key: operation,
    implementation,
    kind,
    environment,
    created,
    expires,
    ...(task.reason === undefined ? {} : { reason: task.reason }),
    ...(task.expect === undefined ? {} : { expect: task.expect }),
    ...(task.parent === undefined ? {} : { parent: task.parent }),
    ...(task.session === undefined ? {} : { session_id: task.session }),
    input: task.input,
    runs: attempts.map(({ number, started, ended, status, detail, ms, output, interrupted, caller }) => ({
      number,
      started,
      ended,
      status: interrupted ? "interrupted" : (status ?? "running"),
      detail,
      duration_ms: ms === undefined ? undefined : Math.round(ms),
      output,
      caller,
    })),
    feedback: task.feedback,
    tool_call_path: toolCallPath(key),
  }).value as Json; // an object stays one
}

/** Others who only look have it for a moment; whoever runs it has it for longer. */
function holdSoon(store: TaskStore, key: string): ReturnType<typeof holdTask> {
  for (let at = 0; at < 5; at++) {
    const hold = holdTask(store, key);
    if (hold) return hold;
    Bun.sleepSync(5);
  }
  return undefined;
}

/** Adds what somebody has to say about how a task went. */
export function addFeedback(store: TaskStore, key: string, text: string): void {
  if (text.trim() === "") throw new TaskTrouble("the feedback is empty");
  change(store, key, (task) => {
    const time = new Date(store.world.now()).toISOString();
    const changed = { ...task, feedback: [...task.feedback, { time, text: text.slice(0, 5000) }] };
    writeTask(store, changed);
    savePage(store, changed);
  });
}

/** Does something to a task that nobody is running. */
export function change(store: TaskStore, key: string, work: (task: Task) => void): void {
  readTask(store, key);
  const hold = holdSoon(store, key);
  if (!hold) throw new TaskTrouble(`the task ${key} is being run; wait for it, or end it first`);
  try {
    work(settle(store, key).task);
  } finally {
    hold.close();
  }
}

/** Puts the last run on record, once. What cannot be written is said, and left to whoever looks at the task next. */
export function finish(store: TaskStore, task: Task): Settled {
  const last = task.attempts.at(-1);
  if (!last) return { task, warnings: [] };
  const { logged, counted, warnings } = recordRun(store, task, last);
  const recorded = withLast(task, { logged, counted });
  // The page first: once the task says that all is on record, nobody looks after its page again.
  const unwritten = savePage(store, recorded);
  writeTask(store, recorded);
  return { task: recorded, warnings: [...warnings, ...unwritten] };
}
