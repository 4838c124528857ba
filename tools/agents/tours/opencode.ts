import driver from "../drivers/opencode.ts";
import type { Tours } from "../tour.ts";

const call = (name: string, input: Record<string, unknown>) => ({ call: { name, input } });
const patch =
  "*** Begin Patch\n*** Update File: src/pay.ts\n@@\n-const retries = 1\n+const retries = 3\n*** Add File: docs/notes.md\n+# Notes\n*** End Patch\n";

/** Lays something over its settings. */
const settings = (more: object) => ({ OPENCODE_CONFIG_CONTENT: JSON.stringify(more) });

export default {
  session: "ses_1db96db5ffejyQ2D8KROEoCF8",
  tours: [
    {
      prompt: "Raise the retry limit",
      env: settings({ mcp: { hookline: { type: "local", command: ["hookline", "mcp"] } } }),
      turns: ({ shell, write, delegate, say }, { root }) => [
        shell("git push --force"),
        write(`${root}/src/pay.ts`, "const retries = 1\n"),
        call("edit", { filePath: `${root}/src/pay.ts`, oldString: "retries = 1", newString: "retries = 3" }),
        call("read", { filePath: `${root}/nope.ts` }),
        call("webfetch", { url: "https://docs.example.test/changelog", format: "markdown" }),
        call("hookline_read_ledger", {}),
        ...delegate("Find callers of refund()", [shell("npm test"), say("Found 3 callers.")]),
        say("All done."),
      ],
    },
    // A model that writes patches is known by its name.
    {
      files: { "src/pay.ts": "const retries = 1\n" },
      env: settings({ provider: { port: { models: { "gpt-5": { tool_call: true } } } } }),
      commands: (stage) => [
        driver.command(stage, "Raise it").map((word) => (word === "port/scripted" ? "port/gpt-5" : word)),
      ],
      turns: ({ say }) => [call("apply_patch", { patchText: patch }), say("All done.")],
    },
    {
      env: settings({ permission: { bash: "ask" } }),
      turns: ({ shell }) => [shell("git push --force")],
    },
    // It has to make room.
    {
      prompt: "Tell me all about the sea. ".repeat(2500),
      env: settings({
        provider: { port: { models: { scripted: { limit: { context: 28_000, output: 8000 } } } } },
      }),
      turns: ({ shell, say }) => [shell("git status --short"), say("All done.")],
    },
    { turns: () => [{ fails: 400 }] },
    {
      commands: (stage) => {
        const command = driver.command(stage, "Go");
        const last = `"$1" session list -n 1 --format json | grep -o 'ses_[0-9A-Za-z]*' | head -1`;
        return [command, ["sh", "-c", `"$1" session delete "$(${last})"`, "sh", command[0] ?? ""]];
      },
      turns: ({ say }) => [say("Gone.")],
    },
  ],
} satisfies Tours;
