import { asText, isObject, type Json } from "../../core/json.ts";
import { isOutcome, type Outcome } from "../../core/outcome.ts";
import type { LedgerRecord } from "../read.ts";

/** What is asked of records, taken from one that may have been written by any version. */
export interface View {
  readonly id: string;
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly host: string;
  readonly event: string;
  readonly session?: string;
  /** The subagent it happened in. */
  readonly agent?: string;
  readonly agentType?: string;
  readonly tool?: string;
  readonly outcome: Outcome;
  /** In observe mode: what it would have been. */
  readonly would?: Outcome;
  readonly told: Outcome;
  readonly findings: readonly {
    readonly rule: string;
    readonly outcome: Outcome;
    readonly message: string;
  }[];
  /** Every path it is about, as given and with links resolved. */
  readonly paths: readonly string[];
  readonly command?: string;
  /** It only adds something to a decision that is on record already. */
  readonly repeats: boolean;
  /** What it was about, in a few words. */
  readonly subject: string;
  /** The whole answer, in milliseconds. */
  readonly ms: number;
  /** Of each rule that was asked, and of each hook that ran. */
  readonly ruleMs: Readonly<Record<string, number>>;
}

export function viewOf(record: LedgerRecord): View {
  const event = objectAt(record, "event");
  const verdict = objectAt(record, "verdict");
  const agent = objectAt(event, "agent");
  const actions = listAt(record, "actions").filter(isObject);
  const command = textOf(actions.find(({ kind }) => kind === "exec")?.["command"]);
  const paths = pathsOf(actions);
  const would = verdict["would"];
  return {
    id: asText(record.id) ?? "",
    seq: record.seq,
    time: Date.parse(record.time),
    host: asText(objectAt(record, "host")["name"]) ?? "unknown",
    event: eventName(event),
    ...given("session", event["session"]),
    ...given("agent", agent["id"] ?? agent["type"]),
    ...given("agentType", agent["type"]),
    ...given("tool", event["tool"]),
    outcome: outcomeOf(verdict["outcome"]),
    ...(isOutcome(would) ? { would } : {}),
    told: outcomeOf(verdict["told"]),
    findings: listAt(record, "findings")
      .filter(isObject)
      .map(({ rule, outcome, message }) => ({
        rule: String(rule),
        outcome: outcomeOf(outcome),
        message: asText(message) ?? "",
      })),
    paths,
    ...(command === undefined ? {} : { command }),
    repeats: objectAt(record, "failure")["kind"] === "answer",
    subject: command ?? paths[0] ?? subjectOf(event, record),
    ms: sum(objectAt(record, "ms")),
    ruleMs: { ...numbers(objectAt(record, "ruleMs")), ...hookTimes(record) },
  };
}

/** The different words of a record that somebody may look for: its payload, its findings, its failure. */
export function wordsOf(record: LedgerRecord): Set<string> {
  const found = new Set<string>();
  const event = objectAt(record, "event");
  const known = new Set([event["session"], event["cwd"], event["root"], record["call"]]);
  collect([objectAt(event, "payload"), record["findings"], record["failure"]], known, found, 0);
  return found;
}

const mostWords = 256;
const longestText = 4096;

function collect(value: unknown, known: ReadonlySet<unknown>, into: Set<string>, depth: number): void {
  if (into.size >= mostWords || depth > 8) return;
  if (typeof value === "string") {
    if (known.has(value)) return;
    for (const word of toWords(value.slice(0, longestText))) {
      if (into.size >= mostWords) return;
      into.add(word);
    }
  } else if (Array.isArray(value)) for (const each of value) collect(each, known, into, depth + 1);
  else if (isObject(value))
    for (const key in value) if (!isBookkeeping.has(key)) collect(value[key], known, into, depth + 1);
}

/** The same in every record, or of no interest to anybody who looks for a word. */
const isBookkeeping = new Set([
  "transcript_path",
  "transcriptPath",
  "tool_use_id",
  "permission_mode",
  "sha256",
]);

/** Letters, digits and underscores that stand together, in lower case. */
export const toWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

const none: Json = {};
const objectAt = (of: Json, key: string): Json => (isObject(of[key]) ? of[key] : none);
const listAt = (of: Json, key: string): readonly unknown[] => (Array.isArray(of[key]) ? of[key] : []);
const given = <K extends string>(key: K, value: unknown): { [k in K]?: string } =>
  (typeof value === "string" && value !== "" ? { [key]: value } : {}) as { [k in K]?: string };
const outcomeOf = (value: unknown): Outcome => (isOutcome(value) ? value : "pass");

/** A host's event that is none of ours goes by its own name. */
const eventName = ({ name, native }: Json): string =>
  (name === "Other" ? asText(native) : asText(name)) ?? "none";

/** Long texts are written down by their beginning. */
const textOf = (value: unknown): string | undefined =>
  asText(value) ?? (isObject(value) ? asText(value["cut"]) : undefined);

const mostPaths = 100;

function pathsOf(actions: readonly Json[]): string[] {
  const paths = new Set<string>();
  for (const action of actions) {
    const target = objectAt(action, "target");
    for (const path of [target["real"], target["path"]])
      if (typeof path === "string" && paths.size < mostPaths) paths.add(path);
  }
  return [...paths];
}

function subjectOf(event: Json, record: Json): string {
  const payload = objectAt(event, "payload");
  const failure = objectAt(record, "failure");
  const about = ["prompt", "message", "ability_id"].flatMap((key) => textOf(payload[key]) ?? []);
  return about[0] ?? asText(failure["detail"]) ?? "";
}

function hookTimes(record: Json): Record<string, number> {
  const times: Record<string, number> = {};
  for (const run of listAt(record, "hooks").filter(isObject)) {
    const { ms } = objectAt(run, "raw");
    if (typeof ms === "number") times[`hooks/${asText(objectAt(run, "hook")["id"]) ?? ""}`] = ms;
  }
  return times;
}

const numbers = (of: Json): Record<string, number> =>
  Object.fromEntries(
    Object.entries(of).filter((pair): pair is [string, number] => typeof pair[1] === "number"),
  );

const sum = (of: Json): number => Object.values(numbers(of)).reduce((a, b) => a + b, 0);
