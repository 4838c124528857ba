import { describe } from "bun:test";
import { ruleTester } from "../../testing/rule-tester.ts";

const session = ".ralph-sessions/260215-173319";
const tasks = `${session}/iterations/1/tasks`;
const files = { [`${tasks}/task-1.md`]: "x", [`${session}/metadata.yaml`]: "iteration: 1\n" };
const call = (prompt: string, agent = "Ralph-v2-Executor") => ({ delegate: { agent, prompt } });

describe("S0-R21 S0-R87..R89 a subagent is called only for a task that has a file", () => {
  ruleTester("ralph/task-file-existence-check", {
    catches: [
      {
        title: "the iteration of the call, not the session's",
        files,
        ...call("MODE: EXECUTE TASK_ID: task-1 ITERATION: 2"),
        message: "missing",
        outcome: "block",
        data: { reason: "Task file not found: iterations/2/tasks/task-1.md" },
      },
      {
        title: "the session of the call",
        files,
        ...call("SESSION_PATH: .ralph-sessions/260216-000000/\nTASK_ID: task-1"),
      },
      { title: "as JSON", files, ...call('{"MODE":"EXECUTE","TASK_ID":"task-2","ITERATION":1}') },
      {
        title: "a second task of a call that names two",
        files,
        ...call("MODE: EXECUTE\nTASK_ID: task-1, task-2"),
        count: 1,
      },
      {
        title: "other letters",
        files: { [`${session}/x`]: "" },
        ...call("MODE: EXECUTE\nTASK_ID: task-1", "ralph_v2_REVIEWER"),
        message: "missing",
      },
      {
        title: "a folder in place of the file",
        files: { [`${tasks}/task-1.md/x`]: "" },
        ...call("MODE: EXECUTE\nTASK_ID: task-1"),
        message: "missing",
      },
      {
        title: "an empty file is only warned of",
        files: { [`${tasks}/task-1.md`]: "" },
        ...call("MODE: TASK_REVIEW\nTASK_ID: task-1", "Ralph-v2-Reviewer"),
        message: "empty",
        outcome: "warn",
      },
      {
        title: "S0-R90 a link loop in place of the tasks",
        files: { [`${session}/x`]: "" },
        links: { [`${session}/iterations`]: "iterations" },
        ...call("MODE: EXECUTE\nTASK_ID: task-1"),
        fails: "crash",
      },
    ],
    allows: [
      { title: "an agent of somebody else", files, ...call("TASK_ID: task-9", "code-executor") },
      {
        title: "a task that is only spoken of",
        files,
        ...call("MODE: EXECUTE\nTASK_ID: task-1 (after task-9)"),
      },
      {
        title: "a link to the file",
        files: { [`${session}/t.md`]: "x" },
        links: { [`${tasks}/task-1.md`]: "../../../t.md" },
        ...call("MODE: EXECUTE\nTASK_ID: task-1"),
      },
      {
        title: "several sessions of which none is known to be ours",
        files: { ...files, ".ralph-sessions/260216-000000/x": "" },
        ...call("MODE: EXECUTE\nTASK_ID: task-9"),
      },
      { title: "the end of a call", files, event: "PostToolUse", ...call("MODE: EXECUTE\nTASK_ID: task-9") },
    ],
  });
});
