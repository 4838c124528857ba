// The three flows of a repository with abilities, knowledge and hooks, as Claude Code goes through them, in examples/routing as it is shipped.
import { describe, expect, test } from "bun:test";
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { workspace, type Ran, type Workspace } from "./support/hookline.ts";

const executable = join(import.meta.dir, "../dist/hookline");
const example = join(import.meta.dir, "../examples/routing");
const node = dirname(Bun.which("node") ?? "");

interface Sample extends Workspace {
  read(file: string): string;
  /** What Claude Code calls at an event. */
  claude(event: string, fields?: object, env?: Record<string, string>): Promise<Ran>;
  /** The agent's shell: the tool call is put to the hook, and the command runs if nothing speaks against it. */
  bash(command: string): Promise<string>;
}

/** The example in a git repository of its own, committed and trusted. */
async function sample(): Promise<Sample> {
  const w = workspace();
  rmSync(w.path(".git"), { recursive: true });
  cpSync(example, w.root, { recursive: true });
  const git = (...args: string[]): void => {
    const { exitCode, stderr } = Bun.spawnSync(
      ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", ...args],
      { cwd: w.root },
    );
    if (exitCode !== 0) throw new Error(stderr.toString());
  };
  git("init", "-q", "-b", "main");
  w.write(".gitignore", ".hookline/\n.system/implement/\n.system/logs/\n.system/cache/\n");
  git("add", "-A");
  git("commit", "-qm", "Begin");
  const path = { PATH: `${dirname(executable)}:${node}:/usr/bin:/bin` };
  const { exitCode, stderr } = await w.run(["trust", "--yes"]);
  if (exitCode !== 0) throw new Error(stderr);
  const base = {
    session_id: "sess-123",
    transcript_path: "/nowhere/sess-123.jsonl",
    cwd: w.root,
    permission_mode: "default",
  };
  const claude: Sample["claude"] = (event, fields = {}, env = {}) =>
    w.run(
      ["run", "--host", "claude-code"],
      { ...base, hook_event_name: event, ...fields },
      { ...path, ...env },
    );
  return {
    ...w,
    read: (file) => readFileSync(w.path(file), "utf8"),
    claude,
    async bash(command) {
      const tool = { tool_name: "Bash", tool_input: { command }, tool_use_id: "toolu_1" };
      const { json, stdout } = await claude("PreToolUse", tool);
      if (stdout !== "") throw new Error(`${command}: ${JSON.stringify(json())}`);
      const child = Bun.spawn(["/bin/sh", "-c", command], {
        cwd: w.root,
        env: { HOME: w.home, CLAUDECODE: "1", ...path },
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      });
      const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
      if ((await child.exited) !== 0) throw new Error(`${command}: ${out}${err}`);
      return out;
    },
  };
}

const prompt = (text: string): object => ({ prompt: text });

describe("examples/routing", () => {
  test("is sound: registries, routes, hooks and policy", async () => {
    using w = await sample();
    expect((await w.run(["ability", "lint"])).exitCode).toBe(0);
    expect((await w.run(["hooks", "validate"])).exitCode).toBe(0);
    const { stdout } = await w.claude("SessionStart", { source: "startup" });
    expect(stdout).not.toContain("problems");
  });

  test("S1-R45 the ability flow: prompt, suggestion, the agent verifies, creates and runs, and it is tracked", async () => {
    using w = await sample();
    const asked = await w.claude("UserPromptSubmit", prompt("Run the full billing regression tests for me."));
    const context: string = asked.json().hookSpecificOutput.additionalContext;
    expect(context).toMatch(/billing_regression/);
    expect(context).toMatch(/confidence 0\.\d+/);
    expect(context).not.toContain("code_review_agent");

    expect(JSON.parse(await w.bash("hookline ability show billing_regression --json"))).toMatchObject({
      id: "billing_regression",
      level: "high",
    });
    const created = JSON.parse(
      await w.bash(
        "hookline ability create billing_regression --reason 'Run the full billing regression tests' --session sess-123 --json",
      ),
    );
    expect(created).toMatchObject({ available: true, operation_key: "workflow.billing.regression" });
    const ran = JSON.parse(await w.bash(`hookline ability run ${created.key} --json`));
    expect(ran).toMatchObject({
      status: "success",
      output: { passed: 3, failed: 0, summary: "All 3 test cases passed" },
    });

    expect(w.read(created.tool_call_path)).toContain("Reason: Run the full billing regression tests");
    expect(w.read(".system/logs/tool_call.md")).toMatch(
      /^- \S+ \*\*billing_regression\*\* success \| .* All 3 test cases passed/,
    );
    expect(JSON.parse(w.read(".system/cache/ability_usage.json"))).toMatchObject({
      billing_regression: { calls: 1, failures: 0 },
    });
    const [post] = w.records().filter((record) => record["event"].name === "PostAbilityCall");
    expect(post?.["event"].payload).toMatchObject({
      session_id: "sess-123",
      ability_id: "billing_regression",
      operation_key: "workflow.billing.regression",
      status: "success",
      output_summary: "All 3 test cases passed",
      tool_call_path: created.tool_call_path,
      caller: { source: "ai_session" },
    });
    // What was used is part of why it is suggested the next time.
    const next = await w.claude("UserPromptSubmit", prompt("Run the full billing regression tests for me."));
    expect(next.json().hookSpecificOutput.additionalContext).toContain("called 1 time");
  });

  test("S1-R45 S1-R30 a repository that has a tracker of its own gets one record of each call", async () => {
    using w = await sample();
    for (const file of [".system/hooks/post_tool_use_tracker.yaml", "scripts/hooks/post_tool_use_tracker.ts"])
      cpSync(join(example, "../registry", file), w.path(file));
    await w.run(["trust", "--yes"]);
    const { key } = JSON.parse(await w.bash("hookline ability create billing_regression --json"));
    await w.bash(`hookline ability run ${key}`);
    expect(w.read(".system/logs/tool_call.md").trimEnd().split("\n")).toHaveLength(1);
    expect(JSON.parse(w.read(".system/cache/ability_usage.json")).billing_regression.calls).toBe(1);
  });

  test("S1-R43 S1-R45 the guard holds for whoever runs it", async () => {
    using w = await sample();
    const input = `--input '{"name":"bob"}' --json`;
    const dev = JSON.parse(await w.bash(`hookline ability create db.write.user_row ${input}`));
    await w.bash(`hookline ability run ${dev.key}`);
    expect(w.read("data/users.jsonl")).toBe('{"name":"bob"}\n');
    const production = JSON.parse(
      await w.bash(`hookline ability create db.write.user_row --env production ${input}`),
    );
    expect(w.bash(`hookline ability run ${production.key}`)).rejects.toThrow(
      "In this environment, it is blocked",
    );
    expect((await w.run(["ability", "run", production.key, "--caller", "ci_pipeline"])).exitCode).toBe(2);
    expect(w.read("data/users.jsonl")).toBe('{"name":"bob"}\n');
  });

  test("an ability that asks the MCP server of Hookline itself", async () => {
    using w = await sample();
    await w.claude("PreToolUse", {
      tool_name: "Bash",
      tool_input: { command: "rm -rf /" },
      tool_use_id: "t",
    });
    const { key } = JSON.parse(
      await w.bash(`hookline ability create mcp.query.logs --input '{"outcome":"block"}' --json`),
    );
    const ran = JSON.parse(await w.bash(`hookline ability run ${key} --json`));
    expect(ran.output.records).toMatchObject([{ outcome: "block", tool: "Bash" }]);
  });

  test("S1-R46 S1-R42 the knowledge flow: prompt, intent, documents chosen by scope, topic and stage, and loaded", async () => {
    using w = await sample();
    const asked = await w.claude("UserPromptSubmit", prompt("Before I commit, what checks should I run?"));
    const context: string = asked.json().hookSpecificOutput.additionalContext;
    expect(context).toContain("Every commit passes `make dev_check`");
    expect(context).toContain("npm run build:billing");
    expect(context).not.toContain("open the file it names");
    expect(context).not.toContain("whole cents");
    const other = await w.claude("UserPromptSubmit", prompt("What is the weather like?"));
    expect(other.stdout).not.toContain("make dev_check");
  });

  test("S1-R47 S1-R31 S1-R39 the flow of builds: stop, a build a service, messages, follow-up actions", async () => {
    using w = await sample();
    expect((await w.claude("Stop", { stop_hook_active: false })).stdout).not.toContain("build:");
    w.write("services/auth/src/login.js", "export const ok = true;\nexport const broken = (;\n");
    w.write("services/billing/src/invoice.js", `${w.read("services/billing/src/invoice.js")}// changed\n`);
    const { json, exitCode } = await w.claude("Stop", { stop_hook_active: false });
    expect(exitCode).toBe(0);
    expect(json().decision).toBeUndefined();
    expect(json().systemMessage.split("\n").slice(0, 3)).toEqual([
      "Ran `npm run build:auth` and `npm run build:billing` for modified services.",
      "Auth build: failed at services/auth/src/login.js:2.",
      "Billing build: success.",
    ]);
    const [line = ""] = w.read(".hookline/follow-ups.jsonl").split("\n");
    expect(JSON.parse(line)).toMatchObject({
      session: "sess-123",
      kind: "open_file",
      payload: { path: "services/auth/src/login.js", line: 2 },
    });
    rmSync(w.path(".hookline/follow-ups.jsonl"));
    const elsewhere = await w.claude("Stop", { stop_hook_active: false }, { HOOKS_ENV: "ci" });
    expect(elsewhere.stdout).not.toContain("build:");
    expect(existsSync(w.path(".hookline/follow-ups.jsonl"))).toBe(false);
  });
});
