import { waitingFor } from "../../ledger/export/export-ledger.ts";
import { loadPolicy } from "../../policy/load-policy.ts";
import { destinationsOf } from "../destinations.ts";
import type { DoctorCheck } from "../doctor-check.ts";
import { registry } from "../registry.ts";

const patience = 60 * 60 * 1000;

export default {
  title: "Records have been sent where the policy says",
  run: async ({ root, env, ledgers }) => {
    const { policy } = await loadPolicy(root, env, registry);
    const { export: settings } = policy.ledger;
    if (!settings) return [];
    // Only what the policy asks for: variables may be there for others.
    return destinationsOf({}, settings, {}).flatMap((sinkOf) =>
      ledgers.flatMap(({ folder, head }) => {
        const sink = sinkOf(folder);
        const waiting = waitingFor(folder, sink, env);
        if (!waiting || Date.now() - waiting.since < patience) return [];
        const count = (head?.seq ?? waiting.seq) - waiting.seq + 1;
        return [
          {
            text: `${count} ${count === 1 ? "record waits" : "records wait"} for ${sink.name} since ${new Date(waiting.since).toISOString()}`,
            place: folder,
            instead: "`hookline export` sends them, and says what is in the way.",
          },
        ];
      }),
    );
  },
} satisfies DoctorCheck;
