import { runInBackground } from "../../handlers/background.ts";
import { defineCommand } from "./_command.ts";

/** What is left of us when a hook is not waited for: it ends the hook at its time limit. */
export default defineCommand({
  summary: "Runs a hook that is not waited for.",
  usage: ["background ID"],
  flags: {},
  hidden: true,
  run: ({ words }) => runInBackground(words[0] ?? "", process.env),
});
