import { describe, expect, test } from "bun:test";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { workspace, type Workspace } from "./support/hookline.ts";

const example = join(import.meta.dir, "../examples/test-first");

/** The tests of the example, really run. */
function runTests(w: Workspace): { code: number; text: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, "test"], {
    cwd: w.root,
    env: { HOME: w.home },
  });
  return { code: exitCode, text: `${stdout.toString()}${stderr.toString()}` };
}

/** An agent in one host's words. Each answer is "yes", or the reason for a no. */
interface Agent {
  write(file: string, text: string): Promise<string>;
  shell(command: string): Promise<string>;
  /** Tells how a command ended. */
  ended(command: string, result: { code: number; text: string }): Promise<string>;
  wrote(file: string): Promise<string>;
  stop(): Promise<string>;
}

function claudeCode(w: Workspace): Agent {
  const say = async (event: string, more: object): Promise<any> => {
    const { stdout } = await w.run(["run", "--host", "claude-code"], {
      session_id: "7d1f",
      transcript_path: "/nowhere/7d1f.jsonl",
      cwd: w.root,
      hook_event_name: event,
      ...more,
    });
    return stdout === "" ? {} : JSON.parse(stdout);
  };
  const asked = ({ hookSpecificOutput: out }: any): string =>
    out?.permissionDecision === "deny" ? out.permissionDecisionReason : "yes";
  const bash = (command: string) => ({ tool_name: "Bash", tool_input: { command }, tool_use_id: "t1" });
  return {
    write: async (file, content) =>
      asked(
        await say("PreToolUse", {
          tool_name: "Write",
          tool_input: { file_path: w.path(file), content },
          tool_use_id: "t2",
        }),
      ),
    shell: async (command) => asked(await say("PreToolUse", bash(command))),
    ended: async (command, { code, text }) =>
      JSON.stringify(
        code === 0
          ? await say("PostToolUse", { ...bash(command), tool_response: { stdout: text, stderr: "" } })
          : await say("PostToolUseFailure", { ...bash(command), error: `Exit code ${code}\n${text}` }),
      ),
    wrote: async (file) =>
      JSON.stringify(
        await say("PostToolUse", {
          tool_name: "Write",
          tool_input: { file_path: w.path(file), content: "" },
          tool_response: {},
          tool_use_id: "t2",
        }),
      ),
    stop: async () => {
      const { decision, reason } = await say("Stop", { stop_hook_active: false });
      return decision === "block" ? reason : "yes";
    },
  };
}

function copilot(w: Workspace): Agent {
  const say = async (event: string, more: object): Promise<any> => {
    const payload = { sessionId: "c0a9", timestamp: 1794795200000, cwd: w.root, ...more };
    const { stdout } = await w.run(["run", "--host", "copilot", "--event", event], payload);
    return stdout === "" ? {} : JSON.parse(stdout);
  };
  const asked = ({ permissionDecision, permissionDecisionReason }: any): string =>
    permissionDecision === "deny" ? permissionDecisionReason : "yes";
  const bash = (command: string) => ({ toolName: "bash", toolArgs: { command, mode: "sync" } });
  return {
    write: async (file, file_text) =>
      asked(await say("preToolUse", { toolName: "create", toolArgs: { path: w.path(file), file_text } })),
    shell: async (command) => asked(await say("preToolUse", bash(command))),
    ended: async (command, { code, text }) =>
      JSON.stringify(
        await say("postToolUse", {
          ...bash(command),
          toolResult: {
            resultType: "success",
            textResultForLlm: `${text}\n<shellId: 0 completed with exit code ${code}>`,
          },
        }),
      ),
    wrote: async (file) =>
      JSON.stringify(
        await say("postToolUse", {
          toolName: "create",
          toolArgs: { path: w.path(file), file_text: "" },
          toolResult: { resultType: "success", textResultForLlm: "done" },
        }),
      ),
    stop: async () => {
      const { decision, reason } = await say("agentStop", {
        transcriptPath: "/nowhere/events.jsonl",
        stopReason: "end_turn",
        stop_hook_active: false,
      });
      return decision === "block" ? reason : "yes";
    },
  };
}

describe.each([
  ["Claude Code", claudeCode],
  ["Copilot", copilot],
])("examples/test-first under %s", (_, agentOf) => {
  test("no source edit before a failing test was seen, no stop while tests fail", async () => {
    using w = workspace();
    cpSync(example, w.root, { recursive: true });
    const agent = agentOf(w);
    const source = readFileSync(w.path("src/cart.js"), "utf8");

    expect(await agent.stop()).toBe("yes");
    expect(await agent.write("src/cart.js", source)).toContain(
      "No test has failed that this change would mend.",
    );
    expect(await agent.shell("sed -i s/sum/all/g src/cart.js")).toContain("src/cart.js");
    expect(await agent.shell("npx prettier --write src/cart.js")).toContain("test-first is at start");

    // Tests that pass are no reason to change a source.
    const passing = runTests(w);
    expect(passing.code).toBe(0);
    await agent.ended("npm test", passing);
    expect(await agent.write("src/cart.js", source)).toContain("test-first is at start");

    const wanted = `${readFileSync(w.path("src/cart.test.js"), "utf8")}\ntest("a discount counts", () => {\n  assert.equal(total([{ price: 10, discount: 3 }]), 7);\n});\n`;
    expect(await agent.write("src/cart.test.js", wanted)).toBe("yes");
    w.write("src/cart.test.js", wanted);
    await agent.wrote("src/cart.test.js");
    const failing = runTests(w);
    expect(failing.code).not.toBe(0);
    // What another command speaks for says nothing.
    await agent.ended("npm test || true", { code: 0, text: "" });
    expect(await agent.write("src/cart.js", source)).toContain("test-first is at start");
    expect(await agent.ended("npm test", failing)).toContain("test-first has gone from start to red");

    expect(await agent.write("src/cart.js", source)).toBe("yes");
    expect(await agent.stop()).toContain("tests failed the last time");
    const mended = source.replace(
      "{ price }) => sum + price",
      "{ price, discount = 0 }) => sum + price - discount",
    );
    w.write("src/cart.js", mended);
    await agent.wrote("src/cart.js");
    expect(await agent.stop()).toContain("not to be left there");
    const again = runTests(w);
    expect(again.code).toBe(0);
    expect(await agent.ended("npm test", again)).toContain("from red to green");
    expect(await agent.stop()).toBe("yes");

    // A change after the last run has to be tested again.
    expect(await agent.write("src/cart.js", `${mended}\n`)).toBe("yes");
    await agent.wrote("src/cart.js");
    expect(await agent.stop()).toContain("source was seen after the last tests");
    await agent.ended("npm test", again);
    expect(await agent.stop()).toBe("yes");

    // What was seen cannot be forged, and every event can be judged again from its record.
    expect(await agent.shell("rm -rf .hookline/seen")).not.toBe("yes");
    expect(await agent.write("workflows/test-first.yaml", "states: {}\n")).toContain(
      "where a workflow is declared",
    );
    const replayed = await w.run(["replay", "--json"]);
    expect(replayed.stdout).not.toContain('"change":"unknown"');
    expect(replayed.exitCode).toBe(0);
  }, 60_000);

  test("an agent is held back three times in a row, then let go with a warning; a session begins at the start", async () => {
    using w = workspace();
    cpSync(example, w.root, { recursive: true });
    const agent = agentOf(w);
    await agent.ended("npm test", { code: 1, text: "" });
    for (const times of [1, 2, 3]) expect(await agent.stop()).toContain(`held back ${times} of 3 times`);
    expect(await agent.stop()).toBe("yes");
    expect(w.records().at(-1)?.["findings"][0]).toMatchObject({ rule: "workflow/stop", outcome: "warn" });
    expect(await agent.stop()).toContain("held back 1 of 3 times");
  }, 60_000);
});

test("examples/test-first is sound, and the tests it looks for are told by their output, too", async () => {
  using w = workspace();
  cpSync(example, w.root, { recursive: true });
  expect((await w.run(["workflow", "check"])).stdout).toContain("nothing to find");
  const agent = claudeCode(w);
  await agent.ended("npm test 2>&1 | tail -20", { code: 0, text: "# pass 1\n# fail 1\n" });
  expect((await w.run(["workflow", "status", "--json"])).json()).toMatchObject([
    {
      workflow: "test-first",
      state: "red",
      seen: ["tests failed"],
      next: [{ to: "green", on: "tests passed" }],
    },
  ]);
  expect((await w.run(["workflow", "graph"])).stdout).toContain("class s1 here");
});
