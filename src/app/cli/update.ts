import { planUpdate } from "../install/plan.ts";
import { defineCommand } from "./_command.ts";
import { callFlags, enact, installFlags, requestOf } from "./_install.ts";

export default defineCommand({
  summary: "Brings the entries of an earlier version, or of an executable that has moved, up to date.",
  usage: [
    "update [--host HOST] [--scope repo|user|managed] [--executable PATH] [--warm] [--dry-run] [--yes] [--json]",
  ],
  details: "Only agents that call Hookline already are looked at; `hookline init` adds others.",
  takesNoWords: true,
  flags: { ...installFlags, ...callFlags },
  async run(given) {
    const request = requestOf(given);
    return enact(given, () => planUpdate(request), {
      question: "Write this?",
      nothing: "Every entry is as this version would write it.",
    }).code;
  },
});
