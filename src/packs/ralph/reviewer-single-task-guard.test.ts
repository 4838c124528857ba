import { describe } from "bun:test";
import { ruleTester } from "../../testing/rule-tester.ts";

const reviewer = (prompt: string) => ({ delegate: { agent: "Ralph-v2-Reviewer", prompt } });

describe("S0-R18 a reviewer is called for one task at a time", () => {
  ruleTester("ralph/reviewer-single-task-guard", {
    catches: [
      reviewer("TASK_ID: task-1\nTASK_ID: task-2"),
      reviewer("TASK_IDS: task-1 task-2 task-3"),
      { delegate: { agent: "my-reviewer", prompt: "TASK_ID=task-1 and task-9" } },
    ],
    allows: [
      reviewer("TASK_ID: task-1 TASK_ID: task-1"),
      reviewer("TASK_ID: task-1 REASON: after task-2"),
      { delegate: { prompt: "TASK_ID: task-1, task-2" } },
      { event: "PreToolUse", shell: "echo TASK_ID: task-1, task-2" },
    ],
  });
});
