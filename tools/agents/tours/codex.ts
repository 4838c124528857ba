import driver from "../drivers/codex.ts";
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
  ],
} satisfies Tours;
