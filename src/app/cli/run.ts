import { run } from "../run.ts";
import { defineCommand, textFlag, UsageError } from "./_command.ts";
import { eventFlag, hostFlag } from "./_input.ts";

export default defineCommand({
  summary: "What agents call: payload on stdin, the host's contract on the way out.",
  usage: ["run [--host HOST] [--event EVENT] [--verbose]", "run --as pipeline [--event EVENT]"],
  details:
    "Always answers, in the host's own format and exit code, also when the payload is garbage. Every decision is\n" +
    "recorded under .hookline/ledger/ of the workspace.",
  flags: {
    host: hostFlag,
    event: eventFlag,
    as: {
      type: "string",
      value: "CONTRACT",
      summary:
        "Answer like the hook scripts of a pipeline: exit 0 or 2, the reason on stderr, warnings as context; the preset pipeline holds.",
      values: () => ["pipeline"],
    },
    warm: {
      type: "boolean",
      summary:
        "Also start a server, so that hookline-warm is answered by it from the next call on (docs/warm.md).",
    },
    verbose: { type: "boolean", summary: "Say on stderr who was recognised and what came out." },
  },
  async run(given) {
    const host = textFlag(given, "host");
    const event = textFlag(given, "event");
    const as = textFlag(given, "as");
    if (as !== undefined && as !== "pipeline")
      throw new UsageError(`unknown contract "${as}"; expected pipeline`);
    const contract =
      as === undefined ? {} : await (await import("../pipeline/contract.ts")).pipelineContract();
    return run({
      ...contract,
      verbose: given.flags["verbose"] === true,
      ...(host === undefined ? {} : { host }),
      ...(event === undefined ? {} : { event }),
    });
  },
});
