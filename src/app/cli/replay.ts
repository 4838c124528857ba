import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { find } from "../../ledger/query/find.ts";
import { ask } from "../../ledger/query/index-ledger.ts";
import { policyFile } from "../../ledger/places.ts";
import type { LedgerRecord } from "../../ledger/read.ts";
import { isObject } from "../../core/json.ts";
import { sha256 } from "../../platform/digest.ts";
import { liveWorld } from "../../platform/live-world.ts";
import { compile } from "../../policy/compile.ts";
import defaults from "../../policy/default.generated.json";
import { loadPolicy, type LoadedPolicy } from "../../policy/load-policy.ts";
import { readLayer } from "../../policy/read-layer.ts";
import { showProblem, type Policy } from "../../policy/policy.ts";
import { registry } from "../registry.ts";
import { replay, type Replayed } from "../replay.ts";
import { defineCommand, textFlag, UsageError, type Given } from "./_command.ts";
import { filterFlags, filterOf, limitFlags, limitOf } from "./_filters.ts";
import { ledgerFlag, ledgersOf, rootOf } from "./_ledgers.ts";
import { progress } from "./log.ts";
import { oneLine } from "./_record-line.ts";
import { paint } from "./_table.ts";

export default defineCommand({
  summary: "Judges events on record again, and says what would change.",
  usage: ["replay [ID …] [filters] [--policy FILE | --recorded] [--limit N | --all] [--json]"],
  details:
    "Each is judged from its record and the texts kept beside it; no hook is run (what hooks said then counts), and nothing is\n" +
    "written. By the workspace's policy of today, or with --policy by that file alone: what only these ask is answered by the\n" +
    "machine as it is today, and said. With --recorded by the policy that was in force and nothing of today, which must come to\n" +
    "the same. Exits 1 when something would change.",
  flags: {
    policy: {
      type: "string",
      value: "FILE",
      summary: "A policy to try out, as it would stand in hookline.yaml.",
    },
    recorded: { type: "boolean", summary: "By the policy that was in force." },
    ...filterFlags,
    ...limitFlags("1000"),
    ledger: ledgerFlag,
    json: { type: "boolean", summary: "Print every judgement as JSON, one a line." },
  },
  async run(given) {
    const policyFor = await policies(given);
    const filter = { ...filterOf(given), ...(given.words.length > 0 ? { ids: given.words } : {}) };
    const today = given.flags["recorded"] === true ? undefined : liveWorld(process.env);
    const results: Replayed[] = [];
    for (const { folder } of ledgersOf(given)) {
      const limit = limitOf(given, 1000);
      for (const record of ask(folder, process.env, (index) => find(index, filter, limit), progress)) {
        const policy = policyFor(folder, record);
        results.push(policy ? await replay(folder, record, policy, today) : unknownPolicy(record));
      }
    }
    if (given.flags["json"] === true) for (const result of results) console.log(JSON.stringify(result));
    else
      console.log(
        [...results.filter(({ change }) => change !== "none").map(asText), summary(results)].join("\n"),
      );
    return results.some(({ change }) => change !== "none" && change !== "unknown") ? 1 : 0;
  },
});

type PolicyFor = (ledger: string, record: LedgerRecord) => LoadedPolicy | undefined;

async function policies(given: Given): Promise<PolicyFor> {
  const file = textFlag(given, "policy");
  if (given.flags["recorded"] === true) {
    if (file !== undefined) throw new UsageError("--policy or --recorded, not both");
    return recordedPolicy;
  }
  const policy =
    file === undefined ? await loadPolicy(rootOf(process.env), process.env, registry) : await fromFile(file);
  return () => policy;
}

async function fromFile(file: string): Promise<LoadedPolicy> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`cannot read ${file} (${(error as { code?: string }).code ?? String(error)})`);
  }
  const known = await registry();
  const { layer, problems } = readLayer("repository", resolve(file), text, known);
  if (problems.length > 0)
    throw new UsageError(`the policy has problems:\n${problems.map(showProblem).join("\n")}`);
  return loaded(compile([layer], known));
}

const loaded = (policy: Policy): LoadedPolicy => ({
  policy,
  digest: sha256(JSON.stringify(policy)),
  origin: "compiled",
  problems: [],
  files: [],
});

/** Kept beside the records under its digest; our own defaults come with the version. */
function recordedPolicy(ledger: string, record: LedgerRecord): LoadedPolicy | undefined {
  const digest = isObject(record["policy"]) ? String(record["policy"]["digest"]) : "";
  // The file was written from a policy by us.
  if (digest === defaults.digest) return loaded(defaults.policy as unknown as Policy);
  try {
    const text = readFileSync(policyFile(ledger, digest), "utf8");
    return sha256(text) === digest ? loaded(JSON.parse(text) as Policy) : undefined;
  } catch {
    return undefined;
  }
}

const unknownPolicy = (record: LedgerRecord): Replayed => ({
  id: String(record.id),
  time: record.time,
  subject: "",
  before: { outcome: "pass", findings: [] },
  change: "unknown",
  missing: ["the policy that was in force is not kept"],
});

function asText({ id, time, subject, before, after, change, missing }: Replayed): string {
  const colour = change === "stricter" ? "red" : change === "milder" ? "yellow" : "dim";
  const head = change === "unknown" ? "cannot be judged" : `${before.outcome} → ${after?.outcome ?? "?"}`;
  const rules = [...new Set([...(after?.findings ?? []), ...before.findings].map(({ rule }) => rule))];
  return [
    `${oneLine(time, 40).slice(0, 19).replace("T", " ")}  ${paint(head, colour)}  ${oneLine(subject, 100)}${rules.length > 0 ? `  [${oneLine(rules.join(", "), 400)}]` : ""}`,
    ...(missing.length > 0 ? [`    not in the record: ${oneLine(missing.join("; "), 300)}`] : []),
    `    hookline log ${id}`,
  ].join("\n");
}

function summary(results: readonly Replayed[]): string {
  const count = (...changes: Replayed["change"][]): number =>
    results.filter(({ change }) => changes.includes(change)).length;
  const inexact = results.filter(({ missing, change }) => missing.length > 0 && change !== "unknown").length;
  return [
    `${results.length} judged again`,
    `${count("stricter")} stricter`,
    `${count("milder")} milder`,
    `${count("findings")} with other findings`,
    `${count("unknown")} cannot be judged`,
    ...(inexact > 0 ? [`of ${inexact} the record does not hold everything`] : []),
  ].join(", ");
}
