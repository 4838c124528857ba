import type { Json } from "../../core/json.ts";
import type { LockedFile } from "../../platform/files.ts";
import { redactText } from "../../secrets/redact.ts";
import { loadPolicy } from "../../policy/load-policy.ts";
import { trustOf } from "../../sources/trust.ts";
import { registry } from "../registry.ts";
import { runnableNamed } from "./create-task.ts";
import { execute, type Executed } from "./execute.ts";
import { fire, judgeCommand, type Fired, type Occasion } from "./gate.ts";
import { commandLineOf, trustedAs, type Runnable } from "./implementation.ts";
import { changeLast, finish, savePage, settle } from "./records.ts";
import { stateOf, toolCallPath, type Attempt, type Caller, type CallStatus, type Task } from "./task.ts";
import { checkKey, holdTask, readTask, TaskTrouble, writeTask, type TaskStore } from "./task-store.ts";
import { standBefore } from "./usage.ts";
import { clipped, inputSummary, outputSummary } from "./words.ts";

export interface HowToRun {
  readonly caller: Caller;
  /** Asks a person; absent where there is none, and a question is a refusal then. */
  readonly confirm?: (question: string) => Promise<boolean>;
  /** Also when the last run was broken off and may have done some of its work. */
  readonly again?: boolean;
  readonly cancel?: AbortSignal;
}

export interface RunResult {
  readonly key: string;
  readonly ability: string;
  readonly operation: string;
  readonly status: CallStatus;
  readonly detail?: string;
  readonly ms: number;
  readonly output?: unknown;
  readonly messages: readonly string[];
  readonly warnings: readonly string[];
  readonly toolCall: string;
}

/** A result for programs. */
export const runJson = ({
  key,
  ability,
  operation,
  status,
  detail,
  ms,
  output,
  messages,
  warnings,
  toolCall,
}: RunResult): Json => ({
  key,
  ability_id: ability,
  operation_key: operation,
  status,
  ...(detail === undefined ? {} : { detail }),
  duration_ms: ms,
  ...(output === undefined ? {} : { output }),
  ...(messages.length === 0 ? {} : { messages_to_user: messages }),
  ...(warnings.length === 0 ? {} : { warnings }),
  tool_call_path: toolCall,
});

/** Runs a task that was created, through the gate, and leaves its record. One run of a task at a time. */
export async function runTask(store: TaskStore, key: string, how: HowToRun): Promise<RunResult> {
  checkKey(key);
  const hold = await held(store, key);
  try {
    const { task, warnings } = settle(store, key);
    mayRun(store, task, how);
    const runnable = runnableNow(store, task);
    return await runHeld(store, task, runnable, how, warnings);
  } finally {
    hold.close();
  }
}

/** Whoever only looks has it for a moment. */
async function held(store: TaskStore, key: string): Promise<LockedFile> {
  const running = (): Attempt | undefined => {
    const last = readTask(store, key).attempts.at(-1);
    return last?.status === undefined ? last : undefined;
  };
  for (let at = 0; at < 20; at++) {
    running();
    const hold = holdTask(store, key);
    if (hold) return hold;
    if (at > 4 && running()) break;
    await Bun.sleep(25);
  }
  const by = running();
  const since = by ? ` since ${by.started} (process ${by.pid})` : "";
  throw new TaskTrouble(`the task ${key} is being run${since}; see hookline ability status ${key}`);
}

function mayRun(store: TaskStore, task: Task, { again }: HowToRun): void {
  const { key, ability } = task;
  const state = stateOf(task, false, store.world.now());
  const anew = `create it again (hookline ability create ${ability})`;
  if (state === "success") throw new TaskTrouble(`the task ${key} has been run and has succeeded; ${anew}`);
  if (state === "expired") throw new TaskTrouble(`the task ${key} has expired at ${task.expires}; ${anew}`);
  if (state === "interrupted" && !again)
    throw new TaskTrouble(
      `the last run of ${key} was broken off and may have done some of its work; look at ${toolCallPath(key)}, then say --again`,
    );
}

/** The registry as it is now must still be what the task was made for. */
function runnableNow(store: TaskStore, task: Task): Runnable {
  const runnable = runnableNamed(store, task.ability, task.environment);
  if (runnable.digest !== task.definition)
    throw new TaskTrouble(
      `the registry of ${task.ability} has changed since ${task.key} was created; delete the task and create it again`,
    );
  const { state, why } = trustOf(trustedAs(runnable), store.root, store.env);
  if (state !== "trusted")
    throw new TaskTrouble(
      `${task.ability} may not run: ${why}. A person can look at it with \`hookline trust\` and let it run.`,
    );
  return runnable;
}

async function runHeld(
  store: TaskStore,
  created: Task,
  runnable: Runnable,
  how: HowToRun,
  before: readonly string[],
): Promise<RunResult> {
  const started = performance.now();
  const attempt: Attempt = {
    number: created.attempts.length + 1,
    started: new Date(store.world.now()).toISOString(),
    pid: process.pid,
    caller: how.caller,
  };
  let task: Task = { ...created, attempts: [...created.attempts, attempt] };
  writeTask(store, task);
  const unwritten = savePage(store, task, true);
  const gate = await throughGate(store, task, runnable, how);
  const executed: Executed | undefined =
    gate.refused === undefined
      ? await execute(runnable, task, {
          root: store.root,
          env: store.env,
          httpHosts: gate.httpHosts,
          ...(how.cancel ? { cancel: how.cancel } : {}),
        })
      : undefined;
  const ms = executed?.ms ?? performance.now() - started;
  const status: CallStatus = executed?.status ?? "skipped";
  const detail = executed ? executed.detail : gate.refused;
  const notes = [...gate.notes, ...(executed?.notes ?? [])];
  const told: string[] = [...gate.messages];
  const troubles = [...before, ...unwritten];
  try {
    task = changeLast(store, task, {
      ended: new Date(store.world.now()).toISOString(),
      status,
      ms,
      before: standBefore(store, task.ability),
      ...(detail === undefined ? {} : { detail }),
      ...(executed
        ? {
            output: clipped(redactText(executed.text.slice(0, 200_000)).text, 10_000),
            summary: outputSummary(executed.output, executed.text),
          }
        : {}),
      ...(notes.length === 0 ? {} : { notes }),
    });
    savePage(store, task);
    const { recorded, messages, trouble } = await tell(store, task, runnable);
    told.push(...messages);
    troubles.push(...trouble);
    task = changeLast(store, task, { hookRecorded: recorded });
    troubles.push(...finish(store, task).warnings);
  } catch (error) {
    // It is over and cannot be undone; whoever called has to know how it went, and that it is not on record.
    troubles.push(`it is not on record: ${error instanceof Error ? error.message : String(error)}`);
  }
  return {
    key: task.key,
    ability: task.ability,
    operation: task.operation,
    status,
    ms: Math.round(ms),
    messages: [...new Set(told)],
    warnings: [...new Set(troubles)],
    toolCall: toolCallPath(task.key),
    ...(detail === undefined ? {} : { detail }),
    ...(executed ? { output: executed.output } : {}),
  };
}

interface Gate {
  /** Why it may not run. */
  readonly refused?: string;
  readonly messages: readonly string[];
  readonly notes: readonly string[];
  readonly httpHosts: readonly string[];
}

/** Asks policy and hooks whether it may run, and a person where they say so. Whoever calls, the gate is the same. */
async function throughGate(store: TaskStore, task: Task, runnable: Runnable, how: HowToRun): Promise<Gate> {
  const { confirm } = how;
  const occasion = occasionOf(store, task, confirm ? "allow" : "deny");
  let messages: readonly string[] = [];
  try {
    const { policy } = await loadPolicy(store.root, store.env, registry);
    const { httpHosts } = policy.handlers;
    const fired = await fire("PreAbilityCall", contextOf(store, task, runnable), occasion);
    messages = fired.messages;
    const judged = await judgedBy(runnable, occasion);
    const replies = [fired.reply, judged];
    const no = replies.find(({ outcome, stop }) => outcome === "block" || stop !== undefined);
    const refuse = (refused: string): Gate => ({ refused, messages, notes: [], httpHosts });
    if (no) return refuse(`blocked: ${no.reason || no.stop || "blocked by policy"}`);
    const silent = runnable.entry.hooks.preCall.filter((id) => !fired.heard.includes(id));
    if (silent[0] !== undefined)
      return refuse(
        `blocked: the hook ${silent.join(", ")}, which ${task.ability} asks for before every call, did not run`,
      );
    if (how.cancel?.aborted) return refuse("it was cancelled before it began");
    const questions = replies.flatMap(({ outcome, reason }) => (outcome === "ask" ? [reason] : []));
    if (questions.length === 0) return { messages, notes: noted(fired), httpHosts };
    if (confirm && (await confirm(questions.join("\n\n"))))
      return { messages, notes: [...noted(fired), `confirmed: ${questions.join(" ")}`], httpHosts };
    return refuse(`not confirmed: ${questions.join(" ")}`);
  } catch (error) {
    // What cannot be asked has not said yes.
    const why = error instanceof Error ? error.message : String(error);
    return { refused: `blocked: the gate failed (${why})`, messages, notes: [], httpHosts: [] };
  }
}

const noted = ({ messages }: Fired): string[] => messages.map((message) => `hook: ${message}`);

function judgedBy(runnable: Runnable, occasion: Occasion) {
  const { invocation } = runnable;
  return invocation.kind === "api"
    ? judgeCommand("WebFetch", { url: invocation.url }, occasion)
    : judgeCommand("Bash", { command: commandLineOf(runnable, occasion.root) }, occasion);
}

const occasionOf = ({ root, env }: TaskStore, { environment }: Task, ask: Occasion["ask"]): Occasion => ({
  root,
  env,
  environment,
  ask,
});

/** What both events say of a call. */
function baseOf({ root, world }: TaskStore, task: Task, { implementation, entry }: Runnable): Json {
  const { key, ability, operation, session, stage, environment, parent, attempts } = task;
  return {
    session_id: session ?? "",
    timestamp: new Date(world.now()).toISOString(),
    repository_root: root,
    ability_id: ability,
    operation_key: operation,
    environment,
    task_key: key,
    tool_call_path: toolCallPath(key),
    caller: attempts.at(-1)?.caller,
    implementation: { id: implementation.id, kind: implementation.kind },
    ...(entry.version === undefined ? {} : { ability_version: entry.version }),
    ...(stage === undefined ? {} : { stage }),
    ...(parent === undefined ? {} : { parent_task_key: parent }),
  };
}

const contextOf = (store: TaskStore, task: Task, runnable: Runnable): Json => ({
  ...baseOf(store, task, runnable),
  event_type: "PreAbilityCall",
  planned_input_summary: inputSummary(task.input, task.reason),
});

interface Told {
  readonly recorded: boolean;
  readonly messages: readonly string[];
  readonly trouble: readonly string[];
}

/** Tells hooks how it went. What goes wrong there changes nothing about how it went. */
async function tell(store: TaskStore, task: Task, runnable: Runnable): Promise<Told> {
  const { status, ms = 0, detail, summary } = task.attempts.at(-1) ?? {};
  const context: Json = {
    ...baseOf(store, task, runnable),
    event_type: "PostAbilityCall",
    status,
    duration_ms: Math.round(ms),
    input_summary: inputSummary(task.input, task.reason),
    output_summary: [outputSummary(undefined, detail ?? ""), summary].filter(Boolean).join(" | "),
  };
  try {
    const { usageRecorded, messages } = await fire(
      "PostAbilityCall",
      context,
      occasionOf(store, task, "deny"),
    );
    return { recorded: usageRecorded, messages, trouble: [] };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { recorded: false, messages: [], trouble: [`hooks could not be told how it went: ${why}`] };
  }
}
