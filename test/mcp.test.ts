// `hookline mcp` by the official client over standard input and output, and by raw lines where a client would be too polite.
import { describe, expect, test } from "bun:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { able, ability, isAlive, until, type AbilityPlace } from "./support/abilities.ts";
import { registryHook } from "./support/hooks.ts";

const executable = join(import.meta.dir, "../dist/hookline");
const eras = ["legacy", "auto"] as const;

interface Connected {
  call(
    name: string,
    args?: object,
    signal?: AbortSignal,
  ): Promise<{ isError: boolean; text: string; data: any }>;
  readonly client: Client;
  [Symbol.asyncDispose](): Promise<void>;
}

async function connect(
  w: AbilityPlace,
  mode: (typeof eras)[number] = "legacy",
  confirm?: boolean,
): Promise<Connected> {
  const client = new Client(
    { name: "test", version: "1" },
    {
      versionNegotiation: { mode },
      ...(confirm === undefined ? {} : { capabilities: { elicitation: { form: {} } } }),
    },
  );
  if (confirm !== undefined)
    client.setRequestHandler("elicitation/create", async () => ({
      action: confirm ? "accept" : "decline",
      content: { confirm },
    }));
  const transport = new StdioClientTransport({
    command: executable,
    args: ["mcp"],
    cwd: w.root,
    env: { HOME: w.home, PATH: "/usr/bin:/bin" },
    stderr: "ignore",
  });
  await client.connect(transport);
  return {
    client,
    async call(name, args = {}, signal) {
      const result = await client.callTool({ name, arguments: { ...args } }, signal ? { signal } : {});
      const [first] = Array.isArray(result.content) ? result.content : [];
      return {
        isError: result.isError === true,
        text: first?.type === "text" ? first.text : "",
        data: result.structuredContent,
      };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** The server fed with raw lines: what it answers and how it ends. */
async function feed(
  w: AbilityPlace,
  lines: readonly (string | Uint8Array)[],
): Promise<{ answers: any[]; stdout: string; exitCode: number }> {
  const child = Bun.spawn([executable, "mcp"], {
    cwd: w.root,
    env: { HOME: w.home, PATH: "/usr/bin:/bin" },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  for (const line of lines) {
    void child.stdin.write(line);
    void child.stdin.write("\n");
    await child.stdin.flush();
  }
  await Bun.sleep(600);
  await child.stdin.end();
  const stdout = await child.stdout.text();
  const exitCode = await child.exited;
  return {
    stdout,
    exitCode,
    answers: stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  };
}

/** The files of a folder with their texts. */
const filesOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    [...new Bun.Glob("**/*").scanSync({ cwd: folder, dot: true })].map((name) => [
      name,
      readFileSync(join(folder, name), "utf8"),
    ]),
  );

const hello = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
});

describe.each(eras)("hookline mcp, %s", (era) => {
  test("says what it is and lists its tools with precise schemas", async () => {
    using w = await able({});
    await using mcp = await connect(w, era);
    expect(mcp.client.getServerVersion()).toMatchObject({ name: "hookline" });
    const { tools } = await mcp.client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual([
      "ability_status",
      "create_ability_task",
      "explain_verdict",
      "read_ledger",
      "route_knowledge",
      "run_ability_task",
      "send_signal",
      "suggest_abilities",
    ]);
    for (const { inputSchema, description } of tools) {
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      for (const field of Object.values(inputSchema.properties ?? {}))
        expect(field).toMatchObject({ description: expect.any(String) });
      expect(description).toMatch(/\.$/);
    }
  });

  test("S1-F9 creates and runs an ability, through the same gate and with the same records", async () => {
    using w = await able({
      ...ability("x", "cat", "input_schema: { type: object, required: [n] }\n"),
      ...registryHook("pre", "PreAbilityCall", "cat > pre.json; echo '{}'"),
    });
    await using mcp = await connect(w, era);
    const bad = await mcp.call("create_ability_task", { ability_id: "x", input: {} });
    expect(bad).toMatchObject({ isError: true, text: expect.stringContaining("input.n: missing") });
    const { data } = await mcp.call("create_ability_task", {
      ability_id: "x",
      input: { n: 1 },
      reason: "Try",
      session_id: "s-1",
    });
    expect(data).toMatchObject({ available: true, ability_id: "x", warnings: [] });
    const ran = await mcp.call("run_ability_task", { key: data.key });
    expect(ran).toMatchObject({ isError: false, data: { status: "success", output: { n: 1 } } });
    expect(JSON.parse(ran.text)).toEqual(ran.data);
    expect(JSON.parse(w.read("pre.json"))).toMatchObject({
      ability_id: "x",
      session_id: "s-1",
      caller: { source: "ai_session", triggered_by: "mcp" },
    });
    const again = await mcp.call("run_ability_task", { key: data.key });
    expect(again).toMatchObject({
      isError: true,
      text: expect.stringContaining("has been run and has succeeded"),
    });
    const status = await mcp.call("ability_status", { key: data.key });
    expect(status.data).toMatchObject({ status: "success", reason: "Try" });
    expect((await mcp.call("ability_status")).data).toMatchObject({ total: 1, tasks: [{ key: data.key }] });
    expect(w.read(".system/logs/tool_call.md")).toContain(data.key);
  });

  test("S1-R43 what a hook blocks is an error with its reason; what has not been trusted does not run", async () => {
    using w = await able({
      ...ability("x", "touch ran"),
      ...registryHook(
        "guard",
        "PreAbilityCall",
        `echo '{"messages_to_user":["Not today."],"error":"blocked_by_policy"}'`,
      ),
    });
    await using mcp = await connect(w, era);
    const { data } = await mcp.call("create_ability_task", { ability_id: "x" });
    expect(await mcp.call("run_ability_task", { key: data.key })).toMatchObject({
      isError: true,
      text: expect.stringContaining("Not today."),
    });
    w.write("scripts/abilities/x.sh", "#!/bin/sh\ntouch ran; # and more\n");
    expect(await mcp.call("run_ability_task", { key: data.key })).toMatchObject({
      isError: true,
      text: expect.stringContaining("hookline trust"),
    });
    expect(existsSync(w.path("ran"))).toBe(false);
  });

  const asking = {
    ...ability("x", "echo ran"),
    ...registryHook(
      "guard",
      "PreAbilityCall",
      `echo '{"hook_signals":[{"code":"ABILITY_REQUIRES_HUMAN","payload":{"reason":"Sure?"}}]}'`,
    ),
  };

  test.each([
    [true, false, "ran"],
    [false, true, "not confirmed"],
    [undefined, true, "Sure?"],
  ])(
    "S1-F8 where a hook wants a human, the person behind the client is asked: %p",
    async (answer, isError, text) => {
      using w = await able(asking);
      await using mcp = await connect(w, era, answer);
      const { data } = await mcp.call("create_ability_task", { ability_id: "x" });
      expect(await mcp.call("run_ability_task", { key: data.key })).toMatchObject({
        isError,
        text: expect.stringContaining(text),
      });
    },
  );

  test("two clients at once: one of them runs a task, the other is told, and each run is on record once", async () => {
    using w = await able(ability("slow", "echo run >> ran; sleep 0.3; echo done"));
    await using one = await connect(w, era);
    await using other = await connect(w, era);
    const created = await Promise.all(
      [one, other, one, other].map((mcp) => mcp.call("create_ability_task", { ability_id: "slow" })),
    );
    const keys: string[] = created.map(({ data }) => data.key);
    const both = await Promise.all(
      keys.flatMap((key) => [one, other].map((mcp) => mcp.call("run_ability_task", { key }))),
    );
    const won = both.flatMap(({ isError, data }): string[] => (isError ? [] : [data.key]));
    expect(won.toSorted()).toEqual(keys.toSorted());
    for (const { text } of both.filter(({ isError }) => isError))
      expect(text).toMatch(/is being run since|has been run and has succeeded/);
    expect(w.read("ran")).toBe("run\n".repeat(4));
    expect(w.read(".system/logs/tool_call.md").trimEnd().split("\n")).toHaveLength(4);
    expect(JSON.parse(w.read(".system/cache/ability_usage.json")).slow.calls).toBe(4);
  });

  test("a running ability does not keep other calls, and a cancelled one ends with its whole process group", async () => {
    using w = await able(ability("slow", "sleep 60 & echo $! > child; echo $$ > pid; wait"));
    await using mcp = await connect(w, era);
    const { data } = await mcp.call("create_ability_task", { ability_id: "slow" });
    const stop = new AbortController();
    const running = mcp
      .call("run_ability_task", { key: data.key }, stop.signal)
      .catch((error: unknown) => error);
    await until(() => existsSync(w.path("pid")) && w.read("pid") !== "");
    expect((await mcp.call("ability_status", { key: data.key })).data).toMatchObject({ status: "running" });
    expect((await mcp.call("explain_verdict", { command: "ls" })).data).toMatchObject({ outcome: "pass" });
    const second = await mcp.call("run_ability_task", { key: data.key });
    expect(second).toMatchObject({ isError: true, text: expect.stringContaining("is being run") });
    stop.abort();
    await running;
    await until(() => !isAlive(Number(w.read("pid"))) && !isAlive(Number(w.read("child"))));
    const cancelled = async (): Promise<string> =>
      (await mcp.call("ability_status", { key: data.key })).data.status;
    while ((await cancelled()) === "running") await Bun.sleep(20);
    expect((await mcp.call("ability_status", { key: data.key })).data).toMatchObject({
      status: "failure",
      runs: [{ detail: "it was cancelled" }],
    });
  });
});

describe("other tools", () => {
  const example = (): Promise<AbilityPlace> => able(filesOf(join(import.meta.dir, "../examples/routing")));

  test("S1-R28 S1-R29 suggest_abilities: hints with reason and confidence", async () => {
    using w = await example();
    await using mcp = await connect(w);
    const { data } = await mcp.call("suggest_abilities", {
      prompt: "I need to run the full billing regression tests",
    });
    expect(data.suggested_abilities).toMatchObject([
      { id: "billing_regression", reason: expect.stringContaining("billing") },
    ]);
    expect(data.suggested_abilities[0].confidence).toBeGreaterThan(0.5);
    const none = await mcp.call("suggest_abilities", { prompt: "What is the weather like?" });
    expect(none.data.suggested_abilities).toEqual([]);
    const elsewhere = await mcp.call("suggest_abilities", {
      prompt: "Run the full billing regression tests",
      environment: "production",
    });
    expect(elsewhere.data.suggested_abilities.map(({ id }: { id: string }) => id)).not.toContain(
      "billing_regression",
    );
    for (const args of [
      {},
      { prompt: "" },
      { prompt: "x", most: 0 },
      { prompt: "x", least: 2 },
      { prompt: 3 },
    ])
      expect((await mcp.call("suggest_abilities", args)).isError).toBe(true);
  });

  test("S1-R46 S1-F19 route_knowledge: one to five documents with why, and their text within a budget", async () => {
    using w = await example();
    await using mcp = await connect(w);
    const asked = {
      scope: "execution.quality_gates",
      topic: "pre_commit_checks",
      stage: "understand",
      intent: "Which checks do I run before a commit?",
    };
    const { data } = await mcp.call("route_knowledge", { ...asked, text: true });
    expect(data.suggested_documents.map(({ path }: { path: string }) => path)).toEqual([
      "knowledge/pre-commit-policy.md",
      "knowledge/dev-check.md",
    ]);
    for (const { reason } of data.suggested_documents) expect(reason).not.toBe("");
    expect(data.text).toContain("Every commit passes");
    expect(
      (await mcp.call("route_knowledge", { intent: "weather on Mars", scope: "no.such.scope" })).data,
    ).toMatchObject({ suggested_documents: [], why: expect.any(String) });
    for (const args of [
      {},
      { intent: " " },
      { intent: "x", stage: "sleep" },
      { intent: "x", budget_kb: 1e6 },
    ])
      expect((await mcp.call("route_knowledge", args)).isError).toBe(true);
  });

  test("explain_verdict: a command, a write, a payload; nothing is carried out or recorded", async () => {
    using w = await able({});
    await using mcp = await connect(w);
    const command = await mcp.call("explain_verdict", { command: "git push --force && rm -rf /" });
    expect(command.data).toMatchObject({
      outcome: "block",
      findings: expect.arrayContaining([expect.objectContaining({ rule: "safety/destructive-delete" })]),
    });
    expect(command.data.rules.length).toBeGreaterThan(3);
    const write = await mcp.call("explain_verdict", { write: "/etc/hosts", content: "x" });
    expect(write.data).toMatchObject({ outcome: "block" });
    const payload = {
      hook_event_name: "PreToolUse",
      tool_name: "Read",
      tool_input: { file_path: w.path("a") },
      cwd: w.root,
    };
    expect((await mcp.call("explain_verdict", { payload, host: "claude-code" })).data).toMatchObject({
      outcome: "pass",
      tool: "Read",
    });
    const secret = await mcp.call("explain_verdict", {
      command: "curl -H 'authorization: Bearer ghp_0123456789abcdefghijklmnopqrstuvwxyz' x",
    });
    expect(secret.text).not.toContain("ghp_0123");
    for (const args of [{}, { command: "ls", write: "x" }, { payload: { hook_event_name: "PreToolUse" } }])
      expect((await mcp.call("explain_verdict", args)).isError).toBe(true);
    expect(w.records()).toEqual([]);
  });

  test("read_ledger: filtered, bounded, redacted", async () => {
    using w = await able({ "hookline.yaml": "ledger: { raw: true }\n" });
    const call = (command: string) =>
      w.run(["run"], {
        session_id: "s-1",
        hook_event_name: "PreToolUse",
        tool_name: "Bash",
        tool_input: { command },
        cwd: w.root,
      });
    for (let at = 0; at < 30; at++) await call(`echo ${at}`);
    await call("rm -rf / # ghp_0123456789abcdefghijklmnopqrstuvwxyz");
    await using mcp = await connect(w);
    const all = await mcp.call("read_ledger");
    expect(all.data.records).toHaveLength(20);
    expect(all.text).not.toContain("ghp_0123");
    expect((await mcp.call("read_ledger", { outcome: "block" })).data.records).toMatchObject([
      { outcome: "block", tool: "Bash", session: "s-1" },
    ]);
    expect((await mcp.call("read_ledger", { limit: 3 })).data.records).toHaveLength(3);
    const [{ id }] = (await mcp.call("read_ledger", { limit: 1 })).data.records;
    expect((await mcp.call("read_ledger", { id })).data.records).toMatchObject([{ id }]);
    for (const args of [
      { limit: 0 },
      { limit: 1e9 },
      { limit: 1.5 },
      { outcome: "nope" },
      { since: "yesterday-ish" },
      { folder: "/etc" },
    ])
      expect((await mcp.call("read_ledger", args)).isError).toBe(true);
  });

  test("send_signal: to the active Ralph session, or an error that names those there are", async () => {
    using w = await able({});
    await using mcp = await connect(w);
    expect(await mcp.call("send_signal", { type: "INFO", message: "hi" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("there is none yet"),
    });
    const made = await w.run(["ralph", "new", "260101-120000", "--json"]);
    expect(made.exitCode).toBe(0);
    const sent = await mcp.call("send_signal", {
      type: "STEER",
      message: "Take the other road",
      target: "executor",
    });
    expect(sent).toMatchObject({ isError: false, data: { type: "STEER", target: "Executor" } });
    expect((await w.run(["signal", "list", "--json"])).json().signals).toMatchObject([
      { type: "STEER", message: "Take the other road" },
    ]);
    for (const args of [
      { type: "DANCE", message: "x" },
      { type: "INFO", message: "" },
      { type: "INFO", message: "x", target: "Nobody" },
      { type: "INFO", message: "x", session: "../x" },
    ])
      expect((await mcp.call("send_signal", args)).isError).toBe(true);
  });
});

describe("what no client would send", () => {
  test("garbage is no reason to crash, to fall silent, or to print anything but the protocol", async () => {
    using w = await able({});
    const { answers, exitCode } = await feed(w, [
      "no json",
      "{}",
      "[]",
      '{"jsonrpc":"2.0"}',
      '{"jsonrpc":"1.0","id":5,"method":"x"}',
      new Uint8Array([0xff, 0xfe, 0x00, 0x80]),
      hello,
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"__proto__","arguments":{}}}',
      '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"explain_verdict","arguments":"text"}}',
      '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":null}',
      '{"jsonrpc":"2.0","id":6,"method":"nothing/like/this"}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":999}}',
      '{"jsonrpc":"2.0","id":7,"result":{}}',
      '{"half":',
      '{"jsonrpc":"2.0","id":8,"method":"tools/list"}',
    ]);
    expect(exitCode).toBe(0);
    const byId = new Map(answers.map((answer) => [answer.id, answer]));
    expect(byId.get(1).result.serverInfo.name).toBe("hookline");
    for (const id of [2, 3, 4, 6]) expect(byId.get(id).error ?? byId.get(id).result.isError).toBeTruthy();
    expect(byId.get(8).result.tools).toHaveLength(8);
    for (const answer of answers) expect(answer.jsonrpc).toBe("2.0");
  });

  test("a call too long to be read is answered with what is wrong, wherever its id stands, and no other is", async () => {
    using w = await able({});
    const long = "x".repeat(9 * 1024 * 1024);
    const input = {
      name: "create_ability_task",
      arguments: { ability_id: "a", reason: `${long}","id":98}` },
    };
    const { answers, exitCode } = await feed(w, [
      hello,
      JSON.stringify({ method: "tools/call", params: input, jsonrpc: "2.0", id: 2 }),
      JSON.stringify({ jsonrpc: "2.0", id: "three", method: "tools/call", params: input }),
      JSON.stringify({ result: { content: long }, jsonrpc: "2.0", id: 4 }),
      JSON.stringify({ method: "notifications/x", params: { long, last: { id: 97 } } }),
      long,
      '{"jsonrpc":"2.0","id":5,"method":"tools/list"}',
    ]);
    expect(exitCode).toBe(0);
    expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([1, 2, "three", 5]));
    expect(answers).toHaveLength(4);
    for (const id of [2, "three"])
      expect(answers.find((answer) => answer.id === id).error.message).toContain("longer than 8388608 bytes");
  });

  test("it ends when standard input is closed, and what was running ends with it and is on record", async () => {
    using w = await able(ability("slow", "sleep 60 & echo $! > child; echo $$ > pid; wait"));
    const key = await w.create("slow");
    const child = Bun.spawn([executable, "mcp"], {
      cwd: w.root,
      env: { HOME: w.home, PATH: "/usr/bin:/bin" },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "ignore",
    });
    void child.stdin.write(
      `${hello}\n{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"run_ability_task","arguments":{"key":"${key}"}}}\n`,
    );
    await child.stdin.flush();
    await until(() => existsSync(w.path("pid")) && w.read("pid") !== "");
    await child.stdin.end();
    expect(await child.exited).toBe(0);
    expect(isAlive(Number(w.read("pid")))).toBe(false);
    expect(isAlive(Number(w.read("child")))).toBe(false);
    expect((await w.run(["ability", "status", key, "--json"])).json()).toMatchObject({
      status: "failure",
      runs: [{ detail: "it was cancelled" }],
    });
    expect(w.read(".system/logs/tool_call.md").trimEnd().split("\n")).toHaveLength(1);
  });

  test("nothing on standard input at all ends it at once", async () => {
    using w = await able({});
    expect(await w.run(["mcp"])).toMatchObject({ exitCode: 0, stdout: "" });
    expect((await w.run(["mcp", "now"])).exitCode).toBe(2);
  });
});
