import { defineCommand, UsageError } from "./_command.ts";
import { bashScript } from "./_bash-completion.ts";
import { completions, isShell, shells } from "./_completion.ts";

export default defineCommand({
  summary: "A completion script for your shell.",
  usage: ["completion bash|zsh|fish|powershell"],
  details: "For example in ~/.bashrc: source <(hookline completion bash)",
  flags: {},
  actions: Object.fromEntries(shells.map((shell) => [shell, `Script for ${shell}.`])),
  async run(given) {
    const shell = given.words[0];
    if (!isShell(shell)) throw new UsageError(`completion needs a shell: ${shells.join(", ")}`);
    if (shell === "bash") console.log(bashScript.trimEnd());
    else (await completions()).setup("hookline", "hookline", shell);
    return 0;
  },
});
