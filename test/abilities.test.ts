// The execution script: tasks are created, run through the gate, told of, put on record, looked at and deleted.
import { describe, expect, test } from "bun:test";
import { existsSync, symlinkSync, readFileSync } from "node:fs";
import { able, ability, filesBelow, makeExecutable, trustAll } from "./support/abilities.ts";
import { registryHook } from "./support/hooks.ts";

const schema = `scope: { modules: [users], environments: [dev, staging] }
input_schema:
  type: object
  required: [name]
  additionalProperties: false
  properties:
    name: { type: string, pattern: "^[a-z]+$" }
    count: { type: integer, minimum: 1, maximum: 5 }
    tags: { type: array, items: { enum: [new, old] } }
    password: { type: string }
`;
const writes = ability(
  "db.write.user_row",
  'cat > got.json\necho \'{"ok": true, "summary": "wrote one row"}\'',
  schema,
);
const says = (result: object): string =>
  `cat > seen-$HOOKLINE_EVENT.json\ncat <<'END'\n${JSON.stringify(result)}\nEND`;
const page = (key: string): string => `.system/implement/${key}/tool_call.md`;

describe("hookline ability create", () => {
  test("S1-F14 S1-F15 checks, gives a key and writes tool_call.md; nothing runs and nothing is fired", async () => {
    using w = await able(writes);
    const ran = await w.run([
      "ability",
      "create",
      "db.write.user_row",
      "--input",
      '{"name":"bob"}',
      "--json",
      "--reason",
      "Add bob",
      "--expect",
      "One row",
      "--session",
      "sess-1",
      "--stage",
      "act",
    ]);
    expect(ran.exitCode).toBe(0);
    const { key, ...rest } = ran.json();
    expect(key).toMatch(/^task-\d{8}-[0-9a-f]{8}$/);
    expect(rest).toMatchObject({
      available: true,
      ability_id: "db.write.user_row",
      environment: "dev",
      warnings: [],
      tool_call_path: page(key),
    });
    const text = w.read(page(key));
    expect(text).toContain('status: "created"');
    expect(text).toContain("Reason: Add bob");
    expect(text).toContain("Expected: One row");
    expect(text).toContain('"name": "bob"');
    expect(text).toMatch(/^created: "\d{4}-/m);
    expect(existsSync(w.path("got.json"))).toBe(false);
    expect(w.records()).toEqual([]);
  });

  test.each([
    ["{}", ["input.name: missing"]],
    ['{"name":"Bob"}', ['input.name: "Bob" does not fit the pattern ^[a-z]+$']],
    ['{"name":"bob","count":"3"}', ['input.count: "3" is not integer']],
    ['{"name":"bob","count":9}', ["input.count: maximum 5 does not hold for 9"]],
    ['{"name":"bob","tags":["new","blue"]}', ['input.tags.1: "blue" is none of "new", "old"']],
    ['{"name":"bob","cuont":3}', ['input.cuont: unknown key; did you mean "count"?']],
    ['["bob"]', ["input: expected a JSON object"]],
  ])(
    "S1-F14 an input that the schema rejects, %s, is said to the point and leaves nothing",
    async (input, problems) => {
      using w = await able(writes);
      const ran = await w.run(["ability", "create", "db.write.user_row", "--input", input, "--json"]);
      expect(ran.exitCode).toBe(1);
      expect(ran.json()).toMatchObject({ available: false, problems });
      expect(filesBelow(w.path(".system/implement"))).toEqual([]);
    },
  );

  test("a rejected secret is not repeated", async () => {
    using w = await able(writes);
    const ran = await w.run([
      "ability",
      "create",
      "db.write.user_row",
      "--input",
      '{"name":"bob","password":["hunter2-secret"]}',
    ]);
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain("input.password");
    expect(ran.stderr).not.toContain("hunter2");
  });

  test("S1-R9 S1-F14 what is not for this environment is unavailable, with the reason and what to do", async () => {
    using w = await able(writes);
    const ran = await w.run([
      "ability",
      "create",
      "db.write.user_row",
      "--env",
      "production",
      "--input",
      '{"name":"b"}',
      "--json",
    ]);
    expect(ran.exitCode).toBe(1);
    expect(ran.json()).toEqual({
      available: false,
      reason: "db.write.user_row is not for the environment production; it is for dev, staging",
      suggestion: "Say --env dev, or choose another ability.",
    });
    const by = await w.run(["ability", "create", "db.write.user_row", "--input", '{"name":"b"}'], "", {
      HOOKS_ENV: "production",
    });
    expect(by.exitCode).toBe(1);
  });

  test.each([
    [
      "an ability nobody knows",
      "db.write.user_rwo",
      /there is no ability "db.write.user_rwo"[^]*Did you mean "db.write.user_row"/,
    ],
    ["a path", "../../etc/passwd", /there is no ability/],
  ])("%s", async (_, id, words) => {
    using w = await able(writes);
    const ran = await w.run(["ability", "create", id]);
    expect(ran).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(words) });
  });

  test.each([
    [
      "a script that is not there",
      "command: ./scripts/none.sh",
      /scripts\/none.sh, which x runs, is not there/,
    ],
    [
      "what only a shell could read",
      "command: make a && make b",
      /invocation.command: it is started without a shell/,
    ],
    ["an unknown key", "comand: make", /invocation.comand: unknown key of a script; did you mean "command"/],
    ["a folder outside", "command: make\n      cwd: ../..", /invocation.cwd: it leads out of the workspace/],
    ["a time limit that is none", "command: make\n      timeout_ms: soon", /timeout_ms of i is "soon"/],
  ])("S1-F12 %s makes it unavailable", async (_, invocation, words) => {
    using w = await able({
      ".system/registry/low-level/x.yaml": `operation_key: x\nkind: script\nsummary: X\nimplementations:\n  - id: i\n    kind: script\n    invocation:\n      ${invocation}\n`,
    });
    const ran = await w.run(["ability", "create", "x"]);
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toMatch(words);
  });

  test("a folder that is a link out of the workspace makes it unavailable", async () => {
    using w = await able(ability("x", "true", "", "      cwd: elsewhere\n"));
    symlinkSync("/", w.path("elsewhere"));
    const ran = await w.run(["ability", "create", "x"]);
    expect(ran).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("it leads out of the workspace"),
    });
  });

  test.each([
    ["input_schema: { $ref: '#' }", /cannot be used: it refers to itself without end/],
    ["input_schema: { type: int }", /input_schema of x cannot be used: type is "int"; did you mean integer/],
    ["input_schema: { properties: { a: string } }", /properties.a. is "string", and a schema is a mapping/],
    ["input_schema: { $ref: '#/nowhere' }", /cannot be used: Unresolved/],
    ['input_schema: { properties: { a: { pattern: "(" } } }', /cannot be used: Invalid regular expression/],
    [
      'input_schema: { properties: { a: { pattern: "^(a+)+$" } } }',
      /does not fit the pattern|took too long to check/,
    ],
  ])("a schema that is none, %s, lets nothing through", async (line, words) => {
    using w = await able(ability("x", "true", `${line}\n`));
    const ran = await w.run([
      "ability",
      "create",
      "x",
      "--input",
      JSON.stringify({ a: `${"a".repeat(40)}!` }),
    ]);
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toMatch(words);
  });

  test("S1-F12 the config chooses the implementation, and adds the parameters of the environment", async () => {
    const config = `config:
  default_implementation: second
  allowed_implementations: [first, second]
  parameters:
    dev: { url: "http://dev", retries: 1 }
    staging: { url: "http://staging" }
implementations:
  - { id: first, kind: script, invocation: "./scripts/first.sh" }
  - { id: second, kind: script, invocation: "./scripts/second.sh" }
`;
    using w = await able({
      ".system/registry/low-level/x.yaml": `operation_key: x\nkind: script\nsummary: X\n${config}`,
      "scripts/first.sh": "#!/bin/sh\necho first",
      "scripts/second.sh": "#!/bin/sh\necho second; cat",
    });
    const { json } = await w.runTask(await w.create("x", { retries: 3 }));
    expect(json().output).toBe('second\n{"url":"http://dev","retries":3}\n');
    const staging = await w.runTask(await w.create("x", {}, "--env", "staging"));
    expect(staging.json().output).toBe('second\n{"url":"http://staging"}\n');
    // Without a default, the first of those that are allowed.
    w.write(
      ".system/registry/low-level/x.yaml",
      `operation_key: x\nkind: script\nsummary: X\n${config.replace("first, ", "").replace(/.*default.*\n/, "")}`,
    );
    await trustAll(w);
    expect((await w.runTask(await w.create("x"))).json().output).toContain("second");
  });

  test("S1-F15 S1-F12 a task on behalf of another has its parent on record, if that may call it", async () => {
    using w = await able({
      ...ability("step.one", "true"),
      ...ability("step.two", "true"),
      ".system/registry/high-level/flow.yaml":
        "id: flow\ntype: workflow\nsummary: Steps\noperation_key: workflow.flow\noperations: [step.one]\n" +
        "implementations: [{ id: flow.local, kind: script, invocation: ./scripts/flow.sh }]\n",
      "scripts/flow.sh": '#!/bin/sh\n"$HOOKLINE" ability create step.one\n',
    });
    const parent = await w.create("flow");
    const child = await w.create("step.one", {}, "--parent", parent);
    expect(w.read(page(child))).toContain(`parent: "${parent}"`);
    const other = await w.run(["ability", "create", "step.two", "--parent", parent]);
    expect(other).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("may not call step.two") });
    // A script that makes tasks makes them on its own behalf.
    const ran = await w.run(["ability", "run", parent, "--json"], "", {
      HOOKLINE: `${import.meta.dir}/../dist/hookline`,
    });
    expect(ran.json()).toMatchObject({ status: "success", operation_key: "workflow.flow" });
    const made = /task-[\w-]+/.exec(ran.json().output)?.[0] ?? "";
    expect(w.read(page(made))).toContain(`parent: "${parent}"`);
  });

  test("S1-F12 a workflow without an implementation names the operations to go through", async () => {
    using w = await able({
      ".system/registry/high-level/flow.yaml":
        "id: flow\ntype: workflow\nsummary: Steps\noperations: [step.one, step.two]\n",
      ...ability("step.one", "true"),
      ...ability("step.two", "true"),
    });
    const { exitCode, json } = await w.run(["ability", "create", "flow", "--json"]);
    expect(exitCode).toBe(1);
    expect(json().suggestion).toContain("step.one, step.two");
  });
});

describe("hookline ability run", () => {
  test("S1-R12 S1-R26 S1-R34 S1-R35 S1-R37 fires PreAbilityCall and PostAbilityCall with what their contexts have", async () => {
    using w = await able({
      ...writes,
      ...registryHook("pre", "PreAbilityCall", says({ messages_to_user: ["About to write."] })),
      ...registryHook("post", "PostAbilityCall", says({ logs: [{ level: "info", message: "seen" }] })),
    });
    const key = await w.create(
      "db.write.user_row",
      { name: "bob" },
      "--reason",
      "Add bob",
      "--session",
      "sess-1",
      "--stage",
      "act",
    );
    const ran = await w.runTask(key, "--caller", "ci_pipeline", "--job", "42", "--by", "nightly");
    expect(ran.exitCode).toBe(0);
    expect(ran.json()).toMatchObject({
      key,
      status: "success",
      output: { ok: true },
      messages_to_user: ["About to write."],
      tool_call_path: page(key),
    });
    const base = {
      session_id: "sess-1",
      ability_id: "db.write.user_row",
      operation_key: "db.write.user_row",
      stage: "act",
      environment: "dev",
      task_key: key,
      tool_call_path: page(key),
      repository_root: w.root,
      caller: { source: "ci_pipeline", job_id: "42", triggered_by: "nightly" },
    };
    const pre = JSON.parse(w.read("seen-PreAbilityCall.json"));
    expect(pre).toMatchObject({
      ...base,
      event_type: "PreAbilityCall",
      planned_input_summary: 'Add bob {"name":"bob"}',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const post = JSON.parse(w.read("seen-PostAbilityCall.json"));
    expect(post).toMatchObject({
      ...base,
      event_type: "PostAbilityCall",
      status: "success",
      duration_ms: expect.any(Number),
      input_summary: 'Add bob {"name":"bob"}',
      output_summary: "wrote one row",
    });
    expect(readFileSync(w.path("got.json"), "utf8")).toBe('{"name":"bob"}\n');
    expect(w.fired("PreAbilityCall")).toHaveLength(1);
    expect(w.fired("PostAbilityCall")).toHaveLength(1);
    expect(w.read(".system/logs/hooks.log")).toContain('"message":"seen"');
  });

  test("S1-R37 of a large input and a large output hooks are told a summary", async () => {
    using w = await able({
      ...ability("large", "cat"),
      ...registryHook("pre", "PreAbilityCall", says({})),
      ...registryHook("post", "PostAbilityCall", says({})),
    });
    await w.runTask(await w.create("large", { text: "word ".repeat(20_000) }));
    const { planned_input_summary } = JSON.parse(w.read("seen-PreAbilityCall.json"));
    const { input_summary, output_summary } = JSON.parse(w.read("seen-PostAbilityCall.json"));
    for (const summary of [planned_input_summary, input_summary, output_summary]) {
      expect(summary).toStartWith('{"text":"word word');
      expect(summary.length).toBeLessThan(600);
    }
  });

  test("S1-R2 S1-R10 S1-R30 S1-F15 without any hook it is recorded in tool_call.md, the log and the counts", async () => {
    using w = await able({ ...writes, ...ability("fails", "echo half; echo broken >&2; exit 3") });
    const first = await w.create("db.write.user_row", { name: "bob" }, "--reason", "Add bob");
    await w.runTask(first);
    const second = await w.create("fails");
    const failed = await w.runTask(second);
    expect(failed.exitCode).toBe(1);
    expect(failed.json()).toMatchObject({
      status: "failure",
      detail: "it ended with exit code 3: broken",
      output: "half\n",
    });
    expect(w.read(page(first))).toMatch(
      /## Run 1\n\n- started .* by manual_cli\n- ended .* after \d+ ms\n- status success/,
    );
    expect(w.read(page(first))).toContain("wrote one row");
    expect(w.read(page(second))).toContain("- it ended with exit code 3: broken");
    const lines = w.read(".system/logs/tool_call.md").trimEnd().split("\n");
    expect(lines).toEqual([
      expect.stringMatching(
        /^- \S+Z \*\*db\.write\.user_row\*\* success \| \d+ ms \| Add bob {"name":"bob"} \| wrote one row \| \.system/,
      ),
      expect.stringMatching(
        /^- \S+Z \*\*fails\*\* failure \| \d+ ms \| it ended with exit code 3: broken \| \.system\S+tool_call\.md$/,
      ),
    ]);
    const usage = JSON.parse(w.read(".system/cache/ability_usage.json"));
    expect(usage).toMatchObject({
      "db.write.user_row": { calls: 1, failures: 0, runs: [`${first}#1`] },
      fails: { calls: 1, failures: 1, runs: [`${second}#1`] },
    });
  });

  test("S1-R35 S1-R43 S1-C7 S1-R44 blocked_by_policy stops it before it runs; that is told, shown and counted as skipped", async () => {
    using w = await able({
      ...writes,
      ...registryHook(
        "guard",
        "PreAbilityCall",
        says({
          messages_to_user: ["This ability would write to production. In this environment, it is blocked."],
          error: "blocked_by_policy",
        }),
      ),
      ...registryHook("post", "PostAbilityCall", says({})),
    });
    const key = await w.create("db.write.user_row", { name: "bob" });
    const ran = await w.runTask(key);
    expect(ran.exitCode).toBe(2);
    expect(ran.json()).toMatchObject({
      status: "skipped",
      detail: expect.stringContaining("This ability would write to production"),
    });
    expect(existsSync(w.path("got.json"))).toBe(false);
    expect(JSON.parse(w.read("seen-PostAbilityCall.json"))).toMatchObject({ status: "skipped" });
    expect(w.fired("PreAbilityCall")[0]?.["verdict"]).toMatchObject({ outcome: "block", told: "block" });
    expect(JSON.parse(w.read(".system/cache/ability_usage.json"))["db.write.user_row"]).toMatchObject({
      calls: 1,
      skipped: 1,
      failures: 0,
    });
    expect(w.read(page(key))).toContain('status: "skipped"');
  });

  test("S1-C7 an error of a hook that is marked as blocking stops it, that of any other is a warning", async () => {
    const hook = (more: string) => registryHook("guard", "PreAbilityCall", says({ error: "no quota" }), more);
    using strict = await able({ ...writes, ...hook("blocking: true\n") });
    expect(
      (await strict.runTask(await strict.create("db.write.user_row", { name: "bob" }))).json().status,
    ).toBe("skipped");
    using mild = await able({ ...writes, ...hook("") });
    const ran = await mild.runTask(await mild.create("db.write.user_row", { name: "bob" }));
    expect(ran.json()).toMatchObject({
      status: "success",
      messages_to_user: [expect.stringContaining("no quota")],
    });
  });

  test("S1-R43 a warning is passed on, and the call goes ahead", async () => {
    using w = await able({
      ...writes,
      ...registryHook("warn", "PreAbilityCall", says({ messages_to_user: ["Mind the quota."] })),
    });
    const key = await w.create("db.write.user_row", { name: "bob" });
    expect((await w.runTask(key)).json()).toMatchObject({
      status: "success",
      messages_to_user: ["Mind the quota."],
    });
    expect(w.read(page(key))).toContain("- hook: Mind the quota.");
  });

  const asks = (signal: object) =>
    registryHook(
      "guard",
      "PreAbilityCall",
      says({ hook_signals: [{ kind: "ability_guard", hook_id: "guard", ...signal }] }),
    );
  const human = { code: "ABILITY_DENIED", payload: { require_human: true, reason: "Are you sure?" } };

  test("S1-R9 S1-F8 a hook can want a human: without one it does not run", async () => {
    using w = await able({ ...writes, ...asks(human) });
    const key = await w.create("db.write.user_row", { name: "bob" });
    const denied = await w.runTask(key);
    expect(denied.exitCode).toBe(2);
    expect(denied.json().detail).toContain("Are you sure?");
    expect(w.fired("PreAbilityCall")[0]?.["verdict"]).toMatchObject({ outcome: "ask", told: "block" });
    // A task that was refused can be run again once somebody is there.
    const confirmed = await w.runTask(key, "--ask", "allow", "--caller", "ci_pipeline");
    expect(confirmed.json()).toMatchObject({ status: "success" });
    expect(w.read(page(key))).toContain("- confirmed: Confirmation asked by hooks/guard: Are you sure?");
    expect(w.fired("PreAbilityCall").at(-1)?.["verdict"]).toMatchObject({ outcome: "ask", told: "ask" });
  });

  test("S1-F8 S1-F9 an agent cannot confirm for the person it works for", async () => {
    using w = await able({ ...writes, ...asks(human) });
    const key = await w.create("db.write.user_row", { name: "bob" });
    const named = await w.runTask(key, "--ask", "allow", "--caller", "ai_session");
    expect(named).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("an agent cannot confirm") });
    const seen = await w.run(["ability", "run", key, "--ask", "allow"], "", { CLAUDECODE: "1" });
    expect(seen).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("an agent cannot confirm") });
    for (const variable of [
      "CURSOR_AGENT",
      "GEMINI_CLI",
      "QWEN_CODE",
      "OPENCODE",
      "COPILOT_CLI",
      "CODEX_THREAD_ID",
    ]) {
      // Nor does it help to say that one is somebody else.
      const said = await w.run(["ability", "run", key, "--ask", "allow", "--caller", "ci_pipeline"], "", {
        [variable]: "1",
      });
      expect(said.stderr).toContain("an agent cannot confirm");
    }
    expect(existsSync(w.path("got.json"))).toBe(false);
  });

  test.each([
    [{ code: "ABILITY_DENIED", payload: { require_human: false } }, "skipped"],
    [{ code: "ABILITY_UNAVAILABLE" }, "skipped"],
    [{ code: "ABILITY_REQUIRES_HUMAN" }, "skipped"],
    [{ code: "ABILITY_ALLOWED" }, "success"],
    [{ code: "ABILITY_AVAILABLE" }, "success"],
  ])("S1-F8 the signal %j comes to %s", async (signal, status) => {
    using w = await able({ ...writes, ...asks(signal) });
    expect((await w.runTask(await w.create("db.write.user_row", { name: "bob" }))).json().status).toBe(
      status,
    );
  });

  test("S1-F9 whoever calls, the gate is the same and is told who", async () => {
    using w = await able({
      ...writes,
      ...registryHook("guard", "PreAbilityCall", says({ error: "blocked_by_policy" })),
    });
    const key = await w.create("db.write.user_row", { name: "bob" });
    for (const source of ["ai_session", "background_job", "ci_pipeline", "manual_cli"]) {
      expect((await w.runTask(key, "--caller", source)).exitCode).toBe(2);
      expect(JSON.parse(w.read("seen-PreAbilityCall.json")).caller).toEqual({ source });
    }
    await w.run(["ability", "run", key], "", { CI: "true" });
    expect(JSON.parse(w.read("seen-PreAbilityCall.json")).caller).toEqual({ source: "ci_pipeline" });
    await w.run(["ability", "run", key], "", { CLAUDECODE: "1" });
    expect(JSON.parse(w.read("seen-PreAbilityCall.json")).caller).toEqual({ source: "ai_session" });
    expect((await w.runTask(key, "--caller", "me")).exitCode).toBe(2);
    expect(w.fired("PreAbilityCall")).toHaveLength(6);
  });

  test("what an ability runs is judged by the rules for tool calls, so that it is no way around them", async () => {
    using w = await able({
      ".system/registry/low-level/clean.yaml":
        "operation_key: clean\nkind: script\nsummary: Clean\nimplementations:\n  - { id: i, kind: script, invocation: { command: [rm, -rf, /] } }\n",
    });
    const ran = await w.runTask(await w.create("clean"));
    expect(ran.exitCode).toBe(2);
    expect(ran.json().detail).toContain("safety/destructive-delete");
    expect(w.fired("PreToolUse").at(-1)?.["verdict"].outcome).toBe("block");
  });

  test("S1-F12 a hook the ability asks for before every call has to have run", async () => {
    const files = {
      ...ability("x", "touch ran", "hooks: { pre_call: [guard] }\n"),
      ...registryHook("guard", "PreAbilityCall", "echo '{}'"),
    };
    using w = await able(files);
    const key = await w.create("x");
    w.write("scripts/hooks/guard.sh", "#!/bin/sh\n# changed since it was trusted\necho '{}'\n");
    const ran = await w.runTask(key);
    expect(ran.json()).toMatchObject({
      status: "skipped",
      detail: expect.stringContaining("the hook guard, which x asks for"),
    });
    expect(existsSync(w.path("ran"))).toBe(false);
    makeExecutable(w, "scripts/hooks/guard.sh");
    await trustAll(w);
    expect((await w.runTask(key)).json().status).toBe("success");
  });

  test("who is asked to trust it sees where it runs, what is set for it and what is sent of theirs", async () => {
    using w = await able(
      {
        ...ability("x", "true", "", "      cwd: scripts\n      env: { LD_PRELOAD: ./evil.so }\n"),
        ".system/registry/low-level/y.yaml":
          "operation_key: y\nkind: api\nsummary: Y\nimplementations:\n  - id: i\n    kind: api\n    invocation: { url: 'https://a.example/', " +
          "headers: { authorization: Bearer $TOKEN }, allowed_env_vars: [TOKEN] }\n",
      },
      { trust: false },
    );
    const { stdout } = await w.run(["trust"]);
    for (const line of ["in scripts", "with LD_PRELOAD=./evil.so", "sends $TOKEN"])
      expect(stdout).toContain(`\n  ${line}\n`);
    const rows = (await w.run(["trust", "--json"])).json();
    expect(rows.map((row: any) => row.with)).toEqual([
      ["in scripts", "with LD_PRELOAD=./evil.so"],
      ["sends $TOKEN"],
    ]);
  });

  test("code of the repository runs only as it was trusted", async () => {
    using w = await able(writes, { trust: false });
    const created = await w.run([
      "ability",
      "create",
      "db.write.user_row",
      "--input",
      '{"name":"bob"}',
      "--json",
    ]);
    expect(created.json().warnings).toEqual([expect.stringContaining("hookline trust")]);
    const { key } = created.json();
    expect(await w.runTask(key)).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining("nobody has trusted it yet"),
    });
    const shown = await w.run(["trust", "--json"]);
    expect(shown.json()).toContainEqual(
      expect.objectContaining({
        id: "ability:db.write.user_row",
        files: ["scripts/abilities/db.write.user_row.sh"],
        trust: "new",
      }),
    );
    await trustAll(w);
    w.write("scripts/abilities/db.write.user_row.sh", "#!/bin/sh\ntouch pwned\n");
    expect((await w.runTask(key)).stdout).toContain("has changed since it was trusted");
    expect(existsSync(w.path("pwned"))).toBe(false);
    expect(w.records()).toEqual([]);
    await w.run(["trust", "--revoke", "ability:db.write.user_row"]);
    expect((await w.runTask(key)).stdout).toContain("nobody has trusted it yet");
  });

  test("a script in TypeScript runs without any runtime being installed", async () => {
    using w = await able({
      ".system/registry/low-level/ts.yaml":
        "operation_key: ts\nkind: script\nsummary: TS\nimplementations:\n  - { id: i, kind: script, invocation: ./scripts/x.ts }\n",
      "scripts/x.ts":
        'const input: { a: number } = JSON.parse(await Bun.stdin.text());\nconsole.log(JSON.stringify({ twice: input.a * 2, key: process.env["HOOKLINE_ABILITY_KEY"] }));\n',
    });
    const key = await w.create("ts", { a: 21 });
    expect((await w.runTask(key)).json()).toMatchObject({ status: "success", output: { twice: 42, key } });
  });

  test("an output that does not fit output_schema is a failure that says where", async () => {
    using w = await able({
      ...ability("good", "echo '{\"rows\": 3}'", "output_schema: { type: object, required: [rows] }\n"),
      ...ability(
        "bad",
        'echo \'{"rows": "x"}\'',
        "output_schema: { type: object, properties: { rows: { type: number } } }\n",
      ),
      ...ability("garbage", "printf 'no \\001 json\\n'", "output_schema: { type: object }\n"),
    });
    expect((await w.runTask(await w.create("good"))).json()).toMatchObject({
      status: "success",
      output: { rows: 3 },
    });
    expect((await w.runTask(await w.create("bad"))).json().detail).toBe(
      'its output does not fit output_schema: output.rows: "x" is not number',
    );
    expect((await w.runTask(await w.create("garbage"))).json().detail).toContain(
      "its output is not the JSON that output_schema asks for: no · json",
    );
  });

  test("secrets are masked in tool_call.md, the log, the counts, the status and the ledger; the ability gets them whole", async () => {
    using w = await able({
      ...writes,
      ...ability("leaky", "cat; echo 'token: ghp_0123456789abcdefghijklmnopqrstuvwxyz'"),
    });
    const secret = "correct-horse-battery";
    const key = await w.create(
      "db.write.user_row",
      { name: "bob", password: secret },
      "--reason",
      `password=${secret}`,
    );
    await w.runTask(key);
    expect(w.read("got.json")).toContain(secret);
    const other = await w.create("leaky", { api_key: secret });
    await w.runTask(other);
    const status = await w.run(["ability", "status", key]);
    const all = [page(key), page(other), ".system/logs/tool_call.md", ".system/cache/ability_usage.json"].map(
      (file) => w.read(file),
    );
    const texts = [
      ...all,
      status.stdout,
      JSON.stringify(w.records()),
      (await w.run(["ability", "status", other, "--json"])).stdout,
    ];
    for (const text of texts) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain("ghp_0123");
    }
  });
});

describe("api", () => {
  const files = (url: string, more = ""): Readonly<Record<string, string>> => ({
    ".system/registry/low-level/http.call.x.yaml": `operation_key: http.call.x
kind: api
summary: X
implementations:
  - id: i
    kind: api
    invocation:
      url: ${url}
      headers: { authorization: "Bearer $API_TOKEN", x-other: "$HOME" }
      allowed_env_vars: [API_TOKEN]
      timeout_ms: 2000
${more}`,
  });
  const serve = (answer: (request: Request) => Response | Promise<Response>) =>
    Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });

  test("only hosts that the policy names are asked; only named variables are sent; redirects are refused", async () => {
    const seen: { path: string; method: string; body: string; auth: string | null; other: string | null }[] =
      [];
    using server = serve(async (request) => {
      const { pathname, search } = new URL(request.url);
      const { headers } = request;
      seen.push({
        path: pathname + search,
        method: request.method,
        body: await request.text(),
        auth: headers.get("authorization"),
        other: headers.get("x-other"),
      });
      if (pathname === "/away") return Response.redirect("http://127.0.0.1:1/");
      return pathname === "/broken" ? new Response("no", { status: 500 }) : Response.json({ ok: 1 });
    });
    const host = `127.0.0.1:${server.port}`;
    const token = { API_TOKEN: "t0ken" };
    const go = async (path: string, more = "", policy = `handlers: { http: { allow: ["${host}"] } }\n`) => {
      using w = await able({ ...files(`http://${host}${path}`, more), "hookline.yaml": policy });
      const key = await w.create("http.call.x", { a: 1, b: "x y" });
      return (await w.run(["ability", "run", key, "--json"], "", token)).json();
    };
    expect(await go("/do")).toMatchObject({ status: "success", output: { ok: 1 } });
    expect(seen.at(-1)).toEqual({
      path: "/do",
      method: "POST",
      body: '{"a":1,"b":"x y"}\n',
      auth: "Bearer t0ken",
      other: "",
    });
    expect(await go("/get?z=1", "      method: get\n")).toMatchObject({ status: "success" });
    expect(seen.at(-1)).toMatchObject({ path: "/get?z=1&a=1&b=x+y", method: "GET", body: "" });
    expect(await go("/away")).toMatchObject({
      status: "failure",
      detail: expect.stringContaining("redirect"),
    });
    expect(await go("/broken")).toMatchObject({ status: "failure", detail: "it answered with 500" });
    const before = seen.length;
    expect(await go("/do", "", "mode: enforce\n")).toMatchObject({
      status: "failure",
      detail: expect.stringContaining("handlers.http.allow"),
    });
    expect(seen).toHaveLength(before);
  });

  test("a server that never answers is given up at the time limit", async () => {
    using server = serve(() => new Promise<Response>(() => {}));
    const host = `127.0.0.1:${server.port}`;
    using w = await able({
      ...files(`http://${host}/`),
      "hookline.yaml": `handlers: { http: { allow: ["${host}"] } }\n`,
    });
    const { json } = await w.runTask(await w.create("http.call.x"));
    expect(json()).toMatchObject({ status: "failure", detail: "it took longer than 2000 ms and was ended" });
  });

  test("a server that is not there is said in one sentence; what a person is asked to trust has its method", async () => {
    using w = await able(
      {
        ...files("http://127.0.0.1:1/", "      method: GET\n"),
        "hookline.yaml": 'handlers: { http: { allow: ["127.0.0.1:1"] } }\n',
      },
      { trust: false },
    );
    expect((await w.run(["trust"])).stdout).toContain("runs GET http://127.0.0.1:1/\n");
    await trustAll(w);
    const { json } = await w.runTask(await w.create("http.call.x"));
    expect(json().detail).toMatch(/^it could not be reached \([^.]*\)$/);
  });
});

describe("mcp", () => {
  const server = `#!/usr/bin/env -S python3 -u
import json, sys, os, time
print("not json at all", flush=True)
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m: continue
    def say(**rest): print(json.dumps({"jsonrpc": "2.0", "id": m["id"], **rest}), flush=True)
    if m["method"] == "initialize":
        say(result={"protocolVersion": m["params"]["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "logs", "version": "1"}})
    elif m["method"] == "tools/call":
        args = m["params"]["arguments"]; tool = m["params"]["name"]
        if tool == "hang": open("pid", "w").write(str(os.getpid())); time.sleep(600)
        if tool == "die": os._exit(7)
        if tool == "flood":
            while True: sys.stdout.write("x" * 1000000)
        if tool == "refuse": say(error={"code": -32602, "message": "no such \\x1b[2Jtool"})
        elif tool == "wrong": say(result={"isError": True, "content": [{"type": "text", "text": "no such log"}]})
        else: say(result={"content": [{"type": "text", "text": "3 lines"}], "structuredContent": {"lines": 3, "asked": args, "region": os.environ.get("REGION")}})
    else:
        say(error={"code": -32601, "message": "what?"})
`;
  const files = (tool: string, more = ""): Readonly<Record<string, string>> => ({
    ".mcp.json": JSON.stringify({
      mcpServers: { logs: { command: "./servers/logs.py", env: { REGION: "eu" } } },
    }),
    "servers/logs.py": server,
    ".system/registry/low-level/mcp.query.logs.yaml": `operation_key: mcp.query.logs
kind: mcp
summary: Logs
implementations:
  - { id: i, kind: mcp, invocation: { server: logs, tool: ${tool}, timeout_ms: 3000${more} } }
`,
  });

  test("S1-F11 S1-F13 calls a tool of a server of .mcp.json", async () => {
    using w = await able(files("query"));
    const { json } = await w.runTask(await w.create("mcp.query.logs", { since: "1h" }));
    expect(json()).toMatchObject({
      status: "success",
      output: { lines: 3, asked: { since: "1h" }, region: "eu" },
    });
  });

  test.each([
    ["wrong", "no such log"],
    ["refuse", "the MCP server answered with an error: no such"],
    ["die", "the MCP server did not answer: it ended (exit 7)"],
    ["flood", "the MCP server did not answer"],
    ["hang", "it took longer than 3000 ms and was ended"],
  ])("a tool that goes %s is a failure in words", async (tool, words) => {
    using w = await able(files(tool));
    const { json } = await w.runTask(await w.create("mcp.query.logs"));
    expect(json()).toMatchObject({ status: "failure", detail: expect.stringContaining(words) });
    if (tool === "refuse")
      expect((await w.run(["ability", "run", await w.create("mcp.query.logs")])).stderr).not.toContain(
        "\u001b",
      );
    if (tool !== "hang") return;
    const { isAlive } = await import("./support/abilities.ts");
    expect(isAlive(Number(w.read("pid")))).toBe(false);
  });

  test("a server nobody has configured, and another tool than was trusted", async () => {
    using w = await able({ ...files("query"), ".mcp.json": "{}" });
    const none = await w.run(["ability", "create", "mcp.query.logs"]);
    expect(none).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('the MCP server "logs" is not in .mcp.json'),
    });
    using x = await able(files("query"));
    const [file = ""] = Object.keys(files("drop")).filter((name) => name.endsWith(".yaml"));
    x.write(file, files("drop")[file] ?? "");
    const ran = await x.runTask(await x.create("mcp.query.logs"));
    expect(ran.stdout).toContain("its definition has changed since it was trusted");
  });
});

describe("hookline ability status and delete", () => {
  test("S1-F14 S1-F15 all tasks, one of them, feedback, and gone", async () => {
    using w = await able({ ...writes, ...ability("x", "echo hello") });
    expect((await w.run(["ability", "status"])).stdout).toContain("There are no tasks here");
    const first = await w.create("x", { n: 1 }, "--reason", "Try it");
    await w.runTask(first);
    const second = await w.create("db.write.user_row", { name: "bob" });
    const all = (await w.run(["ability", "status", "--json"])).json();
    expect(all.map(({ key, status }: { key: string; status: string }) => [key, status])).toEqual([
      [first, "success"],
      [second, "created"],
    ]);
    const said = await w.run([
      "ability",
      "status",
      first,
      "--feedback",
      "It said\nhello, as wanted",
      "--json",
    ]);
    expect(said.json()).toMatchObject({
      key: first,
      status: "success",
      reason: "Try it",
      input: { n: 1 },
      runs: [{ number: 1, status: "success", output: "hello\n", caller: { source: "manual_cli" } }],
      feedback: [{ text: "It said\nhello, as wanted" }],
    });
    expect(w.read(page(first))).toMatch(/## Feedback\n\n- \S+Z It said hello, as wanted\n$/);
    expect((await w.run(["ability", "delete", first])).stdout).toBe(`Deleted ${first}.\n`);
    expect(existsSync(w.path(`.system/implement/${first}`))).toBe(false);
    expect((await w.run(["ability", "status", first])).exitCode).toBe(1);
    expect(w.read(".system/logs/tool_call.md")).toContain(first);
  });

  test.each(["../../etc", "task/../../x", "", ".", "TASK", `x${"y".repeat(100)}`, "a\u0000b", "-x"])(
    "the key %j names no path",
    async (key) => {
      using w = await able({});
      w.write("keep.txt", "x");
      for (const action of ["run", "status", "delete"]) {
        if (key.includes("\0")) continue;
        const { exitCode } = await w.run(["ability", action, "--", key]);
        expect([1, 2]).toContain(exitCode);
      }
      expect(w.read("keep.txt")).toBe("x");
    },
  );
});
