// https://opentelemetry.io/docs/specs/otlp/ (1.7, JSON encoding: lowerCamelCase, 64-bit numbers as text), with the
// attributes of the semantic conventions as of v1.41: gen_ai.*, code.*, vcs.*, log.record.uid.
import { isObject } from "../../core/json.ts";
import type { Outcome } from "../../core/outcome.ts";
import { version } from "../../platform/version.ts";
import { viewOf } from "../query/view.ts";
import type { LedgerRecord } from "../read.ts";
import { bounds, type Totals } from "./_totals.ts";
import { isTime } from "./cef.ts";

export type Resource = Readonly<Record<string, string>>;

/** INFO, WARN and ERROR as the protocol numbers them. */
const severities: Readonly<Record<Outcome, readonly [number, string]>> = {
  pass: [9, "INFO"],
  allow: [9, "INFO"],
  warn: [13, "WARN"],
  ask: [14, "WARN2"],
  block: [17, "ERROR"],
};

/** A number is whole; what need not be says so, lest one attribute has two types. */
type Value = string | number | { readonly doubleValue: number } | readonly string[] | undefined;

export const toLogs = (records: readonly LedgerRecord[], resource: Resource, original: boolean): object => ({
  resourceLogs: [
    {
      resource: { attributes: attributes(resource) },
      scopeLogs: [{ scope, logRecords: records.map((record) => toLog(record, original)) }],
    },
  ],
});

const scope = { name: "hookline", version };

function toLog(record: LedgerRecord, original: boolean): object {
  const view = viewOf(record);
  const [severityNumber, severityText] = severities[view.outcome];
  const first = view.findings.find(({ outcome }) => outcome === view.outcome) ?? view.findings[0];
  const said = first?.message ?? `${view.event} ${view.tool ?? ""}: ${view.outcome}`;
  return {
    timeUnixNano: nanos(view.time),
    observedTimeUnixNano: nanos(isTime(view.time) ? view.time : Date.now()),
    severityNumber,
    severityText,
    eventName: "hookline.decision",
    body: toValue(said),
    attributes: attributes({
      // Receivers may drop a second record with the same id.
      "log.record.uid": view.id,
      ...(original ? { "log.record.original": JSON.stringify(record) } : {}),
      "gen_ai.operation.name": operationOf(view.event, view.tool),
      "gen_ai.conversation.id": view.session,
      "gen_ai.agent.id": view.agent,
      "gen_ai.agent.name": view.agentType,
      "gen_ai.tool.name": view.tool,
      "gen_ai.tool.call.id": view.tool === undefined ? undefined : text(record["call"]),
      "code.file.path": view.paths[0],
      "vcs.ref.head.name": branchOf(record),
      "error.type": failureOf(record),
      "hookline.host": view.host,
      "hookline.host.version": isObject(record["host"]) ? text(record["host"]["version"]) : undefined,
      "hookline.event": view.event,
      "hookline.outcome": view.outcome,
      "hookline.would": view.would,
      "hookline.told": view.told,
      "hookline.rules": [...new Set(view.findings.map(({ rule }) => rule))],
      "hookline.subject": view.subject === "" ? undefined : view.subject.slice(0, 1000),
      "hookline.policy.digest": isObject(record["policy"]) ? text(record["policy"]["digest"]) : undefined,
      "hookline.engine": text(record["engine"]),
      "hookline.duration_ms": { doubleValue: view.ms },
      "hookline.seq": Number.isSafeInteger(view.seq) ? view.seq : undefined,
      "hookline.link": text(record.link),
    }),
  };
}

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

function operationOf(event: string, tool: string | undefined): string | undefined {
  if (event === "SubagentStart" || event === "SubagentStop") return "invoke_agent";
  return tool === undefined ? undefined : "execute_tool";
}

function branchOf(record: LedgerRecord): string | undefined {
  const world = Array.isArray(record["world"]) ? record["world"].filter(isObject) : [];
  const git = world.find(({ ask }) => ask === "git")?.["answer"];
  return isObject(git) ? text(git["branch"]) : undefined;
}

const failureOf = (record: LedgerRecord): string | undefined =>
  isObject(record["failure"]) ? text(record["failure"]["kind"]) : undefined;

export function toMetrics(totals: Totals, now: number, resource: Resource): object {
  const times = { startTimeUnixNano: nanos(totals.start), timeUnixNano: nanos(now) };
  const sum = (
    name: string,
    unit: string,
    counts: Readonly<Record<string, number>>,
    keys: readonly string[],
  ) => ({
    name,
    unit,
    sum: {
      aggregationTemporality: cumulative,
      isMonotonic: true,
      dataPoints: Object.entries(counts).map(([key, count]) => ({
        ...times,
        asInt: String(count),
        attributes: attributes(
          Object.fromEntries(key.split(" ").map((value, at) => [keys[at] ?? "", value])),
        ),
      })),
    },
  });
  const metrics = [
    sum("hookline.decisions", "{decision}", totals.decisions, [
      "hookline.host",
      "hookline.event",
      "hookline.outcome",
    ]),
    sum("hookline.findings", "{finding}", totals.findings, ["hookline.rule", "hookline.outcome"]),
    {
      name: "hookline.decision.duration",
      unit: "s",
      histogram: {
        aggregationTemporality: cumulative,
        dataPoints: Object.entries(totals.durations).map(([host, { counts, sum: total }]) => ({
          ...times,
          count: String(counts.reduce((a, b) => a + b, 0)),
          sum: total,
          bucketCounts: counts.map(String),
          explicitBounds: bounds,
          attributes: attributes({ "hookline.host": host }),
        })),
      },
    },
  ];
  return {
    resourceMetrics: [{ resource: { attributes: attributes(resource) }, scopeMetrics: [{ scope, metrics }] }],
  };
}

const cumulative = 2;

/** Milliseconds as the protocol wants them: too many digits for a number. Of a time that is none, 0 says so. */
const nanos = (ms: number): string => (isTime(ms) ? `${Math.round(ms)}000000` : "0");

const attributes = (values: Readonly<Record<string, Value>>): object[] =>
  Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: toValue(value) }],
  );

/** Half a character is no text to the protocol, and a record is not refused for it. */
const toText = (value: string): object => ({ stringValue: value.replaceAll(/\p{Cs}/gu, "\ufffd") });

function toValue(value: Exclude<Value, undefined>): object {
  if (typeof value === "string") return toText(value);
  if (typeof value === "number") return { intValue: String(value) };
  if ("doubleValue" in value) return value;
  return { arrayValue: { values: value.map(toText) } };
}
