import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { fit, type Answer } from "../src/core/host.ts";
import type { Json } from "../src/core/json.ts";
import type { Operation } from "../src/core/operation.ts";
import { outcomes } from "../src/core/outcome.ts";
import host from "../src/hosts/cursor/host.ts";
import { abilitiesAt, hostTester, verdictOf, type Meaning, type Saying } from "../src/testing/host-tester.ts";
import { workspace } from "./support/hookline.ts";

const tester = hostTester(host, join(import.meta.dir, "../src/hosts/cursor/fixtures"));
const root = "/Users/ada/code/acme-shop";
const session = "5b1f6a52-9d0c-4a3e-8f57-1f2e3d4c5b6a";
const explorer = { id: "sub-1", type: "explore" };
const pay = `${root}/src/pay.ts`;

tester.decodes(
  {
    afterAgentResponse: { name: "Other", said: "All done." },
    afterAgentThought: { name: "Other" },
    afterFileEdit: {
      name: "PostToolUse",
      tool: "Write",
      again: true,
      operations: [{ do: "edit", path: pay, edits: [{ old: "retries = 1", new: "retries = 3" }] }],
    },
    afterMCPExecution: { name: "PostToolUse", tool: "MCP:create_issue", again: true },
    afterShellExecution: {
      name: "PostToolUse",
      tool: "Shell",
      again: true,
      operations: [{ do: "exec", command: "npm test" }],
    },
    afterTabFileEdit: {
      name: "PostToolUse",
      tool: "TabWrite",
      operations: [{ do: "edit", path: pay, edits: [{ old: "1", new: "3" }] }],
    },
    beforeMCPExecution: { name: "PreToolUse", tool: "MCP:create_issue" },
    beforeReadFile: {
      name: "PreToolUse",
      tool: "Read",
      operations: [{ do: "read", path: `${root}/.env` }],
    },
    beforeShellExecution: {
      name: "PreToolUse",
      tool: "Shell",
      operations: [{ do: "exec", command: "git push --force" }],
    },
    beforeSubmitPrompt: { name: "UserPromptSubmit", prompt: "Raise the retry limit" },
    beforeTabFileRead: {
      name: "PreToolUse",
      tool: "TabRead",
      operations: [{ do: "read", path: `${root}/.env` }],
    },
    postToolUse: {
      name: "PostToolUse",
      tool: "Shell",
      operations: [{ do: "exec", command: "npm test" }],
    },
    postToolUseFailure: {
      name: "PostToolUseFailure",
      tool: "Shell",
      operations: [{ do: "exec", command: "npm test" }],
    },
    preCompact: { name: "PreCompact" },
    preToolUse: {
      name: "PreToolUse",
      tool: "Shell",
      operations: [{ do: "exec", command: "npm install" }],
    },
    "preToolUse.Task": {
      name: "PreToolUse",
      tool: "Task",
      operations: [{ do: "delegate", agent: "explore", prompt: "Find callers of refund()" }],
    },
    "preToolUse.Write": {
      name: "PreToolUse",
      tool: "Write",
      operations: [{ do: "write", path: pay, text: "export const retries = 3\n" }],
    },
    "preToolUse.mcp": { name: "PreToolUse", tool: "MCP:create_issue" },
    sessionEnd: { name: "SessionEnd" },
    sessionStart: { name: "SessionStart" },
    stop: { name: "Stop", heldBefore: false },
    subagentStart: { name: "SubagentStart", agent: explorer },
    subagentStop: { name: "SubagentStop", heldBefore: false, agent: { type: "explore" }, said: "3 callers" },
    workspaceOpen: { name: "Other", session: undefined },
  },
  { dialect: "hooks", session, cwd: root },
);

const silence: Saying = { means: {} };
const denied = (reason: string): Saying => ({
  means: { outcome: "block", reason },
  instead: {
    answer: { exitCode: 0, stdout: { permission: "deny", user_message: reason, agent_message: reason } },
    because: "There is one reason, for the person and for the model.",
  },
});
const exitTwo: Saying = {
  means: { outcome: "block", reason: "no" },
  instead: {
    answer: { exitCode: 0, stdout: { permission: "deny", user_message: "no", agent_message: "no" } },
    because: "Only with exit 0 is the reason read.",
  },
};
const permission: Record<string, Saying> = {
  deny: denied("Writes to prod are not allowed."),
  "deny-exit2": exitTwo,
  allow: { means: { outcome: "allow" } },
};
const ask: Saying = {
  means: { outcome: "ask", reason: "Force push, please confirm" },
  instead: {
    answer: {
      exitCode: 0,
      stdout: {
        permission: "ask",
        user_message: "Force push, please confirm",
        agent_message: "Force push, please confirm",
      },
    },
    because: "There is one reason, for the person and for the model.",
  },
};

tester.says({
  afterAgentResponse: { none: silence },
  afterAgentThought: { none: silence },
  afterFileEdit: { none: silence },
  afterMCPExecution: { none: silence },
  afterShellExecution: { none: silence },
  afterTabFileEdit: { none: silence },
  beforeMCPExecution: { ...permission, ask },
  beforeReadFile: { deny: { means: { outcome: "block", reason: "Secret file" } } },
  beforeShellExecution: { ...permission, ask },
  beforeSubmitPrompt: { block: { means: { outcome: "block", reason: "The prompt contains an API key." } } },
  beforeTabFileRead: { deny: { means: { outcome: "block", reason: "Secret file" } } },
  postToolUse: {
    inject: { means: (out) => ({ context: String(out["additional_context"]) }) },
    "mcp-output": { means: (native) => ({ native }) },
  },
  postToolUseFailure: { none: silence },
  preCompact: { message: { means: { notice: "Summarizing now" } } },
  preToolUse: {
    ...permission,
    rewrite: {
      means: { outcome: "allow", input: { command: "npm ci", working_directory: root } },
    },
    "ask-not-enforced": {
      means: { outcome: "ask", reason: "Sure?" },
      lost: ["ask → block"],
      instead: {
        answer: {
          exitCode: 0,
          stdout: { permission: "deny", user_message: "Sure?", agent_message: "Sure?" },
        },
        because: "Cursor accepts an ask here and goes ahead.",
      },
    },
  },
  sessionEnd: { none: silence },
  sessionStart: {
    inject: { means: (out) => ({ context: String(out["additional_context"]), native: { env: out["env"] } }) },
  },
  stop: { continue: { means: { outcome: "block", reason: "Run the tests before you stop." } } },
  subagentStart: { deny: { means: { outcome: "block", reason: "No subagents here" } } },
  subagentStop: { continue: { means: { outcome: "block", reason: "List the files too." } } },
  workspaceOpen: { plugins: { means: (native) => ({ native }) } },
});

const common = { cursor_version: "3.2.0", conversation_id: "c", workspace_roots: [root] };

function told(event: string, meaning: Meaning, fields: Json = {}): Answer {
  const call = host.decode({ ...common, hook_event_name: event, ...fields }, undefined);
  return host.encode(fit(verdictOf(meaning), abilitiesAt(host, call)).reply, call);
}

describe("Cursor's ways", () => {
  const gates = [
    "preToolUse",
    "beforeShellExecution",
    "beforeMCPExecution",
    "beforeReadFile",
    "beforeTabFileRead",
    "subagentStart",
  ];

  test("a gate is never passed in silence, which failClosed takes for a broken hook", () => {
    for (const gate of gates) expect(told(gate, {}).stdout).toEqual({ permission: "allow" });
    expect(told("beforeSubmitPrompt", {}).stdout).toEqual({ continue: true });
  });

  test("a refusal is one at every gate, and nothing milder is, but an ask where Cursor cannot ask", () => {
    for (const gate of gates)
      for (const outcome of outcomes) {
        const said = (told(gate, { outcome, reason: "why" }).stdout as Json)["permission"];
        const asks = outcome === "ask" && /Shell|MCP/.test(gate);
        const wanted = outcome === "block" || outcome === "ask" ? (asks ? "ask" : "deny") : "allow";
        expect({ gate, outcome, said }).toEqual({ gate, outcome, said: wanted });
      }
  });

  test("a changed input does not travel with a refusal", () => {
    expect(told("preToolUse", { outcome: "block", reason: "no", input: { command: "x" } }).stdout).toEqual({
      permission: "deny",
      user_message: "no",
      agent_message: "no",
    });
  });

  test("a stop at a prompt stops it", () => {
    expect(told("beforeSubmitPrompt", { stop: "out of budget" }).stdout).toEqual({
      continue: false,
      user_message: "out of budget",
    });
  });

  test("an agent that was interrupted is not kept going; one that broke down is an error", () => {
    const name = (status: string) =>
      host.decode({ ...common, hook_event_name: "stop", status }, undefined).name;
    expect(["completed", "aborted", "error"].map(name)).toEqual(["Stop", "Other", "ErrorOccurred"]);
  });

  test("a command runs where it says", () => {
    const cwd = (working_directory: string) =>
      host.decode(
        {
          ...common,
          hook_event_name: "preToolUse",
          tool_name: "Shell",
          tool_input: { command: "ls", working_directory },
          cwd: root,
        },
        undefined,
      ).cwd;
    expect(cwd("/tmp/x")).toBe("/tmp/x");
    expect(cwd("packages/a")).toBe(`${root}/packages/a`);
    expect(cwd("")).toBe(root);
  });

  const calls: readonly [tool: string, input: unknown, operations: readonly Operation[]][] = [
    ["Write", { path: "/a", contents: "x" }, [{ do: "write", path: "/a", text: "x" }]],
    [
      "StrReplace",
      { path: "/a", old_string: "x", new_string: "y" },
      [{ do: "edit", path: "/a", edits: [{ old: "x", new: "y" }] }],
    ],
    ["Delete", { path: "/a" }, [{ do: "delete", path: "/a", recursive: true }]],
    ["Grep", { pattern: "x" }, [{ do: "read", path: "." }]],
    ["ApplyPatch", { patch: "*** Begin Patch\n" }, [{ do: "patch", text: "*** Begin Patch\n" }]],
    ["MCP:write_file", { path: "/a", content: "x" }, [{ do: "write", path: "/a", text: "x" }]],
    ["MCP:run_command", '{"command":"rm -rf /"}', [{ do: "exec", command: "rm -rf /" }]],
    ["Write", { somewhere: "/a" }, [{ do: "patch", text: "" }]],
    ["Tomorrow", { file_path: "/a", content: "x" }, [{ do: "write", path: "/a", text: "x" }]],
  ];
  for (const [tool, input, operations] of calls)
    test(`${tool} with ${JSON.stringify(input)}`, () =>
      expect(
        host.decode(
          { ...common, hook_event_name: "preToolUse", tool_name: tool, tool_input: input },
          undefined,
        ).operations,
      ).toEqual(operations));

  test("on a drive of Windows a command is PowerShell's", () => {
    const { operations } = host.decode(
      { ...common, hook_event_name: "beforeShellExecution", command: "ls", cwd: "C:\\src" },
      undefined,
    );
    expect(operations).toEqual([{ do: "exec", command: "ls", shell: "powershell" }]);
  });
});

describe("Cursor, by the executable", () => {
  const shell = (cwd: string, event: string, command: string): Json => ({
    ...common,
    workspace_roots: [cwd],
    hook_event_name: event,
    cwd,
    ...(event.startsWith("before") || event.startsWith("after")
      ? { command, sandbox: false }
      : { tool_name: "Shell", tool_input: { command }, tool_use_id: "t1" }),
  });

  test("both events of a shell call are judged, answered and recorded", async () => {
    using ws = workspace();
    for (const event of ["preToolUse", "beforeShellExecution"]) {
      const ran = await ws.run(["run", "--host", "cursor"], shell(ws.root, event, "rm -rf /"));
      expect({ event, exitCode: ran.exitCode, permission: ran.json().permission }).toEqual({
        event,
        exitCode: 0,
        permission: "deny",
      });
      expect(ran.json().agent_message).toContain("safety/");
    }
    expect(ws.records().map(({ event }) => event.native)).toEqual(["preToolUse", "beforeShellExecution"]);
  });

  test("a call that is told of twice is logged once", async () => {
    const iteration = ".ralph-sessions/260101-120000";
    using ws = workspace({
      "hookline.yaml": "extends: [ralph]\n",
      [`${iteration}/metadata.yaml`]: "version: 1\n",
    });
    const lines = async (event: string): Promise<string> => {
      await ws.run(["run", "--host", "cursor"], shell(ws.root, event, "ls"));
      return JSON.stringify(ws.records().at(-1)?.["effects"] ?? []);
    };
    const counted = await lines("postToolUse");
    const again = await lines("afterShellExecution");
    expect(counted).toContain("tool-usage.jsonl");
    expect(again).not.toContain("tool-usage.jsonl");
  });

  test("a hook of .claude/settings.json that Cursor runs in its own words is answered in them", async () => {
    using ws = workspace();
    const ran = await ws.run(
      ["run", "--host", "claude-code"],
      shell(ws.root, "beforeShellExecution", "rm -rf /"),
    );
    expect(ran.json().permission).toBe("deny");
  });

  test("what cannot be read is refused, in Cursor's form where the event is known", async () => {
    using ws = workspace();
    const known = await ws.run(["run", "--host", "cursor", "--event", "beforeShellExecution"], "{");
    expect([known.exitCode, known.json().permission]).toEqual([0, "deny"]);
    const named = await ws.run(["run", "--host", "cursor"], '{"hook_event_name":"preToolUse", oops');
    expect([named.exitCode, named.json().permission]).toEqual([0, "deny"]);
    const unknown = await ws.run(["run", "--host", "cursor"], "garbage");
    expect([unknown.exitCode, unknown.stdout]).toEqual([2, ""]);
    expect(unknown.stderr).toContain("Blocked by hookline");
    const empty = await ws.run(["run", "--host", "cursor"], { ...common, hook_event_name: "beforeReadFile" });
    expect([empty.exitCode, empty.json().permission]).toEqual([0, "deny"]);
  });
});
