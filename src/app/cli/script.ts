import { runScript } from "../script.ts";
import { defineCommand } from "./_command.ts";

/** How a TypeScript hook runs where neither Bun nor Node is installed: in a child of our own, with our runtime. */
export default defineCommand({
  summary: "Runs a hook's script with the runtime this program is made of.",
  usage: ["script FILE [ARGUMENT…]"],
  flags: {},
  hidden: true,
  run: ({ words }) => runScript(words[0] ?? "", words.slice(1), process.env),
});
