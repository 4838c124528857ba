import { beforeTool } from "../../core/event.ts";
import { defineRule } from "../../core/rule.ts";
import { readInvocation } from "../../workflow/ralph-invocation.ts";
import { roleOf } from "../../workflow/ralph-roles.ts";
import { logHookError } from "./_hook-errors.ts";

export default defineRule({
  summary: "Lets a Ralph reviewer be called for one task at a time.",
  why: "A review of several tasks in one call judges none of them properly.",
  since: "0.1.0",
  outcome: "block",
  presets: { "ralph/p1": {} },
  on: { events: beforeTool, actions: ["delegate"] },
  options: (v) => v.strictObject({}),
  catalogue: {
    number: 10,
    title: "Reviewer Single-Task Guard",
    tier: "P1",
    lifecycle: "PreTool",
    serves: "scope",
  },
  messages: {
    several: {
      what: "the reviewer is called for {count} tasks at once ({tasks}).",
      instead: "Call it once for each task.",
    },
  },
  examples: {
    catches: [
      { delegate: { agent: "Ralph-v2-Reviewer", prompt: "MODE: TASK_REVIEW\nTASK_ID: task-1, task-2" } },
      { delegate: { agent: "Ralph-v2-Reviewer", prompt: "TASK_ID: task-1 ITERATION: 1 TASK_ID: task-3" } },
    ],
    allows: [
      { delegate: { agent: "Ralph-v2-Reviewer", prompt: "TASK_ID: task-1\nIt depends on task-2." } },
      { delegate: { agent: "Ralph-v2-Executor", prompt: "TASK_ID: task-1, task-2" } },
      { delegate: { agent: "Ralph-v2-Reviewer", prompt: "MODE: SESSION_REVIEW" } },
    ],
  },
  yieldsTo: ["ralph/single-mode-guard"],
  onFailure: logHookError(10),
  *check({ event }) {
    for (const action of event.actions) {
      if (action.kind !== "delegate" || roleOf(action.agent ?? "") !== "Reviewer") continue;
      const { taskIds: tasks } = readInvocation(action.prompt);
      if (tasks.length > 1)
        yield { message: "several", data: { count: tasks.length, tasks: tasks.slice(0, 5).join(", ") } };
    }
  },
});
