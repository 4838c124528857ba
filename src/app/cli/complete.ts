import { defineCommand } from "./_command.ts";
import { offersFor } from "./_completion.ts";

export default defineCommand({
  summary: "What the completion scripts call.",
  usage: ["complete -- WORDS"],
  hidden: true,
  flags: {},
  async run({ words }) {
    for (const line of await offersFor(words[0] === "--" ? words.slice(1) : words)) console.log(line);
    return 0;
  },
});
