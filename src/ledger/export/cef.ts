import { hostname } from "node:os";
import { asText } from "../../core/json.ts";
import type { Outcome } from "../../core/outcome.ts";
import { viewOf } from "../query/view.ts";
import type { LedgerRecord } from "../read.ts";

/** From 0 to 10, as ArcSight's Common Event Format counts. */
const severities: Readonly<Record<Outcome, number>> = { pass: 1, allow: 1, warn: 4, ask: 6, block: 8 };

/** A record as one line of Common Event Format, version 0. */
export function toCef(record: LedgerRecord): string {
  const view = viewOf(record);
  const [rule] = view.findings.filter(({ outcome }) => outcome === view.outcome);
  const header = [
    "CEF:0",
    "Hookline",
    "hookline",
    asText(record["engine"]) ?? "",
    rule?.rule ?? view.event,
    `${view.event} ${view.tool ?? ""}`.trim(),
    String(severities[view.outcome]),
  ];
  const fields: Record<string, string | undefined> = {
    rt: isTime(view.time) ? String(view.time) : undefined,
    externalId: view.id,
    dvchost: hostname(),
    act: view.told,
    outcome: view.outcome,
    cat: view.event,
    sproc: view.host,
    filePath: view.paths[0],
    msg: (rule?.message ?? view.subject).slice(0, 1023),
    ...labelled(1, "session", view.session),
    ...labelled(2, "rules", [...new Set(view.findings.map((finding) => finding.rule))].join(" ")),
    ...labelled(3, "tool", view.tool),
    ...labelled(4, "agent", view.agent),
    ...labelled(5, "command", view.command?.slice(0, 4000)),
    ...labelled(6, "link", asText(record.link)),
  };
  const extension = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined || value === "" ? [] : [`${key}=${inExtension(value)}`],
  );
  return `${header.map(inHeader).join("|")}|${extension.join(" ")}`;
}

const labelled = (
  number: number,
  label: string,
  value: string | undefined,
): Record<string, string | undefined> =>
  value === undefined || value === "" ? {} : { [`cs${number}Label`]: label, [`cs${number}`]: value };

/** No line may end before its record does, and no bar before its field. */
const inHeader = (text: string): string =>
  text.replaceAll(/[\\|]/g, String.raw`\$&`).replaceAll(/\p{Cc}+/gu, " ");

const inExtension = (text: string): string =>
  text
    .replaceAll(/[\\=]/g, String.raw`\$&`)
    .replaceAll("\r", String.raw`\r`)
    .replaceAll("\n", String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, " ");

/** Between 1970 and the year 2500, which every format can say; a record that was changed may have any. */
export const isTime = (ms: number): boolean => ms >= 0 && ms < 16_725_225_600_000;

const logAudit = 13;
const syslogSeverities: Readonly<Record<Outcome, number>> = { pass: 6, allow: 6, warn: 4, ask: 4, block: 3 };

/** A record as a syslog message (RFC 5424) of the facility `log audit`, with CEF for its text. */
export function toSyslog(record: LedgerRecord): string {
  const { time, outcome } = viewOf(record);
  const priority = logAudit * 8 + syslogSeverities[outcome];
  const when = isTime(time) ? new Date(time).toISOString() : "-";
  return `<${priority}>1 ${when} ${hostname() || "-"} hookline ${process.pid} decision - ${toCef(record)}`;
}
