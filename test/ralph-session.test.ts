import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { workspace, type Workspace } from "./support/hookline.ts";
import { ralphAgent, type Dialect, type RalphAgent, type Said } from "./support/ralph-agent.ts";

const id = "260215-173319";
const session = `.ralph-sessions/${id}`;
const one = `${session}/iterations/1`;
const two = `${session}/iterations/2`;
const batch = `${two}/feedbacks/20260216-101500`;

const read = (ws: Workspace, path: string) => readFileSync(ws.path(path), "utf8");
const log = (ws: Workspace, name: string): any[] =>
  existsSync(ws.path(`${session}/logs/${name}`))
    ? read(ws, `${session}/logs/${name}`)
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];

const metadata = `version: 1
session_id: "${id}"
created_at: "2026-02-15T17:33:19+07:00"
updated_at: "2026-02-15T17:33:19+07:00"
iteration: 1
status: in_progress
orchestrator:
  state: INITIALIZING
  current_wave: null
tasks:
  total: 0
  completed: 0
  failed: 0
  pending: 0
`;
const iteration = (n: number, started: string) =>
  `version: 1\niteration: ${n}\nstarted_at: "${started}"\nplanning_complete: false\nplanning_completed_at: null\ncompleted_at: null\ntasks_defined: 0\n`;
const legend =
  "- `[ ]` Not started\n- `[/]` In progress\n- `[P]` Pending review\n- `[x]` Completed\n- `[F]` Failed\n- `[C]` Cancelled\n";
const progress = `# Progress\n\n## Legend\n${legend}\n## Planning Progress (Iteration 1)\n- [/] plan-init\n- [ ] plan-brainstorm\n- [ ] plan-research\n- [ ] plan-breakdown\n\n## Implementation Progress (Iteration 1)\n\n## Iterations\n| Iteration | Status | Tasks | Feedbacks |\n|---|---|---|---|\n| 1 | in progress | 0 | 0 |\n`;
const replanned = `# Progress\n\n## Legend\n${legend}\n## Replanning Progress (Iteration 2)\n- [ ] plan-rebrainstorm\n- [ ] plan-reresearch\n- [ ] plan-update\n- [ ] plan-rebreakdown\n\n## Implementation Progress (Iteration 2)\n\n## Iterations\n| Iteration | Status | Tasks | Feedbacks |\n|---|---|---|---|\n| 2 | in progress | 1 | 1 |\n`;
const task = (n: number, on = "") =>
  `---\nid: task-${n}\niteration: 1\ntype: Sequential\ncreated_at: "2026-02-15T17:45:00+07:00"\nupdated_at: "2026-02-15T17:45:00+07:00"\n---\n# task-${n}\n## Files\n- src/a${n}.ts\n## Success Criteria\n- [ ] it works\n## Dependencies\n- depends_on: [${on}]\n`;
const feedbacks =
  "---\niteration: 2\ntimestamp: 2026-02-16T10:15:00+07:00\n---\n# Feedback Batch: 20260216-101500\n\n## Critical Issues\n- ISS-001: it crashes\n\n## Quality Issues\n\n## New Requirements\n\n## Artifacts Index\n| File | Description |\n|---|---|\n| `crash.log` | the crash |\n";

/** What an agent does wrong before it does it right, by the name of the step. */
type Faults = (step: string, agent: RalphAgent) => Promise<void>;

const state = (agent: RalphAgent, from: string, to: string) =>
  agent.edit(`${session}/metadata.yaml`, `state: ${from}`, `state: ${to}`);
const mark = (agent: RalphAgent, file: string, from: string, to: string) =>
  agent.edit(`${file}/progress.md`, from, to);

/** One task from its start to its judgement. */
async function work(agent: RalphAgent, n: number, folder: string, by: "tool" | "shell"): Promise<void> {
  await state(agent, "BATCHING", "EXECUTING_BATCH");
  const header = `SESSION_PATH: ${session}/\nITERATION: ${folder === one ? 1 : 2}\nTASK_ID: task-${n}`;
  await agent.call("Ralph-v2-Executor", `MODE: EXECUTE\n${header}`, async (executor) => {
    await mark(executor, folder, `- [ ] task-${n}`, `- [/] task-${n} (Attempt 1)`);
    if (by === "tool") await executor.write(`src/a${n}.ts`, `export const a${n} = ${n};\n`);
    else await executor.shell(`mkdir -p src && printf 'export const a${n} = ${n};\\n' > src/a${n}.ts`);
    await executor.write(
      `${folder}/reports/task-${n}-report.md`,
      `---\ntask_id: task-${n}\nattempt: 1\n---\n# PART 1\ndone\n`,
    );
    await mark(executor, folder, `- [/] task-${n} (Attempt 1)`, `- [P] task-${n} review-pending`);
    return `status: completed task-${n}`;
  });
  await state(agent, "EXECUTING_BATCH", "REVIEWING_BATCH");
  await agent.call("Ralph-v2-Reviewer", `MODE: TASK_REVIEW\n${header}`, async (reviewer) => {
    await reviewer.shell(`test -s src/a${n}.ts`);
    await reviewer.edit(`${folder}/reports/task-${n}-report.md`, "done\n", "done\n# PART 2\nqualified\n");
    await mark(reviewer, folder, `- [P] task-${n} review-pending`, `- [x] task-${n} qualified`);
    return "verdict: qualified";
  });
  await state(agent, "REVIEWING_BATCH", "BATCHING");
}

/** Initialise, plan, batch, execute, review, feedback, replan, complete. */
async function script(agent: RalphAgent, fault: Faults): Promise<void> {
  const { ws } = agent;
  await agent.start();
  await agent.prompt(`Work on Ralph session ${id}: add three modules.`);
  await fault("initialise", agent);
  await agent.call(
    "Ralph-v2-Planner",
    `MODE: INITIALIZE\nSESSION_PATH: ${session}/\nUSER_REQUEST: add three modules`,
    async (planner) => {
      await planner.write(`${session}/metadata.yaml`, metadata);
      await planner.write(
        `.ralph-sessions/${id}.instructions.md`,
        `---\napplyTo: "${session}/**"\n---\n## Retries\n- max_subagent_retries: 2\n## Target Files\n- \`src/**\`\n`,
      );
      await planner.write(`${one}/metadata.yaml`, iteration(1, "2026-02-15T17:33:20+07:00"));
      await planner.write(`${one}/plan.md`, "# Plan\n");
      await planner.write(`${one}/progress.md`, progress);
      await mark(planner, one, "- [/] plan-init", "- [x] plan-init");
      return "status: completed";
    },
  );
  await state(agent, "INITIALIZING", "PLANNING");
  for (const mode of ["brainstorm", "research"])
    await agent.call("Ralph-v2-Questioner", `MODE: ${mode}\nCYCLE: 1\nITERATION: 1`, async (questioner) => {
      await questioner.write(`${one}/questions/${mode}.md`, "- Q-001: which modules?\n");
      await mark(questioner, one, `- [ ] plan-${mode}`, `- [x] plan-${mode}`);
      return "status: completed";
    });
  await fault("plan", agent);
  await agent.call("Ralph-v2-Planner", "MODE: TASK_BREAKDOWN\nITERATION: 1", async (planner) => {
    for (const [n, on] of [
      [1, ""],
      [2, "task-1"],
      [3, "task-1"],
    ] as const)
      await planner.write(`${one}/tasks/task-${n}.md`, task(n, on));
    await mark(
      planner,
      one,
      "(Iteration 1)\n\n## Iterations",
      "(Iteration 1)\n- [ ] task-1\n- [ ] task-2\n- [ ] task-3\n\n## Iterations",
    );
    await mark(planner, one, "- [ ] plan-breakdown", "- [x] plan-breakdown");
    await planner.edit(
      `${one}/metadata.yaml`,
      "planning_complete: false\nplanning_completed_at: null",
      'planning_complete: true\nplanning_completed_at: "2026-02-15T17:50:00+07:00"',
    );
    return "status: completed";
  });
  await state(agent, "PLANNING", "BATCHING");
  await fault("batch", agent);
  await work(agent, 1, one, "tool");
  await fault("execute", agent);
  await work(agent, 2, one, "shell");
  await mark(agent, one, "- [ ] task-3", "- [/] task-3");
  await mark(agent, one, "- [/] task-3", "- [F] task-3 failed");
  await fault("review", agent);
  await state(agent, "BATCHING", "SESSION_REVIEW");
  await agent.call("Ralph-v2-Reviewer", "MODE: SESSION_REVIEW\nITERATION: 1", async (reviewer) => {
    await reviewer.write(`${one}/review.md`, "# Review\n## Overall Assessment\nPartial\n");
    await reviewer.edit(
      `${one}/metadata.yaml`,
      "completed_at: null",
      'completed_at: "2026-02-15T19:00:00+07:00"',
    );
    return "assessment: Partial";
  });
  await agent.edit(`${session}/metadata.yaml`, "status: in_progress", "status: awaiting_feedback");
  await state(agent, "SESSION_REVIEW", "KNOWLEDGE_EXTRACTION");
  await agent.call("Ralph-v2-Librarian", "MODE: STAGE\nITERATION: 1", async (librarian) => {
    await librarian.write(`${one}/knowledge/reference/modules.md`, "---\ncategory: reference\n---\n");
    return "staged: 1";
  });
  await state(agent, "KNOWLEDGE_EXTRACTION", "KNOWLEDGE_APPROVAL");
  // A person approves, while the agent waits.
  expect((await ws.run(["signal", "send", "APPROVE", "looks good"])).exitCode).toBe(0);
  const approved = await agent.prompt("continue");
  expect(approved.context).toContain("Live signal APPROVE");
  await state(agent, "KNOWLEDGE_APPROVAL", "COMPLETE");
  await fault("feedback", agent);
  // A person gives feedback; the agent's tools have no part in it.
  ws.write(`${batch}/crash.log`, "boom\n");
  ws.write(`${batch}/feedbacks.md`, feedbacks);
  await agent.prompt("there is feedback");
  await agent.edit(
    `${session}/metadata.yaml`,
    "iteration: 1\nstatus: awaiting_feedback\norchestrator:\n  state: COMPLETE",
    "iteration: 2\nstatus: in_progress\norchestrator:\n  state: REPLANNING",
  );
  await agent.call(
    "Ralph-v2-Planner",
    `MODE: UPDATE\nITERATION: 2\nFEEDBACK_PATHS: ${batch}`,
    async (planner) => {
      await planner.write(`${two}/metadata.yaml`, iteration(2, "2026-02-16T10:20:00+07:00"));
      await planner.write(`${two}/plan.md`, "# Plan\n\n## Replanning History (Iteration 2)\n");
      await planner.write(`${two}/progress.md`, replanned);
      for (const name of ["rebrainstorm", "reresearch", "update", "rebreakdown"])
        await mark(planner, two, `- [ ] plan-${name}`, `- [x] plan-${name}`);
      await planner.edit(`${one}/plan.md`, "# Plan\n", "# Plan\n\nSuperseded by iteration 2.\n");
      await planner.write(`${two}/tasks/task-4.md`, task(4));
      await mark(
        planner,
        two,
        "(Iteration 2)\n\n## Iterations",
        "(Iteration 2)\n- [ ] task-4\n\n## Iterations",
      );
      return "status: completed";
    },
  );
  await state(agent, "REPLANNING", "BATCHING");
  await work(agent, 4, two, "tool");
  await state(agent, "BATCHING", "SESSION_REVIEW");
  await agent.write(`${two}/review.md`, "# Review\n## Overall Assessment\nComplete\n");
  await agent.edit(`${session}/metadata.yaml`, "status: in_progress", "status: completed");
  await state(agent, "SESSION_REVIEW", "KNOWLEDGE_EXTRACTION");
  await state(agent, "KNOWLEDGE_EXTRACTION", "COMPLETE");
  await agent.end();
}

const states = [
  "INITIALIZING",
  "PLANNING",
  ...Array.from({ length: 2 }, () => ["BATCHING", "EXECUTING_BATCH", "REVIEWING_BATCH"]).flat(),
  "BATCHING",
  "SESSION_REVIEW",
  "KNOWLEDGE_EXTRACTION",
  "KNOWLEDGE_APPROVAL",
  "COMPLETE",
  "REPLANNING",
  "BATCHING",
  "EXECUTING_BATCH",
  "REVIEWING_BATCH",
  "BATCHING",
  "SESSION_REVIEW",
  "KNOWLEDGE_EXTRACTION",
  "COMPLETE",
];

/** The files of the session and of the project when all is done, whatever went wrong on the way. */
function expectFiles(ws: Workspace): void {
  for (const name of ["signals/inputs", "signals/processed", "logs"])
    expect(existsSync(ws.path(`${session}/${name}`))).toBe(true);
  expect(read(ws, `${session}/metadata.yaml`)).toMatch(
    /iteration: 2\nstatus: completed\norchestrator:\n {2}state: COMPLETE\n/,
  );
  expect(read(ws, `${session}/metadata.yaml`)).toMatch(/^hook_policy_version: "?0\.1\.0\+[0-9a-f]{12}/m);
  expect(read(ws, `${one}/progress.md`)).toContain(
    "- [x] task-1 qualified\n- [x] task-2 qualified\n- [F] task-3 failed\n",
  );
  expect(read(ws, `${two}/progress.md`)).toContain("- [x] task-4 qualified\n");
  expect(read(ws, `${one}/plan.md`)).toBe("# Plan\n\nSuperseded by iteration 2.\n");
  for (const n of [1, 2, 4]) expect(read(ws, `src/a${n}.ts`)).toBe(`export const a${n} = ${n};\n`);
  for (const n of [1, 2])
    expect(read(ws, `${one}/reports/task-${n}-report.md`)).toContain("# PART 2\nqualified\n");
  expect(readdirSync(ws.path(`${session}/signals/inputs`))).toEqual([]);
}

const lastOf = (lines: any[], path: string) => lines.findLast((line) => line.path === path);
const digest = (text: string) => createHash("sha256").update(text).digest("hex");

function expectLogs(ws: Workspace): void {
  const chain = log(ws, "state-transitions.jsonl");
  expect(chain.map((line) => line.next_state)).toEqual(states);
  chain.slice(1).forEach((line, at) => expect(line.previous_state).toBe(states[at]));
  expect(log(ws, "session.log").filter((line) => line.kind === "start")).toMatchObject([
    { session_id: id, cwd: ws.root },
  ]);
  const prompts = log(ws, "prompts.log").map((line) => line.prompt);
  expect(prompts).toContain(`Work on Ralph session ${id}: add three modules.`);
  expect(log(ws, "prompts.index.jsonl").map((line) => line.prompt_hash)).toEqual(prompts.map(digest));
  const usage = log(ws, "tool-usage.jsonl");
  expect(usage.every((line) => line.session_id === id && ["success", "failure"].includes(line.status))).toBe(
    true,
  );
  for (const path of ["src/a1.ts", "src/a2.ts", `${two}/review.md`])
    expect(lastOf(log(ws, "checksums.jsonl"), path)).toMatchObject({ sha256: digest(read(ws, path)) });
  const answers = log(ws, "subagent-digests.jsonl").map((line) => line.sha256);
  for (const n of [1, 2, 4]) expect(answers).toContain(digest(`status: completed task-${n}`));
  expect(log(ws, "hook-errors.jsonl")).toEqual([]);
}

describe.each(["claude-code", "copilot"] as const)(
  "a whole Ralph session in the words of %s",
  (dialect: Dialect) => {
    // Some three hundred processes one after the other.
    const patience = 180_000;
    const policy =
      "extends: ralph/all\nrules:\n  ralph/retry-budget-guard:\n    options: { max_retries: 1 }\n";

    test(
      "S0-R119 S0-R5 S0-R113 every valid write goes through, and every file and log is as it should be",
      async () => {
        using ws = workspace({ "hookline.yaml": policy, ".ralph-sessions/.active-session": `${id}\n` });
        const agent = ralphAgent(ws, dialect);
        await script(agent, async () => {});
        expect(agent.said.flatMap(({ denied }) => denied ?? [])).toEqual([]);
        // Not one warning either, but for what the workflow itself says is worth one.
        expect(
          agent.said.flatMap(({ context }) => (context.includes("Warning from") ? context : [])),
        ).toEqual([]);
        expectFiles(ws);
        expectLogs(ws);
        for (const name of [
          "policy-denials.jsonl",
          "errors.log",
          "timeouts.jsonl",
          "recovery.jsonl",
          "manual-edits.md",
        ])
          expect([name, existsSync(ws.path(`${session}/logs/${name}`))]).toEqual([name, false]);
        expect(readdirSync(ws.path(`${session}/signals/processed`))).toHaveLength(1);
        expect(
          JSON.parse(
            read(ws, `.ralph-sessions/.hook-bindings/${dialect === "copilot" ? "c0de" : "5f0c"}-main.json`),
          ),
        ).toMatchObject({ ralph_session_id: id });
        expect((await ws.run(["verify"])).exitCode).toBe(0);
        expect((await ws.run(["replay"])).stdout).toContain(" 0 stricter, 0 milder, 0 with other findings");
      },
      patience,
    );

    test(
      "S0-R44 S0-R116 S0-R118 with every fault on the way each guard speaks, and the session comes to the same end",
      async () => {
        using ws = workspace({ "hookline.yaml": policy, ".ralph-sessions/.active-session": `${id}\n` });
        const agent = ralphAgent(ws, dialect);
        const reasons: string[] = [];
        const refused = (said: Said, reason: string): void => {
          expect(said.denied ?? "(not refused)").toContain(reason);
          reasons.push(said.denied ?? "");
        };
        const faults: Readonly<Record<string, () => Promise<void>>> = {
          async initialise() {
            refused(await agent.prompt("x".repeat(60_000)), "KB");
            refused(
              await agent.write(`${session}/metadata.yaml`, "version: [1\n"),
              "metadata.yaml is not a valid YAML mapping",
            );
            refused(
              await agent.write(`${session}/metadata.yaml`, metadata.replace("INITIALIZING", "STARTING")),
              "Invalid orchestrator.state 'STARTING'",
            );
            refused(await agent.write("../outside.txt", "x"), "outside workspace root");
            refused(
              await agent.call("Ralph-v2-Planner", "MODE: INITIALIZE\nMODE: UPDATE"),
              "Multiple MODEs detected: [INITIALIZE, UPDATE]",
            );
          },
          async plan() {
            refused(await agent.write(`${one}/plan.md`, "# My own plan\n"), "is written already");
            refused(
              await agent.edit(
                `${one}/metadata.yaml`,
                "completed_at: null",
                'completed_at: "2026-02-14T00:00:00Z"',
              ),
              "completed_at",
            );
          },
          async batch() {
            refused(
              await agent.call("Ralph-v2-Executor", "MODE: EXECUTE\nTASK_ID: task-1, task-2"),
              "Multiple TASK_IDs detected: [task-1, task-2]. Each subagent call must handle exactly one task.",
            );
            refused(
              await agent.call("Ralph-v2-Reviewer", "MODE: TASK_REVIEW\nTASK_ID: task-1\nTASK_ID: task-2"),
              "task-1",
            );
            refused(
              await agent.call("Ralph-v2-Executor", "MODE: EXECUTE\nTASK_ID: task-99\nITERATION: 1"),
              "Task file not found: iterations/1/tasks/task-99.md",
            );
            refused(
              await state(agent, "BATCHING", "SESSION_REVIEW"),
              "SESSION_REVIEW is closed while tasks remain: task-1 [ ], task-2 [ ], task-3 [ ]",
            );
            refused(await mark(agent, one, "- [ ] task-1", "- [✓] task-1"), "Invalid status");
            refused(await agent.shell("rm -rf src"), "rm -rf");
            refused(await agent.write("lib/a.ts", "x"), "allowlist");
          },
          async execute() {
            const inputs = `${session}/signals/inputs`;
            refused(
              await agent.write(`${inputs}/signal.260215-180000.yaml`, "type: INVALID\nmessage: test\n"),
              "Invalid signal type 'INVALID'. Must be one of: STEER, PAUSE, ABORT, INFO, APPROVE, SKIP",
            );
            ws.write(`${inputs}/signal.260215-180000.yaml`, "type: STEER\ntarget: Planner\nmessage: first\n");
            ws.write(`${inputs}/signal.260215-180001.yaml`, "type: INFO\ntarget: Planner\nmessage: second\n");
            await agent.call("Ralph-v2-Librarian", "MODE: CURATE", async (librarian) => {
              expect((await librarian.shell("true")).denied).toBeUndefined();
              return "status: completed";
            });
            const planner = `mv ${inputs}/signal.260215-180001.yaml ${session}/signals/processed/`;
            ws.write(
              `${inputs}/signal.260215-175900.yaml`,
              "type: APPROVE\ntarget: ALL\nmessage: too early\n",
            );
            await ws.run(["signal", "poll", "--as", "Planner", "--max", "1"]);
            expect((await agent.shell(planner)).denied).toBeUndefined();
            refused(
              await agent.write(
                `${inputs}/signal.260215-170000.yaml`,
                "type: INFO\ntarget: ALL\nmessage: from the past\n",
              ),
              "is out of order",
            );
            ws.write(`${inputs}/.keep`, "");
            await agent.shell(`rm ${inputs}/signal.260215-175900.yaml ${inputs}/.keep`);
            expect((await ws.run(["signal", "send", "PAUSE", "hold on"])).exitCode).toBe(0);
            refused(await agent.shell("true"), "Paused by signal");
            expect((await ws.run(["signal", "send", "SKIP", "never mind"])).exitCode).toBe(0);
            expect((await agent.shell("true")).denied).toBeUndefined();
            const call = "MODE: EXECUTE\nTASK_ID: task-3\nITERATION: 1";
            for (let at = 0; at < 2; at++)
              await agent.call("Ralph-v2-Executor", call, async () => new Error("the subagent timed out"));
            refused(await agent.call("Ralph-v2-Executor", call), "MODE: REBREAKDOWN_TASK");
            await agent.error("TimeoutError", "the model timed out");
          },
          async review() {
            refused(await state(agent, "BATCHING", "DONE"), "Invalid orchestrator.state 'DONE'");
          },
          async feedback() {
            const text = feedbacks.replace("## Quality Issues\n\n", "");
            refused(
              await agent.write(`${batch}/feedbacks.md`, text),
              "feedbacks.md lacks the section '## Quality Issues'",
            );
            refused(
              await agent.write(`${batch}/feedbacks.md`, feedbacks),
              "Artifacts Index, row 1: 'crash.log' does not exist",
            );
            refused(
              await state(agent, "COMPLETE", "REPLANNING"),
              "REPLANNING needs feedback, and there is none in iterations/2/feedbacks/",
            );
            ws.write(`${batch}/feedbacks.md`, text);
            refused(await state(agent, "COMPLETE", "REPLANNING"), "lacks the section '## Quality Issues'");
          },
        };
        await script(agent, async (step) => faults[step]?.());
        expectFiles(ws);
        expectLogs(ws);
        const denied = agent.said.flatMap((said) => said.denied ?? []);
        expect(denied.toSorted()).toEqual(reasons.toSorted());
        const audited = log(ws, "policy-denials.jsonl");
        expect(audited.length).toBe(denied.length - 1); // the prompt is no tool
        expect(audited.every((line) => line.rule.includes("/") && line.reason.length > 20)).toBe(true);
        const rules = [...new Set(audited.flatMap((line) => [line.rule, ...line.also]))];
        for (const rule of [
          "ralph/path-allowlist",
          "ralph/ssot-write-guard",
          "ralph/single-mode-guard",
          "ralph/destructive-command-denylist",
          "ralph/task-file-existence-check",
          "ralph/progress-status-guard",
          "ralph/plan-snapshot-integrity-check",
          "ralph/iteration-metadata-guard",
          "ralph/retry-budget-guard",
          "ralph/replanning-trigger-guard",
          "ralph/session-review-gate",
          "ralph/feedback-schema-check",
          "ralph/feedback-artifact-index-check",
          "ralph/signal-schema-check",
          "ralph/signal-ordering-guard",
          "live-signals/delivery",
        ])
          expect(rules).toContain(rule);
        expect(log(ws, "timeouts.jsonl").map((line) => [line.task_id, line.call_count])).toEqual([
          ["task-3", 1],
          ["task-3", 2],
          [null, 1],
        ]);
        expect(log(ws, "errors.log").map((line) => line.error)).toEqual(
          expect.arrayContaining(["the subagent timed out", "TimeoutError: the model timed out"]),
        );
        expect(readdirSync(ws.path(`${session}/logs/failures`)).length).toBeGreaterThanOrEqual(3);
        expect((await ws.run(["ralph", "status"])).stdout).toContain(
          "Needs recovery: Ralph-v2-Executor|EXECUTE|task-3 (split after 2 failures)",
        );
        expect((await ws.run(["verify"])).exitCode).toBe(0);
        expect((await ws.run(["replay"])).stdout).toContain(" 0 stricter, 0 milder, 0 with other findings");
      },
      patience,
    );
  },
);
