import { join } from "node:path";
import host from "../src/hosts/qwen-code/host.ts";
import { hostTester } from "../src/testing/host-tester.ts";

const tester = hostTester(host, join(import.meta.dir, "../src/hosts/qwen-code/fixtures"));
const root = "/Users/ada/code/acme-shop";

tester.decodes(
  {
    InstructionsLoaded: { name: "Other" },
    MessageDisplay: { name: "Other" },
    Notification: { name: "Notification" },
    PermissionDenied: {
      name: "Other",
      operations: [{ do: "exec", command: "rm -rf node_modules" }],
      tool: "run_shell_command",
    },
    PermissionRequest: {
      name: "PermissionRequest",
      operations: [{ do: "exec", command: "rm -rf node_modules" }],
      tool: "run_shell_command",
    },
    PostCompact: { name: "Other" },
    PostToolBatch: { name: "Other" },
    PostToolUse: {
      name: "PostToolUse",
      operations: [{ do: "exec", command: "git status --short" }],
      tool: "run_shell_command",
    },
    "PostToolUseFailure.read_file": {
      name: "PostToolUseFailure",
      operations: [{ do: "read", path: `${root}/nope.ts` }],
      tool: "read_file",
    },
    PostToolUseFailure: {
      name: "PostToolUseFailure",
      tool: "run_shell_command",
      operations: [{ do: "exec", command: "exit 3" }],
    },
    PreCompact: { name: "PreCompact" },
    "PreToolUse.agent": {
      name: "PreToolUse",
      operations: [{ do: "delegate", prompt: "Find callers of refund()", agent: "general-purpose" }],
      tool: "agent",
    },
    "PreToolUse.edit": {
      name: "PreToolUse",
      operations: [
        { do: "edit", path: `${root}/src/pay.ts`, edits: [{ old: "retries = 1", new: "retries = 3" }] },
      ],
      tool: "edit",
    },
    PreToolUse: {
      name: "PreToolUse",
      operations: [{ do: "exec", command: "git status --short" }],
      tool: "run_shell_command",
    },
    "PreToolUse.subagent": {
      name: "PreToolUse",
      agent: { id: "a4d2c8f1e0b3a297" },
      operations: [{ do: "exec", command: "npm test" }],
      tool: "run_shell_command",
    },
    "PreToolUse.web_fetch": {
      name: "PreToolUse",
      operations: [{ do: "fetch", url: "https://docs.example.test/changelog" }],
      tool: "web_fetch",
    },
    "PreToolUse.write_file": {
      name: "PreToolUse",
      operations: [{ do: "write", path: `${root}/src/pay.ts`, text: "export const retries = 1\n" }],
      tool: "write_file",
    },
    SessionDelete: { name: "Other" },
    SessionEnd: { name: "SessionEnd" },
    SessionStart: { name: "SessionStart" },
    Stop: { name: "Stop", heldBefore: false, said: "Done." },
    StopFailure: {
      name: "ErrorOccurred",
      error: { message: "consecutive_identical_tool_calls", kind: "loop_detected" },
    },
    SubagentStart: {
      name: "SubagentStart",
      agent: { id: "a4d2c8f1e0b3a297", type: "general-purpose" },
    },
    SubagentStop: {
      name: "SubagentStop",
      heldBefore: false,
      said: "Found 3 callers.",
      agent: { id: "a4d2c8f1e0b3a297", type: "general-purpose" },
    },
    TodoCompleted: { name: "Other" },
    TodoCreated: { name: "Other" },
    UserPromptExpansion: { name: "Other", prompt: "Deploy to staging." },
    "UserPromptSubmit.continuation": { name: "Other", prompt: "" },
    UserPromptSubmit: { name: "UserPromptSubmit", prompt: "Raise the retry limit and push" },
  },
  { dialect: "settings", session: "0f6f3a1e-52f4-4a8b-9b77-7d0b7a2f9d31", cwd: root },
);
