import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { claude, workspace, type Workspace } from "./support/hookline.ts";

const id = "260215-173319";
const session = `.ralph-sessions/${id}`;

const read = (ws: Workspace, name: string) => readFileSync(ws.path(`${session}/${name}`), "utf8");
const log = (ws: Workspace, name: string): any[] =>
  existsSync(ws.path(`${session}/logs/${name}`))
    ? read(ws, `logs/${name}`)
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];
const to = (ws: Workspace, state: string, ...more: string[]) =>
  ws.run(["ralph", "transition", "--to", state, ...more]);

async function started(files: Record<string, string> = {}): Promise<Workspace> {
  const ws = workspace({ "hookline.yaml": "extends: ralph/all\n", ...files });
  expect((await ws.run(["ralph", "new", "--id", id])).exitCode).toBe(0);
  return ws;
}

/** The session in a state, whatever the machine would say. */
function put(ws: Workspace, state: string, progress = ""): void {
  ws.write(`${session}/metadata.yaml`, read(ws, "metadata.yaml").replace(/state: \w+/, `state: ${state}`));
  if (progress !== "")
    ws.write(
      `${session}/iterations/1/progress.md`,
      `# Progress\n\n## Implementation Progress (Iteration 1)\n${progress}`,
    );
}

describe("hookline ralph new", () => {
  test("S0-F16 S0-R48 makes a session every guard is content with, and makes it the active one", async () => {
    using ws = await started();
    for (const name of ["signals/inputs", "signals/processed", "logs", "iterations/1/tasks"])
      expect(existsSync(ws.path(`${session}/${name}`))).toBe(true);
    expect(readFileSync(ws.path(".ralph-sessions/.active-session"), "utf8")).toBe(`${id}\n`);
    expect(read(ws, "metadata.yaml")).toContain("state: INITIALIZING");
    expect((await ws.run(["ralph", "doctor", "--json"])).json()).toMatchObject({ ok: true, findings: [] });
    const again = { session_id: id, session_path: `${session}/`, workspace_root: ws.root };
    expect((await ws.run(["rules", "eval", "ralph/1"], again)).json()).toMatchObject({ verdict: "PASS" });
  });

  test("names a session by the time when it is not given, and refuses what is no id or is there already", async () => {
    using ws = workspace();
    const made = (await ws.run(["ralph", "new", "--json"])).json();
    expect(made.session).toMatch(/^\d{6}-\d{6}$/);
    expect((await ws.run(["ralph", "new", "--id", made.session])).stderr).toContain("already");
    const wrong = await ws.run(["ralph", "new", "--id", "../evil"]);
    expect([wrong.exitCode, wrong.stderr]).toEqual([
      2,
      expect.stringContaining("does not match required format YYMMDD-HHmmss"),
    ]);
  });

  test("S0-C8 its targets are what the session may edit", async () => {
    using ws = workspace({ "hookline.yaml": "extends: ralph/all\n" });
    await ws.run(["ralph", "new", "--id", id, "--targets", "src/**, docs/guide.md"]);
    const write = (path: string) =>
      ws.run(["eval"], claude(ws.root, "Write", { file_path: ws.path(path), content: "" }));
    expect((await write("src/a/b.ts")).json().outcome).toBe("pass");
    expect((await write("docs/guide.md")).json().outcome).toBe("pass");
    expect((await write("lib/a.ts")).json().outcome).toBe("block");
  });

  test("S0-R6 S0-R121 S0-F45 --hooks writes commands for Bash and for PowerShell, and replaces nothing", async () => {
    using ws = workspace({ "hookline.yaml": "extends: ralph/all\n" });
    expect((await ws.run(["ralph", "new", "--id", id, "--hooks"])).exitCode).toBe(0);
    const { version, hooks } = JSON.parse(readFileSync(ws.path(".github/hooks/ralph.json"), "utf8"));
    expect(version).toBe(1);
    for (const event of [
      "sessionStart",
      "userPromptSubmitted",
      "preToolUse",
      "postToolUse",
      "errorOccurred",
    ]) {
      const [entry] = hooks[event];
      expect(entry.type).toBe("command");
      expect(entry.bash).toContain(`run --host copilot --event ${event}`);
      expect(entry.powershell).toMatch(new RegExp(`^& '.+' run --host copilot --event ${event}`));
    }
    const payload = JSON.stringify({
      sessionId: "c",
      timestamp: 1,
      cwd: ws.root,
      toolName: "bash",
      toolArgs: '{"command":"rm -rf /"}',
    });
    const child = Bun.spawn(["bash", "-c", hooks.preToolUse[0].bash], {
      cwd: ws.root,
      env: { HOME: ws.home, PATH: "/usr/bin:/bin" },
      stdin: new TextEncoder().encode(payload),
      stdout: "pipe",
    });
    expect(JSON.parse(await child.stdout.text()).permissionDecision).toBe("deny");
    expect((await ws.run(["ralph", "new", "--id", "260215-173320", "--hooks"])).stderr).toContain(
      "is there already",
    );
  });
});

describe("hookline ralph transition", () => {
  test("S0-R32 S0-F6 a step is written with the next version, then logged", async () => {
    using ws = await started();
    const taken = (await to(ws, "PLANNING", "--json")).json();
    expect(taken).toMatchObject({
      from: "INITIALIZING",
      to: "PLANNING",
      done: true,
      version: 2,
      refusals: [],
    });
    expect(read(ws, "metadata.yaml")).toMatch(/^version: 2\n[\s\S]*state: PLANNING/);
    expect(log(ws, "state-transitions.jsonl").at(-1)).toMatchObject({
      session_id: id,
      previous_state: "INITIALIZING",
      next_state: "PLANNING",
    });
    expect(ws.records().at(-1)).toMatchObject({
      event: { name: "StateTransition" },
      verdict: { outcome: "pass" },
    });
  });

  test("S0-F1 S0-F2 what is no step, or no state, is refused and leaves everything as it was", async () => {
    using ws = await started();
    const before = read(ws, "metadata.yaml");
    const wrong = await to(ws, "COMPLETE");
    expect([wrong.exitCode, wrong.stderr]).toEqual([
      1,
      expect.stringContaining("from INITIALIZING it goes to PLANNING"),
    ]);
    const unknown = await to(ws, "PLANING");
    expect([unknown.exitCode, unknown.stderr]).toEqual([
      2,
      expect.stringContaining("did you mean PLANNING?"),
    ]);
    expect(read(ws, "metadata.yaml")).toBe(before);
    expect(log(ws, "state-transitions.jsonl").filter((line) => line.next_state === "COMPLETE")).toEqual([]);
  });

  test("S0-F2 what the workflow waits for is said", async () => {
    using ws = await started();
    expect((await to(ws, "PLANNING")).stderr).toContain("plan-init is [ ], not [x]");
    put(ws, "EXECUTING_BATCH", "- [/] task-1\n");
    expect((await to(ws, "REVIEWING_BATCH")).stderr).toContain("tasks are still in progress: task-1 [/]");
  });

  test("S0-F4 the later machine goes its own way", async () => {
    using ws = await started();
    put(ws, "BATCHING", "- [x] task-1\n");
    expect((await to(ws, "KNOWLEDGE_EXTRACTION")).exitCode).toBe(1);
    expect((await to(ws, "KNOWLEDGE_EXTRACTION", "--profile", "later")).exitCode).toBe(0);
    expect((await to(ws, "ITERATION_REVIEW", "--profile", "later")).exitCode).toBe(0);
  });

  test("S0-R34 S0-R8 the review gate holds, also where the policy does not name it, and can be turned off", async () => {
    for (const policy of ["extends: ralph/all\n", "extends: []\n"]) {
      using ws = await started({ "hookline.yaml": policy });
      put(ws, "BATCHING", "- [x] task-1\n- [ ] task-2\n- [/] task-3\n- [P] task-4\n");
      const refused = await to(ws, "SESSION_REVIEW");
      expect(refused.exitCode).toBe(1);
      expect(refused.stderr).toContain(
        "SESSION_REVIEW is closed while tasks remain: task-2 [ ], task-3 [/], task-4 [P]",
      );
      expect(read(ws, "metadata.yaml")).toContain("state: BATCHING");
      put(ws, "BATCHING", "- [x] task-1\n- [C] task-2\n- [F] task-3\n");
      expect((await to(ws, "SESSION_REVIEW")).exitCode).toBe(0);
    }
    using off = await started({
      "hookline.yaml": "extends: ralph/all\nrules:\n  ralph/session-review-gate: off\n",
    });
    put(off, "BATCHING", "- [ ] task-1\n");
    expect((await to(off, "SESSION_REVIEW")).exitCode).toBe(0);
  });

  test("S0-R33 S0-F2 replanning needs valid feedback, and begins the next iteration", async () => {
    using ws = await started();
    put(ws, "COMPLETE", "- [x] task-1\n");
    expect((await to(ws, "REPLANNING")).stderr).toContain(
      "REPLANNING needs feedback, and there is none in iterations/2/feedbacks/",
    );
    const batch = `${session}/iterations/2/feedbacks/20260216-101500`;
    ws.write(`${batch}/feedbacks.md`, "# Feedback\n");
    const refused = (await to(ws, "REPLANNING")).stderr;
    expect(refused).toContain("feedbacks.md lacks its frontmatter");
    expect(refused).toContain("feedbacks.md lacks the section '## Artifacts Index'");
    ws.write(
      `${batch}/feedbacks.md`,
      "---\niteration: 2\ntimestamp: 2026-02-16T10:15:00Z\n---\n## Critical Issues\n## Quality Issues\n## New Requirements\n## Artifacts Index\n| File | Description |\n|---|---|\n| `a.log` | x |\n",
    );
    expect((await to(ws, "REPLANNING")).stderr).toContain("row 1: 'a.log' does not exist");
    ws.write(`${batch}/a.log`, "");
    expect((await to(ws, "REPLANNING")).exitCode).toBe(0);
    expect(read(ws, "metadata.yaml")).toContain("iteration: 2\n");
    expect(read(ws, "iterations/2/progress.md")).toContain(
      "## Replanning Progress (Iteration 2)\n- [ ] plan-rebrainstorm",
    );
    expect(read(ws, "iterations/2/metadata.yaml")).toContain("iteration: 2\n");
    expect((await ws.run(["ralph", "doctor"])).exitCode).toBe(0);
  });

  test("S0-F6 of many who take the same step at once, one takes it", async () => {
    using ws = await started();
    const taken = await Promise.all(Array.from({ length: 12 }, () => to(ws, "PLANNING", "--json")));
    expect(taken.filter(({ exitCode }) => exitCode === 0)).toHaveLength(1);
    expect(read(ws, "metadata.yaml")).toContain("version: 2\n");
    expect(log(ws, "state-transitions.jsonl").filter((line) => line.source === "transition")).toHaveLength(1);
    expect(readdirSync(ws.path(session)).filter((name) => /lock|part/.test(name))).toEqual([]);
  });

  test("S0-F6 a version somebody has not read is refused", async () => {
    using ws = await started();
    const refused = await to(ws, "PLANNING", "--expect", "7");
    expect([refused.exitCode, refused.stderr]).toEqual([
      1,
      expect.stringContaining("metadata.yaml version changed (expected 7, found 1)"),
    ]);
    expect((await to(ws, "PLANNING", "--expect", "1")).exitCode).toBe(0);
  });

  test("S0-R8 X22 the guards hold when an agent writes metadata.yaml itself, and a change it makes is logged", async () => {
    using ws = await started();
    put(ws, "BATCHING", "- [P] task-1\n");
    const file = ws.path(`${session}/metadata.yaml`);
    const text = read(ws, "metadata.yaml").replace("state: BATCHING", "state: SESSION_REVIEW");
    for (const payload of [
      claude(ws.root, "Edit", {
        file_path: file,
        old_string: "state: BATCHING",
        new_string: "state: SESSION_REVIEW",
      }),
      claude(ws.root, "Write", { file_path: file, content: text }),
      claude(ws.root, "Bash", { command: `cat > ${file} <<'EOF'\n${text}EOF` }),
    ])
      expect((await ws.run(["run"], payload)).json().permissionDecisionReason).toContain("task-1 [P]");
    expect(log(ws, "state-transitions.jsonl").filter((line) => line.next_state === "SESSION_REVIEW")).toEqual(
      [],
    );
    put(ws, "BATCHING", "- [x] task-1\n");
    const write = claude(ws.root, "Write", { file_path: file, content: text });
    expect((await ws.run(["run"], write)).stdout).not.toContain("deny");
    ws.write(`${session}/metadata.yaml`, text);
    await ws.run(["run"], { ...write, hook_event_name: "PostToolUse", tool_response: "ok" });
    expect(log(ws, "state-transitions.jsonl").at(-1)).toMatchObject({
      previous_state: "BATCHING",
      next_state: "SESSION_REVIEW",
      source: "edit",
    });
  });

  test("a step on record is judged again as it was", async () => {
    using ws = await started();
    put(ws, "BATCHING", "- [ ] task-1\n");
    await to(ws, "SESSION_REVIEW");
    put(ws, "BATCHING", "- [x] task-1\n");
    await to(ws, "SESSION_REVIEW");
    const replayed = (await ws.run(["replay"])).stdout;
    expect(replayed).toContain("2 judged again, 0 stricter, 0 milder, 0 with other findings");
  });

  test("S0-R8 X22 no script from outside can be registered for a step of the orchestrator", async () => {
    using ws = workspace({
      "hookline.yaml": "hooks:\n  - id: mine\n    on: StateTransition\n    run: echo hi\n",
    });
    expect((await ws.run(["hooks", "list", "--json"])).stdout).not.toContain("mine");
    expect((await ws.run(["doctor"])).stdout).toContain('unknown event "StateTransition"');
    using registry = workspace({
      ".system/hooks/mine.yaml": "id: mine\nevent_type: StateTransition\nhandler: ./x.sh\n",
    });
    expect((await registry.run(["hooks", "validate"])).exitCode).toBe(1);
  });
});

describe("hookline ralph status and review", () => {
  test("S0-R117 S0-F28 the board has the state, tasks by status, waves, signals and denials, and says what it is", async () => {
    using ws = await started();
    put(
      ws,
      "EXECUTING_BATCH",
      "- [x] task-1\n- [/] task-2 (Attempt 1, Iteration 1, started: 2026-02-15T18:00:00Z)\n- [ ] task-3\n",
    );
    for (const [task, on] of [
      ["task-1", ""],
      ["task-2", ""],
      ["task-3", "task-1, task-2"],
    ])
      ws.write(
        `${session}/iterations/1/tasks/${task}.md`,
        `---\nid: ${task}\n---\n## Dependencies\n- depends_on: [${on}]\n`,
      );
    await ws.run(["signal", "send", "STEER", "--target", "Executor", "mind the cache"]);
    await ws.run(["run"], claude(ws.root, "Write", { file_path: ws.path("src/a.ts"), content: "" }));
    const board = (await ws.run(["ralph", "status", "--json"])).json();
    expect(board).toMatchObject({
      label: "Non-authoritative. Regenerate from SSOT.",
      session: id,
      state: "EXECUTING_BATCH",
      iteration: 1,
      tasks: { x: ["task-1"], "/": ["task-2"], " ": ["task-3"] },
      waves: [
        [
          { id: "task-1", status: "x" },
          { id: "task-2", status: "/" },
        ],
        [{ id: "task-3", status: " " }],
      ],
      overdue: [{ task: "task-2", limit: 60 }],
      signals: { pending: [{ type: "STEER", target: "Executor", message: "mind the cache" }] },
      denials: { count: 1, last: [{ rule: "ralph/path-allowlist", tool: "Write" }] },
    });
    const shown = (await ws.run(["ralph", "status"])).stdout;
    for (const part of [
      "EXECUTING_BATCH",
      "[/] In progress     task-2",
      "1  [x] task-1  [/] task-2",
      "STEER for Executor: mind the cache",
      "Denials   1",
      "Non-authoritative. Regenerate from SSOT.",
      "MODE: TIMEOUT_FAIL",
    ])
      expect(shown).toContain(part);
    expect((await ws.run(["ralph", "signals", "--json"])).json().signals).toHaveLength(1);
  });

  test("S0-F21 S0-R34 review says whether the gate is open, and what the logs hold", async () => {
    using ws = await started();
    put(ws, "BATCHING", "- [x] task-1\n- [P] task-2\n");
    const closed = await ws.run(["ralph", "review"]);
    expect([closed.exitCode, closed.stdout]).toEqual([
      1,
      expect.stringContaining("tasks remain: task-2 [P]"),
    ]);
    put(ws, "BATCHING", "- [x] task-1\n- [F] task-2\n");
    ws.write(`${session}/iterations/1/review.md`, "## Overall Assessment\n");
    const open = (await ws.run(["ralph", "review", "--json"])).json();
    expect(open).toMatchObject({ open: true, written: true });
    const texts = open.findings.map((finding: any) => finding.text);
    expect(texts).toContain("failed: task-2");
    expect(texts).toContain("review.md lacks the section 'Next Actions'");
  });
});

test("S0-R41 an id that may not name a session is on record with the command it came from", async () => {
  using ws = workspace({});
  const made = await ws.run(["ralph", "new", "--id", "../x"]);
  expect([made.exitCode, made.stderr]).toEqual([
    2,
    expect.stringContaining("Session ID '../x' does not match required format YYMMDD-HHmmss"),
  ]);
  const line = readFileSync(ws.path(".ralph-sessions/logs/rejected-session-ids.jsonl"), "utf8");
  expect(JSON.parse(line)).toMatchObject({
    session_id: "../x",
    reason:
      "does not match required format YYMMDD-HHmmss and contains path separators and leads to a parent folder",
    source: "ralph new",
    source_command: "hookline ralph new --id ../x",
  });
});

describe("hookline ralph doctor", () => {
  test("S0-R39 what it mends is nobody's manual edit, and what was one before stays one", async () => {
    using ws = workspace({
      "hookline.yaml": "rules:\n  ralph/manual-edit-checklist: { options: { grace_seconds: 0 } }\n",
    });
    await ws.run(["ralph", "new", "--id", "260301-101010"]);
    const metadata = ws.path(".ralph-sessions/260301-101010/metadata.yaml");
    const wrong = () =>
      writeFileSync(metadata, readFileSync(metadata, "utf8").replace(/total: \d+/, "total: 5"));
    const edit = claude(ws.root, "Edit", {
      file_path: metadata,
      old_string: "current_wave: null",
      new_string: "current_wave: 1",
    });
    wrong();
    await ws.run(["run"], { ...edit, hook_event_name: "PostToolUse", tool_response: {} });
    expect((await ws.run(["ralph", "doctor", "--fix"])).stdout).toContain("is well");
    expect((await ws.run(["run"], edit)).stdout).not.toContain("manual-edit-checklist");
    wrong();
    expect((await ws.run(["ralph", "doctor", "--fix"])).stdout).toContain("is well");
    writeFileSync(metadata, `${readFileSync(metadata, "utf8")}# by hand\n`);
    expect((await ws.run(["ralph", "doctor", "--fix"])).stdout).toContain("is well");
    expect((await ws.run(["run"], edit)).stdout).toContain("manual-edit-checklist");
  });

  test("S0-F17 finds what the layout and the schemas forbid, mends it with a backup, and is then content", async () => {
    using ws = await started();
    ws.write(
      `${session}/metadata.yaml`,
      `version: 4\nsession_id: "${id}"\niteration: 1\norchestrator:\n  state: DOING\ntasks:\n  total: 9\n`,
    );
    ws.write(
      `${session}/iterations/1/progress.md`,
      "# Progress\n\n## Implementation Progress (Iteration 1)\n- [✓] task-1\n- [ ] task-9\n\n## Iterations\n",
    );
    for (const task of ["task-1", "task-2"])
      ws.write(`${session}/iterations/1/tasks/${task}.md`, `# ${task}\n`);
    ws.write(`${session}/plan.md`, "# Plan\n");
    ws.write(`${session}/metadata.yaml.lock`, "");
    utimesSync(ws.path(`${session}/metadata.yaml.lock`), 1, 1);
    const before = read(ws, "metadata.yaml");
    const found = (await ws.run(["ralph", "doctor", "--json"])).json();
    expect(found.ok).toBe(false);
    const texts = found.findings.map((each: any) => `${each.file}: ${each.text}`).join("\n");
    for (const part of [
      "metadata.yaml: has the unknown state 'DOING'",
      "metadata.yaml: lacks 'created_at'",
      "task-9 has no tasks/task-9.md",
      "tasks/task-2.md is not in progress.md",
      "plan.md: lies at the root of the session",
      "metadata.yaml.lock: was left by a writer",
    ])
      expect(texts).toContain(part);
    expect(read(ws, "metadata.yaml")).toBe(before);

    const mended = (await ws.run(["ralph", "doctor", "--fix", "--json"])).json();
    expect(mended).toMatchObject({ ok: true, findings: [], errors: [] });
    expect(readFileSync(`${mended.backup}/${id}/metadata.yaml`, "utf8")).toBe(before);
    expect(readFileSync(`${mended.backup}/${id}/plan.md`, "utf8")).toBe("# Plan\n");
    expect(read(ws, "iterations/1/plan.md")).toBe("# Plan\n");
    expect(read(ws, "iterations/1/progress.md")).toBe(
      "# Progress\n\n## Implementation Progress (Iteration 1)\n- [x] task-1\n- [F] task-9 (Task definition missing)\n- [ ] task-2\n\n## Iterations\n",
    );
    expect(read(ws, "metadata.yaml")).toContain("state: BATCHING");
    expect(read(ws, "metadata.yaml")).toContain("total: 3");
    expect((await ws.run(["ralph", "doctor"])).stdout).toContain("is well");
  });

  test("broken YAML is made anew from the other files, with a backup", async () => {
    using ws = await started();
    ws.write(`${session}/iterations/1/tasks/task-1.md`, "# task-1\n");
    put(ws, "EXECUTING_BATCH", "- [/] task-1\n");
    ws.write(`${session}/metadata.yaml`, "version: [1\n");
    ws.write(`${session}/iterations/1/metadata.yaml`, "");
    expect((await ws.run(["ralph", "doctor"])).stdout).toContain("metadata.yaml: cannot be read");
    const mended = (await ws.run(["ralph", "doctor", "--fix", "--json"])).json();
    expect(mended).toMatchObject({ ok: true });
    expect(read(ws, "metadata.yaml")).toContain("state: EXECUTING_BATCH");
    expect(readFileSync(`${mended.backup}/${id}/metadata.yaml`, "utf8")).toBe("version: [1\n");
  });

  test("what only a person can mend is named and left alone", async () => {
    using ws = await started();
    ws.write(`${session}/iterations/1/knowledge/reference/a.md`, "---\ncarried_from_iteration: 3\n---\n");
    ws.write(`${session}/delta.md`, "x");
    put(ws, "BATCHING", "- [x] task-7\n");
    ws.write(`${session}/signals/inputs/signal.260215-180000.yaml`, "type: HALT\nmessage: x\n");
    ws.write(`${session}/iterations/2/feedbacks/20260216-101500/feedbacks.md`, "x");
    for (const [task, on] of [
      ["task-1", "task-2"],
      ["task-2", "task-1"],
    ])
      ws.write(
        `${session}/iterations/1/tasks/${task}.md`,
        `---\nid: ${task}\nstatus: done\n---\n- depends_on: [${on}]\n`,
      );
    ws.write(
      `${session}/iterations/1/metadata.yaml`,
      'version: 1\niteration: 1\nstarted_at: "2026-02-15T17:33:19Z"\nplanning_complete: true\nplanning_completed_at: "2026-02-14T17:33:19Z"\ncompleted_at: null\ntasks_defined: 2\n',
    );
    const left = await ws.run(["ralph", "doctor", "--fix", "--json"]);
    expect(left.exitCode).toBe(1);
    const texts = left
      .json()
      .findings.map((each: any) => `${each.file}: ${each.text}`)
      .join("\n");
    for (const part of [
      "carried_from_iteration is 3, but the session is in iteration 1",
      "delta.md: is a form this version has given up",
      "task-7 is done, but its tasks/task-7.md is gone",
      "Invalid signal type 'HALT'",
      "feedbacks.md lacks its frontmatter",
      "task-1, task-2 wait for each other",
      "has a status of its own",
      "'planning_completed_at' is before 'started_at'",
    ])
      expect(texts).toContain(part);
    expect(existsSync(ws.path(`${session}/delta.md`))).toBe(true);
    expect(read(ws, "iterations/1/progress.md")).toContain("- [x] task-7");
  });

  test("a session nobody has, and a workspace without any", async () => {
    using ws = workspace();
    expect((await ws.run(["ralph", "status"])).stderr).toContain("there is none yet (hookline ralph new)");
    mkdirSync(ws.path(".ralph-sessions/260215-173319"), { recursive: true });
    mkdirSync(ws.path(".ralph-sessions/260215-173320"), { recursive: true });
    expect((await ws.run(["ralph", "status"])).stderr).toContain("name a session with --session ID");
    expect((await ws.run(["ralph", "status", "--session", "260215-173318"])).stderr).toContain(
      "there is no session 260215-173318",
    );
    expect((await ws.run(["ralph", "doctor", "--session", "260215-173320", "--fix"])).stdout).toContain(
      "is well",
    );
  });
});
