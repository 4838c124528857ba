import driver from "../drivers/qwen-code.ts";
import { down, enter, escape } from "../terminal.ts";
import type { Tours } from "../tour.ts";

const call = (name: string, input: Record<string, unknown>) => ({ call: { name, input } });

const said = JSON.stringify({
  type: "user",
  session_id: "",
  parent_tool_use_id: null,
  message: { role: "user", content: "Clean up" },
});

/** Driven by a program, which could be asked for permission. */
const driven = (mode: string, command: readonly string[]): readonly string[] => [
  "sh",
  "-c",
  `echo '${said}' | "$@" --input-format stream-json`,
  "sh",
  ...command
    .slice(0, command.indexOf("-p"))
    .map((word) => (word === "yolo" ? mode : word === "json" ? "stream-json" : word)),
];

export default {
  session: "0f6f3a1e-52f4-4a8b-9b77-7d0b7a2f9d31",
  tours: [
    {
      prompt: "Raise the retry limit and push",
      files: {
        "QWEN.md": "# Acme shop\n",
        ".qwen/settings.json": JSON.stringify({ tools: { todoWrite: { enabled: true } } }),
      },
      moreEvents: ["InstructionsLoaded", "MessageDisplay", "PostToolBatch", "TodoCreated", "TodoCompleted"],
      turns: ({ shell, write, delegate, say }, { root }) => [
        shell("git status --short"),
        shell("exit 3"),
        write(`${root}/src/pay.ts`, "export const retries = 1\n"),
        call("edit", {
          file_path: `${root}/src/pay.ts`,
          old_string: "retries = 1",
          new_string: "retries = 3",
        }),
        call("read_file", { file_path: `${root}/nope.ts` }),
        call("tool_call", {
          name: "web_fetch",
          arguments: { url: "https://docs.example.test/changelog", prompt: "Summarise" },
        }),
        ...["pending", "completed"].map((status) =>
          call("todo_write", { todos: [{ id: "1", content: "Raise it", status }] }),
        ),
        ...delegate("Find callers of refund()", [shell("npm test"), say("Found 3 callers.")]),
        say("Done."),
      ],
    },
    // It notices that it is going round in circles.
    { turns: ({ shell }) => Array.from({ length: 5 }, () => shell("git status --short")) },
    {
      prompt: "/deploy staging",
      files: { ".qwen/commands/deploy.md": "Deploy to {{args}}.\n" },
      moreEvents: ["UserPromptExpansion"],
      turns: ({ say }) => [say("Deployed.")],
    },
    {
      moreEvents: ["PostCompact"],
      commands: (stage) => [
        driver.command(stage, "Tell me all about the sea"),
        [...driver.command(stage, "/compress"), "--continue"],
      ],
      turns: ({ say }) => [say("The sea is wide. ".repeat(2000)), say("The sea is wide.")],
    },
    {
      // It waits for an answer.
      commands: (stage) => [["timeout", "60", ...driven("default", driver.command(stage, ""))]],
      turns: ({ shell }) => [shell("rm -rf node_modules")],
    },
    {
      moreEvents: ["PermissionDenied"],
      commands: (stage) => [driven("auto", driver.command(stage, ""))],
      // Asked whether that is dangerous, and then why.
      turns: ({ shell, say }) => [
        shell("rm -rf node_modules"),
        call("respond_in_schema", { shouldBlock: true }),
        call("respond_in_schema", {
          shouldBlock: true,
          thinking: "It deletes.",
          reason: "Nobody asked for it.",
        }),
        say("Done."),
      ],
    },
    // What only a person at a terminal does.
    {
      moreEvents: ["SessionDelete"],
      commands: (stage) => [
        driver.command(stage, "Tell me all about the sea"),
        {
          command: [
            ...driver.command(stage, "").slice(0, 2),
            ..."--auth-type openai -m scripted --approval-mode default".split(" "),
          ],
          typed: [
            ["Type your message", 2000, "Clean up", enter],
            ["All is tidy", 2000, "/delete", enter],
            ["Delete Session", 3000, down, enter],
            ["Type your message", 2000, escape, "/quit", enter],
          ],
        },
      ],
      turns: ({ say }) => [say("The sea is wide."), say("All is tidy.")],
    },
  ],
} satisfies Tours;
