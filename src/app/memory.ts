import type { Host } from "../core/host.ts";
import * as recall from "../ledger/recall.ts";
import type { Memory } from "../platform/live-world.ts";
import { saidIn } from "./transcript.ts";

/** What the ledger remembers, and the agent's own transcript. */
export const memoryOf = (ledger: () => string, host: Host): Memory => ({
  ...recall.memoryOf(ledger),
  said: (path) => saidIn(path, host),
});
