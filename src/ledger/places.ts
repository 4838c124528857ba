import { join } from "node:path";
import { sha256 } from "../platform/digest.ts";
import { followLinks } from "../platform/files.ts";
import { stateFolder, type Env } from "../platform/places.ts";

/** The segment that is written to. Closed ones have numbers, so that they sort in the order of the chain. */
export const current = "current.jsonl";

export const numbered = (number: number): string => `${String(number).padStart(6, "0")}.jsonl`;

/** Up to 99,999: some terabytes, and an index can still tell every place in them apart. */
export const isNumbered = (name: string): boolean => /^0\d{5}\.jsonl$/.test(name);

/** A workspace's own ledger. */
export const workspaceFolder = (root: string): string => join(root, ".hookline", "ledger");

/** Where the records of a workspace go when it cannot take them: the same place by whatever links it was reached. */
export const fallbackFolder = (root: string, env: Env): string =>
  join(stateFolder(env), "ledgers", sha256(realRoot(root)).slice(0, 32));

function realRoot(root: string): string {
  try {
    return followLinks(root);
  } catch {
    // It is gone, or not to be looked at.
    return root;
  }
}

/** Where a policy is kept that was in force when something was recorded. */
export const policyFile = (ledger: string, digest: string): string =>
  join(ledger, "policies", `${digest}.json`);

/** Which calls were refused lately, kept there, too. */
export const refusedFile = (ledger: string, env: Env): string =>
  join(stateFolder(env), "refused", sha256(ledger).slice(0, 32));

/** How far a ledger had come, kept where whoever cuts off its end cannot reach. */
export const headFile = (ledger: string, env: Env): string =>
  join(stateFolder(env), "heads", sha256(ledger).slice(0, 32));
