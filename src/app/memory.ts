import type { Host } from "../core/host.ts";
import type { Json } from "../core/json.ts";
import * as recall from "../ledger/recall.ts";
import { fallbackFolder, workspaceFolder } from "../ledger/places.ts";
import type { Memory } from "../platform/live-world.ts";
import type { Env } from "../platform/places.ts";
import { saidIn } from "./transcript.ts";

/** What the ledger remembers, and the agent's own transcript. */
export const memoryOf = (root: () => string, env: Env, host: Host, payload: Json): Memory => ({
  ...recall.memoryOf(() => [workspaceFolder(root()), fallbackFolder(root(), env)], env),
  said: (path) => saidIn(path, host, payload),
});
