import { asText, isObject } from "../core/json.ts";
import { isStricter, type Outcome } from "../core/outcome.ts";
import { merge } from "../core/verdict.ts";
import { replayWorld } from "../core/world.ts";
import type { Finding } from "../core/finding.ts";
import { hosts } from "../hosts/index.generated.ts";
import { viewOf } from "../ledger/query/view.ts";
import type { LedgerRecord } from "../ledger/read.ts";
import { restore } from "../ledger/restore.ts";
import type { LoadedPolicy } from "../policy/load-policy.ts";
import { orchestrator } from "./orchestrator.ts";
import { pass, type Setting } from "./pass.ts";

/** What came of an event, in the few words two judgements are compared by. */
interface Judged {
  readonly outcome: Outcome;
  readonly findings: readonly {
    readonly rule: string;
    readonly outcome: Outcome;
    readonly message: string;
  }[];
}

/** A record judged again. */
export interface Replayed {
  readonly id: string;
  readonly time: string;
  readonly subject: string;
  readonly before: Judged;
  /** Nothing when it could not be judged at all. */
  readonly after?: Judged;
  readonly change: "none" | "stricter" | "milder" | "findings" | "unknown";
  /** What the record does not hold; the judgement may differ for that. */
  readonly missing: readonly string[];
}

/** Judges an event again from its record and what lies beside it alone. Hooks are not run: what they said then counts. */
export async function replay(ledger: string, record: LedgerRecord, policy: LoadedPolicy): Promise<Replayed> {
  const view = viewOf(record);
  const before = { outcome: view.would ?? view.outcome, findings: view.findings };
  const about = { id: view.id, time: record.time, subject: view.subject, before };
  const { payload, observations, missing } = restore(ledger, record);
  if (!isObject(record["event"]))
    return { ...about, change: "unknown", missing: ["there was no event: the payload could not be read"] };
  try {
    const setting = settingOf(record, record["event"]);
    const passed = await pass(payload, {
      ...setting,
      world: replayWorld(observations),
      policyOf: () => policy,
    });
    const findings = [...passed.judgement.findings, ...saidByHooks(record)];
    const verdict = merge(findings, [], policy.policy.mode, () => false);
    const after = {
      outcome: verdict.would ?? verdict.outcome,
      findings: findings.map(({ rule, outcome, message }) => ({ rule, outcome, message })),
    };
    const unasked = passed.world.observations.flatMap(({ ask, of, error }) =>
      error?.startsWith("the record holds no answer") ? [`what ${ask} ${of ?? ""} would have answered`] : [],
    );
    return { ...about, after, change: changeOf(before, after), missing: [...missing, ...unasked] };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ...about, change: "unknown", missing: [...missing, why] };
  }
}

function settingOf(record: LedgerRecord, event: Readonly<Record<string, unknown>>): Setting {
  const name = isObject(record["host"]) ? String(record["host"]["name"]) : "";
  const caller = Object.hasOwn(hosts, name) ? { host: name } : { caller: orchestrator("deny") };
  return { ...caller, event: String(event["native"]), cwd: String(event["cwd"]), env: {} };
}

/** Their findings go by the names of the hooks. */
function saidByHooks(record: LedgerRecord): Finding[] {
  const all = Array.isArray(record["findings"]) ? record["findings"].filter(isObject) : [];
  return all.filter(({ rule }) => asText(rule)?.startsWith("hooks/")) as unknown as Finding[];
}

function changeOf(before: Judged, after: Judged): Replayed["change"] {
  if (isStricter(after.outcome, before.outcome)) return "stricter";
  if (isStricter(before.outcome, after.outcome)) return "milder";
  return JSON.stringify(before.findings) === JSON.stringify(after.findings) ? "none" : "findings";
}
