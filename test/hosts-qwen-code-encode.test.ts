import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Json } from "../src/core/json.ts";
import host from "../src/hosts/qwen-code/host.ts";
import { hostTester, type Saying } from "../src/testing/host-tester.ts";
import { told } from "./support/hosts.ts";

const tester = hostTester(host, join(import.meta.dir, "../src/hosts/qwen-code/fixtures"));
const specific = (stdout: Json): Json => stdout["hookSpecificOutput"] as Json;
const decision = (stdout: Json): Json => specific(stdout)["decision"] as Json;
const silence: Saying = { means: {} };
const context: Saying = { means: (stdout) => ({ context: String(specific(stdout)["additionalContext"]) }) };
const block: Saying = { means: (stdout) => ({ outcome: "block", reason: String(stdout["reason"]) }) };

const denial = (reason: string) => ({
  decision: "deny",
  reason,
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason: reason,
  },
});

const jsonDeny = (reason: string): Saying => ({
  means: { outcome: "block", reason },
  instead: {
    answer: { exitCode: 0, stdout: denial(reason) },
    because: "A refusal by the exit code is undone by any approval another hook writes as JSON.",
  },
});

const plainContext = (hookEventName: string, additionalContext: string): Saying => ({
  means: { context: additionalContext },
  instead: {
    answer: { exitCode: 0, stdout: { hookSpecificOutput: { hookEventName, additionalContext } } },
    because: "Only JSON can carry the other keys as well.",
  },
});

tester.says({
  InstructionsLoaded: { none: silence },
  MessageDisplay: { none: silence },
  Notification: { none: silence },
  PermissionDenied: { none: silence },
  PermissionRequest: {
    allow: { means: { outcome: "allow" } },
    deny: { means: (stdout) => ({ outcome: "block", reason: String(decision(stdout)["message"]) }) },
    rewrite: {
      means: (stdout) => ({ outcome: "allow", input: decision(stdout)["updatedInput"] as Json }),
    },
  },
  PostCompact: { none: silence },
  PostToolBatch: { stop: block },
  PostToolUse: {
    inject: context,
    stop: { means: { stop: "budget used up" } },
    block: {
      means: { outcome: "block", reason: "x" },
      lost: ["block → warn"],
      instead: {
        answer: {
          exitCode: 0,
          stdout: {
            systemMessage: "x",
            hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "x" },
          },
        },
        because: "The reason of a block never reaches the model; context does.",
      },
    },
  },
  PostToolUseFailure: { inject: context },
  PreCompact: { inject: context },
  PreToolUse: {
    deny: block,
    "deny-exit2": jsonDeny("writes to prod are not allowed"),
    ask: { means: { outcome: "ask", reason: "force push needs a human" } },
    exit3: jsonDeny("boom"),
    updatedInput: {
      means: { outcome: "allow", reason: "ok", input: { command: "npm ci" } },
      lost: ["allow → pass", "input"],
      instead: {
        answer: { exitCode: 0 },
        because: "The rewrite has no effect, and the approval would undo another hook's refusal.",
      },
    },
    "bad-json": jsonDeny("the guard failed"),
  },
  SessionDelete: { none: silence },
  SessionEnd: { none: silence },
  SessionStart: {
    "inject-text": plainContext("SessionStart", "Repository rules: use pnpm"),
    "inject-json": context,
  },
  Stop: {
    continue: block,
    "continue-exit2": {
      means: { outcome: "block", reason: "run the tests before you stop" },
      instead: {
        answer: { exitCode: 0, stdout: { decision: "block", reason: "run the tests before you stop" } },
        because: "Beside exit 2 standard output is ignored, and with it what the person is told.",
      },
    },
  },
  StopFailure: { none: silence },
  SubagentStart: { inject: context },
  SubagentStop: { continue: block },
  TodoCompleted: { block },
  TodoCreated: { block },
  UserPromptExpansion: { block },
  UserPromptSubmit: {
    block,
    "inject-text": plainContext("UserPromptSubmit", "branch: main"),
    "inject-json": context,
    none: silence,
  },
});

describe("Qwen Code", () => {
  test("a stop before a tool or a prompt also refuses it", () => {
    expect(told(host, { hook_event_name: "PreToolUse" }, { stop: "locked" }).answer.stdout).toEqual({
      ...denial("locked"),
      continue: false,
      stopReason: "locked",
    });
    expect(told(host, { hook_event_name: "UserPromptSubmit" }, { stop: "locked" }).answer.stdout).toEqual({
      decision: "block",
      reason: "locked",
      continue: false,
      stopReason: "locked",
    });
  });

  test("to ask at a permission request is to let the prompt come, and to say why", () => {
    expect(
      told(host, { hook_event_name: "PermissionRequest" }, { outcome: "ask", reason: "look twice" }),
    ).toEqual({
      answer: { exitCode: 0, stdout: { systemMessage: "look twice" } },
      lost: [],
    });
  });

  test("what must be heard before a tool is heard as a refusal: context does not arrive there", () => {
    const { answer, lost } = told(
      host,
      { hook_event_name: "PreToolUse" },
      { context: "abort", insist: true },
    );
    expect({ stdout: answer.stdout, lost }).toEqual({ stdout: denial("abort"), lost: ["pass → block"] });
  });

  test("a command that fails is a failed tool, with its exit code behind whatever it printed", () => {
    const failed = (error: string) =>
      host.decode(
        { hook_event_name: "PostToolUseFailure", tool_name: "run_shell_command", tool_input: {}, error },
        undefined,
      ).tool?.exitCode;
    expect(failed("Output: x\nExit Code: 0\nError: (none)\nExit Code: 3\nSignal: (none)")).toBe(3);
    expect(failed("Output: the command never ran")).toBeUndefined();
  });

  test("the version is the one the client was started with", () => {
    expect(host.version?.((name) => ({ QWEN_CODE_STARTUP_VERSION: "0.24.4" })[name])).toBe("0.24.4");
  });
});
