import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { claude, workspace, type Workspace } from "./support/hookline.ts";

const id = "260215-173319";
const session = `.ralph-sessions/${id}`;

const running = {
  "hookline.yaml": "extends: ralph/all\n",
  [`${session}/metadata.yaml`]: `version: 3\nsession_id: "${id}"\niteration: 1\norchestrator:\n  state: EXECUTING_BATCH\n`,
  [`${session}/signals/inputs/.gitkeep`]: "",
  [`${session}/signals/processed/.gitkeep`]: "",
  [`${session}/iterations/1/progress.md`]:
    "# Progress\n\n- [x] task-1\n- [/] task-2 (Attempt 1, Iteration 1)\n",
  [`${session}/iterations/1/tasks/task-1.md`]: "# task-1\n",
  [`${session}/iterations/1/tasks/task-2.md`]: "# task-2\n",
};

const log = (ws: Workspace, name: string): any[] =>
  existsSync(ws.path(`${session}/logs/${name}`))
    ? readFileSync(ws.path(`${session}/logs/${name}`), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];

const call = {
  description: "x",
  subagent_type: "Ralph-v2-Executor",
  prompt: "MODE: EXECUTE\nTASK_ID: task-2\nITERATION: 1",
};
let attempts = 0;
const attempt = (ws: Workspace) => ({ ...claude(ws.root, "Task", call), tool_use_id: `toolu_${++attempts}` });
const failing = (payload: object, error = "The subagent timed out after 600 s") => ({
  ...payload,
  hook_event_name: "PostToolUseFailure",
  error,
});
const contextOf = (answer: any): string =>
  answer.hookSpecificOutput?.additionalContext ?? answer.additionalContext ?? "";

describe("recovery in Claude Code's dialect", () => {
  test("S0-R29 S0-R30 S0-F27 S0-C14 S0-C19 four retries at 0, 30, 60 and 60 seconds, then the task must be split", async () => {
    using ws = workspace(running);
    const said: string[] = [];
    for (let at = 0; at < 5; at++) {
      const payload = attempt(ws);
      const asked = await ws.run(["run"], payload);
      expect(asked.stdout).not.toContain('"deny"');
      said.push(contextOf((await ws.run(["run"], failing(payload))).json()));
    }
    expect(
      said
        .slice(0, 4)
        .map((text) => /Wait (\d+) s, then call it again: this is retry (\d) of 4/.exec(text)?.slice(1)),
    ).toEqual([
      ["0", "1"],
      ["30", "2"],
      ["60", "3"],
      ["60", "4"],
    ]);
    expect(said[4]).toContain("task-2 has failed 5 times, and its 4 retries are used up");
    expect(said[4]).toContain("MODE: REBREAKDOWN_TASK");
    expect(
      log(ws, "timeouts.jsonl").map((line) => [
        line.tool,
        line.task_id,
        line.call_count,
        line.backoff_step,
        line.backoff_seconds,
      ]),
    ).toEqual([
      ["Task", "task-2", 1, 1, 0],
      ["Task", "task-2", 2, 2, 30],
      ["Task", "task-2", 3, 3, 60],
      ["Task", "task-2", 4, 4, 60],
      ["Task", "task-2", 5, 4, 60],
    ]);
    expect(
      log(ws, "recovery.jsonl").map((line) => [line.decision, line.failures, line.wait_seconds, line.tag]),
    ).toEqual([
      ["retry", 1, 0, null],
      ["retry", 2, 30, null],
      ["retry", 3, 60, null],
      ["retry", 4, 60, null],
      ["split", 5, null, "recovery"],
    ]);
    const sixth = (await ws.run(["run"], attempt(ws))).json();
    expect(sixth.permissionDecision).toBe("deny");
    expect(sixth.permissionDecisionReason).toContain("TASK_ID: task-2");
  });

  test("S0-R30 S0-R116 the planner may be called, and a task it has split starts from nothing", async () => {
    using ws = workspace({
      ...running,
      "hookline.yaml":
        "extends: ralph/all\nrules:\n  ralph/retry-budget-guard:\n    options: { max_retries: 1 }\n",
    });
    for (let at = 0; at < 2; at++) await ws.run(["run"], failing(attempt(ws)));
    expect((await ws.run(["run"], attempt(ws))).json().permissionDecision).toBe("deny");
    const planner = claude(ws.root, "Task", {
      subagent_type: "Ralph-v2-Planner",
      prompt: "MODE: REBREAKDOWN_TASK\nTASK_ID: task-2",
    });
    expect((await ws.run(["run"], planner)).stdout).not.toContain('"deny"');
    await ws.run(["run"], {
      ...planner,
      hook_event_name: "PostToolUse",
      tool_response: "split into task-3 and task-4",
    });
    expect(log(ws, "recovery.jsonl").at(-1)).toMatchObject({ decision: "planned", task_id: "task-2" });
    expect((await ws.run(["run"], attempt(ws))).stdout).not.toContain('"deny"');
  });

  test("S0-R30 a call that works again starts from nothing", async () => {
    using ws = workspace(running);
    const payload = attempt(ws);
    await ws.run(["run"], failing(payload));
    await ws.run(["run"], { ...attempt(ws), hook_event_name: "PostToolUse", tool_response: "done" });
    expect(log(ws, "recovery.jsonl").map((line) => line.decision)).toEqual(["retry", "recovered"]);
    await ws.run(["run"], failing(attempt(ws)));
    expect(log(ws, "recovery.jsonl").at(-1)).toMatchObject({ decision: "retry", failures: 1 });
    expect(log(ws, "timeouts.jsonl").at(-1)).toMatchObject({ call_count: 1 });
  });

  test("S0-C14 the instructions set the budget, and the policy wins over them", async () => {
    const instructions = {
      [`.ralph-sessions/${id}.instructions.md`]: "## Retries\n- max_subagent_retries: 2\n",
    };
    using ws = workspace({ ...running, ...instructions });
    await ws.run(["run"], failing(attempt(ws)));
    expect(log(ws, "recovery.jsonl").at(-1)).toMatchObject({ budget: 2 });
    using other = workspace({
      ...running,
      ...instructions,
      "hookline.yaml":
        "extends: ralph/all\nrules:\n  ralph/retry-budget-guard:\n    options: { max_retries: 0 }\n",
    });
    await other.run(["run"], failing(attempt(other)));
    expect(log(other, "recovery.jsonl").at(-1)).toMatchObject({ budget: 0, decision: "split" });
  });

  test("a retry before its time is a warning, or refused where the policy says so", async () => {
    using ws = workspace(running);
    for (let at = 0; at < 2; at++) await ws.run(["run"], failing(attempt(ws)));
    expect(contextOf((await ws.run(["run"], attempt(ws))).json())).toMatch(
      /retry 2 of Ralph-v2-Executor for task-2 comes \d+ s too early/,
    );
    ws.write(
      "hookline.yaml",
      "extends: ralph/all\nrules:\n  ralph/retry-budget-guard:\n    options: { enforce_backoff: true }\n",
    );
    expect((await ws.run(["run"], attempt(ws))).json().permissionDecisionReason).toContain("too early");
  });

  test("S0-R30 a clock that was set back makes nobody wait longer than the step", async () => {
    using ws = workspace(running);
    for (let at = 0; at < 2; at++) await ws.run(["run"], failing(attempt(ws)));
    const path = `${session}/logs/recovery.jsonl`;
    ws.write(path, readFileSync(ws.path(path), "utf8").replace(/"timestamp":"\d{4}/g, '"timestamp":"2099'));
    expect(contextOf((await ws.run(["run"], attempt(ws))).json())).toContain("comes 30 s too early");
  });

  test("S0-R31 S0-R115 a failure leaves copies of progress, metadata and the active task, and a line in errors.log", async () => {
    using ws = workspace(running);
    await ws.run(["run"], failing(attempt(ws), "the subagent crashed"));
    const [folder = ""] = readdirSync(ws.path(`${session}/logs/failures`));
    const copy = (name: string) =>
      readFileSync(ws.path(`${session}/logs/failures/${folder}/${name}`), "utf8");
    expect(copy("progress.md")).toBe(running[`${session}/iterations/1/progress.md`] ?? "");
    expect(copy("metadata.yaml")).toBe(running[`${session}/metadata.yaml`] ?? "");
    expect(copy("task-2.md")).toBe("# task-2\n");
    expect(JSON.parse(copy("failure.json"))).toMatchObject({
      error: "the subagent crashed",
      task_id: "task-2",
    });
    expect(log(ws, "errors.log")).toMatchObject([
      { session_id: id, error: "the subagent crashed", kind: "error", cwd: ws.root },
    ]);
    expect(log(ws, "errors.log")[0].timestamp).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  test("S0-R31 a command that fails again is worth another copy only when the session has changed", async () => {
    using ws = workspace(running);
    const test = failing(claude(ws.root, "Bash", { command: "npm test" }), "Exit code 1\n2 failed");
    for (let at = 0; at < 3; at++) await ws.run(["run"], test);
    expect(readdirSync(ws.path(`${session}/logs/failures`))).toHaveLength(1);
    ws.write(`${session}/iterations/1/progress.md`, "# Progress\n\n- [x] task-1\n- [F] task-2\n");
    await ws.run(["run"], test);
    expect(readdirSync(ws.path(`${session}/logs/failures`))).toHaveLength(2);
    expect(log(ws, "errors.log")).toHaveLength(4);
  });

  test("S0-R114 the same call failing three times is flagged for the recovery review", async () => {
    using ws = workspace(running);
    const test = (command: string) => failing(claude(ws.root, "Bash", { command }), "Exit code 1\n2 failed");
    await ws.run(["run"], test("npm test"));
    await ws.run(["run"], test("npm run build"));
    expect((await ws.run(["run"], test("npm test"))).stdout).not.toContain("flagged");
    const third = contextOf((await ws.run(["run"], test("npm test"))).json());
    expect(third).toContain("the same call of `Bash` has failed 3 times");
    expect(log(ws, "recovery.jsonl")).toMatchObject([
      { decision: "flagged", failures: 3, tag: "recovery", args: { command: "npm test" } },
    ]);
  });

  test("what fails is masked in every log", async () => {
    using ws = workspace(running);
    const token = `ghp_${"a1B2c3D4e5".repeat(4)}`;
    await ws.run(["run"], failing(attempt(ws), `timed out with ${token}`));
    for (const name of ["errors.log", "recovery.jsonl", "timeouts.jsonl"])
      expect(readFileSync(ws.path(`${session}/logs/${name}`), "utf8")).not.toContain(token);
  });
});

describe("recovery in Copilot's dialect", () => {
  const copilot = (ws: Workspace, more: object) => ({
    sessionId: "c-1",
    timestamp: 1771173199000,
    cwd: ws.root,
    ...more,
  });
  const task = {
    agent_type: "Ralph-v2-Executor",
    description: "x",
    prompt: "MODE: EXECUTE\nTASK_ID: task-2\nITERATION: 1",
  };
  const starting = (ws: Workspace) => copilot(ws, { toolName: "task", toolArgs: JSON.stringify(task) });
  const timeout = (ws: Workspace) =>
    copilot(ws, {
      error: { name: "TimeoutError", message: "the agent timed out" },
      errorContext: "tool_execution",
      recoverable: true,
    });
  const on = (ws: Workspace, event: string, payload: object) =>
    ws.run(["run", "--host", "copilot", "--event", event], payload);

  test("S0-R29 S0-R30 S0-R115 an error belongs to the call that is not done; what the host cannot be told then, the next call is", async () => {
    using ws = workspace(running);
    for (let at = 0; at < 5; at++) {
      expect((await on(ws, "preToolUse", starting(ws))).stdout).not.toContain('"deny"');
      expect((await on(ws, "errorOccurred", timeout(ws))).exitCode).toBe(0);
    }
    expect(log(ws, "timeouts.jsonl").map((line) => [line.subagent, line.task_id, line.call_count])).toEqual(
      [1, 2, 3, 4, 5].map((count) => ["Ralph-v2-Executor", "task-2", count]),
    );
    expect(log(ws, "recovery.jsonl").at(-1)).toMatchObject({
      decision: "split",
      tag: "recovery",
      kind: "timeout",
    });
    const denied = (await on(ws, "preToolUse", starting(ws))).json();
    expect(denied.permissionDecision).toBe("deny");
    expect(denied.permissionDecisionReason).toContain("MODE: REBREAKDOWN_TASK");
    expect(log(ws, "errors.log")[0]).toMatchObject({
      error: "TimeoutError: the agent timed out",
      kind: "tool_execution",
    });
    expect(readdirSync(ws.path(`${session}/logs/failures`))).toHaveLength(5);
  });

  test("one failure that is told twice counts once", async () => {
    using ws = workspace(running);
    await on(ws, "preToolUse", starting(ws));
    await on(ws, "errorOccurred", timeout(ws));
    await on(ws, "postToolUseFailure", { ...starting(ws), error: "the agent timed out" });
    expect(log(ws, "timeouts.jsonl")).toHaveLength(1);
    expect(log(ws, "recovery.jsonl")).toHaveLength(1);
  });

  test("S0-R30 a planner that cannot split a task is not told to split it", async () => {
    using ws = workspace({
      ...running,
      "hookline.yaml":
        "extends: ralph/all\nrules:\n  ralph/retry-budget-guard:\n    options: { max_retries: 0 }\n",
    });
    const plan = {
      agent_type: "Ralph-v2-Planner",
      description: "x",
      prompt: "MODE: REBREAKDOWN_TASK\nTASK_ID: task-2",
    };
    const planning = copilot(ws, { toolName: "task", toolArgs: JSON.stringify(plan) });
    await on(ws, "postToolUseFailure", { ...planning, error: "boom" });
    const denied = (await on(ws, "preToolUse", planning)).json();
    expect(denied.permissionDecisionReason).toContain("ask the user what to leave out");
    expect(log(ws, "recovery.jsonl").at(-1)).toMatchObject({ decision: "replan" });
  });

  test("S0-R30 without a task the scope has to be narrowed", async () => {
    using ws = workspace({
      ...running,
      "hookline.yaml":
        "extends: ralph/all\nrules:\n  ralph/retry-budget-guard:\n    options: { max_retries: 0 }\n",
    });
    const plan = {
      agent_type: "Ralph-v2-Planner",
      description: "x",
      prompt: "MODE: TASK_BREAKDOWN\nITERATION: 1",
    };
    const planning = copilot(ws, { toolName: "task", toolArgs: JSON.stringify(plan) });
    await on(ws, "preToolUse", planning);
    await on(ws, "postToolUseFailure", { ...planning, error: "boom" });
    const denied = (await on(ws, "preToolUse", planning)).json();
    expect(denied.permissionDecisionReason).toContain("ask the user what to leave out");
  });
});
