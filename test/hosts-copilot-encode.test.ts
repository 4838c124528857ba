import { join } from "node:path";
import host from "../src/hosts/copilot/host.ts";
import { asText, type Json } from "../src/core/json.ts";
import { hostTester, type Saying } from "../src/testing/host-tester.ts";

const specific = (stdout: Json): Json => stdout["hookSpecificOutput"] as Json;
const silence: Saying = { means: {} };
const own: Saying = { means: (native) => ({ native }) };
const flatContext: Saying = { means: (stdout) => ({ context: String(stdout["additionalContext"]) }) };
const nestedContext: Saying = {
  means: (stdout) => ({ context: String(specific(stdout)["additionalContext"]) }),
};
const block: Saying = { means: (stdout) => ({ outcome: "block", reason: String(stdout["reason"]) }) };
const decided = (outcome: "allow" | "ask" | "block"): Saying => ({
  means: (stdout) => ({ outcome, reason: asText(stdout["permissionDecisionReason"]) ?? "" }),
});

const flatDeny = (reason: string, because: string): Saying => ({
  means: { outcome: "block", reason },
  instead: {
    answer: { exitCode: 0, stdout: { permissionDecision: "deny", permissionDecisionReason: reason } },
    because,
  },
});

/** Both forms of a decision about a tool call. */
const both = (outcome: "allow" | "ask" | "block", reason: string, because: string): Saying => {
  const said = {
    permissionDecision: outcome === "block" ? "deny" : outcome,
    ...(reason === "" ? {} : { permissionDecisionReason: reason }),
  };
  return {
    means: { outcome, reason },
    instead: {
      answer: {
        exitCode: 0,
        stdout: { ...said, hookSpecificOutput: { hookEventName: "PreToolUse", ...said } },
      },
      because,
    },
  };
};
const native = "Hooks of .github/hooks obey the flat form only, so the nested one never goes alone.";

const stopped = (hookEventName: string, reason: string, decision: Json, nested?: Json): Saying => ({
  means: { stop: reason },
  instead: {
    answer: {
      exitCode: 0,
      stdout: {
        ...decision,
        continue: false,
        stopReason: reason,
        ...(nested ? { hookSpecificOutput: { hookEventName, ...nested } } : {}),
      },
    },
    because: "A stop alone is no denial: what was about to happen might still happen.",
  },
});

const behavior: Record<string, Saying> = {
  allow: { means: { outcome: "allow" } },
  deny: { means: { outcome: "block", reason: "not allowed here" } },
  "deny-interrupt": { means: { outcome: "block", reason: "stop", native: { interrupt: true } } },
  "deny-exit2": {
    means: { outcome: "block", reason: "no" },
    instead: {
      answer: { exitCode: 0, stdout: { behavior: "deny", message: "no" } },
      because: "Only JSON tells the model why.",
    },
  },
  "no-opinion": {
    means: {},
    instead: { answer: { exitCode: 0 }, because: "No output is the normal permission flow as well." },
  },
};

const locked = { permissionDecision: "deny", permissionDecisionReason: "locked" };

hostTester(host, join(import.meta.dir, "../src/hosts/copilot/fixtures")).says({
  "cli-pascal.ErrorOccurred": { observe: silence },
  "cli-pascal.PermissionRequest": behavior,
  "cli-pascal.PostToolUse": { inject: flatContext },
  "cli-pascal.PostToolUseFailure": { inject: flatContext },
  "cli-pascal.PreCompact": { observe: silence },
  "cli-pascal.PreToolUse": {
    deny: both("block", "policy ACME-7", native),
    "deny-flat": both("block", "policy ACME-7", "Hooks of .claude/settings.json may read the nested form."),
    modify: {
      means: { outcome: "allow", input: { command: "git status" } },
      instead: {
        answer: {
          exitCode: 0,
          stdout: {
            permissionDecision: "allow",
            modifiedArgs: { command: "git status" },
            hookSpecificOutput: {
              hookEventName: "PreToolUse",
              permissionDecision: "allow",
              updatedInput: { command: "git status" },
            },
          },
        },
        because: native,
      },
    },
  },
  "cli-pascal.PreToolUse.Write": { deny: both("block", "read-only tree", "See deny-flat above.") },
  "cli-pascal.SessionEnd": { observe: silence },
  "cli-pascal.SessionStart": { inject: flatContext },
  "cli-pascal.Stop": { block },
  "cli-pascal.SubagentStop": { block },
  "cli-pascal.UserPromptSubmit": { observe: silence },

  "cli.agentStop": {
    block,
    "exit2-does-not-block": {
      means: { outcome: "block", reason: "tests were not run" },
      instead: {
        answer: { exitCode: 0, stdout: { decision: "block", reason: "tests were not run" } },
        because: "Exit 2 is only a warning here.",
      },
    },
    allow: {
      means: { outcome: "allow" },
      lost: ["allow → pass"],
      instead: { answer: { exitCode: 0 }, because: "Silence ends the turn as well." },
    },
  },
  "cli.errorOccurred": { observe: silence },
  // Context may wake an idle session here, so it is left to who names the key.
  "cli.notification": { inject: own },
  "cli.permissionRequest": behavior,
  "cli.postToolUse": {
    inject: flatContext,
    replace: { means: { output: "[redacted]" } },
    observe: silence,
  },
  "cli.postToolUseFailure": {
    inject: flatContext,
    "inject-exit2": {
      means: { context: "Re-read the file first." },
      instead: {
        answer: { exitCode: 0, stdout: { additionalContext: "Re-read the file first." } },
        because: "One form for context at every event.",
      },
    },
  },
  "cli.preCompact": { observe: silence },
  "cli.preMcpToolCall": { "set-meta": own, "drop-meta": own },
  "cli.preToolUse": {
    allow: decided("allow"),
    deny: decided("block"),
    "deny-exit2": flatDeny("policy ACME-7", "Exit 2 blocks, but the model is not told why."),
    "deny-crash": flatDeny("TypeError", "Our own failures are answered too, with a reason."),
    ask: decided("ask"),
    modify: { means: (stdout) => ({ outcome: "allow", input: stdout["modifiedArgs"] as Json }) },
    inject: flatContext,
    "no-opinion": silence,
  },
  "cli.sessionEnd": { observe: silence },
  "cli.sessionStart": { inject: flatContext, observe: silence },
  "cli.subagentStart": { inject: flatContext },
  "cli.subagentStop": { block, rewrite: { means: { output: "Findings withheld." } } },
  "cli.userPromptSubmitted": { inject: flatContext, observe: silence },
  "cli.userPromptTransformed": { rewrite: own },

  "cloud.agentStop": { block },
  "cloud.preToolUse": { deny: decided("block"), "ask-is-deny": decided("ask") },
  "cloud.sessionEnd": { observe: silence },
  "cloud.sessionStart": { inject: flatContext },

  "vscode.PostToolUse": { block, inject: nestedContext },
  "vscode.PreCompact": { observe: silence },
  "vscode.PreToolUse": {
    allow: both(
      "allow",
      "",
      "VS Code ignores the flat fields; a payload taken for its own may be the CLI's.",
    ),
    deny: both("block", "policy ACME-7", "As for allow."),
    "deny-exit2": both("block", "policy ACME-7", "One form for every decision."),
    ask: both("ask", "needs a look", "As for allow."),
    modify: { means: (stdout) => ({ input: specific(stdout)["updatedInput"] as Json }) },
    inject: nestedContext,
    stop: stopped("PreToolUse", "locked", locked, locked),
    crash: both(
      "block",
      "TypeError",
      "A crash would let the tool run, so our own failures are answered too.",
    ),
  },
  "vscode.SessionStart": {
    inject: nestedContext,
    "cannot-block": {
      means: { outcome: "block", reason: "ignored" },
      lost: ["block → warn"],
      instead: {
        answer: {
          exitCode: 0,
          stdout: {
            systemMessage: "ignored",
            hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "ignored" },
          },
        },
        because: "Errors are ignored here; the person and the model can still be told.",
      },
    },
  },
  "vscode.Stop": {
    block: { means: (stdout) => ({ outcome: "block", reason: String(specific(stdout)["reason"]) }) },
    "block-exit2": {
      means: { outcome: "block", reason: "tests were not run" },
      instead: {
        answer: {
          exitCode: 0,
          stdout: {
            hookSpecificOutput: { hookEventName: "Stop", decision: "block", reason: "tests were not run" },
          },
        },
        because: "One form for every decision.",
      },
    },
  },
  "vscode.SubagentStart": { inject: nestedContext },
  "vscode.SubagentStop": { block },
  "vscode.UserPromptSubmit": {
    block,
    inject: nestedContext,
    stop: stopped("UserPromptSubmit", "has customer data", {
      decision: "block",
      reason: "has customer data",
    }),
  },
});
