import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { claude, workspace, type Ran, type Workspace } from "./support/hookline.ts";

const folder = join(import.meta.dir, "../examples");

/** A workspace with an example copied into it as it stands, changed only where said, and trusted. */
async function example(name: string, change: (w: Workspace) => void = () => {}): Promise<Workspace> {
  const w = workspace();
  cpSync(join(folder, name), w.root, { recursive: true });
  change(w);
  const { exitCode, stderr } = await w.run(["trust", "--yes"]);
  if (exitCode !== 0) throw new Error(stderr);
  return w;
}

const read = (w: Workspace, file: string): string => readFileSync(w.path(file), "utf8");
const emit = (w: Workspace, event: string, context: object): Promise<Ran> => w.run(["emit", event], context);

describe("examples/registry", () => {
  test("every hook is registered, and all but the heavy one are on", async () => {
    using w = await example("registry");
    expect((await w.run(["hooks", "validate"])).exitCode).toBe(0);
    expect((await w.run(["hooks", "register", "--minimal"])).json()).toEqual({
      PostAbilityCall: [
        {
          id: "post_tool_use_tracker",
          handler: { kind: "script", command: "./scripts/hooks/post_tool_use_tracker.ts" },
        },
      ],
      UserPromptSubmit: [
        {
          id: "skill_activation_prompt",
          handler: { kind: "script", command: "./scripts/hooks/skill_activation_prompt.ts" },
        },
      ],
    });
  });

  test("S1-R28 S1-R29 S1-R41 skill_activation_prompt suggests the ability the message is about, as a hint", async () => {
    using w = await example("registry");
    const { exitCode, json } = await emit(w, "UserPromptSubmit", {
      session_id: "sess-789",
      user_message: "I need to run the full billing regression tests",
      files_touched: [],
      stage: "understand",
    });
    expect(exitCode).toBe(0);
    const { suggested_abilities, messages_to_user } = json();
    expect(suggested_abilities).toHaveLength(1);
    expect(suggested_abilities[0]).toMatchObject({ id: "billing_regression", confidence: 0.9 });
    expect(suggested_abilities[0].reason).toContain("billing regression tests");
    expect(messages_to_user[0]).toContain("billing_regression workflow ability");
  });

  test("S1-R28 a message about nothing in the pool suggests nothing", async () => {
    using w = await example("registry");
    const { exitCode, json } = await emit(w, "UserPromptSubmit", { user_message: "What time is it?" });
    expect(exitCode).toBe(0);
    expect(json().suggested_abilities ?? []).toEqual([]);
  });

  test("S1-R10 S1-R30 post_tool_use_tracker logs each call, counts them, and says what is used often", async () => {
    using w = await example("registry");
    const call = {
      session_id: "sess-123",
      ability_id: "code_review_agent",
      operation_key: "agent.code_review",
      status: "success",
      duration_ms: 124_000,
      input_summary: "Review changes in src/payments/*.ts",
      output_summary: "Found 3 issues, suggested\nfixes in-line",
      tool_call_path: ".system/implement/task-456/tool_call.md",
      timestamp: "2025-01-15T10:45:12Z",
    };
    const first = await emit(w, "PostAbilityCall", call);
    expect(first.json()).toMatchObject({ usage_recorded: true });
    expect(first.json().extra).toBeUndefined();
    await emit(w, "PostAbilityCall", { ...call, status: "failure", duration_ms: 1000 });
    const third = await emit(w, "PostAbilityCall", call);
    expect(third.json().extra.update_matcher_suggestions).toEqual([
      { ability_id: "code_review_agent", signal: "frequent_usage", weight: 0.3 },
    ]);
    expect(read(w, ".system/logs/tool_call.md").split("\n")[0]).toBe(
      "- 2025-01-15T10:45:12Z **code_review_agent** success | 124000 ms | Review changes in src/payments/*.ts | " +
        "Found 3 issues, suggested fixes in-line | .system/implement/task-456/tool_call.md",
    );
    expect(JSON.parse(read(w, ".system/cache/ability_usage.json"))).toEqual({
      code_review_agent: { calls: 3, failures: 1, total_ms: 249_000, last: "2025-01-15T10:45:12Z" },
    });
  });

  test("S1-R30 calls that end at the same moment are all counted", async () => {
    using w = await example("registry");
    const all = Array.from({ length: 6 }, () =>
      emit(w, "PostAbilityCall", { ability_id: "x", status: "success" }),
    );
    await Promise.all(all);
    expect(JSON.parse(read(w, ".system/cache/ability_usage.json")).x.calls).toBe(6);
  });

  const enabled = (w: Workspace): void =>
    w.write(
      ".system/hooks/session_stop_build_check.yaml",
      read(w, ".system/hooks/session_stop_build_check.yaml").replace("enabled: false", "enabled: true"),
    );
  const changed = [
    "services/billing/src/invoice.js",
    "services/auth/src/login.js",
    "services/auth/README.md",
  ];

  test("S1-R18 S1-R31 the build check does not run as it is shipped", async () => {
    using w = await example("registry");
    const { json } = await emit(w, "SessionStop", { session_id: "s", changed_files: changed });
    expect(json().messages_to_user ?? []).toEqual([]);
  });

  test("S1-F22 S1-R31 S1-R47 a passing and a failing build of a real npm workspace are told apart", async () => {
    using w = await example("registry", (w) => {
      enabled(w);
      w.write("services/auth/src/login.js", "export const ok = true;\nexport const broken = (;\n");
    });
    const { exitCode, json } = await emit(w, "SessionStop", { session_id: "s", changed_files: changed });
    expect(exitCode).toBe(0);
    expect(json().messages_to_user).toEqual([
      "Ran `npm run build:auth` and `npm run build:billing` for modified services.",
      expect.stringMatching(/^Auth build: failed in services\/auth\/src\/login\.js:2: SyntaxError/),
      "Billing build: success.",
      "Recommend fixing the errors before merging.",
    ]);
    // What its ancestors said by exit code 2 it says in JSON.
    expect(w.records().at(-1)?.["hooks"][0]).toMatchObject({ status: "ok", raw: { exitCode: 0 } });
    expect(json().follow_up_actions).toEqual([
      { kind: "open_file", payload: { path: "services/auth/src/login.js", line: 2 } },
    ]);
  });

  test("S1-R31 all builds pass; what is no service builds nothing; other files do not start it", async () => {
    using w = await example("registry", enabled);
    const fine = await emit(w, "SessionStop", { changed_files: ["services/billing/src/invoice.js"] });
    expect(fine.json().messages_to_user).toEqual([
      "Ran `npm run build:billing` for modified services.",
      "Billing build: success.",
    ]);
    const odd = await emit(w, "SessionStop", { changed_files: ["services/;touch pwned;/x", "apps/none/x"] });
    expect(odd.json().messages_to_user ?? []).toEqual([]);
    expect(existsSync(w.path("pwned"))).toBe(false);
    await emit(w, "SessionStop", { changed_files: ["docs/x.md"] });
    expect(w.records().at(-1)?.["hooks"] ?? []).toEqual([]);
  });
});

describe("examples/harness", () => {
  const bash = (w: Workspace, command: string): Promise<Ran> =>
    w.run(["run"], claude(w.root, "Bash", { command }));
  // The safety rules would be the first to object; here the hook is on trial.
  const alone = (w: Workspace): void => w.write("hookline.yaml", "extends: []\nsources:\n  harness: on\n");

  test("S2-R15 S2-C5 SecurityValidator blocks the root and home by their place, not by how the text begins", async () => {
    using w = await example("harness", alone);
    const stopped = [
      "rm -rf /",
      "sudo rm -fr -- /",
      "cd x && rm -r --force '/'",
      "rm -rf /tmp/..",
      "rm -rf /*",
      "rm -rf ~",
    ];
    for (const command of stopped) {
      const { json } = await bash(w, command);
      expect([command, json().hookSpecificOutput?.permissionDecision]).toEqual([command, "deny"]);
    }
    const root = await bash(w, "rm -rf /");
    expect(root.json().hookSpecificOutput.permissionDecisionReason).toContain(
      "Blocked: recursive deletion of root filesystem",
    );
    for (const command of ["rm -rf /tmp/build-cache", "echo 'rm -rf /'", "rm /tmp/x", "ls /"]) {
      expect([command, (await bash(w, command)).stdout]).toEqual([command, ""]);
    }
  });

  test("S2-F4 S2-R17 four hooks at the events they are for", async () => {
    using w = await example("harness");
    expect((await w.run(["hooks", "validate"])).exitCode).toBe(0);
    const listed = (await w.run(["hooks", "list", "--json"])).json() as { id: string; trust: string }[];
    expect(listed.map(({ id, trust }) => `${id} ${trust}`)).toEqual([
      "SessionStart.1.LoadContext trusted",
      "PreToolUse.1.SecurityValidator trusted",
      "PreToolUse.2.AuditLogger trusted",
      "Stop.1.SessionSummary trusted",
      "Stop.2.AuditLogger trusted",
    ]);
  });

  test("S2-R14 the validator alone: decision JSON and exit 2, or exit 0", async () => {
    const run = async (command: string) => {
      const child = Bun.spawn([process.execPath, join(folder, "harness/hooks/SecurityValidator.ts")], {
        stdin: new TextEncoder().encode(JSON.stringify({ tool_name: "Bash", tool_input: { command } })),
        stdout: "pipe",
        stderr: "ignore",
      });
      return { stdout: await child.stdout.text(), exitCode: await child.exited };
    };
    expect(await run("rm -rf /")).toEqual({
      stdout: '{"decision":"block","message":"Blocked: recursive deletion of root filesystem"}\n',
      exitCode: 2,
    });
    expect(await run("rm -rf /tmp/build-cache")).toEqual({ stdout: "", exitCode: 0 });
  });

  test("S2-R9 S2-F5 LoadContext puts files and the branch before the model", async () => {
    using w = await example("harness");
    const start = { session_id: "5f0c", transcript_path: "/nowhere/5f0c.jsonl", cwd: w.root };
    const { json } = await w.run(["run"], { ...start, hook_event_name: "SessionStart", source: "startup" });
    const { additionalContext } = json().hookSpecificOutput;
    expect(additionalContext).toContain("<system-reminder>");
    expect(additionalContext).toContain("Current project: MyApp (v2.3.1)");
    expect(additionalContext).toContain("Active branch: main");
  });

  const transcript = [
    { timestamp: "2026-02-14T09:00:00Z", message: { role: "user", content: "Fix it" } },
    {
      message: {
        role: "assistant",
        content: [
          { type: "text", text: "ok" },
          { type: "tool_use", name: "Edit", input: { file_path: "src/a.ts" } },
          { type: "tool_use", name: "Bash", input: { command: "npm test" } },
        ],
      },
    },
  ];

  test("S2-R4 S2-R26 SessionSummary writes down what the session came to, the same twice", async () => {
    using w = await example("harness");
    w.write("5f0c.jsonl", `${transcript.map((entry) => JSON.stringify(entry)).join("\n")}\n{"half`);
    const stop = {
      session_id: "5f0c",
      transcript_path: w.path("5f0c.jsonl"),
      cwd: w.root,
      hook_event_name: "Stop",
    };
    const summary = "MEMORY/WORK/2026-02-14/5f0c/summary.md";
    const first = await w.run(["run"], stop);
    expect(first).toMatchObject({ exitCode: 0, stdout: "" });
    const text = read(w, summary);
    expect(text).toBe(
      "# Session 5f0c\n\n- prompts: 1\n- tool calls: 2, Edit 1, Bash 1\n- changed: src/a.ts\n",
    );
    await w.run(["run"], stop);
    expect(read(w, summary)).toBe(text);
    await w.run(["run"], { ...stop, session_id: "../../x" });
    expect(readdirSync(w.path("MEMORY/WORK/2026-02-14"))).toEqual(["5f0c"]);
  });

  test("S2-F9 AuditLogger keeps a hash chain over every call", async () => {
    using w = await example("harness");
    await bash(w, "ls");
    await w.run(["run"], claude(w.root, "Read", { file_path: w.path("a.txt") }));
    const [file = ""] = readdirSync(w.path("MEMORY/SECURITY"), { recursive: true })
      .map(String)
      .filter((name) => name.endsWith("audit.jsonl"));
    expect(file).toMatch(/^\d{4}\/\d\d\/audit\.jsonl$/);
    const entries = read(w, `MEMORY/SECURITY/${file}`)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(entries).toHaveLength(2);
    let before = "genesis";
    for (const { hash, ...entry } of entries) {
      expect(entry.prev_hash).toBe(before);
      expect(createHash("sha256").update(JSON.stringify(entry)).digest("hex")).toBe(hash);
      before = hash;
    }
    expect(entries.map(({ tool }) => tool)).toEqual(["Bash", "Read"]);
  });
});

describe("examples/plugin", () => {
  const validate = async (w: Workspace, script: string, input: string) => {
    const child = Bun.spawn([w.path(`plugins/safe-writes/scripts/${script}`)], {
      cwd: w.root,
      env: { PATH: "/usr/bin:/bin", CLAUDE_PROJECT_DIR: w.root },
      stdin: new TextEncoder().encode(input),
      stdout: "pipe",
      stderr: "ignore",
    });
    const stdout = await child.stdout.text();
    return { ...JSON.parse(stdout), exitCode: await child.exited };
  };
  const asks = (file_path?: string): string =>
    JSON.stringify({ tool_name: "Write", tool_input: file_path === undefined ? {} : { file_path } });
  const fine = { continue: true, systemMessage: "Operation validated", exitCode: 0 };
  const refused = { continue: false, systemMessage: "Path traversal detected", exitCode: 2 };
  const invalid = { continue: false, systemMessage: "Invalid JSON input", exitCode: 1 };

  test("S4-R2 S4-R8 S4-R9 S4-R14 the plugin as it stands refuses what climbs out of the project, and nothing else", async () => {
    using w = await example("plugin");
    expect(JSON.parse(read(w, "plugins/safe-writes/.claude-plugin/plugin.json")).name).toBe("safe-writes");
    // Rules of ours would be the first to object; here the hook is on trial.
    w.write("hookline.yaml", "extends: []\n");
    const write = (file_path: string): Promise<Ran> =>
      w.run(["run"], claude(w.root, "Write", { file_path, content: "" }));
    const refusedBy = async (path: string): Promise<string> =>
      (await write(path)).json().hookSpecificOutput.permissionDecisionReason;
    expect(await refusedBy(w.path("../x"))).toContain("Path traversal detected");
    expect(await refusedBy("/etc/hosts")).toContain("hooks/safe-writes/PreToolUse.1.1");
    const fine = await write(w.path("src/a..b.ts"));
    expect(fine.stdout).not.toContain("deny");
    expect(w.records().at(-1)?.["hooks"][0]).toMatchObject({ status: "ok", raw: { exitCode: 0 } });
  });

  test("S4-R26 the validator as the document has it", async () => {
    using w = workspace();
    cpSync(join(folder, "plugin"), w.root, { recursive: true });
    expect(await validate(w, "validate.sh", "no JSON")).toEqual(invalid);
    expect(await validate(w, "validate.sh", asks("../etc/passwd"))).toEqual(refused);
    expect(await validate(w, "validate.sh", asks("src/a.ts"))).toEqual(fine);
    expect(await validate(w, "validate.sh", asks())).toEqual(fine);
  });

  test("S4-R25 S4-R26 S4-C5 the one that is registered looks at segments and at where a path really leads", async () => {
    using w = workspace();
    cpSync(join(folder, "plugin"), w.root, { recursive: true });
    symlinkSync("/etc", w.path("out"));
    expect(await validate(w, "validate-path.sh", "no JSON")).toEqual(invalid);
    expect(await validate(w, "validate-path.sh", "[1]")).toEqual(invalid);
    for (const path of ["../x", "a/../../x", "/etc/passwd", "out/passwd", ".."])
      expect([path, await validate(w, "validate-path.sh", asks(path))]).toEqual([path, refused]);
    for (const path of ["src/a.ts", "a..b", "new/deep/file", w.path("x"), undefined])
      expect([path, await validate(w, "validate-path.sh", asks(path))]).toEqual([path, fine]);
  });
});
