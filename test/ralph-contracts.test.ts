import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { claude, workspace } from "./support/hookline.ts";

const id = "260215-173319";
const sessionPath = `.ralph-sessions/${id}/`;

describe("every Ralph contract", () => {
  test("S0-R42 S0-C1 a contract takes input, evaluates, and returns PASS, WARN or BLOCK", async () => {
    using ws = workspace();
    const ask = (new_content: string) =>
      ws.run(["rules", "eval", "ralph/8"], {
        tool_name: "create_file",
        file_path: "progress.md",
        new_content,
        session_id: id,
      });
    expect((await ask("- [x] task-1")).json()["verdict"]).toBe("PASS");
    expect((await ask("- [x] task-1\n- [x] task-1")).json()["verdict"]).toBe("WARN");
    expect((await ask("- [?] task-1")).json()["verdict"]).toBe("BLOCK");
  });

  test("rules eval exits 0 on PASS and WARN, 2 on BLOCK and on input that is not the contract's", async () => {
    using ws = workspace();
    const write = { tool_name: "create_file", file_path: "progress.md", session_id: id };
    expect((await ws.run(["rules", "eval", "ralph/8"], { ...write, new_content: "" })).exitCode).toBe(0);
    expect(
      (await ws.run(["rules", "eval", "ralph/8"], { ...write, new_content: "- [x] task-1\n- [x] task-1" }))
        .exitCode,
    ).toBe(0);
    expect(
      (await ws.run(["rules", "eval", "ralph/8"], { ...write, new_content: "- [?] task-1" })).exitCode,
    ).toBe(2);
    const wrong = await ws.run(["rules", "eval", "ralph/8"], { ...write, new_content: 5 });
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stdout).toBe("");
    expect(wrong.stderr).toContain("new_content: expected string");
    expect((await ws.run(["rules", "eval", "ralph/99"], {})).stderr).toContain('unknown rule "ralph/99"');
    expect((await ws.run(["rules", "eval", "ralph/8"], "{half")).stderr).toContain("not JSON");
  });

  test("S0-R43 a PASS lets the call proceed without a word", async () => {
    using ws = workspace({ "hookline.yaml": "extends: ralph/p0" });
    const ran = await ws.run(
      ["run"],
      claude(ws.root, "Write", { file_path: ws.path("src/a.ts"), content: "" }),
    );
    expect([ran.exitCode, ran.stdout]).toEqual([0, ""]);
  });

  test("S0-R44 a BLOCK stops the call, reaches the agent with its reason, and is on record", async () => {
    using ws = workspace({ "hookline.yaml": "extends: ralph/p0", [`${sessionPath}logs/x`]: "" });
    const ran = await ws.run(
      ["run"],
      claude(ws.root, "Write", { file_path: ws.path("src/a.ts"), content: "" }),
    );
    const decision = ran.json().hookSpecificOutput;
    expect(decision.permissionDecision).toBe("deny");
    expect(decision.permissionDecisionReason).toContain("ralph/path-allowlist: Path is not in the allowlist");
    expect(ws.records().at(-1)).toMatchObject({
      verdict: { outcome: "block" },
      findings: [{ rule: "ralph/path-allowlist" }],
    });
  });

  test("S0-R45 a WARN lets the call proceed, tells the agent, and is on record", async () => {
    using ws = workspace({ "hookline.yaml": "extends: ralph/p0" });
    const content = "- [x] task-1\n- [ ] task-1\n";
    const ran = await ws.run(
      ["run"],
      claude(ws.root, "Write", { file_path: ws.path("progress.md"), content }),
    );
    const answer = ran.json().hookSpecificOutput;
    expect(answer.permissionDecision).toBeUndefined();
    expect(answer.additionalContext).toContain("Duplicate task id task-1");
    expect(ws.records().at(-1)?.["verdict"].outcome).toBe("warn");
  });

  test("S0-R46 S0-R54 S0-R108 a hook that crashes fails open with a warning and a line in logs/hook-errors.jsonl", async () => {
    using ws = workspace({ "hookline.yaml": "extends: ralph/p0", ".ralph-sessions/.active-session": id });
    ws.write(`${sessionPath}logs/session.log`, "");
    symlinkSync("signals", ws.path(`${sessionPath}signals`)); // a loop: looking at it fails
    const ran = await ws.run(["run"], { ...claude(ws.root, "", {}, "SessionStart"), source: "startup" });
    expect(ran.json().hookSpecificOutput.additionalContext).toContain(
      "ralph/session-directory-guard: the rule itself failed (crash",
    );
    const log = await Bun.file(ws.path(`${sessionPath}logs/hook-errors.jsonl`)).text();
    const lines = log
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    for (const hook of [1, 29])
      expect(lines).toContainEqual(expect.objectContaining({ hook, session_id: id, failure: "crash" }));
    expect(ws.records().at(-1)?.["verdict"].outcome).toBe("warn");
  });

  test("S0-R47 S0-R63 S0-R76 S0-C7 hooks 7 and 8 fail closed, and a policy can set them open", async () => {
    using ws = workspace({ "hookline.yaml": "extends: ralph/p0", ".ralph-sessions/.active-session": id });
    symlinkSync("loop", ws.path("loop"));
    const write = claude(ws.root, "Write", { file_path: ws.path("loop/progress.md"), content: "" });
    const closed = (await ws.run(["eval"], write)).json();
    expect(closed.findings).toContainEqual(
      expect.objectContaining({ rule: "ralph/path-allowlist", outcome: "block", failure: expect.anything() }),
    );

    mkdirSync(ws.path(`${sessionPath}iterations/1/progress.md`), { recursive: true }); // a folder cannot be read as a file
    const edit = claude(ws.root, "Edit", {
      file_path: ws.path(`${sessionPath}iterations/1/progress.md`),
      old_string: "a",
      new_string: "b",
    });
    const eighth = (await ws.run(["eval"], edit)).json();
    expect(eighth.findings).toContainEqual(
      expect.objectContaining({
        rule: "ralph/ssot-write-guard",
        outcome: "block",
        failure: expect.anything(),
      }),
    );

    ws.write("hookline.yaml", "extends: ralph/p0\nrules:\n  ralph/path-allowlist:\n    failMode: open\n");
    const open = (await ws.run(["eval"], write)).json();
    expect(open.findings).toContainEqual(
      expect.objectContaining({ rule: "ralph/path-allowlist", outcome: "warn" }),
    );
  });

  test("S0-R83 S0-R98 S0-R111 hooks 7 and 8 fail closed, hooks 1, 9 and 14 open", async () => {
    using ws = workspace();
    const rules = (await ws.run(["rules", "list", "--pack", "ralph", "--json"])).json();
    const mode = (number: number) => rules.find((rule: any) => rule.number === number).failMode;
    expect([7, 8].map(mode)).toEqual(["closed", "closed"]);
    expect([1, 9, 14].map(mode)).toEqual(["open", "open", "open"]);
  });
});

describe("hook 1, session directory guard", () => {
  const ask = (
    ws: ReturnType<typeof workspace>,
    session_id: string,
    session_path = `.ralph-sessions/${session_id}/`,
  ) => ws.run(["rules", "eval", "ralph/1"], { session_id, session_path, workspace_root: ws.root });

  test("S0-R48 the input is session_id, session_path and workspace_root, all of them", async () => {
    using ws = workspace();
    const ran = await ws.run(["rules", "eval", "ralph/1"], { session_id: id });
    expect(ran.exitCode).toBe(2);
    expect(ran.stderr).toContain("session_path");
    expect(ran.stderr).toContain("workspace_root");
  });

  test("S0-R50 S0-R55 an id of another form is blocked with the literal reason", async () => {
    using ws = workspace();
    const ran = await ask(ws, "invalid-id");
    expect(ran.exitCode).toBe(2);
    expect(ran.json()).toEqual({
      verdict: "BLOCK",
      reason: "Session ID 'invalid-id' does not match required format YYMMDD-HHmmss",
    });
    for (const bad of [
      "",
      "260215-17331",
      "260215-1733190",
      "x260215-173319",
      "260215-173319\n",
      "２６0215-173319",
    ]) {
      expect((await ask(ws, bad)).json()["verdict"]).toBe("BLOCK");
    }
  });

  test("S0-R51 an id with a path separator is blocked, and nothing is created", async () => {
    using ws = workspace();
    for (const bad of ["../260215-173319", "a\\b", "260215-173319/.."]) {
      const { verdict, reason } = (await ask(ws, bad)).json();
      expect([verdict, reason]).toEqual(["BLOCK", expect.stringContaining("path separators")]);
    }
    expect(existsSync(ws.path(".ralph-sessions"))).toBe(false);
  });

  test("S0-R49 S0-R52 an absent session is created with its scaffold, and the output says so", async () => {
    using ws = workspace();
    const ran = await ask(ws, id);
    expect(ran.exitCode).toBe(0);
    expect(ran.json()).toEqual({
      verdict: "PASS",
      reason: null,
      actions_taken: [
        `Created directory: ${sessionPath}`,
        "Created scaffold: signals/inputs/, signals/processed/, logs/",
      ],
    });
    for (const folder of ["signals/inputs", "signals/processed", "logs"])
      expect(existsSync(ws.path(sessionPath + folder))).toBe(true);
    expect((await ask(ws, id)).json()).toEqual({ verdict: "PASS", reason: null });
  });

  test("S0-R53 a session without its scaffold is a warning that names what is missing", async () => {
    using ws = workspace({ [`${sessionPath}logs/x`]: "" });
    const ran = await ask(ws, id);
    expect(ran.exitCode).toBe(0);
    const { verdict, reason } = ran.json();
    expect(verdict).toBe("WARN");
    expect(reason).toContain("signals/inputs/, signals/processed/");
    expect(reason).not.toContain("logs/,");
  });

  test("a session path that leads out of the workspace is blocked, also through a link", async () => {
    using ws = workspace();
    expect((await ask(ws, id, "../elsewhere/")).json()["verdict"]).toBe("BLOCK");
    symlinkSync(ws.home, ws.path(".ralph-sessions"));
    expect((await ask(ws, id)).json()["verdict"]).toBe("BLOCK");
    expect(existsSync(join(ws.home, id))).toBe(false);
  });

  test("S0-R48 at session start the active session is created by the hook itself", async () => {
    using ws = workspace({
      "hookline.yaml": "extends: ralph/p0",
      ".ralph-sessions/.active-session": `${id}\n`,
    });
    await ws.run(["run"], { ...claude(ws.root, "", {}, "SessionStart"), source: "startup" });
    expect(existsSync(ws.path(`${sessionPath}signals/inputs`))).toBe(true);
    expect(ws.records().at(-1)?.["effects"]).toHaveLength(4);
  });
});

describe("hook 7, path allowlist", () => {
  const ask = (ws: ReturnType<typeof workspace>, file_path: string, more: object = {}) =>
    ws.run(["rules", "eval", "ralph/7"], {
      tool_name: "create_file",
      file_path,
      session_id: id,
      workspace_root: ws.root,
      ...more,
    });
  const rule = async (ws: ReturnType<typeof workspace>, path: string, more: object = {}) =>
    (await ask(ws, path, more)).json();

  test("S0-R56 the input needs its four fields, overrides are optional", async () => {
    using ws = workspace();
    const ran = await ws.run(["rules", "eval", "ralph/7"], { tool_name: "create_file" });
    for (const field of ["file_path", "session_id", "workspace_root"]) expect(ran.stderr).toContain(field);
    expect(ran.stderr).not.toContain("allowlist_overrides");
  });

  test("S0-R57 S0-R65 the session's own files pass, with the rule that matched and the normalized path", async () => {
    using ws = workspace();
    expect(await rule(ws, `${sessionPath}progress.md`, { tool_name: "replace_string_in_file" })).toEqual({
      verdict: "PASS",
      reason: null,
      normalized_path: ws.path(`${sessionPath}progress.md`),
      matched_rule: ".ralph-sessions/<session_id>/**",
    });
  });

  test("S0-R66 the session's instructions beside its folder pass", async () => {
    using ws = workspace();
    expect(await rule(ws, `.ralph-sessions/${id}.instructions.md`)).toMatchObject({
      verdict: "PASS",
      matched_rule: ".ralph-sessions/<session_id>.instructions.md",
    });
  });

  test("S0-R60 S0-C8 agent definitions and overrides pass: files, folders and globs", async () => {
    using ws = workspace();
    expect(await rule(ws, "agents/ralph-v2/planner.md")).toMatchObject({
      matched_rule: "agents/ralph-v2/**",
    });
    const overrides = { allowlist_overrides: ["src/app.ts", ".docs", "lib/**/*.ts"] };
    expect(await rule(ws, "src/app.ts", overrides)).toMatchObject({
      verdict: "PASS",
      matched_rule: "src/app.ts",
    });
    expect(await rule(ws, ".docs/how-to/a.md", overrides)).toMatchObject({
      verdict: "PASS",
      matched_rule: ".docs",
    });
    expect(await rule(ws, "lib/a/b.ts", overrides)).toMatchObject({
      verdict: "PASS",
      matched_rule: "lib/**/*.ts",
    });
    expect(await rule(ws, "src/app.ts.bak", overrides)).toMatchObject({
      verdict: "BLOCK",
      matched_rule: null,
    });
  });

  test("S0-C8 the Target Files of the session's instructions are overrides", async () => {
    const instructions =
      "---\napplyTo: x\n---\n## Target Files\n\n- `src/app.ts`\n- docs/\n\n## Agent Skills\n- secret.ts\n";
    using ws = workspace({
      "hookline.yaml": "extends: ralph/p0",
      [`.ralph-sessions/${id}.instructions.md`]: instructions,
      ".ralph-sessions/.active-session": id,
    });
    const outcome = async (path: string) =>
      (await ws.run(["eval"], claude(ws.root, "Write", { file_path: ws.path(path), content: "" }))).json()[
        "outcome"
      ];
    expect([await outcome("src/app.ts"), await outcome("docs/a.md"), await outcome("secret.ts")]).toEqual([
      "pass",
      "pass",
      "block",
    ]);
  });

  test("S0-R59 S0-R64 a path that leaves the workspace is blocked with the literal reason", async () => {
    using ws = workspace();
    expect(await rule(ws, "../../etc/passwd")).toMatchObject({
      verdict: "BLOCK",
      reason: "Path resolves outside workspace root after normalization",
      matched_rule: null,
    });
    expect(await rule(ws, `${ws.root}-evil/${sessionPath}x`)).toMatchObject({ verdict: "BLOCK" });
  });

  test("S0-R58 links, `..` and relative segments are resolved before anything is compared", async () => {
    using ws = workspace({ [`${sessionPath}logs/x`]: "", "src/a.ts": "" });
    expect(await rule(ws, `${sessionPath}../../src/./a.ts`)).toMatchObject({
      verdict: "BLOCK",
      normalized_path: ws.path("src/a.ts"),
    });
    expect(await rule(ws, `src/../${sessionPath}a.md`)).toMatchObject({ verdict: "PASS" });
    symlinkSync(ws.path("src"), ws.path(`${sessionPath}link`));
    expect(await rule(ws, `${sessionPath}link/a.ts`)).toMatchObject({
      verdict: "BLOCK",
      normalized_path: ws.path("src/a.ts"),
    });
    symlinkSync("/etc", ws.path(`${sessionPath}out`));
    expect(await rule(ws, `${sessionPath}out/new/file`)).toMatchObject({
      verdict: "BLOCK",
      normalized_path: "/etc/new/file",
    });
  });

  test("S0-R61 what matches nothing is blocked, also another session and the folder itself", async () => {
    using ws = workspace();
    for (const path of [
      "src/a.ts",
      ".ralph-sessions/260215-173320/a.md",
      ".ralph-sessions/notes.md",
      `.ralph-sessions/${id}`,
      "agents/other/x.md",
    ]) {
      expect(await rule(ws, path)).toMatchObject({ verdict: "BLOCK", matched_rule: null });
    }
  });

  test("a session id that is none opens no folder", async () => {
    using ws = workspace();
    for (const session_id of ["..", "", ".", "../src"]) {
      expect(await rule(ws, "src/a.ts", { session_id })).toMatchObject({ verdict: "BLOCK" });
    }
  });

  test("S0-R62 read-only tools are exempt", async () => {
    using ws = workspace();
    for (const tool_name of ["read_file", "grep_search", "list_dir"]) {
      expect(await rule(ws, "/etc/passwd", { tool_name })).toMatchObject({
        verdict: "PASS",
        matched_rule: null,
      });
    }
    expect(await rule(ws, "/etc/passwd", { tool_name: "anything_else" })).toMatchObject({ verdict: "BLOCK" });
  });
});

describe("hook 8, SSOT write guard", () => {
  const onlyEighth = "extends: ralph/p0\nrules:\n  ralph/progress-status-guard: off\n";
  const ask = async (file_path: string, new_content: string, tool_name = "create_file") => {
    using ws = workspace();
    return (
      await ws.run(["rules", "eval", "ralph/8"], {
        tool_name,
        file_path,
        new_content,
        session_id: id,
        file_type: "other",
      })
    ).json();
  };
  const progress = (content: string, tool?: string) => ask("iterations/1/progress.md", content, tool);
  const metadata = (content: string, path = "metadata.yaml", tool?: string) => ask(path, content, tool);

  test("S0-R67 the input needs tool, path and content; file_type is the hook's own to tell", async () => {
    using ws = workspace();
    const ran = await ws.run(["rules", "eval", "ralph/8"], { file_type: "progress" });
    for (const field of ["tool_name", "file_path", "new_content"]) expect(ran.stderr).toContain(field);
    expect(await ask("notes.md", "- [Z] task-1")).toMatchObject({ verdict: "PASS" });
  });

  test("S0-R68 S0-R77 a bad status is blocked with the literal reason and the violation", async () => {
    expect(await progress("- [Z] task-1")).toEqual({
      verdict: "BLOCK",
      reason: "Invalid status '[Z]' for task-1. Allowed: [ ], [/], [P], [x], [F], [C]",
      validation_errors: [
        { field: "task-1.status", expected: "[ ], [/], [P], [x], [F], [C]", actual: "[Z]" },
      ],
    });
  });

  test("S0-R69 progress.md and metadata.yaml count wherever they lie, other files never", async () => {
    for (const path of ["progress.md", "a/b/progress.md", "/abs/progress.md"])
      expect(await ask(path, "- [Z] task-1")).toMatchObject({ verdict: "BLOCK" });
    for (const path of ["metadata.yaml", "a/metadata.yaml"])
      expect(await ask(path, "iteration: 0")).toMatchObject({ verdict: "BLOCK" });
    for (const path of ["my-progress.md", "progress.md.bak", "metadata.yml", "a.txt"])
      expect(await ask(path, "- [Z] task-1\niteration: 0")).toMatchObject({
        verdict: "PASS",
        validation_errors: [],
      });
  });

  test("S0-R70 S0-C6 a task line has one form; lines about something else are not task lines", async () => {
    for (const bad of [
      "- [] task-1",
      "* [x] task-1",
      "- [xx] task-1",
      "-[x] task-1",
      "- [x]task-1",
      "- [x] task-one",
      "- task-1",
      "1. [x] task-1",
    ]) {
      expect(await progress(bad)).toMatchObject({ verdict: "BLOCK" });
    }
    for (const good of [
      "- [x] task-1",
      "  - [ ] task-12 (Attempt 1, Iteration 1)",
      "- [F] task-1a",
      "- [x] plan-init",
      "- `[ ]` Not started",
      "- [x] All tests pass",
      "see task-1",
      "## task-1",
      "- [ ] a task-1",
    ]) {
      expect(await progress(good)).toMatchObject({ verdict: "PASS" });
    }
  });

  test("S0-R71 the six statuses pass, every other character does not", async () => {
    for (const status of [" ", "/", "P", "x", "F", "C"])
      expect(await progress(`- [${status}] task-1`)).toMatchObject({ verdict: "PASS" });
    for (const status of ["X", "p", "-", "✓", "✅", "?"]) {
      const { verdict, reason } = await progress(`- [${status}] task-1`);
      expect([verdict, reason]).toEqual([
        "BLOCK",
        `Invalid status '[${status}]' for task-1. Allowed: [ ], [/], [P], [x], [F], [C]`,
      ]);
    }
  });

  test("S0-R72 a task id twice is a warning", async () => {
    expect(await progress("- [F] task-2\n- [ ] task-2")).toMatchObject({
      verdict: "WARN",
      reason: "Duplicate task id task-2",
    });
    expect(await progress("- [F] task-2\n- [ ] task-2a")).toMatchObject({ verdict: "PASS" });
  });

  test("S0-R73 an unknown orchestrator.state is blocked, the ten of v2.2.0 pass", async () => {
    const states =
      "INITIALIZING PLANNING REPLANNING BATCHING EXECUTING_BATCH REVIEWING_BATCH SESSION_REVIEW KNOWLEDGE_EXTRACTION KNOWLEDGE_APPROVAL COMPLETE";
    for (const state of states.split(" "))
      expect(await metadata(`orchestrator:\n  state: ${state}\n`)).toMatchObject({ verdict: "PASS" });
    for (const state of ["DONE", "planning", "ITERATION_REVIEW", "5", "[PLANNING]"]) {
      expect(await metadata(`orchestrator:\n  state: ${state}\n`)).toMatchObject({
        verdict: "BLOCK",
        validation_errors: [{ field: "orchestrator.state" }],
      });
    }
  });

  test("S0-R74 iteration is a positive integer", async () => {
    for (const good of ["1", "27"])
      expect(await metadata(`iteration: ${good}\n`)).toMatchObject({ verdict: "PASS" });
    for (const bad of ["0", "-1", "1.5", "two", "'2'", "null", "[1]"]) {
      expect(await metadata(`iteration: ${bad}\n`)).toMatchObject({
        verdict: "BLOCK",
        validation_errors: [{ field: "iteration" }],
      });
    }
  });

  test("S0-R75 timing fields are ISO8601, with a warning when they are not; null is fine", async () => {
    const at = (time: string) => metadata(`iteration: 1\nstarted_at: ${time}\n`);
    for (const good of [
      "2026-02-15T17:33:19Z",
      "2026-02-15T17:33:19+07:00",
      "2026-02-15T17:33:19+0700",
      "2026-02-15",
      "null",
      "2026-02-15T17:33:19.123Z",
    ]) {
      expect(await at(good)).toMatchObject({ verdict: "PASS" });
    }
    for (const bad of [
      "yesterday",
      "2026-13-01T00:00:00Z",
      "15.02.2026",
      "2026-02-30",
      "1771170000",
      "2026-02-15 17:33",
    ]) {
      expect(await at(bad)).toMatchObject({ verdict: "WARN", validation_errors: [{ field: "started_at" }] });
    }
  });

  test("S0-C4 only a whole session file must have its keys; an iteration's needs its number", async () => {
    const session = `.ralph-sessions/${id}/metadata.yaml`;
    const iteration = `.ralph-sessions/${id}/iterations/1/metadata.yaml`;
    expect(await metadata("version: 1\n", session)).toMatchObject({
      verdict: "BLOCK",
      validation_errors: [{ field: "orchestrator.state" }, { field: "iteration" }],
    });
    expect(await metadata("iteration: 1\norchestrator:\n  state: PLANNING\n", session)).toMatchObject({
      verdict: "PASS",
    });
    expect(await metadata("planning_complete: false\n", iteration)).toMatchObject({
      verdict: "BLOCK",
      validation_errors: [{ field: "iteration" }],
    });
    expect(await metadata("iteration: 1\n", iteration)).toMatchObject({ verdict: "PASS" });
    expect(await metadata("name: chart\n", "chart/metadata.yaml")).toMatchObject({ verdict: "PASS" });
    expect(await metadata("version: 2\n", session, "replace_string_in_file")).toMatchObject({
      verdict: "PASS",
    });
    expect(await metadata("{ broken: [", session)).toMatchObject({ verdict: "BLOCK" });
  });

  test("S0-C5 an edit is judged by the file it leaves behind, although its own text names no task", async () => {
    const path = `${sessionPath}iterations/1/progress.md`;
    using ws = workspace({
      "hookline.yaml": onlyEighth,
      [path]: "# Progress\n## Legend\n- `[ ]` Not started\n\n- [ ] task-1\n",
    });
    const edit = async (old_string: string, new_string: string) =>
      (
        await ws.run(["eval"], claude(ws.root, "Edit", { file_path: ws.path(path), old_string, new_string }))
      ).json();
    const bad = await edit("[ ]", "[Z]");
    expect(bad.outcome).toBe("block");
    expect(bad.findings[0].message).toContain("Invalid status '[Z]' for task-1");
    expect((await edit("- [ ] task", "- [x] task")).outcome).toBe("pass");
    expect((await edit("not there", "- [Z] task-9")).outcome).toBe("block");
    expect((await edit("not there", "[Z]")).outcome).toBe("pass");
  });

  test("S0-C5 a patch, a bare-string patch and a multi-edit are judged by what they leave behind", async () => {
    const path = `${sessionPath}iterations/1/progress.md`;
    using ws = workspace({ "hookline.yaml": onlyEighth, [path]: "- [ ] task-1\n- [ ] task-2\n" });
    const patch = `*** Begin Patch\n*** Update File: ${path}\n@@\n- [ ] task-1\n-- [ ] task-2\n+- [Q] task-2\n*** End Patch\n`;
    const copilot = { sessionId: "s", timestamp: 1, cwd: ws.root, toolName: "apply_patch", toolArgs: patch };
    expect((await ws.run(["eval"], copilot)).json().findings[0].message).toContain(
      "Invalid status '[Q]' for task-2",
    );
    const replacements = [
      { filePath: ws.path(path), oldString: "task-1", newString: "task-1 done" },
      { filePath: ws.path(path), oldString: "- [ ] task-2", newString: "- [y] task-2" },
    ];
    const vscode = {
      timestamp: "2026-11-16T00:00:00Z",
      hook_event_name: "PreToolUse",
      session_id: "s",
      cwd: ws.root,
      tool_use_id: "c",
      tool_name: "multi_replace_string_in_file",
      tool_input: { replacements },
    };
    expect((await ws.run(["eval"], vscode)).json()["outcome"]).toBe("block");
  });

  test("a status change as such is no violation: that is for the transition guard", async () => {
    const path = `${sessionPath}iterations/1/progress.md`;
    using ws = workspace({ "hookline.yaml": onlyEighth, [path]: "- [P] task-1\n" });
    const edit = claude(ws.root, "Edit", { file_path: ws.path(path), old_string: "[P]", new_string: "[F]" });
    expect((await ws.run(["eval"], edit)).json()["outcome"]).toBe("pass");
  });
});

describe("hook 9, single-mode subagent guard", () => {
  const ask = async (text: string, more: object = {}) => {
    using ws = workspace();
    const given = {
      tool_name: "@agent Ralph-v2-Executor",
      invocation_text: text,
      agent_target: "Ralph-v2-Executor",
    };
    return await ws.run(["rules", "eval", "ralph/9"], { ...given, ...more });
  };
  const judge = async (text: string, more?: object) => (await ask(text, more)).json();
  const parsed = (modes: string[], task_ids: string[], agent_target = "Ralph-v2-Executor") =>
    judge("", { agent_target, parsed_params: { modes, task_ids, session_path: sessionPath } });

  test("S0-R78 the input needs tool, text and agent; what was parsed may be missing, but not be something else", async () => {
    using ws = workspace();
    const ran = await ws.run(["rules", "eval", "ralph/9"], { parsed_params: { modes: "EXECUTE" } });
    expect([ran.exitCode, ran.stdout]).toEqual([2, ""]);
    for (const field of ["tool_name", "invocation_text", "agent_target", "parsed_params.modes"])
      expect(ran.stderr).toContain(field);
    expect(await judge("MODE: EXECUTE", { parsed_params: {} })).toMatchObject({ modes_found: ["EXECUTE"] });
    expect(await judge("MODE: EXECUTE\nTASK_ID: task-1")).toMatchObject({
      verdict: "PASS",
      modes_found: ["EXECUTE"],
      task_ids_found: ["task-1"],
    });
  });

  test("S0-R79 S0-R84 several tasks are blocked with the literal reason and what was found", async () => {
    const ran = await ask("MODE: EXECUTE\nTASK_ID: task-1, task-2");
    expect(ran.exitCode).toBe(2);
    const expected = {
      verdict: "BLOCK",
      reason:
        "Multiple TASK_IDs detected: [task-1, task-2]. Each subagent call must handle exactly one task.",
      modes_found: ["EXECUTE"],
      task_ids_found: ["task-1", "task-2"],
    };
    expect(ran.json()).toEqual(expected);
    expect(await parsed(["EXECUTE"], ["task-1", "task-2"])).toEqual(expected);
    expect(await parsed(["EXECUTE"], ["task-1, task-2"])).toEqual(expected);
    expect(await parsed(["EXECUTE"], ["task-1"])).toEqual({
      verdict: "PASS",
      reason: null,
      modes_found: ["EXECUTE"],
      task_ids_found: ["task-1"],
    });
  });

  test("S0-R80 exactly one mode: none is blocked, and so are two", async () => {
    expect(await parsed([], ["task-1"])).toMatchObject({
      verdict: "BLOCK",
      reason: "No MODE detected. Each subagent call must handle exactly one mode.",
    });
    expect(await parsed(["EXECUTE", "TASK_REVIEW"], [])).toMatchObject({
      verdict: "BLOCK",
      reason:
        "Multiple MODEs detected: [EXECUTE, TASK_REVIEW]. Each subagent call must handle exactly one mode.",
    });
    expect(await judge("Do task-1.")).toMatchObject({ verdict: "BLOCK", modes_found: [] });
    expect(await judge("MODE: EXECUTE\nMODE: UPDATE")).toMatchObject({
      verdict: "BLOCK",
      modes_found: ["EXECUTE", "UPDATE"],
    });
    expect((await parsed([], ["task-1", "task-2"])).reason).toMatch(/^No MODE .* Multiple TASK_IDs /);
  });

  test("S0-R81 no task is fine for modes without one", async () => {
    expect(await judge("MODE: INITIALIZE", { agent_target: "Ralph-v2-Planner" })).toMatchObject({
      verdict: "PASS",
      task_ids_found: [],
    });
    expect(await parsed(["BRAINSTORM"], [], "Ralph-v2-Questioner")).toMatchObject({ verdict: "PASS" });
  });

  test("S0-R82 of a reviewer the tasks in the text count as well, as hook 10 has it", async () => {
    const one = {
      parsed_params: { modes: ["TASK_REVIEW"], task_ids: ["task-1"], session_path: sessionPath },
    };
    const text = "MODE: TASK_REVIEW\nTASK_ID: task-1\nTASK_ID: task-2";
    expect(await judge(text, { ...one, agent_target: "Ralph-v2-Reviewer" })).toMatchObject({
      verdict: "BLOCK",
      task_ids_found: ["task-1", "task-2"],
    });
    expect(await judge(text, one)).toMatchObject({ verdict: "PASS" });
  });

  test("S0-C2 the contract judges the modes as parsed, whatever the text says, the same one once", async () => {
    const none = { parsed_params: { modes: [], task_ids: ["task-1"], session_path: sessionPath } };
    expect(await judge("MODE: EXECUTE\nTASK_ID: task-1", none)).toMatchObject({ verdict: "BLOCK" });
    expect(await parsed(["brainstorm", "BRAINSTORM"], [])).toMatchObject({
      verdict: "PASS",
      modes_found: ["brainstorm"],
    });
  });

  const agents: Record<string, (cwd: string, agent: string, prompt: string) => object> = {
    "Claude Code": (cwd, agent, prompt) =>
      claude(cwd, "Agent", { description: "x", subagent_type: agent, prompt }),
    "Copilot CLI": (cwd, agent, prompt) => ({
      sessionId: "s",
      timestamp: 1,
      cwd,
      toolName: "task",
      toolArgs: JSON.stringify({ agent_type: agent, prompt }),
    }),
    "VS Code": (cwd, agent, prompt) => ({
      timestamp: "2026-11-16T00:00:00Z",
      hook_event_name: "PreToolUse",
      session_id: "s",
      cwd,
      tool_use_id: "c",
      tool_name: "runSubagent",
      tool_input: { agentName: agent, prompt },
    }),
  };
  for (const [host, payload] of Object.entries(agents)) {
    test(`S0-R17 a call of ${host}'s with two modes or two tasks is stopped, one with one of each goes`, async () => {
      using ws = workspace({ "hookline.yaml": "extends: ralph/p0" });
      const outcome = async (prompt: string) =>
        (await ws.run(["eval"], payload(ws.root, "Ralph-v2-Executor", prompt))).json().outcome;
      expect(await outcome("MODE: EXECUTE\nTASK_ID: task-1, task-2")).toBe("block");
      expect(await outcome("MODE: EXECUTE\nMODE: UPDATE\nTASK_ID: task-1")).toBe("block");
      expect(await outcome("MODE: EXECUTE\nTASK_ID: task-1")).toBe("pass");
    });
  }

  test("S0-C2 implicit modes are off until a policy maps them, and a role it does not know is an error", async () => {
    using ws = workspace({ "hookline.yaml": "extends: ralph/p0" });
    const outcome = async (agent: string, prompt: string) =>
      (await ws.run(["eval"], claude(ws.root, "Task", { subagent_type: agent, prompt }))).json().outcome;
    const calls = async () => [
      await outcome("Ralph-v2-Executor", "TASK_ID: task-1"),
      await outcome("Ralph-v2-Reviewer", "TASK_ID: task-1"),
      await outcome("Ralph-v2-Reviewer", "ITERATION: 1"),
      await outcome("Ralph-v2-Planner", "ITERATION: 1"),
    ];
    expect(await calls()).toEqual(["block", "block", "block", "block"]);
    const rule = (map: string) =>
      `extends: ralph/p0\nrules:\n  ralph/single-mode-guard:\n    options:\n      implicit_modes: { ${map} }\n`;
    ws.write("hookline.yaml", rule("Executor: EXECUTE, Reviewer with TASK_ID: TASK_REVIEW"));
    expect(await calls()).toEqual(["pass", "pass", "block", "block"]);
    ws.write("hookline.yaml", rule("Exekutor: EXECUTE"));
    const ran = await ws.run(["run"], claude(ws.root, "Read", { file_path: ws.path("a") }));
    expect(ran.json().systemMessage).toContain("Exekutor");
  });

  test("S0-R82 a reviewer's call for two tasks is denied once, and still when hook 9 is off", async () => {
    using ws = workspace({ "hookline.yaml": "extends: ralph/p1" });
    const call = { subagent_type: "Ralph-v2-Reviewer", prompt: "MODE: TASK_REVIEW\nTASK_ID: task-1, task-2" };
    const rules = async () =>
      (await ws.run(["eval"], claude(ws.root, "Task", call))).json().findings.map((each: any) => each.rule);
    expect(await rules()).toEqual(["ralph/single-mode-guard"]);
    ws.write("hookline.yaml", "extends: ralph/p1\nrules:\n  ralph/single-mode-guard: off\n");
    expect(await rules()).toEqual(["ralph/reviewer-single-task-guard"]);
  });
});

describe("hook 14, progress status mutation guard", () => {
  const ask = async (
    new_content: string,
    old_content = "",
    file_path = `${sessionPath}iterations/1/progress.md`,
  ) => {
    using ws = workspace();
    return await ws.run(["rules", "eval", "ralph/14"], {
      tool_name: "replace_string_in_file",
      file_path,
      old_content,
      new_content,
    });
  };
  const judge = async (...given: Parameters<typeof ask>) => (await ask(...given)).json();

  test("S0-R92 the input needs tool, path and new content; a new file has no old one", async () => {
    using ws = workspace();
    const ran = await ws.run(["rules", "eval", "ralph/14"], { old_content: 5 });
    expect([ran.exitCode, ran.stdout]).toEqual([2, ""]);
    for (const field of ["tool_name", "file_path", "new_content", "old_content"])
      expect(ran.stderr).toContain(field);
    const given = { tool_name: "create_file", file_path: "progress.md", new_content: "- [x] task-1" };
    for (const old_content of [undefined, null, ""])
      expect((await ws.run(["rules", "eval", "ralph/14"], { ...given, old_content })).json()).toMatchObject({
        verdict: "PASS",
      });
  });

  test("S0-R93 S0-R99 a sign that is no status is blocked with the literal reason and what was found", async () => {
    const ran = await ask("- [\u2713] task-1 (completed)");
    expect(ran.exitCode).toBe(2);
    expect(ran.json()).toEqual({
      verdict: "BLOCK",
      reason: "Invalid status '\u2713' for task-1. Use [x] for completed tasks.",
      invalid_statuses: [{ task_id: "task-1", status: "\u2713" }],
    });
    expect(await judge("- [x] task-1\n")).toEqual({ verdict: "PASS", reason: null, invalid_statuses: [] });
  });

  test("S0-R94 only files named progress.md are looked at", async () => {
    for (const path of ["progress.md", "a/b/progress.md", "/abs/progress.md", "a\\progress.md"])
      expect(await judge("- [Z] task-1", "", path)).toMatchObject({ verdict: "BLOCK" });
    for (const path of ["my-progress.md", "progress.md.bak", "progress.txt", "progress.md/notes.md"])
      expect(await judge("- [Z] task-1", "", path)).toEqual({
        verdict: "PASS",
        reason: null,
        invalid_statuses: [],
      });
  });

  test("S0-R95 the lines of tasks count, and a sign is one whole character", async () => {
    const text =
      "# Progress\r\n- `[?]` Legend\r\n- [?] plan-init\r\n- [😀] task-1\r\n  - [x] task-2\r\n- [é] task-3b done\r\nsee - [Z] task-4\r\n";
    expect(await judge(text)).toMatchObject({
      verdict: "BLOCK",
      invalid_statuses: [
        { task_id: "task-1", status: "😀" },
        { task_id: "task-3b", status: "é" },
      ],
    });
  });

  test("S0-R96 the six statuses pass, everything else is blocked with what to write instead", async () => {
    for (const status of [" ", "/", "P", "x", "F", "C"])
      expect(await judge(`- [${status}] task-1`)).toMatchObject({ verdict: "PASS" });
    const hints: Record<string, string> = {
      X: "Use [x] for completed tasks.",
      "✅": "Use [x] for completed tasks.",
      "✔️": "Use [x] for completed tasks.",
      done: "Use [x] for completed tasks.",
      "~": "Use [/] for tasks in progress.",
      p: "Use [P] for tasks pending review.",
      "❌": "Use [F] for failed tasks.",
      c: "Use [C] for cancelled tasks.",
      "": "Use [ ] for tasks not started.",
      "-": "Allowed: [ ], [/], [P], [x], [F], [C].",
    };
    for (const [status, hint] of Object.entries(hints))
      expect(await judge(`- [${status}] task-1`)).toMatchObject({
        verdict: "BLOCK",
        reason: `Invalid status '${status}' for task-1. ${hint}`,
      });
  });

  test("S0-R97 S0-C1 the valid paths pass, another step is a warning", async () => {
    for (const [from, to] of [" /", "/P", "/F", "Px", "P/"])
      expect(await judge(`- [${to}] task-1`, `- [${from}] task-1`)).toMatchObject({
        verdict: "PASS",
        reason: null,
      });
    const ran = await ask("- [x] task-1\n", "- [ ] task-1\n");
    expect(ran.exitCode).toBe(0);
    expect(ran.json()).toEqual({
      verdict: "WARN",
      reason: "Unexpected status transition for task-1: [ ] -> [x]. Expected after [ ]: [/].",
      invalid_statuses: [],
    });
    expect(await judge("- [Z] task-1\n- [x] task-2", "- [ ] task-1\n- [ ] task-2")).toMatchObject({
      verdict: "BLOCK",
    });
  });

  test("S0-C3 the workflow's own four steps are warned of, and the warning says that they can be allowed", async () => {
    for (const [from, to] of ["PF", "F/", "F ", " C"]) {
      const { verdict, reason } = await judge(`- [${to}] task-1`, `- [${from}] task-1`);
      expect([verdict, reason]).toEqual([
        "WARN",
        expect.stringContaining(
          `Ralph's own workflow uses [${from}] -> [${to}]: the option \`extra_transitions\` allows that, and is off by default.`,
        ),
      ]);
    }
    expect((await judge("- [C] task-1", "- [x] task-1")).reason).not.toContain("extra_transitions");
  });

  test("S0-C3 a policy allows them one by one", async () => {
    const path = `${sessionPath}iterations/1/progress.md`;
    using ws = workspace({ "hookline.yaml": "extends: ralph/p0", [path]: "- [P] task-1\n- [F] task-2\n" });
    const outcome = async (old_string: string, new_string: string) =>
      (
        await ws.run(["eval"], claude(ws.root, "Edit", { file_path: ws.path(path), old_string, new_string }))
      ).json().outcome;
    const steps = async () => [
      await outcome("[P] task-1", "[F] task-1"),
      await outcome("[F] task-2", "[ ] task-2"),
    ];
    expect(await steps()).toEqual(["warn", "warn"]);
    const rule = (list: string) =>
      `extends: ralph/p0\nrules:\n  ralph/progress-status-guard:\n    options:\n      extra_transitions: [${list}]\n`;
    ws.write("hookline.yaml", rule('"[P] -> [F]"'));
    expect(await steps()).toEqual(["pass", "warn"]);
    ws.write("hookline.yaml", rule('"[P] -> [F]", "[F] -> [/]", "[F] -> [ ]", "[ ] -> [C]"'));
    expect(await steps()).toEqual(["pass", "pass"]);
  });

  test("S0-R22 a bad status is stopped by whatever tool it comes, and a good one is not", async () => {
    const path = `${sessionPath}iterations/1/progress.md`;
    using ws = workspace({
      "hookline.yaml": "extends: ralph/p0\nrules:\n  ralph/ssot-write-guard: off\n",
      [path]: "# Progress\n- [/] task-1\n",
    });
    const calls = (sign: string): object[] => [
      claude(ws.root, "Write", { file_path: ws.path(path), content: `# Progress\n- [${sign}] task-1\n` }),
      claude(ws.root, "Edit", { file_path: ws.path(path), old_string: "[/]", new_string: `[${sign}]` }),
      claude(ws.root, "Bash", {
        command: `cd ${sessionPath} && echo '- [${sign}] task-1' > iterations/1/progress.md`,
      }),
      {
        sessionId: "s",
        timestamp: 1,
        cwd: ws.root,
        toolName: "apply_patch",
        toolArgs: `*** Begin Patch\n*** Update File: ${path}\n@@\n-- [/] task-1\n+- [${sign}] task-1\n*** End Patch\n`,
      },
    ];
    const outcomes = async (sign: string) =>
      Promise.all(calls(sign).map(async (call) => (await ws.run(["eval"], call)).json().outcome));
    expect(await outcomes("✓")).toEqual(["block", "block", "block", "block"]);
    expect(await outcomes("P")).toEqual(["pass", "pass", "pass", "pass"]);
  });

  test("S0-R98 when it cannot look, it fails open with a warning and a line in logs/hook-errors.jsonl", async () => {
    const path = `${sessionPath}iterations/1/progress.md`;
    using ws = workspace({
      "hookline.yaml": "extends: ralph/p0\nrules:\n  ralph/ssot-write-guard: off\n",
      ".ralph-sessions/.active-session": id,
      [`${path}/x`]: "",
    });
    const edit = claude(ws.root, "Edit", { file_path: ws.path(path), old_string: "a", new_string: "b" });
    const answer = (await ws.run(["run"], edit)).json().hookSpecificOutput;
    expect(answer.permissionDecision).toBeUndefined();
    expect(answer.additionalContext).toContain("ralph/progress-status-guard: the rule itself failed (crash");
    const log = JSON.parse(await Bun.file(ws.path(`${sessionPath}logs/hook-errors.jsonl`)).text());
    expect(log).toMatchObject({ hook: 14, session_id: id, failure: "crash" });
  });

  test("what cannot be told is said once, by the guard that stops it", async () => {
    const path = `${sessionPath}iterations/1/progress.md`;
    using ws = workspace({ "hookline.yaml": "extends: ralph/p0", [path]: "- [ ] task-1\n" });
    const sed = claude(ws.root, "Bash", { command: `sed -i 'N;s/ /x/' ${path}` });
    const said = async () =>
      (await ws.run(["eval"], sed)).json().findings.map((each: any) => [each.rule, each.outcome]);
    expect(await said()).toEqual([["ralph/ssot-write-guard", "block"]]);
    ws.write("hookline.yaml", "extends: ralph/p0\nrules:\n  ralph/ssot-write-guard: off\n");
    expect(await said()).toEqual([["ralph/progress-status-guard", "warn"]]);
  });
});

test("S0-R62 a tool that writes is checked, although it is called like one that reads", async () => {
  using ws = workspace({ "hookline.yaml": "extends: ralph/p0", ".ralph-sessions/.active-session": id });
  const payload = claude(ws.root, "mcp__files__read_file", { path: ws.path("src/a.ts"), content: "new" });
  expect((await ws.run(["eval"], payload)).json().outcome).toBe("block");
});

test("S0-C9 an edit outside is denied once, by the first rule that says so, and still when the others are off", async () => {
  using ws = workspace({
    "hookline.yaml": "extends: [ralph/p1]\n",
    ".ralph-sessions/.active-session": "260215-173319",
  });
  const payload = claude(ws.root, "Write", { file_path: "/etc/hosts", content: "" });
  const rules = async () =>
    (await ws.run(["eval"], payload)).json().findings.map((finding: { rule: string }) => finding.rule);
  expect(await rules()).toEqual(["ralph/path-allowlist"]);
  ws.write("hookline.yaml", "extends: [ralph/p1]\nrules:\n  ralph/path-allowlist: off\n");
  expect(await rules()).toEqual(["ralph/workspace-boundary-guard"]);
});

describe("hook 13, task file existence check", () => {
  const ask = (ws: ReturnType<typeof workspace>, task_id: string, more: object = {}) =>
    ws.run(["rules", "eval", "ralph/13"], {
      tool_name: "@agent Ralph-v2-Executor",
      agent_target: "Ralph-v2-Executor",
      task_id,
      session_path: sessionPath,
      iteration: 1,
      ...more,
    });

  test("S0-R85 S0-R86 S0-R88 S0-R91 a task without a file is blocked, in the document's words", async () => {
    using ws = workspace({ [`${sessionPath}metadata.yaml`]: "" });
    const ran = await ask(ws, "task-99");
    expect(ran.exitCode).toBe(2);
    expect(ran.json()).toEqual({
      verdict: "BLOCK",
      reason: "Task file not found: iterations/1/tasks/task-99.md",
      expected_path: `${sessionPath}iterations/1/tasks/task-99.md`,
      file_exists: false,
    });
  });

  test("S0-R87 it is looked for in the iteration, then where sessions older than iterations have it", async () => {
    using ws = workspace({
      [`${sessionPath}iterations/2/tasks/task-1.md`]: "# One",
      [`${sessionPath}tasks/task-2.md`]: "# Two",
    });
    expect((await ask(ws, "task-1", { iteration: 2 })).json()).toEqual({
      verdict: "PASS",
      reason: null,
      expected_path: `${sessionPath}iterations/2/tasks/task-1.md`,
      file_exists: true,
    });
    expect((await ask(ws, "task-1")).json()).toMatchObject({ verdict: "BLOCK", file_exists: false });
    expect((await ask(ws, "task-2")).json()).toEqual({
      verdict: "PASS",
      reason: null,
      expected_path: `${sessionPath}tasks/task-2.md`,
      file_exists: true,
    });
    const elsewhere = workspace();
    expect((await ask(elsewhere, "task-2", { workspace_root: ws.root })).json().verdict).toBe("PASS");
    elsewhere[Symbol.dispose]();
  });

  test("S0-R89 S0-C1 an empty file is a warning", async () => {
    using ws = workspace({ [`${sessionPath}iterations/1/tasks/task-1.md`]: "" });
    const ran = await ask(ws, "task-1", { agent_target: "Ralph-v2-Reviewer" });
    expect(ran.exitCode).toBe(0);
    expect(ran.json()).toMatchObject({
      verdict: "WARN",
      reason: "Task file is empty: iterations/1/tasks/task-1.md",
      file_exists: true,
    });
  });

  test("a folder is no file, and an id with a path in it no id", async () => {
    using ws = workspace({
      [`${sessionPath}iterations/1/tasks/task-1.md/x`]: "",
      [`${sessionPath}plan.md`]: "x",
    });
    for (const task of ["task-1", "../../../plan", "..", ""])
      expect((await ask(ws, task)).json()).toMatchObject({ verdict: "BLOCK", file_exists: false });
  });

  test("S0-R21 in hook mode a call for a missing task is denied, others go ahead", async () => {
    using ws = workspace({
      "hookline.yaml": "extends: ralph/p0",
      [`${sessionPath}metadata.yaml`]: "iteration: 2\n",
      [`${sessionPath}iterations/2/tasks/task-1.md`]: "# One",
      ".ralph-sessions/260216-000000/iterations/1/tasks/task-7.md": "# Seven",
      ".ralph-sessions/.active-session": id,
    });
    const call = async (prompt: string, subagent_type = "Ralph-v2-Executor") =>
      (await ws.run(["eval"], claude(ws.root, "Agent", { subagent_type, prompt, description: "" }))).json();
    expect((await call("MODE: EXECUTE\nTASK_ID: task-1")).outcome).toBe("pass");
    const missing = await call("MODE: EXECUTE\nTASK_ID: task-2");
    expect(missing.outcome).toBe("block");
    expect(missing.findings[0].message).toContain("Task file not found: iterations/2/tasks/task-2.md");
    expect((await call("MODE: EXECUTE TASK_ID: task-1 ITERATION: 1")).outcome).toBe("block");
    expect((await call("MODE: TASK_REVIEW\nTASK_ID: task-2", "Ralph-v2-Reviewer")).outcome).toBe("block");
    expect((await call("MODE: SESSION_REVIEW", "Ralph-v2-Reviewer")).outcome).toBe("pass");
    expect((await call("MODE: REBREAKDOWN_TASK TASK_ID: task-2", "Ralph-v2-Planner")).outcome).toBe("pass");
    const other =
      "SESSION_PATH: .ralph-sessions/260216-000000/\nMODE: EXECUTE\nTASK_ID: task-7\nITERATION: 1";
    expect((await call(other)).outcome).toBe("pass");
    expect((await call("MODE: EXECUTE\nTASK_ID: task-7", "executor")).outcome).toBe("pass");
  });

  test("S0-R90 what cannot be looked at is let through with a warning", async () => {
    using ws = workspace({ [`${sessionPath}iterations/1/x`]: "" });
    symlinkSync("tasks", ws.path(`${sessionPath}iterations/1/tasks`)); // a loop
    expect((await ask(ws, "task-1")).json()).toMatchObject({
      verdict: "WARN",
      reason: expect.stringContaining("Hook failed"),
    });
  });
});
