import { join } from "node:path";
import host from "../src/hosts/codex/host.ts";
import { hostTester } from "../src/testing/host-tester.ts";

const tester = hostTester(host, join(import.meta.dir, "../src/hosts/codex/fixtures"));
const root = "/Users/ada/code/acme-shop";
const mate = { id: "00000000-0000-7000-8000-000000000002", type: "default" };
const patch =
  "*** Begin Patch\n*** Update File: src/pay.ts\n@@\n-const retries = 1\n+const retries = 3\n*** Add File: docs/notes.md\n+# Notes\n*** End Patch\n";

tester.decodes(
  {
    Interrupt: { name: "Other" },
    PermissionRequest: {
      name: "PermissionRequest",
      operations: [{ do: "exec", command: "npm publish --access public" }],
      tool: "Bash",
    },
    "PermissionRequest.network": {
      name: "PermissionRequest",
      operations: [
        { do: "exec", command: "curl https://example.com" },
        { do: "fetch", url: "https://example.com:443" },
      ],
      tool: "Bash",
    },
    PostCompact: { name: "Other" },
    PostModelRequest: { name: "Other" },
    "PostToolUse.apply_patch": {
      name: "PostToolUse",
      operations: [{ do: "patch", text: patch }],
      tool: "apply_patch",
    },
    PostToolUse: {
      name: "PostToolUse",
      operations: [{ do: "exec", command: "git push --force" }],
      tool: "Bash",
    },
    PreCompact: { name: "PreCompact" },
    PreModelRequest: { name: "Other" },
    "PreToolUse.apply_patch": {
      name: "PreToolUse",
      operations: [{ do: "patch", text: patch }],
      tool: "apply_patch",
    },
    PreToolUse: {
      name: "PreToolUse",
      operations: [{ do: "exec", command: "git push --force" }],
      tool: "Bash",
    },
    // A tool of a group, by both names in one.
    "PreToolUse.collaborationspawn_agent": {
      name: "PreToolUse",
      operations: [{ do: "delegate", prompt: "Find all callers of refund()" }],
      tool: "collaborationspawn_agent",
    },
    "PreToolUse.mcp": { name: "PreToolUse", tool: "mcp__hookline__read_ledger" },
    "PreToolUse.spawn_agent": {
      name: "PreToolUse",
      operations: [{ do: "delegate", prompt: "Find all callers of refund()", agent: "explorer" }],
      tool: "spawn_agent",
    },
    "PreToolUse.subagent": {
      name: "PreToolUse",
      agent: mate,
      operations: [{ do: "exec", command: "npm test" }],
      tool: "Bash",
    },
    SessionEnd: { name: "SessionEnd" },
    SessionStart: { name: "SessionStart" },
    Stop: { name: "Stop", heldBefore: false, said: "All done." },
    SubagentStart: {
      name: "SubagentStart",
      agent: mate,
    },
    SubagentStop: {
      name: "SubagentStop",
      heldBefore: false,
      said: "Found 3 callers.",
      agent: mate,
    },
    UserPromptSubmit: { name: "UserPromptSubmit", prompt: "Raise the retry limit and push" },
  },
  { dialect: "hooks", session: "019b2c41-7d10-7e52-9a31-4f0c6d2e8b77", cwd: root },
);
