import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Json } from "../src/core/json.ts";
import host from "../src/hosts/gemini-cli/host.ts";
import { hostTester, type Saying } from "../src/testing/host-tester.ts";
import { told } from "./support/hosts.ts";

const tester = hostTester(host, join(import.meta.dir, "../src/hosts/gemini-cli/fixtures"));
const specific = (stdout: Json): Json => stdout["hookSpecificOutput"] as Json;
const silence: Saying = { means: {} };
const context: Saying = { means: (stdout) => ({ context: String(specific(stdout)["additionalContext"]) }) };
const deny: Saying = { means: (stdout) => ({ outcome: "block", reason: String(stdout["reason"]) }) };
const own: Saying = {
  means: (stdout) => {
    const { hookEventName: _name, ...native } = specific(stdout);
    return { native };
  },
};

const jsonDeny = (reason: string): Saying => ({
  means: { outcome: "block", reason },
  instead: {
    answer: { exitCode: 0, stdout: { decision: "deny", reason } },
    because: "JSON holds whatever the exit code; text on stderr is a refusal only beside one of 2 and more.",
  },
});

/** Where something is about to happen, a stop also refuses it. */
const stop = (reason: string): Saying => ({
  means: { stop: reason },
  instead: {
    answer: { exitCode: 0, stdout: { decision: "deny", reason, continue: false, stopReason: reason } },
    because: "Nobody promises that the stop alone comes in time.",
  },
});

tester.says({
  AfterAgent: { retry: deny, clear: own },
  AfterModel: { redact: own, deny },
  AfterTool: { inject: context, replace: deny, "tail-call": own },
  BeforeAgent: { deny, inject: context, stop: stop("quota") },
  BeforeModel: { deny, switch: own, fake: own },
  BeforeTool: {
    deny,
    "deny-exit2": jsonDeny("writes to prod are not allowed"),
    "deny-exit3": jsonDeny("boom"),
    // The guard has failed, and says so: only a refusal is safe.
    "crash-silent": jsonDeny("the guard failed"),
    exit1: jsonDeny("boom"),
    ask: {
      means: { outcome: "ask", reason: "please confirm" },
      lost: ["ask → block"],
      instead: {
        answer: { exitCode: 0, stdout: { decision: "deny", reason: "please confirm" } },
        because: "A headless run that is asked hangs until it is killed.",
      },
    },
    stop: stop("budget used up"),
    rewrite: {
      means: { input: { command: "git push --force-with-lease", description: "Push the branch" } },
      instead: {
        answer: {
          exitCode: 0,
          stdout: {
            hookSpecificOutput: {
              hookEventName: "BeforeTool",
              tool_input: { command: "git push --force-with-lease", description: "Push the branch" },
            },
          },
        },
        because: "What was judged is the whole input, and later hooks may have changed other keys.",
      },
    },
  },
  BeforeToolSelection: { "none-mode": own, allowlist: own },
  Notification: { none: silence },
  PreCompress: { none: silence },
  SessionEnd: { none: silence },
  SessionStart: { inject: context },
});

describe("Gemini CLI", () => {
  const before = { hook_event_name: "BeforeTool", tool_name: "run_shell_command" };
  const after = { hook_event_name: "AfterTool", tool_name: "run_shell_command" };

  test("a rewritten call that leaves an argument out is refused: the host would keep it", () => {
    const payload = { ...before, tool_input: { command: "ls", dir_path: "/etc" } };
    expect(told(host, payload, { input: { command: "ls -l" } }).answer.stdout).toEqual({
      decision: "deny",
      reason: "The changed call leaves out dir_path, which this agent would keep.",
    });
  });

  test("what only describes a command may be left out of it: it stays, and changes nothing", () => {
    const payload = { ...before, tool_input: { command: "ls", description: "Lists files" } };
    expect(told(host, payload, { input: { command: "ls -l" } }).answer.stdout).toEqual({
      hookSpecificOutput: { hookEventName: "BeforeTool", tool_input: { command: "ls -l" } },
    });
    const other = { ...payload, tool_name: "mcp_tracker_create" };
    expect(told(host, other, { input: { command: "ls -l" } }).answer.stdout).toEqual({
      decision: "deny",
      reason: "The changed call leaves out description, which this agent would keep.",
    });
  });

  test("a rewritten output takes the place of the real one, also where it is no text", () => {
    for (const [output, reason] of [["[masked]", "[masked]"] as const, [{ a: 1 }, '{"a":1}'] as const])
      expect(told(host, after, { output }).answer.stdout).toEqual({ decision: "deny", reason });
  });

  test("an approval is silence: nothing here can skip the confirmation", () => {
    expect(told(host, before, { outcome: "allow", reason: "fine" })).toEqual({
      answer: { exitCode: 0 },
      lost: ["allow → pass"],
    });
  });

  test("a warning before a tool reaches the person, after it the model, too", () => {
    const meaning = { outcome: "warn", reason: "hm" } as const;
    expect(told(host, before, meaning).answer.stdout).toEqual({ systemMessage: "hm" });
    expect(told(host, after, meaning).answer.stdout).toEqual({
      systemMessage: "hm",
      hookSpecificOutput: { hookEventName: "AfterTool", additionalContext: "hm" },
    });
  });

  test("a native value of the wrong type is left out", () => {
    const native = {
      tailToolCallRequest: { name: "run_shell_command" },
      decision: "allow",
      clearContext: true,
    };
    expect(told(host, after, { native }).answer).toEqual({ exitCode: 0 });
  });
});
