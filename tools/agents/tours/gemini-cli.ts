import driver from "../drivers/gemini-cli.ts";
import { enter } from "../terminal.ts";
import type { Tours } from "../tour.ts";

const call = (name: string, input: Record<string, unknown>) => ({ call: { name, input } });

export default {
  session: "6f1f9d2c-0a57-4b1e-9f43-8f3f1b7a2c55",
  tours: [
    {
      files: {
        ".gemini/settings.json": JSON.stringify({
          mcpServers: { hookline: { command: "hookline", args: ["mcp"] } },
        }),
      },
      moreEvents: ["BeforeModel", "AfterModel", "BeforeToolSelection", "PreCompress"],
      commands: (stage) => [
        // What is beside the repository is nothing for a fixture.
        driver
          .command(stage, "Raise the retry limit and push")
          .filter((word) => !word.startsWith("--include-directories")),
      ],
      turns: ({ shell, write, delegate, say }, { root }) => [
        shell("git push --force"),
        write(`${root}/src/pay.ts`, "export const retries = 1\n"),
        call("replace", {
          file_path: `${root}/src/pay.ts`,
          instruction: "Raise the limit",
          old_string: "retries = 1",
          new_string: "retries = 3",
        }),
        call("read_file", { file_path: `${root}/nope.ts` }),
        call("web_fetch", { prompt: "Summarise https://docs.example.test/changelog" }),
        call("mcp_hookline_read_ledger", {}),
        ...delegate("Find callers of refund()", [shell("npm test"), say("Found 3 callers.")]),
        say("Done."),
      ],
    },
    // Only a person at a terminal is asked.
    {
      commands: (stage) => [
        {
          command: [...driver.command(stage, "").slice(0, 4), "--approval-mode=default"],
          typed: [
            ["Type your message", 2000, "Clean up", enter],
            ["Allow once", 2000, enter],
            ["All is tidy", 1000, "/quit", enter],
          ],
        },
      ],
      turns: ({ shell, say }) => [shell("rm -rf node_modules"), say("All is tidy.")],
    },
  ],
} satisfies Tours;
