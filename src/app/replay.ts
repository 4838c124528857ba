import { asText, isObject } from "../core/json.ts";
import { isStricter, type Outcome } from "../core/outcome.ts";
import { merge } from "../core/verdict.ts";
import { replayWorld, type Observation, type World } from "../core/world.ts";
import type { Finding } from "../core/finding.ts";
import { hostIndex } from "../hosts/lazy.generated.ts";
import { viewOf } from "../ledger/query/view.ts";
import type { LedgerRecord } from "../ledger/read.ts";
import { restore } from "../ledger/restore.ts";
import { liveWorld } from "../platform/live-world.ts";
import type { LoadedPolicy } from "../policy/load-policy.ts";
import { orchestrator } from "./orchestrator.ts";
import { stateMachine } from "./ralph/state-machine.ts";
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

/**
 * Judges an event again from its record and what lies beside it. Hooks are not run: what they said then counts. A policy
 * that was not in force may ask what nobody asked then; `today` answers that, if it is given, and the result says so.
 */
export async function replay(
  ledger: string,
  record: LedgerRecord,
  policy: LoadedPolicy,
  today?: World,
): Promise<Replayed> {
  const view = viewOf(record);
  const before = { outcome: view.would ?? view.outcome, findings: view.findings };
  const about = { id: view.id, time: asText(record.time) ?? "", subject: view.subject, before };
  const { payload, observations, missing } = restore(ledger, record);
  if (!isObject(record["event"]))
    return { ...about, change: "unknown", missing: ["there is no event in it"] };
  try {
    const setting = settingOf(record, record["event"]);
    const { world, beyond } = worldOf(observations, today);
    const { changed } = record;
    const passed = await pass(payload, {
      ...setting,
      world,
      policyOf: () => policy,
      ...(isObject(changed) ? { changed } : {}),
    });
    const findings = [...passed.judgement.findings, ...seenThen(record)];
    const verdict = merge(findings, [], policy.policy.mode, () => false);
    const after = {
      outcome: verdict.would ?? verdict.outcome,
      findings: findings.map(({ rule, outcome, message }) => ({ rule, outcome, message })),
    };
    const all = [...missing, ...beyond];
    const change = changeOf(before, after);
    // Without today's answers a difference may come of what is missing as well as of the policy.
    const sure = change === "none" || all.length === 0 || today !== undefined;
    return { ...about, after, change: sure ? change : "unknown", missing: all };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ...about, change: "unknown", missing: [...missing, why] };
  }
}

/** The world as it was, and which questions it cannot answer. */
function worldOf(
  observations: readonly Observation[],
  today: World | undefined,
): { world: World; beyond: Set<string> } {
  const then = replayWorld(observations);
  const known = new Set(observations.map(({ ask, of }) => `${ask} ${of ?? ""}`));
  const beyond = new Set<string>();
  const answer = (ask: keyof World, of?: string): unknown => {
    const isKnown = known.has(`${ask} ${of ?? ""}`);
    if (!isKnown)
      beyond.add(`what ${ask} ${of ?? ""} would have answered${today ? "; today's answer counts" : ""}`);
    // Each question takes one string or nothing, which the union of method types cannot say.
    const asked = (isKnown ? then : (today ?? then)) as unknown as Record<string, (of?: string) => unknown>;
    return asked[ask]?.(of);
  };
  const questions = Object.keys(liveWorld({})) as (keyof World)[];
  const world = Object.fromEntries(questions.map((ask) => [ask, (of?: string) => answer(ask, of)]));
  return { world: world as unknown as World, beyond };
}

function settingOf(record: LedgerRecord, event: Readonly<Record<string, unknown>>): Setting {
  const name = isObject(record["host"]) ? String(record["host"]["name"]) : "";
  const own = name === stateMachine.id ? stateMachine : orchestrator("deny");
  const caller = Object.hasOwn(hostIndex, name) ? { host: name } : { caller: own };
  return { ...caller, event: String(event["native"]), cwd: String(event["cwd"]), env: {} };
}

/** What hooks said goes by their names; how the agents' settings stood nobody can look up any more. */
function seenThen(record: LedgerRecord): Finding[] {
  const all = Array.isArray(record["findings"]) ? record["findings"].filter(isObject) : [];
  return all.filter(({ rule }) =>
    /^hooks\/|^hookline\/switched-off$/.test(asText(rule) ?? ""),
  ) as unknown as Finding[];
}

function changeOf(before: Judged, after: Judged): Replayed["change"] {
  if (isStricter(after.outcome, before.outcome)) return "stricter";
  if (isStricter(before.outcome, after.outcome)) return "milder";
  return JSON.stringify(before.findings) === JSON.stringify(after.findings) ? "none" : "findings";
}
