import { describe, expect, test } from "bun:test";
import type { Answer } from "../src/core/host.ts";
import type { Json } from "../src/core/json.ts";
import type { Operation } from "../src/core/operation.ts";
import claudeCode from "../src/hosts/claude-code/host.ts";
import copilot from "../src/hosts/copilot/host.ts";
import type { Meaning } from "../src/testing/host-tester.ts";
import { told } from "./support/hosts.ts";

const time = "2026-11-16T02:13:20.000Z";

const claude = (event: string, meaning: Meaning) => told(claudeCode, { hook_event_name: event }, meaning);
const output = ({ answer }: { answer: Answer }): unknown => answer.stdout;

describe("Claude Code", () => {
  test("a native value of the wrong type cannot void a denial", () => {
    const native = {
      sessionTitle: 5,
      suppressOriginalPrompt: "yes",
      terminalSequence: {},
      decision: "approve",
    };
    expect(output(claude("UserPromptSubmit", { outcome: "block", reason: "no", native }))).toEqual({
      decision: "block",
      reason: "no",
    });
  });

  test("context and warnings do not keep a finished agent going", () => {
    for (const event of ["Stop", "SubagentStop"]) {
      expect(claude(event, { context: "the policy has problems" })).toEqual({
        answer: { exitCode: 0 },
        lost: ["context"],
      });
      expect(output(claude(event, { outcome: "warn", reason: "hm" }))).toEqual({ systemMessage: "hm" });
    }
  });

  test("to ask at a permission request is to let the prompt come, and to say why", () => {
    expect(claude("PermissionRequest", { outcome: "ask", reason: "look twice" })).toEqual({
      answer: { exitCode: 0, stdout: { systemMessage: "look twice" } },
      lost: [],
    });
  });

  test("a permission is neither widened with a denial nor interrupted with an approval", () => {
    const native = { updatedPermissions: [{ type: "setMode" }], interrupt: true };
    const decision = (outcome: "allow" | "block") =>
      (output(claude("PermissionRequest", { outcome, native })) as { hookSpecificOutput: Json })
        .hookSpecificOutput["decision"];
    expect(decision("allow")).toEqual({ behavior: "allow", updatedPermissions: [{ type: "setMode" }] });
    expect(decision("block")).toEqual({ behavior: "deny", message: "Blocked by policy.", interrupt: true });
  });

  test("a call is deferred on demand, but approved by a verdict only", () => {
    const decided = (permissionDecision: string) =>
      output(claude("PreToolUse", { native: { permissionDecision } }));
    expect(decided("defer")).toEqual({
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "defer" },
    });
    expect(decided("allow")).toBeUndefined();
  });

  test("instructions for a compaction never look like JSON", () => {
    expect(output(claude("PreCompact", { context: '{"keep":"paths"}' }))).toBe('- {"keep":"paths"}');
  });

  test("a refused compaction says nothing else, for the event knows no context", () => {
    expect(output(claude("PreCompact", { outcome: "block", reason: "export first", context: "c" }))).toEqual({
      decision: "block",
      reason: "export first",
    });
  });

  test("a declined elicitation tells the person both why and what else there is", () => {
    expect(
      output(
        claude("Elicitation", {
          outcome: "block",
          reason: "no",
          notice: "n",
          native: { action: "accept", content: {} },
        }),
      ),
    ).toEqual({
      systemMessage: "no\n\nn",
      hookSpecificOutput: { hookEventName: "Elicitation", action: "decline" },
    });
  });

  test("a stop travels with a refusal by exit code", () => {
    expect(
      claude("TaskCompleted", { outcome: "block", reason: "tests fail", stop: "budget" }).answer,
    ).toEqual({
      exitCode: 2,
      stderr: "tests fail",
      stdout: { continue: false, stopReason: "budget" },
    });
  });

  test("a session start cannot be stopped, and the record says so", () => {
    expect(claude("SessionStart", { stop: "no" })).toEqual({ answer: { exitCode: 0 }, lost: ["stop"] });
  });
});

describe("Copilot", () => {
  test("a changed prompt reaches the model, as observed", () => {
    const payload = { sessionId: "s", timestamp: 1, prompt: "do it" };
    expect(output(told(copilot, payload, { native: { modifiedPrompt: "do it well" } }))).toEqual({
      modifiedPrompt: "do it well",
    });
  });

  test("context about a tool call is said both ways where Claude's file may be the source", () => {
    const payload = {
      hook_event_name: "PreToolUse",
      timestamp: time,
      tool_name: "Bash",
      tool_input: { command: "ls" },
    };
    expect(output(told(copilot, payload, { context: "c" }))).toEqual({
      additionalContext: "c",
      hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: "c" },
    });
  });

  test("a permission request interrupts with a denial only", () => {
    const payload = { hookName: "permissionRequest", sessionId: "s", timestamp: 1 };
    expect(output(told(copilot, payload, { outcome: "allow", native: { interrupt: true } }))).toEqual({
      behavior: "allow",
    });
  });

  test("the project directory is Copilot's own, else Claude's; empty counts as none", () => {
    const directory = (env: Record<string, string>) => copilot.projectDirectory?.((name) => env[name]);
    expect(directory({ COPILOT_PROJECT_DIR: "/a", CLAUDE_PROJECT_DIR: "/b" })).toBe("/a");
    expect(directory({ COPILOT_PROJECT_DIR: "", CLAUDE_PROJECT_DIR: "/b" })).toBe("/b");
  });
});

describe("arguments in every form a host sends them", () => {
  const patch = "*** Begin Patch\n*** Delete File: a.ts\n*** End Patch\n";
  const write: Operation = { do: "write", path: "/a", text: "x" };
  const change: Operation = { do: "edit", path: "/a", edits: [{ old: "x", new: "y" }] };
  const cases: readonly [tool: string, given: unknown, operations: readonly Operation[]][] = [
    ["create", '{"path":"/a","file_text":"x"}', [write]],
    ["Write", { path: "/a", file_text: "x" }, [write]],
    ["Write", { file_path: "/a", content: "x" }, [write]],
    ["Edit", { path: "/a", old_str: "x", new_str: "y" }, [change]],
    ["Edit", { file_path: "/a", old_string: "x", new_string: "y" }, [change]],
    ["Edit", { command: "create", path: "/a", file_text: "x" }, [write]],
    ["Edit", patch, [{ do: "patch", text: patch }]],
    ["Edit", JSON.stringify(patch), [{ do: "patch", text: patch }]],
    ["Edit", { input: patch }, [{ do: "patch", text: patch }]],
    ["apply_patch", patch, [{ do: "patch", text: patch }]],
    ["apply_patch", { patch }, [{ do: "patch", text: patch }]],
    ["some_new_tool", patch, [{ do: "patch", text: patch }]],
    ["str_replace_editor", { command: "str_replace", path: "/a", old_str: "x", new_str: "y" }, [change]],
    [
      "str_replace_editor",
      { command: "insert", path: "/a", insert_line: 2, new_str: "x" },
      [{ do: "insert", path: "/a", line: 2, text: "x" }],
    ],
    ["str_replace_editor", { command: "view", path: "/a" }, [{ do: "read", path: "/a" }]],
    ["str_replace_editor", { command: "undo_edit", path: "/a" }, [{ do: "write", path: "/a" }]],
    ["bash", "ls -la", [{ do: "exec", command: "ls -la" }]],
    ["write_bash", { shellId: "0", input: "rm -rf x" }, [{ do: "exec", command: "rm -rf x" }]],
    ["run_dynamic_workflow", { script: "agent('x')" }, [{ do: "delegate", prompt: "agent('x')" }]],
    ["ask_user", "what now?", []],
    ["memory", { command: "create", path: "/memories/a.md", file_text: "x" }, []],
  ];
  for (const [tool, given, operations] of cases) {
    test(`Copilot's ${tool} with ${JSON.stringify(given)}`, () => {
      const camel = copilot.decode(
        { sessionId: "s", timestamp: 1, toolName: tool, toolArgs: given },
        "preToolUse",
      );
      const pascal = copilot.decode(
        { hook_event_name: "PreToolUse", timestamp: time, tool_name: tool, tool_input: given },
        undefined,
      );
      expect(camel.operations).toEqual(operations);
      expect(pascal.operations).toEqual(operations);
    });
  }

  const borrowed: readonly [tool: string, input: Json, operations: readonly Operation[]][] = [
    ["Write", { path: "/a", file_text: "x" }, [write]],
    ["Bash", { cmd: "ls" }, [{ do: "exec", command: "ls" }]],
    ["MultiEdit", { file_path: "/a", edits: [{ old_string: "x", new_string: "y" }] }, [change]],
    ["Monitor", { description: "d", command: "tail -f log" }, [{ do: "exec", command: "tail -f log" }]],
    ["Monitor", { ws: { url: "wss://x.test" } }, [{ do: "fetch", url: "wss://x.test" }]],
    ["Grep", { pattern: "x" }, [{ do: "read", path: "." }]],
    ["Task", { prompt: "p", subagent_type: "t" }, [{ do: "delegate", agent: "t", prompt: "p" }]],
    ["mcp__files__write_file", { path: "/a", content: "x" }, [write]],
    [
      "TodoWrite",
      { todos: [{ content: "test it", status: "pending", activeForm: "Testing it" }] },
      [{ do: "todo", whole: true, items: [{ text: "test it", done: false }] }],
    ],
    ["EnterPlanMode", {}, []],
  ];
  for (const [tool, input, operations] of borrowed) {
    test(`Claude's ${tool} with ${JSON.stringify(input)}`, () => {
      expect(
        claudeCode.decode({ hook_event_name: "PreToolUse", tool_name: tool, tool_input: input }, undefined)
          .operations,
      ).toEqual(operations);
    });
  }
});

describe("who is at work", () => {
  test("a subagent has an id; the main thread of --agent has a type only", () => {
    const agent = (fields: Json) =>
      claudeCode.decode({ hook_event_name: "PreToolUse", ...fields }, undefined).agent;
    expect(agent({ agent_id: "a1", agent_type: "Explore" })).toEqual({ id: "a1", type: "Explore" });
    expect(agent({ agent_type: "reviewer" })).toEqual({ type: "reviewer" });
    expect(agent({})).toBeUndefined();
  });
});
