import { ask } from "../../ledger/query/index-ledger.ts";
import { countsIn, statsOf, type Stats } from "../../ledger/query/stats.ts";
import { defineCommand } from "./_command.ts";
import { filterOf, timeFlags } from "./_filters.ts";
import { ledgerFlag, ledgersOf } from "./_ledgers.ts";
import { progress } from "./log.ts";
import { oneLine } from "./_record-line.ts";
import { paint, table } from "./_table.ts";

export default defineCommand({
  summary: "What the ledger adds up to: rules, agents, slow hooks, what was denied, day by day.",
  usage: ["stats [--since WHEN] [--until WHEN] [--host HOST] [--json]"],
  details:
    "Counted by the hour: --since and --until are taken back to full hours. Times are milliseconds that half (p50) and\n" +
    "19 of 20 (p95) do not exceed, to a twentieth.",
  takesNoWords: true,
  flags: { ...timeFlags, ledger: ledgerFlag, json: { type: "boolean", summary: "Print it as JSON." } },
  async run(given) {
    const filter = filterOf(given);
    const stats = statsOf(
      ledgersOf(given).map(({ folder }) =>
        ask(folder, process.env, (index) => countsIn(index, filter), progress),
      ),
    );
    console.log(given.flags["json"] === true ? JSON.stringify(stats, null, 2) : asText(stats));
    return 0;
  },
});

function asText({ decisions, outcomes, wouldBlock, rules, hosts, slowest, denied, trend }: Stats): string {
  if (decisions === 0) return "Nothing on record.";
  const counts = Object.entries(outcomes).filter(([, count]) => count > 0);
  const section = (title: string, rows: readonly (readonly string[])[]): string[] =>
    rows.length < 2 ? [] : ["", paint(title, "bold"), table(rows, "  ")];
  return [
    `${decisions} decisions: ${counts.map(([outcome, count]) => `${count} ${outcome}`).join(", ")}` +
      (wouldBlock > 0 ? `; ${wouldBlock} would have been blocked` : ""),
    ...section("Rules", [
      ["rule", "hits", "blocks", "asks", "p50 ms", "p95 ms"],
      ...rules.map((each) =>
        [oneLine(each.rule, 100), each.hits, each.blocks, each.asks, each.p50, each.p95].map(String),
      ),
    ]),
    ...section("Agents", [
      ["host", "decisions", "blocks", "asks", "p50 ms", "p95 ms"],
      ...hosts.map((each) =>
        [oneLine(each.host, 100), each.decisions, each.blocks, each.asks, each.p50, each.p95].map(String),
      ),
    ]),
    ...section("Slowest rules and hooks", [
      ["", "runs", "p50 ms", "p95 ms"],
      ...slowest.map((each) => [oneLine(each.rule, 100), each.runs, each.p50, each.p95].map(String)),
    ]),
    ...section("Most often denied", [
      ["times", ""],
      ...denied.map(({ count, subject }) => [String(count), oneLine(subject, 100)]),
    ]),
    ...section("Day by day", [
      ["day", "decisions", "blocks", "asks", ""],
      ...trend
        .slice(-14)
        .map(({ day, decisions: all, blocks, asks }) => [
          day,
          ...[all, blocks, asks].map(String),
          "▇".repeat(Math.ceil((20 * all) / Math.max(...trend.slice(-14).map((each) => each.decisions)))),
        ]),
    ]),
  ].join("\n");
}
