import { run } from "../run.ts";
import { defineCommand, textFlag } from "./_command.ts";
import { eventFlag, hostFlag } from "./_input.ts";

export default defineCommand({
  summary: "What agents call: payload on stdin, the host's contract on the way out.",
  usage: ["run [--host HOST] [--event EVENT] [--verbose]"],
  details:
    "Always answers, in the host's own format and exit code, also when the payload is garbage. Every decision is\n" +
    "recorded under .hookline/ledger/ of the workspace.",
  flags: {
    host: hostFlag,
    event: eventFlag,
    verbose: { type: "boolean", summary: "Say on stderr who was recognised and what came out." },
  },
  run(given) {
    const host = textFlag(given, "host");
    const event = textFlag(given, "event");
    return run({
      verbose: given.flags["verbose"] === true,
      ...(host === undefined ? {} : { host }),
      ...(event === undefined ? {} : { event }),
    });
  },
});
