import { join } from "node:path";
import type { Event } from "../../core/event.ts";
import { defineRule } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { currentIteration } from "../../workflow/ralph-iteration.ts";
import { iterationFiles, sessionFiles } from "../../workflow/ralph-layout.ts";
import { loggedSession, logEntry, shortened } from "../../workflow/ralph-logs.ts";
import { currentStatuses, progressOf } from "../../workflow/ralph-progress.ts";
import { failedCall, type FailedCall } from "../../workflow/ralph-recovery.ts";
import { logHookError } from "./_hook-errors.ts";

const session = ".ralph-sessions/260215-173319";
const files = {
  [`${session}/metadata.yaml`]: "iteration: 1\n",
  [`${session}/iterations/1/progress.md`]: "- [/] task-1\n",
  [`${session}/iterations/1/tasks/task-1.md`]: "# task-1\n",
};

export default defineRule({
  summary:
    "Keeps a copy of `progress.md`, `metadata.yaml` and the active task file in `logs/failures/` when something fails.",
  why: "What the session looked like when it failed is gone as soon as somebody goes on with it.",
  since: "0.1.0",
  outcome: "warn",
  presets: { "ralph/p1": {} },
  on: { events: ["ErrorOccurred", "PostToolUse", "PostToolUseFailure"] },
  options: (v) => v.strictObject({}),
  catalogue: {
    number: 23,
    title: "Failure Snapshot",
    tier: "P1",
    lifecycle: "ErrorOccurred",
    serves: "recovery",
  },
  messages: { kept: { what: "the session as it was is in `{folder}`." } },
  examples: {
    catches: [
      { files, event: "ErrorOccurred", error: "model call failed" },
      {
        files,
        event: "PostToolUseFailure",
        delegate: { agent: "Ralph-v2-Executor", prompt: "MODE: EXECUTE\nTASK_ID: task-1" },
        error: "the subagent timed out",
      },
    ],
    allows: [
      { files, event: "PostToolUse", shell: "npm test", output: "ok" },
      { event: "ErrorOccurred", error: "model call failed" },
    ],
  },
  onFailure: logHookError(23),
  *check({ event, world }) {
    const id = loggedSession(event, world);
    const failed = id === undefined ? undefined : failedCall(event, id, world);
    if (id === undefined || !failed) return;
    const entry = {
      error: shortened(failed.error),
      kind: event.error?.kind ?? (failed.isTimeout ? "timeout" : "error"),
      subagent: failed.subagent ?? null,
      task_id: failed.task ?? null,
      cwd: event.cwd,
    };
    yield { effect: logEntry(event, world, id, "errors.log", entry) };
    const { logs } = sessionFiles(event.root, id);
    const copies = ssotFiles(event.root, id, failed, world);
    if (copies.length === 0 || isKept(event, failed, join(logs, "failures"), copies, world)) return;
    const name = `${new Date(world.now()).toISOString().replaceAll(/[:.]/g, "-")}-${(event.tool?.name ?? "agent").replaceAll(/\W+/g, "-")}`;
    const folder = join(logs, "failures", name);
    for (const { from, as } of copies) yield { effect: { do: "copy", from, path: join(folder, as) } };
    yield {
      effect: {
        do: "log",
        path: join(folder, "failure.json"),
        entry: { session_id: id, event: event.name, ...entry },
      },
    };
    yield { message: "kept", outcome: "pass", data: { folder: `logs/failures/${name}` } };
  },
});

interface Copy {
  readonly from: string;
  readonly as: string;
}

/** The single sources of truth, and the task that failed; of an error that names none, every task in progress. */
function ssotFiles(root: string, id: string, { task }: FailedCall, world: World): Copy[] {
  const { folder, metadata } = sessionFiles(root, id);
  const iteration = currentIteration(folder, world) ?? 1;
  const own = iterationFiles(folder, iteration);
  const progress = [own.progress, join(folder, "progress.md")].find((path) => world.stat(path) !== undefined);
  const active =
    task !== undefined
      ? [task]
      : [...currentStatuses(progressOf(folder, iteration, world)?.tasks ?? [])]
          .filter(([, { status }]) => status === "/")
          .map(([each]) => each);
  const tasks = active
    .filter((each) => /^[\w-]+$/.test(each))
    .map((each): Copy => ({
      from: [own.task(each), join(folder, "tasks", `${each}.md`)].find((path) => world.stat(path)) ?? "",
      as: `${each}.md`,
    }));
  return [
    ...(world.stat(metadata) ? [{ from: metadata, as: "metadata.yaml" }] : []),
    ...(progress === undefined ? [] : [{ from: progress, as: "progress.md" }]),
    ...tasks.filter(({ from }) => from !== ""),
  ];
}

/** A command that fails is daily work: it is worth a copy only when the session has changed since the last one. */
function isKept(
  event: Event,
  failed: FailedCall,
  folder: string,
  copies: readonly Copy[],
  world: World,
): boolean {
  if (event.name === "ErrorOccurred" || failed.subagent !== undefined || failed.isTimeout) return false;
  const last = (world.list(folder) ?? []).toSorted().at(-1);
  return (
    last !== undefined &&
    copies.every(({ from, as }) => world.digest(from) === world.digest(join(folder, last, as)))
  );
}
