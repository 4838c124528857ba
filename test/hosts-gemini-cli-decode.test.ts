import { join } from "node:path";
import host from "../src/hosts/gemini-cli/host.ts";
import { hostTester } from "../src/testing/host-tester.ts";

const tester = hostTester(host, join(import.meta.dir, "../src/hosts/gemini-cli/fixtures"));
const root = "/Users/ada/code/acme-shop";

tester.decodes(
  {
    AfterAgent: { name: "Stop", prompt: "Raise the retry limit and push", said: "Done." },
    AfterModel: { name: "Other" },
    "AfterTool.read_file": {
      name: "PostToolUseFailure",
      operations: [{ do: "read", path: `${root}/nope.ts` }],
      tool: "read_file",
    },
    AfterTool: {
      name: "PostToolUse",
      operations: [{ do: "exec", command: "git push --force" }],
      tool: "run_shell_command",
    },
    BeforeAgent: { name: "UserPromptSubmit", prompt: "Raise the retry limit and push" },
    BeforeModel: { name: "Other" },
    "BeforeTool.invoke_agent": {
      name: "PreToolUse",
      operations: [{ do: "delegate", prompt: "Find callers of refund()", agent: "generalist" }],
      tool: "invoke_agent",
    },
    BeforeTool: {
      name: "PreToolUse",
      operations: [{ do: "exec", command: "git push --force" }],
      tool: "run_shell_command",
    },
    "BeforeTool.mcp": { name: "PreToolUse", tool: "mcp_hookline_read_ledger" },
    "BeforeTool.replace": {
      name: "PreToolUse",
      operations: [
        { do: "edit", path: `${root}/src/pay.ts`, edits: [{ old: "retries = 1", new: "retries = 3" }] },
      ],
      tool: "replace",
    },
    "BeforeTool.web_fetch": {
      name: "PreToolUse",
      operations: [{ do: "fetch", url: "https://docs.example.test/changelog" }],
      tool: "web_fetch",
    },
    "BeforeTool.write_file": {
      name: "PreToolUse",
      operations: [{ do: "write", path: `${root}/src/pay.ts`, text: "export const retries = 1\n" }],
      tool: "write_file",
    },
    BeforeToolSelection: { name: "Other" },
    Notification: { name: "Notification" },
    PreCompress: { name: "PreCompact" },
    SessionEnd: { name: "SessionEnd" },
    SessionStart: { name: "SessionStart" },
  },
  { dialect: "settings", session: "6f1f9d2c-0a57-4b1e-9f43-8f3f1b7a2c55", cwd: root },
);
