import { installs } from "../../hosts/installs.generated.ts";
import { planInit } from "../install/plan.ts";
import { defineCommand, UsageError } from "./_command.ts";
import { callFlags, enact, installFlags, requestOf } from "./_install.ts";

export default defineCommand({
  summary: "Makes the agents in use call Hookline: finds them, shows what it will write, asks, writes.",
  usage: [
    "init [--host HOST] [--scope repo|user|managed] [--executable PATH] [--warm] [--dry-run] [--yes] [--json]",
  ],
  details:
    "Entries of others, comments and the order of keys stay. Run again, it changes nothing, or mends what is ours. In a repository it also\n" +
    "writes hookline.yaml, if there is none, and ignore rules. `hookline uninstall` takes all of it back; docs/install.md has every file.",
  takesNoWords: true,
  flags: { ...installFlags, ...callFlags },
  async run(given) {
    const request = requestOf(given);
    const { plan, code } = enact(given, () => planInit(request), {
      question: "Write this?",
      nothing: "Everything is in place; there is nothing to do.",
    });
    if (plan.hosts.length === 0)
      throw new UsageError(
        `no agent was found in this repository or your home; name one with --host (${Object.keys(installs).join(", ")})`,
      );
    if (code === 0 && given.flags["json"] !== true)
      console.log(
        nextSteps(
          plan.hosts.map(({ id }) => id),
          given.flags["dry-run"] === true,
        ),
      );
    return code;
  },
});

function nextSteps(ids: readonly string[], isTrial: boolean): string {
  if (isTrial) return "";
  const trust = ids.flatMap((id) => installs[id]?.trust ?? []);
  return [
    "",
    "Next:",
    ...trust.map((step) => `  ${step}`),
    "  hookline doctor        sees that it works, agent by agent",
    "  hookline check 'rm -rf /'   asks what would be blocked",
  ].join("\n");
}
