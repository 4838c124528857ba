import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { claude, workspace, type Workspace } from "./support/hookline.ts";

const id = "260215-173319";
const session = `.ralph-sessions/${id}`;
const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A workspace with a session, and the rules asked for. */
const ralph = (presets: string, files: Record<string, string> = {}): Workspace =>
  workspace({
    "hookline.yaml": presets.includes(":") ? presets : `extends: ${presets}`,
    [`${session}/metadata.yaml`]: "version: 1\niteration: 1\norchestrator:\n  state: EXECUTING_BATCH\n",
    [`${session}/signals/inputs/.keep`]: "",
    [`${session}/signals/processed/.keep`]: "",
    [`${session}/logs/.keep`]: "",
    ...files,
  });

const only = (rule: string): string => `extends: []\nrules:\n  ralph/${rule}: on\n`;

const log = (ws: Workspace, name: string): any[] => {
  const path = ws.path(name.includes("/") ? name : `${session}/logs/${name}`);
  if (!existsSync(path)) return [];
  const text = readFileSync(path, "utf8");
  expect(text === "" || text.endsWith("\n")).toBe(true);
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
};

const copilot = (ws: Workspace, more: object): object => ({
  sessionId: "c0a9f4d2-1f6b-4a50-9d0e-8d7b6f2a3310",
  timestamp: 1794795200000,
  cwd: ws.root,
  ...more,
});

const runCopilot = (ws: Workspace, event: string, more: object) =>
  ws.run(["run", "--host", "copilot", "--event", event], copilot(ws, more));

const runClaude = (ws: Workspace, event: string, more: object) =>
  ws.run(["run"], {
    session_id: "5f0c",
    transcript_path: "/nowhere/5f0c.jsonl",
    cwd: ws.root,
    hook_event_name: event,
    ...more,
  });

describe("every log", () => {
  test("S0-C17 S0-F44 what tools did is kept in the current iteration's folder where the policy says so", async () => {
    const rule = (name: string) => `  ralph/${name}: { options: { folder: iteration } }\n`;
    using ws = ralph(
      `extends: ralph/all\nrules:\n${["tool-usage-ledger", "determinism-checksum", "subagent-output-digest"].map(rule).join("")}`,
      { [`${session}/iterations/1/progress.md`]: "# Progress\n", "a.txt": "a" },
    );
    const failing = {
      ...claude(ws.root, "Bash", { command: "npm test" }),
      hook_event_name: "PostToolUseFailure",
      error: "Exit code 1",
    };
    const answers = [];
    for (let at = 0; at < 3; at++) answers.push((await ws.run(["run"], failing)).stdout);
    expect(answers.map((text) => text.includes("has failed 3 times"))).toEqual([false, false, true]);
    await ws.run(["run"], {
      ...claude(ws.root, "Write", { file_path: ws.path("a.txt"), content: "a" }),
      hook_event_name: "PostToolUse",
      tool_response: {},
    });
    const inIteration = (name: string) => log(ws, `${session}/iterations/1/logs/${name}`).length;
    expect([inIteration("tool-usage.jsonl"), inIteration("checksums.jsonl")]).toEqual([4, 1]);
    expect([log(ws, "tool-usage.jsonl"), log(ws, "checksums.jsonl")]).toEqual([[], []]);
  });

  test("S0-R120 S0-R123 is JSON Lines with the same head, and needs nothing but the event and the files", async () => {
    using ws = ralph("ralph/all");
    await runClaude(ws, "SessionStart", { source: "startup" });
    await runClaude(ws, "UserPromptSubmit", { prompt: `continue ${id}` });
    await ws.run(["run"], {
      ...claude(
        ws.root,
        "Write",
        { file_path: ws.path(`${session}/iterations/1/plan.md`), content: "" },
        "PostToolUse",
      ),
      tool_response: "ok",
    });
    for (const name of [
      "session.log",
      "prompts.log",
      "prompts.index.jsonl",
      "tool-usage.jsonl",
      "checksums.jsonl",
    ]) {
      const [entry] = log(ws, name);
      expect([name, entry]).toEqual([
        name,
        expect.objectContaining({
          timestamp: expect.stringMatching(iso),
          session_id: id,
          event: expect.any(String),
          host_session: "5f0c",
          agent: null,
        }),
      ]);
    }
  });

  test("is kept whole by sixteen agents at once", async () => {
    using ws = ralph(only("tool-usage-ledger"));
    const long = "x".repeat(1900);
    await Promise.all(
      Array.from({ length: 16 }, (_, n) =>
        ws.run(["run"], {
          ...claude(ws.root, "Bash", { command: `echo ${n} ${long}` }, "PostToolUse"),
          tool_use_id: `toolu_${n}`,
          tool_response: { stdout: long },
        }),
      ),
    );
    const calls = log(ws, "tool-usage.jsonl").map((entry) => entry.call);
    expect(calls).toHaveLength(16);
    expect(new Set(calls)).toEqual(new Set(Array.from({ length: 16 }, (_, n) => `toolu_${n}`)));
  });

  test("masks secrets, and stays JSON", async () => {
    using ws = ralph("ralph/all");
    const token = `ghp_${"a1B2c3D4e5".repeat(4)}`;
    await runClaude(ws, "UserPromptSubmit", { prompt: `use GITHUB_TOKEN=${token} for it` });
    await ws.run(["run"], {
      ...claude(
        ws.root,
        "Bash",
        { command: `curl -H "Authorization: Bearer ${token}" https://x.test` },
        "PostToolUse",
      ),
      tool_response: { stdout: `{"token":"${token}"}` },
    });
    for (const name of ["prompts.log", "tool-usage.jsonl"]) {
      expect(log(ws, name)).toHaveLength(1);
      expect(readFileSync(ws.path(`${session}/logs/${name}`), "utf8")).not.toContain(token);
    }
  });

  test("is not written where there is no session, nor makes one", async () => {
    for (const marker of [undefined, id]) {
      using ws = workspace({ "hookline.yaml": "extends: ralph/all" });
      if (marker !== undefined) ws.write(".ralph-sessions/.active-session", marker);
      await runClaude(ws, "UserPromptSubmit", { prompt: "hello" });
      const ran = await ws.run(["run"], {
        ...claude(ws.root, "Bash", { command: "echo x > a.txt" }, "PostToolUse"),
        tool_response: {},
      });
      expect([ran.exitCode, ran.stdout]).toEqual([0, ""]);
      expect(existsSync(ws.path(session))).toBe(false);
      if (marker === undefined) expect(existsSync(ws.path(".ralph-sessions"))).toBe(false);
    }
  });

  test("a log that leads out of the workspace is not followed, and the answer is given all the same", async () => {
    using ws = ralph(only("tool-usage-ledger"));
    const elsewhere = `${ws.home}/elsewhere`;
    mkdirSync(elsewhere);
    await Bun.$`rm -rf ${ws.path(`${session}/logs`)} && ln -s ${elsewhere} ${ws.path(`${session}/logs`)}`.quiet();
    const ran = await ws.run(["run"], {
      ...claude(ws.root, "Bash", { command: "ls" }, "PostToolUse"),
      tool_response: {},
    });
    expect(ran.exitCode).toBe(0);
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(ws.records().at(-1)?.["effects"][0].error).toContain("leads out of the workspace");
  });
});

describe("S0-R10 S0-R113 hook 2, session header stamp", () => {
  test("one line with time, folder, session and the hash of the initial prompt", async () => {
    using ws = ralph("ralph/p1");
    await runCopilot(ws, "sessionStart", { source: "new", initialPrompt: "Add a discount field" });
    expect(log(ws, "session.log")).toEqual([
      expect.objectContaining({
        timestamp: expect.stringMatching(iso),
        cwd: ws.root,
        session_id: id,
        prompt_hash: sha256("Add a discount field"),
      }),
    ]);
  });

  test("S0-C18 without a prompt the hash is null; a second start adds a second line", async () => {
    using ws = ralph("ralph/p1");
    await runClaude(ws, "SessionStart", { source: "startup" });
    await runClaude(ws, "SessionStart", { source: "resume" });
    expect(log(ws, "session.log").map((entry) => entry.prompt_hash)).toEqual([null, null]);
  });

  test("S0-C17 a session that starts for the first time gets its folders and its header", async () => {
    using ws = workspace({ "hookline.yaml": "extends: ralph/p1", ".ralph-sessions/.active-session": id });
    await runClaude(ws, "SessionStart", { source: "startup" });
    expect(log(ws, "session.log")).toHaveLength(1);
    expect(existsSync(ws.path(`${session}/signals/processed`))).toBe(true);
  });
});

test("S0-R11 hook 3 notes the hash and the time of the instructions", async () => {
  const text = "## Target Files\n- src/a.ts\n";
  using ws = ralph(only("session-instruction-presence-check"), {
    [`.ralph-sessions/${id}.instructions.md`]: text,
  });
  const time = new Date("2026-02-15T10:30:00Z");
  utimesSync(ws.path(`.ralph-sessions/${id}.instructions.md`), time, time);
  await runClaude(ws, "SessionStart", { source: "startup" });
  expect(log(ws, "session.log")).toEqual([
    expect.objectContaining({ kind: "instructions", sha256: sha256(text), modified_at: time.toISOString() }),
  ]);
});

describe("prompts", () => {
  test("S0-R12 hook 4 keeps each prompt as it came, with time and session", async () => {
    using ws = ralph(only("prompt-capture"));
    const prompts = ["first\nsecond line", 'with "quotes" and ünïcödé'];
    for (const prompt of prompts) await runCopilot(ws, "userPromptSubmitted", { prompt });
    expect(log(ws, "prompts.log").map(({ prompt, session_id }) => [prompt, session_id])).toEqual(
      prompts.map((prompt) => [prompt, id]),
    );
  });

  test("S0-R13 S0-R117 hook 5 keeps their hashes in an index that says it is one", async () => {
    using ws = ralph(only("prompt-hash-index"));
    await runClaude(ws, "UserPromptSubmit", { prompt: "continue" });
    expect(log(ws, "prompts.index.jsonl")).toEqual([
      expect.objectContaining({
        prompt_hash: sha256("continue"),
        timestamp: expect.stringMatching(iso),
        session_id: id,
        label: "Non-authoritative. Regenerate from SSOT.",
      }),
    ]);
  });

  test("S0-R14 S0-R118 hook 6 rejects a prompt above the limit, and says the limit and what to do", async () => {
    using ws = ralph(only("prompt-size-guard"));
    const fine = await runClaude(ws, "UserPromptSubmit", { prompt: "x".repeat(50 * 1024) });
    expect([fine.exitCode, fine.stdout]).toEqual([0, ""]);
    const ran = await runClaude(ws, "UserPromptSubmit", { prompt: "ü".repeat(25 * 1024 + 1) });
    expect(ran.json()).toMatchObject({ decision: "block" });
    expect(ran.json().reason).toContain("the prompt has 50.1 KB, and 50 KB are allowed");
    expect(ran.json().reason).toContain("Put the long part into a file");
    ws.write("hookline.yaml", "extends: []\nrules:\n  ralph/prompt-size-guard: { options: { max_kb: 1 } }\n");
    const smaller = await runCopilot(ws, "userPromptSubmitted", { prompt: "x".repeat(1025) });
    expect(smaller.stdout).toContain("1 KB are allowed");
  });

  test("S0-F42 a prompt that names a session binds the agent's session to it; hooks then know whose they are", async () => {
    using ws = ralph("ralph/p1", { ".ralph-sessions/260216-000000/logs/.keep": "" });
    await runClaude(ws, "UserPromptSubmit", { prompt: `go on with ${id}` });
    const binding = JSON.parse(readFileSync(ws.path(".ralph-sessions/.hook-bindings/5f0c.json"), "utf8"));
    expect(binding).toEqual({
      ralph_session_id: id,
      updated_at: expect.stringMatching(iso),
      source: "user_prompt",
    });
    await ws.run(["run"], {
      ...claude(ws.root, "Bash", { command: "ls" }, "PostToolUse"),
      tool_response: {},
    });
    expect(log(ws, "tool-usage.jsonl")).toHaveLength(1);
    await ws.run(["run"], {
      ...claude(ws.root, "Bash", { command: "ls" }, "PostToolUse"),
      session_id: "other",
      tool_response: {},
    });
    expect(log(ws, "tool-usage.jsonl")).toHaveLength(1);
  });
});

describe("hook 15, plan snapshot integrity check", () => {
  const plan = `${session}/iterations/1/plan.md`;
  const write = (ws: Workspace, agent?: string) =>
    ws.run(["run"], {
      ...claude(ws.root, "Write", { file_path: ws.path(plan), content: "# New\n" }),
      ...(agent === undefined ? {} : { agent_id: "a1", agent_type: agent }),
    });
  const call = (ws: Workspace, mode: string, event = "PreToolUse") =>
    ws.run(["run"], {
      ...claude(
        ws.root,
        "Agent",
        { subagent_type: "Ralph-v2-Planner", prompt: `MODE: ${mode}`, description: "" },
        event,
      ),
      tool_use_id: `toolu_${mode}`,
      ...(event === "PreToolUse" ? {} : { tool_response: "done" }),
    });
  const isDenied = async (ran: ReturnType<typeof write>) => (await ran).stdout.includes('"deny"');

  test("S0-R23 a new plan may be written, a written one by the planner in UPDATE mode only", async () => {
    using ws = ralph(only("plan-snapshot-integrity-check"));
    expect(await isDenied(write(ws))).toBe(false);
    ws.write(plan, "# Plan\n");
    expect(await isDenied(write(ws))).toBe(true);
    expect(await isDenied(write(ws, "Ralph-v2-Executor"))).toBe(true);
    await call(ws, "TASK_BREAKDOWN");
    expect(await isDenied(write(ws, "Ralph-v2-Planner"))).toBe(true);
    await call(ws, "TASK_BREAKDOWN", "PostToolUse");
    await call(ws, "UPDATE");
    expect(await isDenied(write(ws, "Ralph-v2-Planner"))).toBe(false);
    expect(await isDenied(write(ws, "Ralph-v2-Executor"))).toBe(true);
    // Where the agent does not name its subagent, the one that was called counts.
    expect(await isDenied(write(ws))).toBe(false);
    await call(ws, "UPDATE", "PostToolUse");
    expect(await isDenied(write(ws))).toBe(true);
    expect(await isDenied(write(ws, "Ralph-v2-Planner"))).toBe(true);
    expect(log(ws, "subagent-calls.jsonl").map(({ phase, modes }) => `${phase} ${modes}`)).toEqual([
      "start TASK_BREAKDOWN",
      "end TASK_BREAKDOWN",
      "start UPDATE",
      "end UPDATE",
    ]);
  });

  test("a call that was refused, or never came back, lets nobody write", async () => {
    using ws = ralph("extends: ralph/p0\nrules:\n  ralph/plan-snapshot-integrity-check: on\n", {
      [plan]: "# Plan\n",
    });
    const agent = {
      subagent_type: "Ralph-v2-Planner",
      prompt: "MODE: UPDATE\nMODE: REBREAKDOWN",
      description: "",
    };
    expect((await ws.run(["run"], claude(ws.root, "Agent", agent))).stdout).toContain('"deny"');
    expect(log(ws, "subagent-calls.jsonl")).toEqual([]);
    expect(await isDenied(write(ws))).toBe(true);
    await call(ws, "UPDATE");
    expect(await isDenied(write(ws))).toBe(false);
    const path = ws.path(`${session}/logs/subagent-calls.jsonl`);
    const entry = {
      ...log(ws, "subagent-calls.jsonl")[0],
      timestamp: new Date(Date.now() - 3 * 3600_000).toISOString(),
    };
    writeFileSync(path, `${JSON.stringify(entry)}\n`);
    expect(await isDenied(write(ws))).toBe(true);
  });

  test("S0-R118 the reason names the file, the writer and the way", async () => {
    using ws = ralph(only("plan-snapshot-integrity-check"), { [plan]: "# Plan\n" });
    const reason = (await write(ws, "Ralph-v2-Executor")).json().hookSpecificOutput.permissionDecisionReason;
    expect(reason).toContain("is written already, and Ralph-v2-Executor in no known mode may not change it");
    expect(reason).toContain("MODE: UPDATE");
  });

  test("in Copilot's words, through a redirection", async () => {
    using ws = ralph(only("plan-snapshot-integrity-check"), { [plan]: "# Plan\n" });
    const ran = await runCopilot(ws, "preToolUse", {
      toolName: "bash",
      toolArgs: { command: `echo x > ${plan}` },
    });
    expect(ran.json()).toMatchObject({ permissionDecision: "deny" });
  });
});

describe("S0-R24 hook 16, iteration metadata guard", () => {
  const file = `${session}/iterations/1/metadata.yaml`;
  test("times that are no ISO8601 or run backwards are stopped, through an edit and through sed -i alike", async () => {
    const text = "version: 1\niteration: 1\nstarted_at: 2026-02-15T18:00:00+07:00\ncompleted_at: null\n";
    using ws = ralph(only("iteration-metadata-guard"), { [file]: text });
    const edit = (value: string) =>
      ws.run(
        ["eval"],
        claude(ws.root, "Edit", {
          file_path: ws.path(file),
          old_string: "completed_at: null",
          new_string: `completed_at: ${value}`,
        }),
      );
    expect((await edit("2026-02-15T11:00:01Z")).json().outcome).toBe("pass");
    const early = (await edit("2026-02-15T10:59:59Z")).json();
    expect(early.outcome).toBe("block");
    expect(early.findings[0].message).toContain("`completed_at` (2026-02-15T10:59:59Z)");
    expect(early.findings[0].message).toContain("is earlier than `started_at` (2026-02-15T18:00:00+07:00)");
    const late = (await edit("tomorrow")).json();
    expect(late.findings[0].message).toContain("is not ISO8601: 'tomorrow'");
  });
});

describe("S0-R25 S0-R114 hook 17, tool usage ledger", () => {
  test("name, arguments, duration, exit status and result, of Claude Code's calls", async () => {
    using ws = ralph("ralph/p1");
    await ws.run(["run"], {
      ...claude(ws.root, "Bash", { command: "npm test" }, "PostToolUse"),
      tool_response: { stdout: "12 passed", stderr: "" },
      duration_ms: 18,
    });
    const failed = claude(ws.root, "Bash", { command: "npm test" }, "PostToolUseFailure");
    await ws.run(["run"], { ...failed, error: "Exit code 3\n2 tests failed", duration_ms: 4210 });
    expect(log(ws, "tool-usage.jsonl")).toMatchObject([
      {
        tool: "Bash",
        call: "toolu_01",
        args: { command: "npm test" },
        duration_ms: 18,
        status: "success",
        exit_status: 0,
        result: { stdout: "12 passed" },
      },
      {
        tool: "Bash",
        duration_ms: 4210,
        status: "failure",
        exit_status: 3,
        result: "Exit code 3\n2 tests failed",
      },
    ]);
  });

  test("and of Copilot's, where the duration is the time since the call was announced", async () => {
    using ws = ralph("ralph/p1");
    const tool = { toolName: "bash", toolArgs: { command: "npm test" } };
    await runCopilot(ws, "preToolUse", tool);
    const end = "<shellId: 0 completed with exit code 1>";
    await runCopilot(ws, "postToolUse", {
      ...tool,
      toolResult: { resultType: "success", textResultForLlm: `2 failed\n${end}` },
    });
    await runCopilot(ws, "postToolUse", {
      toolName: "view",
      toolArgs: { path: "a" },
      toolResult: { resultType: "failure", textResultForLlm: "no such file" },
    });
    const [test_, view] = log(ws, "tool-usage.jsonl");
    expect(test_).toMatchObject({ tool: "bash", status: "failure", exit_status: 1 });
    expect(test_.duration_ms).toBeGreaterThanOrEqual(0);
    expect(view).toMatchObject({
      tool: "view",
      status: "failure",
      exit_status: null,
      duration_ms: null,
      result: "no such file",
    });
  });

  test("long texts are cut, and say how long they were", async () => {
    using ws = ralph("ralph/p1");
    await ws.run(["run"], {
      ...claude(ws.root, "Write", { file_path: "a", content: "y".repeat(5000) }, "PostToolUse"),
      tool_response: "ok",
    });
    const [entry] = log(ws, "tool-usage.jsonl");
    expect(entry.args.content).toEndWith("… [5000 characters]");
    expect(entry.args.content.length).toBeLessThan(2100);
  });
});

test("S0-R26 hook 18 hashes what a tool has changed, with the tool beside it", async () => {
  using ws = ralph(only("determinism-checksum"), { "src/a.ts": "one", "src/b.ts": "two" });
  await ws.run(["run"], {
    ...claude(
      ws.root,
      "Bash",
      { command: "cp src/a.ts src/c.ts; echo two > src/b.ts; rm -f src/gone.ts" },
      "PostToolUse",
    ),
    tool_response: {},
  });
  const entries = log(ws, "checksums.jsonl");
  expect(entries.map(({ path, sha256: hash, bytes }) => [path, hash, bytes])).toEqual([
    ["src/c.ts", null, null],
    ["src/b.ts", sha256("two"), 3],
    ["src/gone.ts", null, null],
  ]);
  expect(entries[0]).toMatchObject({ tool: "Bash", call: "toolu_01" });
});

test("hook 18 says which file it could not hash, and hashes the others", async () => {
  using ws = ralph(only("determinism-checksum"), { "a.txt": "a" });
  await Bun.$`truncate -s 40M ${ws.path("large.bin")} && ln -s loop ${ws.path("loop")}`.quiet();
  const ran = await ws.run(["run"], {
    ...claude(ws.root, "Bash", { command: "cp x large.bin; touch loop; cp y a.txt" }, "PostToolUse"),
    tool_response: {},
  });
  expect(ran.stdout).toBe("");
  expect(log(ws, "checksums.jsonl").map(({ path, sha256: hash, error }) => [path, hash, error])).toEqual([
    ["large.bin", null, "too large"],
    ["loop", null, "cannot be read"],
    ["a.txt", sha256("a"), undefined],
  ]);
});

test("hook 18 keeps within bounds where a command changes hundreds of files", async () => {
  using ws = ralph(only("determinism-checksum"));
  const names = Array.from({ length: 400 }, (_, n) => `f${n}`);
  const ran = await ws.run(["run"], {
    ...claude(ws.root, "Bash", { command: `touch ${names.join(" ")}` }, "PostToolUse"),
    tool_response: {},
  });
  expect(ran.stdout).toBe("");
  const entries = log(ws, "checksums.jsonl");
  expect(entries).toHaveLength(101);
  expect(entries.at(-1)).toMatchObject({ path: null, omitted: 300 });
});

describe("S0-R27 S0-C9 hook 19, policy denial audit", () => {
  test("a refused call is one line with the first rule and its reason, whichever pack it is from", async () => {
    using ws = ralph("[recommended, ralph/p1]");
    await ws.run(["run"], claude(ws.root, "Write", { file_path: "/etc/passwd", content: "" }));
    await ws.run(["run"], claude(ws.root, "Bash", { command: "rm -rf build" }));
    await runCopilot(ws, "preToolUse", {
      toolName: "create",
      toolArgs: { path: ws.path("src/a.ts"), file_text: "" },
    });
    const entries = log(ws, "policy-denials.jsonl");
    expect(entries).toHaveLength(3);
    expect(entries[0]).toMatchObject({
      tool: "Write",
      rule: "safety/workspace-boundary",
      args: { file_path: "/etc/passwd" },
    });
    // Three rules say the same of the same path; the last two leave it to the first.
    expect(entries[0].also).not.toContain("ralph/workspace-boundary-guard");
    expect(entries[1]).toMatchObject({ tool: "Bash", rule: "ralph/destructive-command-denylist" });
    expect(entries[1].reason).toContain("rm -rf build");
    expect(entries[2]).toMatchObject({ tool: "create", rule: "ralph/path-allowlist" });
    expect(
      ws
        .records()
        .at(-1)
        ?.["findings"].map((finding: any) => finding.rule),
    ).toEqual(["ralph/path-allowlist", "ralph/policy-denial-audit"]);
  });

  test("what passes, warns or is only observed leaves none", async () => {
    using ws = ralph("ralph/p1");
    await ws.run(["run"], claude(ws.root, "Bash", { command: "ls" }));
    const progress = `${session}/iterations/1/progress.md`;
    await ws.run(
      ["run"],
      claude(ws.root, "Write", { file_path: ws.path(progress), content: "- [x] task-1\n- [x] task-1\n" }),
    );
    ws.write("hookline.yaml", "extends: ralph/p1\nmode: observe\n");
    await ws.run(["run"], claude(ws.root, "Bash", { command: "rm -rf build" }));
    expect(log(ws, "policy-denials.jsonl")).toEqual([]);
  });
});

test("S0-R28 S0-C13 hook 20 hashes a subagent's answer, in both dialects", async () => {
  using ws = ralph(only("subagent-output-digest"));
  await runCopilot(ws, "postToolUse", {
    toolName: "task",
    toolArgs: { agent_type: "Ralph-v2-Executor", prompt: "MODE: EXECUTE\nTASK_ID: task-1" },
    toolResult: { resultType: "success", textResultForLlm: "done" },
  });
  await runClaude(ws, "SubagentStop", {
    agent_id: "a1",
    agent_type: "Ralph-v2-Reviewer",
    last_assistant_message: "Qualified.",
    stop_hook_active: false,
  });
  expect(log(ws, "subagent-digests.jsonl")).toMatchObject([
    {
      session_id: id,
      timestamp: expect.stringMatching(iso),
      subagent: "Ralph-v2-Executor",
      sha256: sha256(JSON.stringify({ resultType: "success", textResultForLlm: "done" })),
    },
    { subagent: "Ralph-v2-Reviewer", sha256: sha256("Qualified."), length: 10 },
  ]);
});

describe("S0-R39 hook 31, manual edit checklist", () => {
  const progress = `${session}/iterations/1/progress.md`;
  const edit = (ws: Workspace, event = "PreToolUse") =>
    ws.run(["run"], {
      ...claude(
        ws.root,
        "Edit",
        { file_path: ws.path(progress), old_string: "[ ] task-2", new_string: "[/] task-2" },
        event,
      ),
      ...(event === "PreToolUse" ? {} : { tool_response: "ok" }),
    });
  const old = (ws: Workspace) => utimesSync(ws.path(progress), new Date(0), new Date(0));
  const checklist = (ws: Workspace) => ws.path(`${session}/logs/manual-edits.md`);

  test("a person's edit needs a ticked line; the agent's own need none", async () => {
    using ws = ralph(only("manual-edit-checklist"), { [progress]: "- [ ] task-1\n- [ ] task-2\n" });
    await edit(ws, "PostToolUse");
    ws.write(progress, "- [/] task-1\n- [ ] task-2\n");
    await edit(ws, "PostToolUse"); // the tool's own change
    old(ws);
    expect((await edit(ws)).stdout).toBe("");
    expect(existsSync(checklist(ws))).toBe(false);

    ws.write(progress, "- [x] task-1\n- [ ] task-2\n"); // a person's
    expect((await edit(ws)).stdout).toBe(""); // as young as this it may be another subagent's
    old(ws);
    const denied = (await edit(ws)).json().hookSpecificOutput;
    expect(denied.permissionDecision).toBe("deny");
    expect(denied.permissionDecisionReason).toContain(
      "`iterations/1/progress.md` was changed outside the agent's tools",
    );
    const hash = sha256("- [x] task-1\n- [ ] task-2\n").slice(0, 12);
    expect(denied.permissionDecisionReason).toContain(hash);
    await edit(ws);
    const waiting = readFileSync(checklist(ws), "utf8");
    expect(waiting).toStartWith("# Manual edits\n");
    expect(waiting.match(/^- \[ \] .*$/gm)).toEqual([
      expect.stringMatching(
        new RegExp(`^- \\[ \\] \\S+Z iterations/1/progress\\.md \\(sha256 ${hash}\\): $`),
      ),
    ]);

    writeFileSync(checklist(ws), waiting.replace("- [ ]", "- [x]").replace(/: \n$/, ": done by hand\n"));
    expect((await edit(ws)).stdout).toBe("");
    // From then on it is known, whatever becomes of the checklist.
    writeFileSync(checklist(ws), "");
    expect((await edit(ws)).stdout).toBe("");
  });

  test("a change by a command nobody can read counts as the tool's", async () => {
    using ws = ralph(only("manual-edit-checklist"), { [progress]: "- [ ] task-1\n- [ ] task-2\n" });
    await runClaude(ws, "SessionStart", { source: "startup" });
    ws.write(progress, "- [P] task-1\n- [ ] task-2\n");
    old(ws);
    await ws.run(["run"], {
      ...claude(ws.root, "Bash", { command: "python3 mark.py" }, "PostToolUse"),
      tool_response: {},
    });
    expect((await edit(ws)).stdout).toBe("");
  });

  test("an edit between two sessions is noticed", async () => {
    using ws = ralph(only("manual-edit-checklist"), { [progress]: "- [ ] task-1\n- [ ] task-2\n" });
    await runClaude(ws, "SessionStart", { source: "startup" });
    ws.write(progress, "- [x] task-1\n- [ ] task-2\n");
    old(ws);
    await runClaude(ws, "SessionStart", { source: "resume" });
    expect((await edit(ws)).stdout).toContain("deny");
  });
});

describe("S0-R40 hook 32, policy version stamp", () => {
  const file = `${session}/metadata.yaml`;
  const stamp = (ws: Workspace) =>
    /^hook_policy_version: "(.*)"$/m.exec(readFileSync(ws.path(file), "utf8"))?.[1];

  test("the version is in metadata.yaml at the start, after updates, and follows the policy", async () => {
    using ws = ralph("ralph/all");
    const before = readFileSync(ws.path(file), "utf8");
    await runClaude(ws, "SessionStart", { source: "startup" });
    const first = stamp(ws);
    expect(first).toMatch(/^\d+\.\d+\.\d+\+[0-9a-f]{12}$/);
    expect(readFileSync(ws.path(file), "utf8")).toBe(`${before}hook_policy_version: "${first}"\n`);
    expect(ws.records().at(-1)?.["policy"].digest).toStartWith(first?.split("+")[1] ?? "?");
    const unchanged = statSync(ws.path(file)).mtimeMs;
    await runClaude(ws, "SessionStart", { source: "resume" });
    expect(statSync(ws.path(file)).mtimeMs).toBe(unchanged);

    ws.write(file, before);
    await ws.run(["run"], {
      ...claude(ws.root, "Write", { file_path: ws.path(file), content: before }, "PostToolUse"),
      tool_response: "ok",
    });
    expect(stamp(ws)).toBe(first);

    ws.write("hookline.yaml", "extends: [ralph/all, recommended]");
    await runClaude(ws, "SessionStart", { source: "startup" });
    expect(stamp(ws)).not.toBe(first);
    expect(readFileSync(ws.path(file), "utf8").match(/hook_policy_version/g)).toHaveLength(1);
  });

  test("a file that is not sound, or would not be, is left alone", async () => {
    for (const text of ["version: [\n", "- a\n", "{ version: 1, iteration: 1 }\n", "a: 1\n...\n", ""]) {
      using ws = ralph(only("policy-version-stamp"), { [file]: text });
      await runClaude(ws, "SessionStart", { source: "startup" });
      expect(readFileSync(ws.path(file), "utf8")).toBe(text);
    }
  });

  test("is written once, by however many agents start at once", async () => {
    using ws = ralph(only("policy-version-stamp"));
    const before = readFileSync(ws.path(file), "utf8");
    await Promise.all(Array.from({ length: 8 }, () => runClaude(ws, "SessionStart", { source: "startup" })));
    expect(readFileSync(ws.path(file), "utf8")).toBe(`${before}hook_policy_version: "${stamp(ws)}"\n`);
    expect(readdirSync(ws.path(session)).filter((name) => /lock|part/.test(name))).toEqual([]);
  });

  test("its own stamp is no manual edit", async () => {
    using ws = ralph("ralph/all", {
      [`${session}/metadata.yaml`]: "version: 1\niteration: 1\norchestrator:\n  state: PLANNING\n",
    });
    await runClaude(ws, "SessionStart", { source: "startup" });
    utimesSync(ws.path(file), new Date(0), new Date(0));
    const text = readFileSync(ws.path(file), "utf8");
    const ran = await ws.run(["run"], claude(ws.root, "Write", { file_path: ws.path(file), content: text }));
    expect(ran.stdout).toBe("");
  });
});

test("S0-R41 S0-C13 hook 33 keeps rejected ids with the reason and the command", async () => {
  using ws = workspace({
    "hookline.yaml": "extends: ralph/all",
    ".ralph-sessions/.active-session": "../../etc",
  });
  await runCopilot(ws, "sessionStart", { source: "new", initialPrompt: "resume ../../etc" });
  expect(log(ws, ".ralph-sessions/logs/rejected-session-ids.jsonl")).toEqual([
    expect.objectContaining({
      timestamp: expect.stringMatching(iso),
      session_id: "../../etc",
      reason:
        "does not match required format YYMMDD-HHmmss and contains path separators and leads to a parent folder",
      source: ".active-session",
      source_command: "resume ../../etc",
    }),
  ]);
});
