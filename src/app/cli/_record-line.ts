import { asText, isObject } from "../../core/json.ts";
import type { Outcome } from "../../core/outcome.ts";
import type { LedgerRecord } from "../../ledger/read.ts";
import { viewOf } from "../../ledger/query/view.ts";
import { paint } from "./_table.ts";

const colours = {
  pass: "dim",
  allow: "green",
  warn: "yellow",
  ask: "yellow",
  block: "red",
} as const satisfies Record<Outcome, string>;

/** A record for people: when, what came of it, who, and what it was about. */
export function recordLine(record: LedgerRecord): string {
  const { time, outcome, would, told, host, event, tool, session, agent, subject, findings } = viewOf(record);
  const shown = would !== undefined && would !== outcome ? `would ${would}` : outcome;
  const who = [host, (session ?? "").slice(0, 8), agent?.slice(0, 12)].filter(Boolean).join(" ");
  const what = [event, tool].filter(Boolean).join(" ");
  const spoke = [
    ...new Set(findings.filter((finding) => finding.outcome !== "pass").map(({ rule }) => rule)),
  ];
  const stopped = stoppedHooks(record);
  const told_ = told === outcome ? "" : ` (told: ${told})`;
  return [
    localTime(time),
    paint(shown.padEnd(5), colours[would ?? outcome]),
    oneLine(who, 100),
    oneLine(what, 100),
    oneLine(subject, 100),
    ...(spoke.length > 0 ? [`[${oneLine(spoke.join(", "), 400)}]${told_}`] : []),
    ...(stopped.length > 0 ? [`(stopped: ${oneLine(stopped.join(", "), 400)})`] : []),
  ]
    .filter((part) => part !== "")
    .join("  ");
}

/** Hooks that were to decide what somebody before them had refused. */
function stoppedHooks(record: LedgerRecord): string[] {
  const runs = Array.isArray(record["hooks"]) ? record["hooks"].filter(isObject) : [];
  return runs
    .filter(({ status }) => status === "not-run" || status === "stopped")
    .map(({ hook }) => (isObject(hook) ? (asText(hook["id"]) ?? "?") : "?"));
}

/** In the user's own time, and so that it sorts. */
function localTime(time: number): string {
  const date = new Date(time - new Date(time).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 19).replace("T", " ");
}

/** Nothing in a record may move the cursor or colour the screen: it was written by who knows whom. */
export function oneLine(text: string, most: number): string {
  const plain = text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu, "\ufffd")
    .trim();
  return plain.length > most ? `${plain.slice(0, most - 1)}…` : plain;
}
