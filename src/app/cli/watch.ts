import { matches } from "../../ledger/query/filter.ts";
import { follow } from "../../ledger/query/follow.ts";
import { defineCommand } from "./_command.ts";
import { filterFlags, filterOf } from "./_filters.ts";
import { ledgerFlag, ledgersOf } from "./_ledgers.ts";
import { printer, untilInterrupted } from "./log.ts";

export default defineCommand({
  summary: "Shows decisions live, as they are made.",
  usage: ["watch [filters] [--json]"],
  details: "Ends when interrupted. `hookline log --follow` begins with what is on record already.",
  takesNoWords: true,
  flags: {
    ...filterFlags,
    ledger: ledgerFlag,
    json: { type: "boolean", summary: "Print the records as JSON, one a line." },
  },
  async run(given) {
    const filter = filterOf(given);
    const folders = ledgersOf(given, { waits: true }).map(({ folder }) => folder);
    const print = printer(given);
    if (process.stderr.isTTY) console.error(`Watching ${folders.join(" and ")}; Ctrl-C ends it.`);
    for await (const record of follow(folders, untilInterrupted()))
      if (matches(record, filter)) print(record);
    return 0;
  },
});
