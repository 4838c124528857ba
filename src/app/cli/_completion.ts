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
    for (const [flag, { summary, values, type }] of Object.entries(command.flags)) {
      if (type === "boolean") entry.option(flag, summary);
      else {
        entry.option(flag, summary, (complete) => {
          for (const value of values?.() ?? []) complete(value, "");
        });
      }
    }
  }
  return root;
}
