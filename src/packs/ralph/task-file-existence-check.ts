import { join, resolve } from "node:path";
import type { InferOutput } from "valibot";
import { beforeTool } from "../../core/event.ts";
import { defineRule, type Judged, type SchemaLibrary } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { isRalphSubagent, roleOf } from "../../workflow/ralph-roles.ts";
import { sessionOfCall, toCall } from "../../workflow/ralph-calls.ts";
import { currentIteration } from "../../workflow/ralph-iteration.ts";
import { sessionFolder, sessionsFolder } from "../../workflow/ralph-layout.ts";
import { logHookError } from "./_hook-errors.ts";

const input = (v: SchemaLibrary) =>
  v.object({
    tool_name: v.string(),
    agent_target: v.string(),
    task_id: v.string(),
    session_path: v.string(),
    iteration: v.number(),
    workspace_root: v.optional(v.string()),
  });

const tasks = ".ralph-sessions/260215-173319/iterations/1/tasks";
const call = (prompt: string, agent = "Ralph-v2-Executor") => ({ delegate: { agent, prompt } });

export default defineRule({
  summary: "Lets an executor or reviewer be called only for a task that has a file.",
  why: "A subagent without its task makes one up, reads an old one, or fails without a word.",
  since: "0.1.0",
  outcome: "block",
  presets: { "ralph/p0": {} },
  on: { events: beforeTool, actions: ["delegate"] },
  options: (v) => v.strictObject({}),
  catalogue: {
    number: 13,
    title: "Task File Existence Check",
    tier: "P0",
    lifecycle: "PreTool",
    serves: "scope",
    risk: "undefined behavior",
  },
  messages: {
    missing: {
      what: "{reason}.",
      instead: "Have the planner write the task file, or call the subagent for a task that has one.",
    },
    empty: { what: "{reason}.", instead: "Check that the planner has finished the task." },
  },
  examples: {
    catches: [
      { ...call("MODE: EXECUTE\nTASK_ID: task-99\nITERATION: 1"), files: { [`${tasks}/task-1.md`]: "x" } },
      {
        ...call("MODE: TASK_REVIEW TASK_ID: task-2", "Ralph-v2-Reviewer"),
        files: { [`${tasks}/task-1.md`]: "x" },
      },
      { ...call("MODE: EXECUTE\nTASK_ID: task-1"), files: { [`${tasks}/task-1.md`]: "" } },
    ],
    allows: [
      { ...call("MODE: EXECUTE\nTASK_ID: task-1\nITERATION: 1"), files: { [`${tasks}/task-1.md`]: "x" } },
      {
        ...call("MODE: EXECUTE\nTASK_ID: task-1"),
        files: { ".ralph-sessions/260215-173319/tasks/task-1.md": "older than iterations" },
      },
      { ...call("MODE: SESSION_REVIEW", "Ralph-v2-Reviewer"), files: { [`${tasks}/task-1.md`]: "x" } },
      {
        ...call("MODE: REBREAKDOWN_TASK TASK_ID: task-9", "Ralph-v2-Planner"),
        files: { [`${tasks}/task-1.md`]: "x" },
      },
      call("MODE: EXECUTE\nTASK_ID: task-1"),
    ],
  },
  contract: { input, judge: judgeTask },
  onFailure: logHookError(13),
  *check({ event, world }) {
    for (const action of event.actions) {
      if (action.kind !== "delegate" || !isRalphSubagent(action.agent ?? "")) continue;
      const { subagent, taskIds, iteration } = toCall(action);
      if (taskIds.length === 0 || !needsTask(subagent)) continue;
      const id = sessionOfCall(event, action, world);
      if (id === undefined) continue;
      const session = sessionFolder(event.root, id);
      for (const task of taskIds.slice(0, 10)) {
        const { output } = judgeTask(
          {
            tool_name: "delegate",
            agent_target: subagent,
            task_id: task,
            session_path: `${sessionsFolder}/${id}/`,
            iteration: iteration ?? currentIteration(session, world) ?? 1,
            workspace_root: event.root,
          },
          world,
        );
        const data = { reason: output.reason ?? "", path: String(output["expected_path"]) };
        if (output.verdict === "BLOCK") yield { message: "missing", data };
        else if (output.verdict === "WARN") yield { message: "empty", outcome: "warn", data };
      }
    }
  },
});

const needsTask = (agent: string): boolean => ["Executor", "Reviewer"].includes(roleOf(agent) ?? "");

function judgeTask(given: InferOutput<ReturnType<typeof input>>, world: World): Judged {
  const { agent_target: agent, task_id: task, session_path: session, iteration } = given;
  const [wanted, older] = [`iterations/${iteration}/tasks/${task}.md`, `tasks/${task}.md`];
  // An id is a name; with a path in it, it names no task.
  const found = /^[\w-][\w.-]{0,199}$/.test(task)
    ? [wanted, older].find((name) => sizeOf(name) !== undefined)
    : undefined;
  const answer = (verdict: "PASS" | "WARN" | "BLOCK", reason: string | null): Judged => ({
    output: {
      verdict,
      reason,
      expected_path: join(session, found ?? wanted),
      file_exists: found !== undefined,
    },
  });
  if (!needsTask(agent)) return answer("PASS", null);
  if (found === undefined) return answer("BLOCK", `Task file not found: ${wanted}`);
  return sizeOf(found) === 0 ? answer("WARN", `Task file is empty: ${found}`) : answer("PASS", null);

  function sizeOf(name: string): number | undefined {
    const stat = world.stat(resolve(given.workspace_root ?? ".", session, name));
    return stat?.type === "file" ? stat.size : undefined;
  }
}
