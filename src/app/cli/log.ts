import { find } from "../../ledger/query/find.ts";
import { matches, type Filter } from "../../ledger/query/filter.ts";
import { follow } from "../../ledger/query/follow.ts";
import { ask } from "../../ledger/query/index-ledger.ts";
import type { LedgerRecord } from "../../ledger/read.ts";
import { defineCommand, type Given } from "./_command.ts";
import { filterFlags, filterOf, limitFlags, limitOf } from "./_filters.ts";
import { ledgerFlag, ledgersOf } from "./_ledgers.ts";
import { recordLine } from "./_record-line.ts";

export default defineCommand({
  summary: "Shows decisions on record, the latest last.",
  usage: ["log [ID …] [filters] [--limit N | --all] [--follow] [--json]"],
  details:
    "Every filter given must hold. Looked up in an index in your cache folder, which is made from the ledger when it is\n" +
    "missing or behind, and shown as they stand in the ledger. `hookline log --session ID --follow` follows a session.\n" +
    "--json prints the records themselves, one a line.",
  flags: {
    ...filterFlags,
    ...limitFlags("50"),
    follow: { type: "boolean", summary: "Go on with what comes, until interrupted." },
    ledger: ledgerFlag,
    json: { type: "boolean", summary: "Print the records as JSON, one a line." },
  },
  async run(given) {
    const filter: Filter = { ...filterOf(given), ...(given.words.length > 0 ? { ids: given.words } : {}) };
    const folders = ledgersOf(given, { waits: given.flags["follow"] === true }).map(({ folder }) => folder);
    const print = printer(given);
    // Begin to follow before looking back, so that nothing falls between.
    const coming = given.flags["follow"] === true ? follow(folders, untilInterrupted()) : undefined;
    const found = findIn(folders, filter, limitOf(given, 50));
    for (const record of found) print(record);
    if (!coming) {
      if (found.length === 0 && given.flags["json"] !== true)
        console.error("hookline log: nothing on record fits.");
      return 0;
    }
    const seen = new Set(found.slice(-1000).map(({ link }) => link));
    for await (const record of coming) if (!seen.has(record.link) && matches(record, filter)) print(record);
    return 0;
  },
});

/** Records of several ledgers, by their time. */
export function findIn(folders: readonly string[], filter: Filter, limit: number): LedgerRecord[] {
  const all = folders.flatMap((folder) =>
    ask(folder, process.env, (index) => find(index, filter, limit), progress),
  );
  // Within one ledger the chain says what came first, whatever the clock said.
  const sorted = folders.length === 1 ? all : all.toSorted((a, b) => (a.time < b.time ? -1 : 1));
  return limit === Number.POSITIVE_INFINITY ? sorted : sorted.slice(-limit);
}

/** Said on a terminal only: the first time it may take a while. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[Khookline: ${text}…`);
}

export function printer(given: Given): (record: LedgerRecord) => void {
  return given.flags["json"] === true
    ? (record) => console.log(JSON.stringify(record))
    : (record) => console.log(recordLine(record));
}

/** Ends the following in an orderly way: what was shown was shown whole. */
export function untilInterrupted(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}
