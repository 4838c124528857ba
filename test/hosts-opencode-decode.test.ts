import { join } from "node:path";
import host from "../src/hosts/opencode/host.ts";
import { hostTester } from "../src/testing/host-tester.ts";

const tester = hostTester(host, join(import.meta.dir, "../src/hosts/opencode/fixtures"));
const root = "/Users/ada/code/acme-shop";
const mate = { id: "ses_00000000000000000000000001", type: "general" };
const patch =
  "*** Begin Patch\n*** Update File: src/pay.ts\n@@\n-const retries = 1\n+const retries = 3\n*** Add File: docs/notes.md\n+# Notes\n*** End Patch\n";

tester.decodes(
  {
    // `opencode run` puts what it is given as one argument between quotes.
    "chat.message": { name: "UserPromptSubmit", prompt: '"Raise the retry limit"' },
    "chat.message.subagent": {
      name: "Other",
      prompt: "Find callers of refund()",
      agent: mate,
    },
    "experimental.session.compacting": { name: "PreCompact" },
    "message.part.updated.read": {
      name: "PostToolUseFailure",
      operations: [{ do: "read", path: `${root}/nope.ts` }],
      tool: "read",
    },
    "permission.asked": { name: "Notification" },
    "session.created": { name: "SessionStart" },
    "session.created.subagent": { name: "SubagentStart", agent: mate },
    "session.deleted": { name: "SessionEnd" },
    "session.error": { name: "ErrorOccurred", error: { message: "Out of order.", kind: "APIError" } },
    "session.idle": { name: "Stop", said: "All done." },
    "session.idle.subagent": {
      name: "SubagentStop",
      said: "Found 3 callers.",
      agent: mate,
    },
    "tool.execute.after": {
      name: "PostToolUse",
      operations: [{ do: "exec", command: "git push --force" }],
      tool: "bash",
    },
    "tool.execute.before.apply_patch": {
      name: "PreToolUse",
      operations: [{ do: "patch", text: patch }],
      tool: "apply_patch",
    },
    "tool.execute.before.edit": {
      name: "PreToolUse",
      operations: [
        { do: "edit", path: `${root}/src/pay.ts`, edits: [{ old: "retries = 1", new: "retries = 3" }] },
      ],
      tool: "edit",
    },
    "tool.execute.before": {
      name: "PreToolUse",
      operations: [{ do: "exec", command: "git push --force" }],
      tool: "bash",
    },
    "tool.execute.before.hookline_read_ledger": { name: "PreToolUse", tool: "hookline_read_ledger" },
    "tool.execute.before.subagent": {
      name: "PreToolUse",
      agent: mate,
      operations: [{ do: "exec", command: "npm test" }],
      tool: "bash",
    },
    "tool.execute.before.task": {
      name: "PreToolUse",
      operations: [{ do: "delegate", prompt: "Find callers of refund()", agent: "general" }],
      tool: "task",
    },
    "tool.execute.before.webfetch": {
      name: "PreToolUse",
      operations: [{ do: "fetch", url: "https://docs.example.test/changelog" }],
      tool: "webfetch",
    },
    "tool.execute.before.write": {
      name: "PreToolUse",
      operations: [{ do: "write", path: `${root}/src/pay.ts`, text: "const retries = 1\n" }],
      tool: "write",
    },
  },
  { dialect: "plugin", session: "ses_1db96db5ffejyQ2D8KROEoCF8", cwd: root },
);
