import { recordWorld } from "../../core/world.ts";
import { liveWorld } from "../../platform/live-world.ts";
import { loadPolicy, type LoadedPolicy } from "../../policy/load-policy.ts";
import type { Setting } from "../pass.ts";
import { registry } from "../registry.ts";
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
    "With --jsonl: one line in, one line out, in order. Exits 0 whatever the outcome.",
  flags: {
    jsonl: { type: "boolean", summary: "One payload a line." },
    host: hostFlag,
    event: eventFlag,
  },
  async run(given) {
    const setting = settingOf(given);
    if (given.flags["jsonl"] !== true) {
      console.log(JSON.stringify(await verdictJson(await readInput(given.words[0]), setting)));
      return 0;
    }
    await evalLines({ ...setting, policyOf: remembered(setting) });
    return 0;
  },
});

/** A policy is read once a workspace, not once a line: a batch is judged by one policy. */
function remembered({ env }: Setting): (root: string) => Promise<LoadedPolicy> {
  const known = new Map<string, Promise<LoadedPolicy>>();
  return (root) => {
    const found = known.get(root) ?? loadPolicy(root, env, registry);
    known.set(root, found);
    return found;
  };
}

async function evalLines(setting: Setting): Promise<void> {
  let rest = new Uint8Array(0);
  for await (const chunk of Bun.stdin.stream()) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    // Lines that came together are judged in one and the same world, looked at once.
    const together = { ...setting, world: recordWorld(liveWorld(setting.env)) };
    let from = 0;
    const out: string[] = [];
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
      out.push(JSON.stringify(await verdictJson(bytes.subarray(from, end), together)));
      from = end + 1;
    }
    if (out.length > 0) console.log(out.join("\n"));
    rest = bytes.slice(from);
  }
  if (rest.length > 0) console.log(JSON.stringify(await verdictJson(rest, setting)));
}
