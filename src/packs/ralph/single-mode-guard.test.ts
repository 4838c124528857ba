import { describe } from "bun:test";
import { ruleTester } from "../../testing/rule-tester.ts";

const call = (agent: string, prompt: string) => ({ delegate: { agent, prompt } });
const executor = (prompt: string) => call("Ralph-v2-Executor", prompt);
const reviewer = (prompt: string) => call("Ralph-v2-Reviewer", prompt);
const implicit = {
  options: { implicit_modes: { Executor: "EXECUTE", "Reviewer with TASK_ID": "TASK_REVIEW" } },
};

describe("S0-R17 S0-R80..R82 a subagent is called for one mode and one task", () => {
  ruleTester("ralph/single-mode-guard", {
    catches: [
      {
        ...executor("MODE: EXECUTE\r\nTASK_ID: task-1, task-2\r\n"),
        message: "tasks",
        outcome: "block",
        data: {
          reason:
            "Multiple TASK_IDs detected: [task-1, task-2]. Each subagent call must handle exactly one task.",
        },
        count: 1,
      },
      {
        ...executor("MODE: EXECUTE, TASK_REVIEW\nTASK_ID: task-1"),
        message: "modes",
        outcome: "block",
        data: {
          reason:
            "Multiple MODEs detected: [EXECUTE, TASK_REVIEW]. Each subagent call must handle exactly one mode.",
        },
        count: 1,
      },
      {
        ...executor("Implement task-1, please."),
        message: "noMode",
        outcome: "block",
        data: { reason: "No MODE detected. Each subagent call must handle exactly one mode." },
        count: 1,
      },
      { ...executor("MODE: EXECUTE\nMODE: UPDATE\nTASK_ID: task-1\nTASK_ID: task-2"), count: 2 },
      { ...executor("**MODE:** EXECUTE\n- **TASK_ID:** task-1\n- **TASK_ID:** task-2"), message: "tasks" },
      { ...executor("```\nMODE: EXECUTE\nTASK_IDS: [task-1, task-2]\n```"), message: "tasks" },
      { ...executor("```\nsome code\n```\nTASK_ID: task-1"), message: "noMode" },
      { ...executor(""), message: "noMode" },
      { ...reviewer("MODE: TASK_REVIEW\nTASK_ID: task-1 and task-2"), message: "tasks", count: 1 },
      { ...call("ralph-planner", "Make a plan."), message: "noMode" },
      { ...call("Explore", "MODE: EXECUTE\nMODE: UPDATE"), message: "modes" },
      { ...call("general-purpose", "TASK_ID: task-1\nTASK_ID: task-2"), message: "tasks", count: 1 },
      { delegate: { prompt: "MODE: EXECUTE\nTASK_ID: task-1, task-2" }, message: "tasks" },
      { event: "PermissionRequest", ...executor("MODE: EXECUTE MODE: UPDATE"), message: "modes" },
      {
        title: "more tasks than anybody wants to read",
        ...executor(
          `MODE: EXECUTE\nTASK_ID: ${Array.from({ length: 12 }, (_, at) => `task-${at}`).join(" ")}`,
        ),
        data: {
          reason: `Multiple TASK_IDs detected: [${Array.from({ length: 10 }, (_, at) => `task-${at}`).join(", ")}, …]. Each subagent call must handle exactly one task.`,
        },
      },
      {
        title: "one of two calls",
        operations: [
          { do: "delegate", agent: "Ralph-v2-Executor", prompt: "MODE: EXECUTE\nTASK_ID: task-1" },
          { do: "delegate", agent: "Ralph-v2-Executor", prompt: "MODE: EXECUTE\nTASK_ID: task-2, task-3" },
        ],
        count: 1,
      },
    ],
    allows: [
      executor(
        "SESSION_PATH: .ralph-sessions/260215-173319/ MODE: EXECUTE TASK_ID: task-1 ATTEMPT_NUMBER: 1",
      ),
      executor("MODE: EXECUTE\nTASK_ID: task-1\n\nDo not touch what `TASK_ID: task-2` does."),
      executor("MODE: EXECUTE\nTASK_ID: task-1\n\n```\nMODE: UPDATE\nTASK_ID: task-2\n```"),
      reviewer("MODE: TASK_REVIEW\nTASK_ID: task-1\nREPORT_PATH: reports/task-1-report.md"),
      reviewer("MODE: SESSION_REVIEW\nITERATION: 1"),
      call("Ralph-v2-Planner", "MODE: INITIALIZE\nUSER_REQUEST: a MODE: switch for light and dark"),
      call("Ralph-v2", "Go on with session 260215-173319."),
      call("general-purpose", "Find where MODE: DEV and MODE: PROD are told apart."),
      call("Explore", "```\nMODE: A\nMODE: B\n```"),
      { delegate: { prompt: "Look for TODOs." } },
      { shell: "echo 'MODE: EXECUTE MODE: UPDATE'" },
      { write: "prompt.md", text: "MODE: EXECUTE\nMODE: UPDATE\n" },
    ],
  });
});

describe("S0-C2 a call without a mode has one only where the policy says which", () => {
  ruleTester("ralph/single-mode-guard", {
    catches: [
      { ...executor("TASK_ID: task-7"), message: "noMode" },
      { ...reviewer("TASK_ID: task-7"), message: "noMode" },
      { ...reviewer("MODE:"), ...implicit, message: "noMode" },
      { ...call("Ralph-v2-Planner", "TASK_ID: task-7"), ...implicit, message: "noMode" },
      {
        ...reviewer("TASK_ID: task-7"),
        options: { implicit_modes: { Executor: "EXECUTE" } },
        message: "noMode",
      },
      { ...executor("MODE: EXECUTE\nMODE: UPDATE"), ...implicit, message: "modes", count: 1 },
      { ...executor("TASK_ID: task-1, task-2"), ...implicit, message: "tasks", count: 1 },
    ],
    allows: [
      { ...executor("TASK_ID: task-7"), ...implicit },
      { ...executor("Go on."), ...implicit },
      { ...reviewer("TASK_ID: task-7"), ...implicit },
      { ...reviewer("MODE: TIMEOUT_FAIL\nTASK_ID: task-7"), ...implicit },
      call("Ralph-v2-Questioner", "MODE: BRAINSTORM\nCYCLE: 1\nMODE: brainstorm"),
    ],
  });
});
