import { RootCommand } from "@bomb.sh/tab";
import { rules } from "../../packs/index.generated.ts";
import { allCommands } from "./_help.ts";

export const shells = ["bash", "zsh", "fish", "powershell"] as const;

export const isShell = (word: string | undefined): word is (typeof shells)[number] =>
  (shells as readonly (string | undefined)[]).includes(word);

/** The whole command line as the completion library wants to know it. */
export async function completions(): Promise<RootCommand> {
  const root = new RootCommand();
  for (const [name, command] of await allCommands()) {
    const entry = root.command(name, command.summary);
    const words = Object.entries(command.actions ?? {});
    if (words.length > 0) {
      entry.argument("action", (complete) => {
        for (const [word, summary] of words) complete(word, summary);
      });
    }
    if (name === "rules") {
      entry.argument("id", (complete) => {
        for (const [id, rule] of Object.entries(rules)) complete(id, rule.summary);
      });
    }
    for (const [flag, { summary, values, value, type }] of Object.entries(command.flags)) {
      if (type === "boolean") entry.option(flag, summary);
      else {
        entry.option(flag, summary, (complete) => {
          // Zsh makes an offer of its own out of an empty description.
          for (const choice of values?.() ?? []) complete(choice, value?.toLowerCase() ?? flag);
        });
      }
    }
  }
  return root;
}

/** What the words typed so far can go on with, one a line, and how the shell should take it. */
export async function offersFor(words: readonly string[]): Promise<string[]> {
  const root = await completions();
  const lines: string[] = [];
  const { log } = console;
  // The library prints.
  console.log = (line: string) => void lines.push(line);
  try {
    root.parse([...words]);
  } finally {
    console.log = log;
  }
  // Where we have nothing to offer it is a file that is wanted.
  return lines.length === 1 ? [":0"] : lines;
}
