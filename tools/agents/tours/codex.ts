import driver from "../drivers/codex.ts";
import { enter, escape } from "../terminal.ts";
import type { Tours } from "../tour.ts";

const patch =
  "*** Begin Patch\n*** Update File: src/pay.ts\n@@\n-const retries = 1\n+const retries = 3\n*** Add File: docs/notes.md\n+# Notes\n*** End Patch\n";

export default {
  session: "019b2c41-7d10-7e52-9a31-4f0c6d2e8b77",
  also: ["PreToolUse.collaborationspawn_agent"],
  tours: [
    {
      files: { "src/pay.ts": "const retries = 1\n" },
      moreEvents: ["PreModelRequest", "PostModelRequest"],
      commands: (stage) => [
        [
          ...driver.command(stage, "Raise the retry limit and push"),
          "-c",
          'mcp_servers.hookline={command="hookline",args=["mcp"]}',
        ],
      ],
      turns: ({ shell, delegate, say }) => [
        shell("git push --force"),
        { call: { name: "apply_patch", input: patch } },
        { call: { name: "read_ledger", namespace: "mcp__hookline", input: {} } },
        ...delegate("Find all callers of refund()", [shell("npm test"), say("Found 3 callers.")]),
        say("All done."),
      ],
    },
    // What only a person at a terminal is asked, and does.
    {
      moreEvents: ["Interrupt", "PostCompact"],
      commands: (stage) => [
        {
          command: [
            driver.command(stage, "")[0] ?? "",
            ..."--no-alt-screen -c approval_policy=on-request -c sandbox_mode=workspace-write".split(" "),
          ],
          typed: [
            ["Use existing model", "2", enter],
            ["repository", 2000, "Publish it", enter],
            ["Yes, proceed", 1000, escape],
            ["Conversation interrupted", 1000, "/compact", enter],
            ["Context compacted", 2000, "/quit", enter],
          ],
        },
      ],
      turns: ({ say }) => [
        {
          call: {
            name: "exec_command",
            input: {
              cmd: "npm publish --access public",
              sandbox_permissions: "require_escalated",
              justification: "Needs the registry",
            },
          },
        },
        say("The package was to be published."),
      ],
    },
  ],
} satisfies Tours;
