import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Json } from "../src/core/json.ts";
import host from "../src/hosts/codex/host.ts";
import { hostTester, type Saying } from "../src/testing/host-tester.ts";
import { told } from "./support/hosts.ts";

const tester = hostTester(host, join(import.meta.dir, "../src/hosts/codex/fixtures"));
const specific = (stdout: Json): Json => stdout["hookSpecificOutput"] as Json;
const silence: Saying = { means: {} };
const context: Saying = { means: (stdout) => ({ context: String(specific(stdout)["additionalContext"]) }) };
const block: Saying = { means: (stdout) => ({ outcome: "block", reason: String(stdout["reason"]) }) };
const stop: Saying = { means: (stdout) => ({ stop: String(stdout["stopReason"]) }) };
const rewrite: Saying = { means: (stdout) => ({ input: specific(stdout)["updatedInput"] as Json }) };
const deny: Saying = {
  means: (stdout) => ({ outcome: "block", reason: String(specific(stdout)["permissionDecisionReason"]) }),
};
const denyRequest: Saying = {
  means: (stdout) => ({
    outcome: "block",
    reason: String((specific(stdout)["decision"] as Json)["message"]),
  }),
};

const denial = (reason: string) => ({
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason: reason,
  },
});

const instead = (reason: string, stdout: Json, lost: readonly string[] = []): Saying => ({
  means: { outcome: lost[0]?.startsWith("ask") ? "ask" : "block", reason },
  lost,
  instead: {
    answer: { exitCode: 0, stdout },
    because: "JSON can carry the other keys as well; what is void is never sent.",
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
  Interrupt: { none: silence },
  PermissionRequest: {
    allow: { means: { outcome: "allow" } },
    deny: denyRequest,
    "deny-exit2": instead("publishing is done by CI", {
      hookSpecificOutput: {
        hookEventName: "PermissionRequest",
        decision: { behavior: "deny", message: "publishing is done by CI" },
      },
    }),
    silent: silence,
  },
  PostCompact: { stop, none: silence },
  PostModelRequest: { none: silence },
  PostToolUse: {
    feedback: block,
    context,
    stop,
    "feedback-exit2": instead("coverage fell below 80%", {
      decision: "block",
      reason: "coverage fell below 80%",
    }),
  },
  PreCompact: { stop, none: silence },
  PreModelRequest: { none: silence },
  PreToolUse: {
    deny,
    "deny-exit2": instead("writes to prod are not allowed", denial("writes to prod are not allowed")),
    context,
    silent: silence,
    "ask-unsupported": instead("confirm", denial("confirm"), ["ask → block"]),
    "bare-allow-unsupported": {
      means: { outcome: "allow" },
      lost: ["allow → pass"],
      instead: { answer: { exitCode: 0 }, because: "A bare approval is a failure of the hook." },
    },
    "unknown-key": instead("no", denial("no")),
    "exit2-empty": instead("", denial("Blocked by policy.")),
    rewrite,
  },
  SessionEnd: { none: silence },
  SessionStart: { inject: context, stop },
  Stop: {
    continue: block,
    "continue-exit2": instead("run the tests before you stop", {
      decision: "block",
      reason: "run the tests before you stop",
    }),
    "plain-text": {
      means: { notice: "all fine" },
      instead: {
        answer: { exitCode: 0, stdout: { systemMessage: "all fine" } },
        because: "Plain text is an error here.",
      },
    },
  },
  SubagentStart: { inject: context },
  SubagentStop: { continue: block },
  UserPromptSubmit: {
    block,
    "block-exit2": instead("prompt contains a secret", {
      decision: "block",
      reason: "prompt contains a secret",
    }),
    "inject-text": plainContext("UserPromptSubmit", "Branch: main, CI is red"),
    "inject-json": context,
  },
});

describe("Codex", () => {
  const before = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } };

  test("a stop before a tool refuses it, and nothing else is said: continue would void the answer", () => {
    expect(told(host, before, { stop: "locked", input: { command: "x" } }).answer.stdout).toEqual(
      denial("locked"),
    );
  });

  test("a refusal has a reason that can be seen", () => {
    expect(told(host, before, { outcome: "block", reason: " \n" }).answer.stdout).toEqual(
      denial("Blocked by policy."),
    );
  });

  // Seen with 0.166.0: these keys do go together.
  test("context and a word for the person stand beside a refusal and beside a rewritten call", () => {
    const said = { context: "c", notice: "n" };
    expect(told(host, before, { outcome: "block", reason: "no", ...said }).answer.stdout).toEqual({
      systemMessage: "n",
      hookSpecificOutput: { ...denial("no").hookSpecificOutput, additionalContext: "c" },
    });
    expect(told(host, before, { input: { command: "x" }, ...said }).answer.stdout).toEqual({
      systemMessage: "n",
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        additionalContext: "c",
        permissionDecision: "allow",
        updatedInput: { command: "x" },
      },
    });
  });

  test("a rewritten output takes the place of the real one", () => {
    const after = { ...before, hook_event_name: "PostToolUse" };
    expect(told(host, after, { output: "[masked]" }).answer.stdout).toEqual({
      decision: "block",
      reason: "[masked]",
    });
  });

  test("to refuse a compaction is to stop it", () => {
    expect(
      told(host, { hook_event_name: "PreCompact" }, { outcome: "block", reason: "save first" }).answer.stdout,
    ).toEqual({ continue: false, stopReason: "save first" });
  });

  test("a patch is understood however it comes", () => {
    const patch = "*** Begin Patch\n*** Delete File: a\n*** End Patch";
    for (const [tool_name, tool_input] of [
      ["apply_patch", { command: patch }],
      ["apply_patch", patch],
      ["some_tool", patch],
    ] as const)
      expect(host.decode({ ...before, tool_name, tool_input }, undefined).operations).toEqual([
        { do: "patch", text: patch },
      ]);
    expect(host.decode({ ...before, tool_input: "ls" }, undefined).operations).toEqual([
      { do: "exec", command: "ls" },
    ]);
  });
});
