import { beforeTool, type Event } from "../../core/event.ts";
import type { Json } from "../../core/json.ts";
import { isInside } from "../../core/paths.ts";
import { defineRule, type Yield } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { roleOf } from "../../workflow/ralph-roles.ts";
import { callEffects } from "../../workflow/ralph-calls.ts";
import { logFile } from "../../workflow/ralph-layout.ts";
import { loggedSession, logEntry, readLog, shortened } from "../../workflow/ralph-logs.ts";
import {
  errorOf,
  failedCall,
  isToldTwice,
  linesSince,
  retriedCall,
  retryBudget,
  waitAfter,
  type FailedCall,
  type RetriedCall,
} from "../../workflow/ralph-recovery.ts";
import { logHookError } from "./_hook-errors.ts";
import { repeatedFailure } from "./_repeated-failure.ts";

const session = ".ralph-sessions/260215-173319";
const call = { agent: "Ralph-v2-Executor", prompt: "MODE: EXECUTE\nTASK_ID: task-1" };
const failures = (count: number) => ({
  [`${session}/metadata.yaml`]: "iteration: 1\n",
  [`${session}/logs/recovery.jsonl`]: Array.from(
    { length: count },
    (_, at) =>
      `${JSON.stringify({ timestamp: "2026-02-15T18:00:00.000Z", key: "Ralph-v2-Executor|EXECUTE|task-1", attempt: `a${at}`, decision: "retry" })}\n`,
  ).join(""),
});

export default defineRule({
  summary:
    "Counts how often a subagent call has failed, says how long to wait, and forces replanning or splitting in the end.",
  why: "A task that fails again and again does not get better by being tried again.",
  since: "0.1.0",
  outcome: "block",
  presets: { "ralph/p1": {} },
  on: { events: [...beforeTool, "ErrorOccurred", "PostToolUse", "PostToolUseFailure"] },
  options: (v) =>
    v.strictObject({
      max_retries: v.pipe(
        v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
        v.description(
          "How often a call may be tried again; else the instructions' `max_subagent_retries`, else 4.",
        ),
      ),
      enforce_backoff: v.pipe(
        v.optional(v.boolean(), false),
        v.description("Refuse a retry that comes before its time, instead of warning."),
      ),
      repeats: v.pipe(
        v.optional(v.pipe(v.number(), v.integer(), v.minValue(2)), 3),
        v.description("How often the same tool call must fail to be flagged for review."),
      ),
    }),
  catalogue: {
    number: 22,
    title: "Retry Budget Guard",
    tier: "P1",
    lifecycle: "ErrorOccurred",
    serves: "recovery",
  },
  messages: {
    split: {
      what: "{task} has failed {failures} times, and its {budget} retries are used up.",
      instead:
        "Do not call {subagent} for {task} again. Call Ralph-v2-Planner with `MODE: REBREAKDOWN_TASK` and `TASK_ID: {task}`: it splits the task into 2 to 4 smaller ones, and marks {task} [C] “split due to failures” in progress.md.",
    },
    replan: {
      what: "{subagent} has failed {failures} times, and its {budget} retries are used up.",
      instead:
        "Do not repeat the call. Plan again with a narrower scope: call Ralph-v2-Planner with `MODE: UPDATE`, or stop with an error and ask the user what to leave out.",
    },
    retry: {
      what: "{what} has failed ({failures} of {most}).",
      why: "The error was: {error}",
      instead: "Wait {wait} s, then call it again: this is retry {failures} of {budget}.",
    },
    early: {
      what: "retry {failures} of {what} comes {left} s too early.",
      instead: "Wait {left} s first, for example with `sleep {left}`.",
    },
    repeated: {
      what: "the same call of `{tool}` has failed {times} times.",
      why: "It is flagged in `logs/recovery.jsonl` for the recovery review.",
      instead: "Do not repeat it unchanged: find the cause, or mark the task [F] and say what is missing.",
    },
    ledger: {
      what: "`{path}` would change `logs/recovery.jsonl`, from which failures are counted.",
      why: "A budget that whoever spends it can refill is none.",
      instead: "Leave the log to the hooks; a task that was split or planned anew starts from nothing.",
    },
    noted: { what: "{key}: {decision} is in `logs/recovery.jsonl`." },
  },
  examples: {
    catches: [
      { files: failures(5), delegate: call },
      { files: failures(4), event: "PostToolUseFailure", delegate: call, error: "the subagent timed out" },
      { files: failures(0), event: "PostToolUseFailure", delegate: call, error: "the subagent timed out" },
      { files: failures(5), shell: `rm ${session}/logs/recovery.jsonl` },
    ],
    allows: [
      { files: failures(4), delegate: call },
      { files: failures(5), delegate: { ...call, prompt: "MODE: EXECUTE\nTASK_ID: task-2" } },
      {
        files: failures(5),
        delegate: { agent: "Ralph-v2-Planner", prompt: "MODE: REBREAKDOWN_TASK\nTASK_ID: task-1" },
      },
      { event: "PostToolUseFailure", delegate: call, error: "the subagent timed out" },
    ],
  },
  onFailure: logHookError(22),
  *check({ event, world, options }) {
    const id = loggedSession(event, world);
    if (id === undefined) return;
    // An error that names no call belongs to the one that is not done yet.
    for (const effect of callEffects(event, world)) yield { effect };
    const budget = retryBudget(event.root, id, options.max_retries, world);
    const failed = failedCall(event, id, world);
    if (event.name === "PreToolUse" || event.name === "PermissionRequest")
      yield* beforeCall(event, id, budget, options.enforce_backoff, world);
    else if (!failed) yield* afterSuccess(event, id, world);
    else if (failed.subagent === undefined && event.name !== "ErrorOccurred")
      yield* repeatedFailure(event, id, options.repeats, world);
    else yield* afterFailure(event, id, failed, budget, world);
  },
});

type Said = Iterable<Yield<"split" | "replan" | "retry" | "early" | "repeated" | "noted" | "ledger">>;

function* beforeCall(event: Event, id: string, budget: number, enforced: boolean, world: World): Said {
  yield* ledgerChanges(event, id, world);
  if (!event.actions.some(({ kind }) => kind === "delegate")) return;
  const call = retriedCall(event, id, world);
  const lines = linesSince(event.root, id, "recovery.jsonl", call, world);
  const failures = lines.length;
  if (failures === 0) return;
  if (failures > budget) {
    yield exhausted(call, failures, budget);
    return;
  }
  const since = world.now() - Date.parse(String(lines.at(-1)?.["timestamp"]));
  // A clock that was set back makes nobody wait longer than the whole step.
  const left = Math.ceil(waitAfter(failures) - Math.max(0, since) / 1000);
  if (!(left > 0)) return;
  const data = { failures, what: nameOf(call), left };
  yield enforced ? { message: "early", data } : { message: "early", outcome: "warn", data };
}

/** The file itself, or a folder it goes away with. */
function* ledgerChanges(event: Event, id: string, world: World): Said {
  const ledger = world.realPath(logFile(event.root, id, "recovery.jsonl"));
  for (const action of event.actions) {
    if ((action.kind !== "write" && action.kind !== "delete") || !action.target) continue;
    const { real, given: path } = action.target;
    if (real === ledger || (action.kind === "delete" && isInside(real, ledger)))
      yield { message: "ledger", data: { path } };
  }
}

function* afterFailure(event: Event, id: string, failed: FailedCall, budget: number, world: World): Said {
  const before = linesSince(event.root, id, "recovery.jsonl", failed, world);
  if (isToldTwice(event, id, failed, before.at(-1), world)) return;
  const failures = before.length + 1;
  const isOver = failures > budget;
  const wait = waitAfter(failures);
  const entry = {
    ...entryOf(
      failed,
      isOver ? (failed.task === undefined || isPlanning(failed) ? "replan" : "split") : "retry",
    ),
    failures,
    budget,
    kind: failed.isTimeout ? "timeout" : "error",
    wait_seconds: isOver ? null : wait,
    // What a person looks for when a session has to be brought back on its way.
    tag: isOver ? "recovery" : null,
    error: shortened(failed.error),
  };
  yield { effect: logEntry(event, world, id, "recovery.jsonl", entry) };
  if (isOver) {
    yield exhausted(failed, failures, budget);
    return;
  }
  const [error, most] = [failed.error.slice(0, 200).replaceAll(/\s+/g, " "), budget + 1];
  yield {
    message: "retry",
    outcome: "warn",
    data: { what: nameOf(failed), failures, most, error, wait, budget },
  };
}

/** A call that works again starts from nothing, and so does a task that was planned anew. */
function* afterSuccess(event: Event, id: string, world: World): Said {
  if (event.name !== "PostToolUse" || errorOf(event) !== undefined) return;
  if (!event.actions.some(({ kind }) => kind === "delegate")) return;
  const call = retriedCall(event, id, world);
  const isFailing = linesSince(event.root, id, "recovery.jsonl", call, world).length > 0;
  const isAnew = isPlanning(call) && readLog(logFile(event.root, id, "recovery.jsonl"), world).length > 0;
  const decision = isAnew ? "planned" : isFailing ? "recovered" : undefined;
  if (decision === undefined) return;
  yield { effect: logEntry(event, world, id, "recovery.jsonl", { ...entryOf(call, decision), tag: null }) };
  yield { message: "noted", outcome: "pass", data: { key: call.key, decision } };
}

const isPlanning = ({ subagent = "", mode = "" }: RetriedCall): boolean =>
  roleOf(subagent) === "Planner" &&
  ["REBREAKDOWN_TASK", "SPLIT_TASK", "REBREAKDOWN", "UPDATE"].includes(mode);

const entryOf = (call: RetriedCall, decision: string): Json => ({
  key: call.key,
  attempt: call.attempt ?? null,
  subagent: call.subagent ?? null,
  task_id: call.task ?? null,
  decision,
});

const nameOf = ({ subagent, task }: RetriedCall): string =>
  subagent === undefined ? "the agent" : task === undefined ? subagent : `${subagent} for ${task}`;

function exhausted(call: RetriedCall, failures: number, budget: number): Yield<"split" | "replan"> {
  const data = { subagent: call.subagent ?? "the agent", task: call.task ?? "", failures, budget };
  // A planner that cannot split a task is not told to let the planner split it.
  return call.task === undefined || isPlanning(call)
    ? { message: "replan", data }
    : { message: "split", data };
}
