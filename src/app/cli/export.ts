import { toCef } from "../../ledger/export/cef.ts";
import { exportLedger, type ExportOptions } from "../../ledger/export/export-ledger.ts";
import { matches } from "../../ledger/query/filter.ts";
import { follow } from "../../ledger/query/follow.ts";
import { current } from "../../ledger/places.ts";
import { linesOf, segmentsOf, toRecord, type LedgerRecord } from "../../ledger/read.ts";
import { loadPolicy } from "../../policy/load-policy.ts";
import { destinationsOf, NoAddress, type Destination } from "../destinations.ts";
import { registry } from "../registry.ts";
import { defineCommand, textFlag, UsageError, type Given } from "./_command.ts";
import { filterOf, timeFlags } from "./_filters.ts";
import { ledgerFlag, ledgersOf, rootOf } from "./_ledgers.ts";
import { untilInterrupted } from "./log.ts";

export default defineCommand({
  summary: "Sends records to where others look: OpenTelemetry, syslog with CEF, or lines of JSON.",
  usage: [
    "export [--otlp URL | --syslog URL] [--follow] [--original]",
    "export --jsonl | --cef [--since WHEN] [--until WHEN] [--host HOST] [--follow]",
  ],
  details:
    "Sending goes on where it was left, record by record in the order of the chain, and remembers a record only when the\n" +
    "receiver has it: after an outage or a kill some may come twice, with the same id (log.record.uid, externalId). Without a\n" +
    "destination, `ledger.export` of your own or the managed policy counts, or OTEL_EXPORTER_OTLP_ENDPOINT; headers come from\n" +
    "OTEL_EXPORTER_OTLP_HEADERS or, by the names of variables, from the policy. --jsonl and --cef print instead.\n" +
    "Exits 1 when not everything could be sent; the next time goes on from there.",
  takesNoWords: true,
  flags: {
    otlp: {
      type: "string",
      value: "URL",
      summary: "A collector that takes OTLP over HTTP, without /v1/logs.",
    },
    syslog: { type: "string", value: "URL", summary: "tcp://host:port, tls://host:port or udp://host:port." },
    jsonl: { type: "boolean", summary: "Print the records as they are, one a line." },
    cef: { type: "boolean", summary: "Print them in Common Event Format, one a line." },
    follow: { type: "boolean", summary: "Go on with what comes, until interrupted." },
    original: {
      type: "boolean",
      summary: "With --otlp: send each whole record along (log.record.original).",
    },
    patience: { type: "string", value: "SECONDS", summary: "How long to go on trying without --follow; 60." },
    ...timeFlags,
    ledger: ledgerFlag,
  },
  async run(given) {
    refuseContradictions(given);
    const folders = ledgersOf(given, { waits: given.flags["follow"] === true }).map(({ folder }) => folder);
    if (given.flags["jsonl"] === true || given.flags["cef"] === true) return print(folders, given);
    for (const flag of Object.keys(timeFlags))
      if (given.flags[flag] !== undefined)
        throw new UsageError(`--${flag} goes with --jsonl or --cef; sending goes on where it was left`);
    const sinks = await destinations(given);
    const options = optionsOf(given);
    const results = await Promise.all(
      folders.flatMap((folder) =>
        sinks.map((sinkOf) => exportLedger(folder, sinkOf(folder), process.env, options)),
      ),
    );
    const records = results.reduce((sum, each) => sum + each.records, 0);
    const troubles = [...new Set(results.flatMap(({ trouble }) => trouble ?? []))];
    console.log(`${records} ${records === 1 ? "record" : "records"} sent`);
    for (const trouble of troubles)
      console.error(`hookline export: not everything could be sent: ${trouble}`);
    return troubles.length === 0 ? 0 : 1;
  },
});

function refuseContradictions(given: Given): void {
  const asked = ["otlp", "syslog", "jsonl", "cef"].filter((flag) => given.flags[flag] !== undefined);
  const prints = asked.filter((flag) => flag === "jsonl" || flag === "cef");
  if (prints.length > 0 && asked.length > 1)
    throw new UsageError(`${asked.map((flag) => `--${flag}`).join(" and ")} do not go together`);
  for (const flag of ["original", "patience"])
    if (prints.length > 0 && given.flags[flag] !== undefined)
      throw new UsageError(`--${flag} is about sending, and does not go with --${String(prints[0])}`);
}

async function destinations(given: Given): Promise<Destination[]> {
  const env = process.env;
  const { policy } = await loadPolicy(rootOf(env), env, registry);
  const named = { otlp: textFlag(given, "otlp"), syslog: textFlag(given, "syslog") };
  try {
    const found = destinationsOf(named, policy.ledger.export ?? {}, env, given.flags["original"] === true);
    if (found.length > 0) return found;
  } catch (error) {
    if (error instanceof NoAddress) throw new UsageError(error.message);
    throw error;
  }
  throw new UsageError(
    "nobody has said where to: give --otlp URL or --syslog URL, or print with --jsonl or --cef (hookline export --help)",
  );
}

function optionsOf(given: Given): ExportOptions {
  const text = textFlag(given, "patience") ?? "60";
  const patience = Number(text);
  if (text.trim() === "" || !Number.isFinite(patience) || patience < 0)
    throw new UsageError("--patience takes a number of seconds");
  return {
    follow: given.flags["follow"] === true,
    patienceMs: patience * 1000,
    stop: untilInterrupted(),
    say: (text) => console.error(`hookline export: ${text}`),
  };
}

async function print(folders: readonly string[], given: Given): Promise<number> {
  const filter = filterOf(given);
  const toText = given.flags["cef"] === true ? toCef : (record: LedgerRecord) => JSON.stringify(record);
  const coming = given.flags["follow"] === true ? follow(folders, untilInterrupted()) : undefined;
  // What came while the rest was read is there twice.
  const seen = new Set<string>();
  for (const folder of folders)
    for (const segment of segmentsOf(folder)) {
      const lines: string[] = [];
      for (const line of linesOf(folder, segment)) {
        const record = line.whole ? toRecord(line) : undefined;
        if (!record || !matches(record, filter)) continue;
        lines.push(toText(record));
        if (segment === current) seen.add(record.link);
      }
      if (lines.length > 0) console.log(lines.join("\n"));
    }
  if (coming)
    for await (const record of coming)
      if (!seen.has(record.link) && matches(record, filter)) console.log(toText(record));
  return 0;
}
