import driver from "../drivers/copilot.ts";
import { enter } from "../terminal.ts";
import type { Tour, Tours } from "../tour.ts";

const call = (name: string, input: Record<string, unknown> | string) => ({ call: { name, input } });
const patch =
  "*** Begin Patch\n*** Update File: src/cart/total.ts\n@@\n-export const total = 0;\n+export const total = 1;\n*** End Patch\n";

const native: Tour = {
  prefix: "cli.",
  prompt: "Add a discount field",
  files: { "package.json": '{\n  "version": "1.4.0"\n}\n', ".env": "STAGE=test\n" },
  moreEvents: ["userPromptTransformed", "preMcpToolCall"],
  turns: ({ shell, write, delegate, say }, { root }) => [
    shell("git push --force origin main"),
    write(`${root}/src/cart/total.ts`, "export const total = 0;\n"),
    call("edit", {
      path: `${root}/package.json`,
      old_str: '"version": "1.4.0"',
      new_str: '"version": "1.5.0"',
    }),
    call("edit", { path: `${root}/a.ts`, old_str: "x", new_str: "y" }),
    call("view", { path: `${root}/.env` }),
    call("web_fetch", { url: "https://docs.example.test/api" }),
    ...delegate("List unvalidated inputs in src/checkout", [
      shell("npm test"),
      say("Three unvalidated inputs found."),
    ]),
    say("Done."),
  ],
};

/** What only a person at a terminal is asked, told, and does. */
const sitting: Tour = {
  prefix: "cli.",
  files: {
    "mcp.json": JSON.stringify({
      mcpServers: { hookline: { type: "local", command: "hookline", args: ["mcp"], tools: ["*"] } },
    }),
  },
  moreEvents: ["notification", "preCompact", "preMcpToolCall"],
  commands: (stage) => [
    {
      command: [
        driver.command(stage, "")[0] ?? "",
        ..."--no-auto-update --additional-mcp-config @mcp.json".split(" "),
      ],
      typed: [
        ["? help", 2000, "Clean up", enter],
        // It draws its screen in pieces, in which words are hard to find.
        [
          "Do you want to run this command",
          2000,
          enter,
          3000,
          enter,
          3000,
          "/compact",
          enter,
          5000,
          "/exit",
          enter,
        ],
      ],
    },
  ],
  turns: ({ shell, say }) => [
    shell("rm -rf node_modules"),
    call("hookline-read_ledger", {}),
    say("All is tidy."),
    say("It was tidied."),
  ],
};

export default {
  session: "c0a9f4d2-1f6b-4a50-9d0e-8d7b6f2a3310",
  also: [
    "cli.agentStop.subagent",
    "cli.userPromptSubmitted.subagent",
    "cli.preToolUse.subagent",
    "cli.permissionRequest.subagent",
    "cli-pascal.Stop.subagent",
    "cli-pascal.PreToolUse.subagent",
  ],
  tours: [
    native,
    // A model that writes patches.
    {
      prefix: "cli.",
      env: { COPILOT_MODEL: "gpt-5.4" },
      files: { "src/cart/total.ts": "export const total = 0;\n" },
      turns: ({ say }) => [call("apply_patch", patch), say("Done.")],
    },
    { prefix: "cli.", turns: () => [{ fails: 400 }] },
    // It reads the settings of Claude Code as well, and speaks nearly as that does.
    { ...native, prefix: "cli-pascal.", host: "claude-code", moreEvents: ["ErrorOccurred"] },
    {
      prefix: "cli-pascal.",
      host: "claude-code",
      moreEvents: ["ErrorOccurred"],
      turns: () => [{ fails: 400 }],
    },
    sitting,
    { ...sitting, prefix: "cli-pascal.", host: "claude-code", moreEvents: ["PreMcpToolCall"] },
  ],
} satisfies Tours;
