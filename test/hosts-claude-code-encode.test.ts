import { join } from "node:path";
import host from "../src/hosts/claude-code/host.ts";
import { asText, type Json } from "../src/core/json.ts";
import { hostTester, type Saying } from "../src/testing/host-tester.ts";

const tester = hostTester(host, join(import.meta.dir, "../src/hosts/claude-code/fixtures"));
const specific = (stdout: Json): Json => stdout["hookSpecificOutput"] as Json;
const context: Saying = { means: (stdout) => ({ context: String(specific(stdout)["additionalContext"]) }) };
const silence: Saying = { means: {} };
const block: Saying = { means: (stdout) => ({ outcome: "block", reason: String(stdout["reason"]) }) };

/** The event's own keys, from a hook that knows this host. */
const own: Saying = {
  means: (stdout) => {
    const { hookEventName: _name, additionalContext, ...native } = specific(stdout);
    return { native, ...(typeof additionalContext === "string" ? { context: additionalContext } : {}) };
  },
};

const jsonBlock = (
  reason: string,
  because = "JSON gives the model the bare reason; exit 2 adds our command line.",
): Saying => ({
  means: { outcome: "block", reason },
  instead: { answer: { exitCode: 0, stdout: { decision: "block", reason } }, because },
});

const plainContext = (hookEventName: string, additionalContext: string): Saying => ({
  means: { context: additionalContext },
  instead: {
    answer: { exitCode: 0, stdout: { hookSpecificOutput: { hookEventName, additionalContext } } },
    because: "Only JSON can carry the other keys as well.",
  },
});

/** An event that cannot be blocked tells the person, and the model where it listens. */
const toldInstead = (hookEventName: string, reason: string): Saying => ({
  means: { outcome: "block", reason },
  lost: ["block → warn"],
  instead: {
    answer: {
      exitCode: 0,
      stdout: { systemMessage: reason, hookSpecificOutput: { hookEventName, additionalContext: reason } },
    },
    because: "Exit 2 blocks nothing here and reaches the person only.",
  },
});

const permission = (outcome: "allow" | "ask" | "block", reason: string): Saying => {
  const permissionDecision = outcome === "block" ? "deny" : outcome;
  const said = { permissionDecision, permissionDecisionReason: reason };
  return {
    means: { outcome, reason },
    instead: {
      answer: {
        exitCode: 0,
        stdout: { ...said, hookSpecificOutput: { hookEventName: "PreToolUse", ...said } },
      },
      because: "Copilot may be the one reading the same settings file, and it wants the flat fields.",
    },
  };
};

const modelSwitch = (outcome: "allow" | "ask" | "block"): Saying => ({
  means: (stdout) => ({ outcome, reason: asText(specific(stdout)["permissionDecisionReason"]) ?? "" }),
});

const lockdown = {
  permissionDecision: "deny",
  permissionDecisionReason: "security lockdown active",
};

tester.says({
  ConfigChange: { block, "block-exit2": jsonBlock("settings are locked") },
  CwdChanged: { watch: own },
  DirectoryAdded: { message: { means: (stdout) => ({ notice: String(stdout["systemMessage"]) }) } },
  Elicitation: {
    accept: own,
    // Without a message, where `fit` would say "Blocked by policy.", the contract's answer is `own`.
    decline: own,
    "decline-exit2": declined("Elicitation"),
  },
  ElicitationResult: { override: own, "block-exit2": declined("ElicitationResult") },
  FileChanged: { watch: own },
  InstructionsLoaded: { observe: silence },
  MessageDisplay: { "replace-on-screen": own },
  Notification: {
    bell: { means: (stdout) => ({ native: { terminalSequence: stdout["terminalSequence"] } }) },
    observe: silence,
  },
  PermissionDenied: { retry: own, observe: silence },
  PermissionRequest: {
    allow: { means: { outcome: "allow" } },
    "allow-and-remember": {
      means: (stdout) => ({
        outcome: "allow",
        native: { updatedPermissions: (specific(stdout)["decision"] as Json)["updatedPermissions"] },
      }),
    },
    modify: { means: { outcome: "allow", input: { command: "rm -rf node_modules/.cache" } } },
    deny: {
      means: {
        outcome: "block",
        reason: "deleting dependencies is not allowed",
        native: { interrupt: false },
      },
    },
    "exit2-is-ignored": {
      means: { outcome: "block", reason: "ignored" },
      instead: {
        answer: {
          exitCode: 0,
          stdout: {
            hookSpecificOutput: {
              hookEventName: "PermissionRequest",
              decision: { behavior: "deny", message: "ignored" },
            },
          },
        },
        because: "Only the decision object counts here.",
      },
    },
  },
  PostCompact: { observe: silence },
  PostModelSwitch: { inject: context },
  PostToolBatch: { inject: context, block, "block-exit2": jsonBlock("budget reached") },
  PostToolUse: {
    feedback: block,
    "feedback-exit2": jsonBlock("lint: redundant arithmetic"),
    inject: context,
    "replace-output": { means: (stdout) => ({ output: specific(stdout)["updatedToolOutput"] }) },
    redact: { means: (stdout) => ({ output: specific(stdout)["updatedToolOutput"] }) },
    observe: silence,
  },
  PostToolUseFailure: {
    inject: context,
    "feedback-exit2": toldInstead("PostToolUseFailure", "start the DB container first"),
  },
  PreCompact: {
    "add-instructions": { means: { context: "Keep every file path." } },
    block,
    "block-exit2": jsonBlock("export first"),
  },
  PreModelSwitch: {
    allow: modelSwitch("allow"),
    deny: modelSwitch("block"),
    ask: modelSwitch("ask"),
    "deny-exit2": {
      means: { outcome: "block", reason: "model not approved" },
      instead: {
        answer: {
          exitCode: 0,
          stdout: {
            hookSpecificOutput: {
              hookEventName: "PreModelSwitch",
              permissionDecision: "deny",
              permissionDecisionReason: "model not approved",
            },
          },
        },
        because: "One form for every decision.",
      },
    },
  },
  PreToolUse: {
    allow: permission("allow", "matches team allowlist"),
    deny: permission("block", "policy ACME-7 forbids this call"),
    "deny-exit2": permission("block", "policy ACME-7 forbids this call"),
    ask: permission("ask", "needs a human look"),
    modify: { means: (stdout) => ({ input: specific(stdout)["updatedInput"] as Json }) },
    inject: context,
    stop: {
      means: { stop: "security lockdown active" },
      instead: {
        answer: {
          exitCode: 0,
          stdout: {
            ...lockdown,
            continue: false,
            stopReason: "security lockdown active",
            hookSpecificOutput: { hookEventName: "PreToolUse", ...lockdown },
          },
        },
        because: "Observed: `continue: false` alone lets the tool run before the turn ends.",
      },
    },
    "no-opinion": silence,
  },
  SessionEnd: { observe: silence },
  SessionStart: {
    "inject-plain": plainContext("SessionStart", "On branch feat/discount"),
    inject: own,
    "cannot-block": toldInstead("SessionStart", "policy service unreachable"),
    observe: silence,
  },
  Setup: { inject: context, "cannot-block": toldInstead("Setup", "install failed") },
  Stop: {
    block,
    "block-exit2": jsonBlock("tests were not run"),
    // Context keeps the agent going here, so it is left to who names the key; a rule's context must not.
    feedback: { means: (stdout) => ({ native: specific(stdout) }) },
    allow: silence,
  },
  StopFailure: { observe: silence },
  SubagentStart: { inject: context, "cannot-block": toldInstead("SubagentStart", "not allowed") },
  SubagentStop: { block, feedback: { means: (stdout) => ({ native: specific(stdout) }) } },
  TaskCompleted: {
    "block-exit2": { means: { outcome: "block", reason: "tests fail" } },
    "stop-teammate": { means: { stop: "budget reached" } },
  },
  TaskCreated: { block, "block-exit2": jsonBlock("subject needs a ticket") },
  TeammateIdle: {
    "block-exit2": { means: { outcome: "block", reason: "build output is missing" } },
    "stop-teammate": { means: { stop: "done" } },
  },
  UserPromptExpansion: { block, inject: context },
  UserPromptSubmit: {
    "inject-plain": plainContext("UserPromptSubmit", "Branch: feat/discount"),
    inject: own,
    block: {
      means: {
        outcome: "block",
        reason: "prompt holds a customer e-mail",
        native: { suppressOriginalPrompt: true },
      },
    },
    "block-exit2": jsonBlock("prompt holds a customer e-mail"),
  },
  WorktreeCreate: {
    create: { means: { native: { worktreePath: "/Users/ada/code/acme-shop-trees/bold-oak-a3f2" } } },
    fail: { means: { outcome: "block", reason: "checkout failed" } },
  },
  WorktreeRemove: { observe: silence },
});

function declined(hookEventName: string): Saying {
  return {
    means: { outcome: "block", reason: "not for servers" },
    instead: {
      answer: {
        exitCode: 0,
        stdout: {
          systemMessage: "not for servers",
          hookSpecificOutput: { hookEventName, action: "decline" },
        },
      },
      because: "The action object says the same and leaves stderr alone; the reason goes to the person.",
    },
  };
}
