import { describe, expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { workspace, type Workspace } from "./support/hookline.ts";

const id = "260215-173319";
const session = `.ralph-sessions/${id}`;
const one = `${session}/iterations/1`;
const two = `${session}/iterations/2`;
const time = (minute: number): string => `2026-02-15T18:${String(minute).padStart(2, "0")}:00+0700`;

/** What a session does, in the words of no agent. */
type Step =
  | { readonly write: string; readonly text: string; readonly by?: string }
  | { readonly edit: string; readonly old: string; readonly new: string; readonly by?: string }
  | { readonly shell: string; readonly by?: string; readonly after?: (ws: Workspace) => void }
  | { readonly call: string; readonly prompt: string; readonly done?: true }
  | { readonly prompt: string }
  /** Somebody else does this, without any hook. */
  | { readonly human: (ws: Workspace) => void };

const metadata = (state: string, version: number, iteration = 1, status = "in_progress"): string =>
  [
    `version: ${version}`,
    `session_id: "${id}"`,
    `created_at: "${time(0)}"`,
    `updated_at: "${time(version)}"`,
    `iteration: ${iteration}`,
    `status: ${status}`,
    "orchestrator:",
    `  state: ${state}`,
    "  current_wave: null",
    "tasks: { total: 2, completed: 0, failed: 0, pending: 2 }",
    "",
  ].join("\n");

const progress = [
  "# Progress",
  "",
  "## Legend",
  "- `[ ]` Not started",
  "- `[/]` In progress",
  "- `[P]` Pending review",
  "- `[x]` Completed",
  "- `[F]` Failed",
  "- `[C]` Cancelled",
  "",
  "## Planning Progress (Iteration 1)",
  "- [x] plan-init",
  "- [ ] plan-brainstorm",
  "- [ ] plan-research",
  "- [ ] plan-breakdown",
  "",
  "## Implementation Progress (Iteration 1)",
  "",
  "## Iterations",
  "| Iteration | Status | Tasks | Feedbacks |",
  "|---|---|---|---|",
  "| 1 | in progress | 0 | 0 |",
  "",
].join("\n");

const task = (n: number, after = ""): string =>
  `---\nid: task-${n}\niteration: 1\ntype: Sequential\ncreated_at: ${time(5)}\nupdated_at: ${time(5)}\n---\n# Title\n## Success Criteria\n- [ ] it works\n- [x] it is known\n## Dependencies\n- depends_on: [${after}]\n`;

const planner = "Ralph-v2-Planner";
const executor = "Ralph-v2-Executor";
const reviewer = "Ralph-v2-Reviewer";

const mark = (from: string, to: string, by: string, file = `${one}/progress.md`): Step => ({
  edit: file,
  old: from,
  new: to,
  by,
});

const steps: readonly Step[] = [
  { prompt: "Start a Ralph session: add a discount field" },
  { shell: `mkdir -p ${session}/signals/inputs ${session}/signals/processed ${session}/logs` },
  { call: planner, prompt: `SESSION_PATH: ${session}/\nMODE: INITIALIZE\nITERATION: 1` },
  { write: `${session}/metadata.yaml`, text: metadata("INITIALIZING", 1), by: planner },
  {
    write: `.ralph-sessions/${id}.instructions.md`,
    text: `---\napplyTo: "${session}/**"\n---\n## Retries\n- max_subagent_retries: 1\n## Target Files\n- \`src/cart/*.ts\`: the cart\n- docs/\n`,
    by: planner,
  },
  {
    write: `${one}/metadata.yaml`,
    text: `version: 1\niteration: 1\nstarted_at: ${time(1)}\nplanning_complete: false\nplanning_completed_at: null\ncompleted_at: null\ntasks_defined: 0\n`,
    by: planner,
  },
  { write: `${one}/plan.md`, text: "# Plan\n## Goal\nA discount.\n", by: planner },
  { write: `${one}/progress.md`, text: progress, by: planner },
  { call: planner, prompt: `SESSION_PATH: ${session}/\nMODE: INITIALIZE\nITERATION: 1`, done: true },
  { edit: `${session}/metadata.yaml`, old: "state: INITIALIZING", new: "state: PLANNING" },
  {
    write: `${one}/questions/technical.md`,
    text: "# Questions\n- Q-001 task-1?\n",
    by: "Ralph-v2-Questioner",
  },
  mark("- [ ] plan-brainstorm", "- [x] plan-brainstorm", "Ralph-v2-Questioner"),
  mark("- [ ] plan-research", "- [x] plan-research", "Ralph-v2-Questioner"),
  { write: `${one}/tasks/task-1.md`, text: task(1), by: planner },
  { write: `${one}/tasks/task-2.md`, text: task(2, "task-1"), by: planner },
  mark(
    "## Implementation Progress (Iteration 1)\n",
    "## Implementation Progress (Iteration 1)\n- [ ] task-1\n- [ ] task-2 (depends on task-1)\n",
    planner,
  ),
  mark("- [ ] plan-breakdown", "- [x] plan-breakdown", planner),
  {
    edit: `${one}/metadata.yaml`,
    old: "planning_complete: false\nplanning_completed_at: null",
    new: `planning_complete: true\nplanning_completed_at: ${time(9)}`,
    by: planner,
  },
  { write: `${session}/metadata.yaml`, text: metadata("EXECUTING_BATCH", 3), by: planner },
  {
    call: executor,
    prompt: `SESSION_PATH: ${session}/\nMODE: EXECUTE\nTASK_ID: task-1\nATTEMPT_NUMBER: 1\nITERATION: 1`,
  },
  mark("- [ ] task-1", `- [/] task-1 (Attempt 1, Iteration 1, started: ${time(10)})`, executor),
  { write: "src/cart/discount.ts", text: "export {};\n", by: executor },
  { write: "docs/discount.md", text: "# Discounts\n", by: executor },
  { write: `${session}/tests/task-1/discount.test.ts`, text: "", by: executor },
  { shell: "npm test -- --format=json", by: executor },
  {
    write: `${one}/reports/task-1-report.md`,
    text: `---\ntask_id: task-1\niteration: 1\nattempt: 1\ncreated_at: ${time(12)}\n---\n# PART 1\n- [x] task-1 works\n`,
    by: executor,
  },
  {
    shell: `sed -i 's/^- \\[\\/\\] task-1.*/- [P] task-1 (review-pending)/' ${one}/progress.md`,
    by: executor,
    after: (ws) =>
      writeFileSync(
        ws.path(`${one}/progress.md`),
        readFileSync(ws.path(`${one}/progress.md`), "utf8").replace(
          /^- \[\/\] task-1.*/m,
          "- [P] task-1 (review-pending)",
        ),
      ),
  },
  {
    call: executor,
    prompt: `SESSION_PATH: ${session}/\nMODE: EXECUTE\nTASK_ID: task-1\nATTEMPT_NUMBER: 1\nITERATION: 1`,
    done: true,
  },
  { call: reviewer, prompt: "MODE: TASK_REVIEW\nTASK_ID: task-1" },
  {
    shell: `cat >> ${one}/reports/task-1-report.md <<'EOF'\n# PART 2\nQualified.\nEOF`,
    by: reviewer,
    after: (ws) => appendFileSync(ws.path(`${one}/reports/task-1-report.md`), "# PART 2\nQualified.\n"),
  },
  mark("- [P] task-1 (review-pending)", `- [x] task-1 (qualified: ${time(15)})`, reviewer),
  { call: reviewer, prompt: "MODE: TASK_REVIEW\nTASK_ID: task-1", done: true },
  mark("- [ ] task-2", "- [/] task-2", executor),
  mark("- [/] task-2", `- [F] task-2 failed: ${time(20)}`, executor),
  { edit: `${session}/metadata.yaml`, old: "state: EXECUTING_BATCH", new: "state: SESSION_REVIEW" },
  { write: `${one}/review.md`, text: "# Overall Assessment\nIncomplete.\n", by: reviewer },
  { edit: `${one}/metadata.yaml`, old: "completed_at: null", new: `completed_at: ${time(30)}`, by: reviewer },
  { write: `${session}/metadata.yaml`, text: metadata("COMPLETE", 5, 1, "awaiting_feedback") },
  {
    human: (ws) => {
      ws.write(`${two}/feedbacks/20260216-090000/shot.png`, "");
      ws.write(
        `${two}/feedbacks/20260216-090000/feedbacks.md`,
        `---\niteration: 2\ntimestamp: ${time(40)}\n---\n# Feedback Batch: 20260216-090000\n## Critical Issues\n- ISS-001\n## Quality Issues\n## New Requirements\n## Artifacts Index\n| File | Description |\n|---|---|\n| \`shot.png\` | the page |\n`,
      );
    },
  },
  { prompt: `continue ${id}` },
  { write: `${session}/metadata.yaml`, text: metadata("REPLANNING", 6, 2) },
  { write: `${two}/metadata.yaml`, text: `version: 1\niteration: 2\nstarted_at: ${time(41)}\n`, by: planner },
  { write: `${two}/plan.md`, text: "# Plan\n", by: planner },
  { call: planner, prompt: `SESSION_PATH: ${session}/\nMODE: UPDATE\nITERATION: 2` },
  {
    edit: `${two}/plan.md`,
    old: "# Plan\n",
    new: "# Plan\n## Replanning History (Iteration 2)\n",
    by: planner,
  },
  { call: planner, prompt: `SESSION_PATH: ${session}/\nMODE: UPDATE\nITERATION: 2`, done: true },
  {
    write: `${two}/progress.md`,
    text: "# Progress\n## Replanning Progress (Iteration 2)\n- [x] plan-update\n## Implementation Progress (Iteration 2)\n- [F] task-2\n- [ ] task-2\n- [ ] task-3\n- [C] task-4 split due to timeouts\n",
    by: planner,
  },
  { write: `${session}/metadata.yaml`, text: metadata("BATCHING", 7, 2), by: planner },
  { write: `${two}/knowledge/how-to/discounts.md`, text: "# How\n", by: "Ralph-v2-Librarian" },
  { write: ".docs/how-to/discounts.md", text: "# How\n", by: "Ralph-v2-Librarian" },
  { write: "agents/ralph-v2/notes.md", text: "# Notes\n" },
];

interface Dialect {
  readonly name: string;
  /** The event, its payload, and what runs it. */
  send(
    ws: Workspace,
    when: "before" | "after",
    step: Step,
  ): Promise<{ readonly refused: boolean; readonly said: string }>;
}

const claudeCode: Dialect = {
  name: "Claude Code",
  async send(ws, when, step) {
    const [tool, input] = toolOf(ws, step, {
      write: (path, text) => ["Write", { file_path: path, content: text }],
      edit: (path, old, next) => ["Edit", { file_path: path, old_string: old, new_string: next }],
      shell: (command) => ["Bash", { command }],
      call: (agent, prompt) => ["Agent", { subagent_type: agent, prompt, description: "x" }],
    });
    const payload = {
      session_id: "5f0c",
      transcript_path: "/nowhere/5f0c.jsonl",
      cwd: ws.root,
      ...("prompt" in step && !("call" in step)
        ? { hook_event_name: "UserPromptSubmit", prompt: step.prompt }
        : {
            hook_event_name: when === "before" ? "PreToolUse" : "PostToolUse",
            tool_name: tool,
            tool_input: input,
            tool_use_id: `toolu_${JSON.stringify(step).length}`,
            ...("by" in step && step.by !== undefined ? { agent_id: "a1", agent_type: step.by } : {}),
            ...(when === "after" ? { tool_response: "ok" } : {}),
          }),
    };
    const { stdout } = await ws.run(["run"], payload);
    return { refused: /"deny"|"block"|"ask"/.test(stdout), said: stdout };
  },
};

const copilotCli: Dialect = {
  name: "Copilot CLI",
  async send(ws, when, step) {
    const [toolName, toolArgs] = toolOf(ws, step, {
      write: (path, text) => ["create", { path, file_text: text }],
      edit: (path, old, next) => ["edit", { path, old_str: old, new_str: next }],
      shell: (command) => ["bash", { command }],
      call: (agent, prompt) => ["task", { agent_type: agent, prompt }],
    });
    const isPrompt = "prompt" in step && !("call" in step);
    const event = isPrompt ? "userPromptSubmitted" : when === "before" ? "preToolUse" : "postToolUse";
    const { stdout } = await ws.run(["run", "--host", "copilot", "--event", event], {
      sessionId: "c0a9f4d2",
      timestamp: 1794795200000,
      cwd: ws.root,
      ...(isPrompt ? { prompt: step.prompt } : { toolName, toolArgs }),
      ...(when === "after" ? { toolResult: { resultType: "success", textResultForLlm: "ok" } } : {}),
    });
    return { refused: /"deny"|"block"|"ask"/.test(stdout), said: stdout };
  },
};

interface Tools {
  write(path: string, text: string): [string, object];
  edit(path: string, old: string, next: string): [string, object];
  shell(command: string): [string, object];
  call(agent: string, prompt: string): [string, object];
}

function toolOf(ws: Workspace, step: Step, tools: Tools): [string, object] {
  if ("write" in step) return tools.write(ws.path(step.write), step.text);
  if ("edit" in step) return tools.edit(ws.path(step.edit), step.old, step.new);
  if ("shell" in step) return tools.shell(step.shell);
  return "call" in step ? tools.call(step.call, step.prompt) : ["", {}];
}

/** What the tool does when it is let. */
function perform(ws: Workspace, step: Step): void {
  if ("write" in step) ws.write(step.write, step.text);
  if ("edit" in step) {
    const text = readFileSync(ws.path(step.edit), "utf8");
    expect([step.edit, text.includes(step.old)]).toEqual([step.edit, true]);
    ws.write(
      step.edit,
      text.replace(step.old, () => step.new),
    );
  }
  if ("shell" in step && step.shell.startsWith("mkdir"))
    for (const folder of step.shell.split(" ").slice(2)) mkdirSync(ws.path(folder), { recursive: true });
  if ("shell" in step) step.after?.(ws);
}

const policy = (preset: string): string =>
  `extends: ${preset}\nrules:\n  ralph/path-allowlist:\n    options: { allow: [".docs/**"] }\n`;

describe.each([claudeCode, copilotCli])("a whole session as $name drives it", (dialect) => {
  test.each(["ralph/p0", "ralph/all", "[recommended, ralph]"])(
    "S0-R119 is not refused a single step by %s",
    async (preset) => {
      using ws = workspace({
        "hookline.yaml": policy(preset),
        // Another one, left alone for long, must not be taken for the one that starts.
        ".ralph-sessions/260101-000000/metadata.yaml": metadata("REVIEWING_BATCH", 9),
      });
      const refused: string[] = [];
      for (const step of steps) {
        if ("human" in step) {
          step.human(ws);
          continue;
        }
        const isEnd = "call" in step && step.done === true;
        if (!isEnd) {
          const before = await dialect.send(ws, "before", step);
          if (before.refused)
            refused.push(`${JSON.stringify(step).slice(0, 200)}: ${before.said.slice(0, 600)}`);
        }
        perform(ws, step);
        const isPrompt = "prompt" in step && !("call" in step);
        if (!isPrompt && (isEnd || !("call" in step))) await dialect.send(ws, "after", step);
      }
      expect(refused).toEqual([]);
      expect(existsSync(ws.path(`${dirname(two)}/2/plan.md`))).toBe(true);
      expect(existsSync(ws.path(`${session}/logs/hook-errors.jsonl`))).toBe(false);
    },
    60_000,
  );
});
