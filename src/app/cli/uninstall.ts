import { planUninstall } from "../install/plan.ts";
import { defineCommand } from "./_command.ts";
import { enact, installFlags, requestOf } from "./_install.ts";

export default defineCommand({
  summary: "Takes back what `hookline init` has written, and nothing else.",
  usage: ["uninstall [--host HOST] [--scope repo|user|managed] [--dry-run] [--yes] [--json]"],
  details:
    "A file nobody has changed since is given back as it was, byte for byte; in any other only what is ours is taken out. The ledger stays.",
  takesNoWords: true,
  flags: installFlags,
  async run(given) {
    const request = requestOf(given);
    return enact(given, () => planUninstall(request), {
      question: "Take this back?",
      nothing: "There is nothing of Hookline's in the agents' configuration.",
    }).code;
  },
});
