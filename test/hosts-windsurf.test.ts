import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { fit } from "../src/core/host.ts";
import { outcomes } from "../src/core/outcome.ts";
import host from "../src/hosts/windsurf/host.ts";
import { abilitiesAt, hostTester, verdictOf, type Saying } from "../src/testing/host-tester.ts";
import { workspace } from "./support/hookline.ts";

const tester = hostTester(host, join(import.meta.dir, "../src/hosts/windsurf/fixtures"));
const root = "/Users/ada/code/acme-shop";
const edit = [
  {
    do: "edit" as const,
    path: `${root}/src/pay.ts`,
    edits: [{ old: "retries = 1", new: "retries = 3" }],
  },
];

tester.decodes(
  {
    post_cascade_response: { name: "Stop", said: "All done." },
    post_cascade_response_with_transcript: { name: "Stop" },
    post_mcp_tool_use: { name: "PostToolUse", tool: "create_issue" },
    post_read_code: {
      name: "PostToolUse",
      tool: "read_code",
      operations: [{ do: "read", path: `${root}/src/pay.ts` }],
    },
    post_run_command: {
      name: "PostToolUse",
      tool: "run_command",
      cwd: root,
      operations: [{ do: "exec", command: "npm test" }],
    },
    post_setup_worktree: { name: "Other" },
    post_write_code: { name: "PostToolUse", tool: "write_code", operations: edit },
    pre_mcp_tool_use: { name: "PreToolUse", tool: "create_issue" },
    pre_read_code: {
      name: "PreToolUse",
      tool: "read_code",
      operations: [{ do: "read", path: `${root}/.env` }],
    },
    pre_run_command: {
      name: "PreToolUse",
      tool: "run_command",
      cwd: root,
      operations: [{ do: "exec", command: "git push --force" }],
    },
    pre_user_prompt: { name: "UserPromptSubmit", prompt: "Raise the retry limit" },
    pre_write_code: { name: "PreToolUse", tool: "write_code", operations: edit },
  },
  { dialect: "hooks", session: "8a2f1c70-3b5d-4e6f-9a01-2b3c4d5e6f70" },
);

const none: Saying = { means: {} };
const feedback: Saying = { means: { outcome: "block", reason: "eslint: 1 error" } };
const unheard: Saying = {
  means: { outcome: "block", reason: "eslint: 1 error" },
  lost: ["block → pass"],
  instead: { answer: { exitCode: 0 }, because: "The turn is over, and the hook is not waited for." },
};
const crash: Saying = {
  means: { outcome: "block", reason: "boom" },
  instead: {
    answer: { exitCode: 2, stderr: "boom" },
    because: "Any other exit code than 2 lets the action run.",
  },
};
const before: Record<string, Saying> = {
  deny: { means: { outcome: "block", reason: "Writes to prod are not allowed." } },
  allow: none,
  crash,
};

tester.says({
  post_cascade_response: { feedback: unheard, none },
  post_cascade_response_with_transcript: { feedback: unheard, none },
  post_mcp_tool_use: { feedback, none },
  post_read_code: { feedback, none },
  post_run_command: { feedback, none },
  post_setup_worktree: { feedback: unheard, none },
  post_write_code: { feedback, none },
  pre_mcp_tool_use: before,
  pre_read_code: before,
  pre_run_command: before,
  pre_user_prompt: before,
  pre_write_code: before,
});

describe("Windsurf's ways", () => {
  test("there is nothing but the exit code: asking is refusing, and nothing is printed", () => {
    for (const { stdin, event } of tester.fixtures)
      for (const outcome of outcomes) {
        const call = host.decode(stdin, event);
        const meaning = { outcome, reason: "why", context: "c", notice: "n", input: { a: 1 } };
        const { reply } = fit(verdictOf(meaning), abilitiesAt(host, call));
        const refuses = abilitiesAt(host, call).includes("block") && ["ask", "block"].includes(outcome);
        expect({ event, outcome, answer: host.encode(reply, call) }).toEqual({
          event,
          outcome,
          answer: refuses ? { exitCode: 2, stderr: "why" } : { exitCode: 0 },
        });
      }
  });

  test("a server's tool is understood by its arguments", () => {
    const { operations, tool } = host.decode(
      {
        agent_action_name: "pre_mcp_tool_use",
        tool_info: {
          mcp_server_name: "files",
          mcp_tool_name: "write_file",
          mcp_tool_arguments: { path: "/etc/hosts", content: "x" },
        },
      },
      undefined,
    );
    expect(operations).toEqual([{ do: "write", path: "/etc/hosts", text: "x" }]);
    expect(tool).toMatchObject({ name: "write_file", server: "files" });
  });

  test("on a drive of Windows a command is PowerShell's", () => {
    const info = { command_line: "ls", cwd: "C:\\src" };
    expect(
      host.decode({ agent_action_name: "pre_run_command", tool_info: info }, undefined).operations,
    ).toEqual([{ do: "exec", command: "ls", shell: "powershell" }]);
  });
});

describe("Windsurf, by the executable", () => {
  const run = (cwd: string, command_line: string) => ({
    agent_action_name: "pre_run_command",
    trajectory_id: "t",
    tool_info: { command_line, cwd },
  });

  test("a dangerous command ends with exactly 2 and says why on stderr; a safe one is silent", async () => {
    using ws = workspace();
    for (const flags of [[], ["--host", "windsurf"]]) {
      const denied = await ws.run(["run", ...flags], run(ws.root, "rm -rf /"));
      expect([denied.exitCode, denied.stdout]).toEqual([2, ""]);
      expect(denied.stderr).toContain("safety/");
      const safe = await ws.run(["run", ...flags], run(ws.root, "ls"));
      expect([safe.exitCode, safe.stdout, safe.stderr]).toEqual([0, "", ""]);
    }
  });

  test("what cannot be read, or names nothing, is refused with 2", async () => {
    using ws = workspace();
    const cases = [
      "",
      "garbage",
      '{"agent_action_name":"pre_run_command", oops',
      JSON.stringify({ agent_action_name: "pre_run_command", tool_info: {} }),
    ];
    for (const text of cases) {
      const ran = await ws.run(["run", "--host", "windsurf"], text);
      expect({ text, exitCode: ran.exitCode, stdout: ran.stdout }).toEqual({ text, exitCode: 2, stdout: "" });
      expect(ran.stderr).toContain("Blocked by hookline");
    }
  });

  test("after the fact a broken payload refuses nothing", async () => {
    using ws = workspace();
    const ran = await ws.run(["run", "--host", "windsurf"], '{"agent_action_name":"post_run_command", oops');
    expect(ran.exitCode).toBe(0);
  });
});
