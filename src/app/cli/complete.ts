import { defineCommand } from "./_command.ts";
import { completions } from "./_completion.ts";

export default defineCommand({
  summary: "What the completion scripts call.",
  usage: ["complete -- WORDS"],
  hidden: true,
  flags: {},
  async run({ words }) {
    (await completions()).parse(words[0] === "--" ? words.slice(1) : [...words]);
    return 0;
  },
});
