import { verdictJson } from "../verdict-json.ts";
import { defineCommand } from "./_command.ts";
import { eventFlag, hostFlag, readInput, settingOf } from "./_input.ts";

export default defineCommand({
  summary: "Payload(s) in, verdict(s) as JSON out, without effects or records; for scripts and tests.",
  usage: [
    "eval [FILE] [--host HOST] [--event EVENT]",
    "eval --jsonl [--host HOST] [--event EVENT] < payloads.jsonl",
  ],
  details:
    'Prints {"outcome":"pass|allow|warn|ask|block","event":…,"host":…,"findings":[{"rule","outcome","message"}],…}.\n' +
    "With --jsonl: one line in, one line out, in order; lines that wait together are judged in one and the same world.\n" +
    "Exits 0 whatever the outcome.",
  flags: {
    jsonl: { type: "boolean", summary: "One payload a line." },
    host: hostFlag,
    event: eventFlag,
  },
  async run(given) {
    const setting = settingOf(given);
    if (given.flags["jsonl"] !== true) {
      const text = new TextDecoder().decode(await readInput(given.words[0]));
      console.log(JSON.stringify(await verdictJson(text, setting)));
      return 0;
    }
    await (await import("./_batch.ts")).evalLines(setting);
    return 0;
  },
});
