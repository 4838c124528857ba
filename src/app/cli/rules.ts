import * as v from "valibot";
import { nearest } from "../../core/nearest.ts";
import { optionNames, type ContractOutput, type Judged, type Rule } from "../../core/rule.ts";
import { rules } from "../../packs/index.generated.ts";
import { expandPresets, presets } from "../../packs/presets.ts";
import { liveWorld } from "../../platform/live-world.ts";
import { carryOut } from "../effects.ts";
import { actionOf, defineCommand, textFlag, UsageError, type Command, type Given } from "./_command.ts";
import { readInput } from "./_input.ts";
import { table } from "./_table.ts";

const command: Command = defineCommand({
  summary: "List the rules, show one, or put a literal contract input to one.",
  usage: [
    "rules list [--pack PACK] [--preset PRESET] [--json]",
    "rules show ID [--json]",
    "rules eval ID [--dry-run] < input.json",
  ],
  actions: {
    list: "All rules.",
    show: "One rule: what, why, options, messages, examples.",
    eval: "A rule's literal contract: JSON in, JSON out; exit 0 on PASS and WARN, 2 on BLOCK.",
  },
  details: "A numbered rule goes by its number too: ralph/7 is ralph/path-allowlist.",
  flags: {
    pack: { type: "string", value: "PACK", summary: "Only this pack." },
    preset: { type: "string", value: "PRESET", summary: "Only rules of this preset." },
    json: { type: "boolean", summary: "Print JSON." },
    "dry-run": { type: "boolean", summary: "With eval: say what would be done, but do not do it." },
  },
  run: (given) => actions[actionOf("rules", command, given)]?.(given) ?? Promise.resolve(2),
});

export default command;

const actions: Readonly<Record<string, (given: Given) => Promise<number>>> = { list, show, eval: evaluate };

async function list(given: Given): Promise<number> {
  const pack = textFlag(given, "pack");
  const preset = textFlag(given, "preset");
  const packs = new Set(Object.keys(rules).map((id) => id.split("/")[0] ?? id));
  if (pack !== undefined && !packs.has(pack)) throw unknown("pack", pack, [...packs]);
  if (preset !== undefined && !Object.hasOwn(presets, preset))
    throw unknown("preset", preset, Object.keys(presets));
  const chosen = Object.entries(rules)
    .filter(
      ([id, rule]) =>
        (pack === undefined || id.startsWith(`${pack}/`)) &&
        (preset === undefined || expandPresets([preset]).some((name) => Object.hasOwn(rule.presets, name))),
    )
    .map(([id, rule]) => describe(id, rule))
    .toSorted((a, b) => (a.pack === b.pack ? (a.number ?? 0) - (b.number ?? 0) : 0));
  if (given.flags["json"] === true) console.log(JSON.stringify(chosen));
  else {
    const numbered = chosen.some((rule) => "number" in rule);
    const head = [
      "ID",
      ...(numbered ? ["NO", "TIER", "LIFECYCLE"] : []),
      "OUTCOME",
      "FAILS",
      ...(numbered ? ["NAME"] : []),
      "SUMMARY",
    ];
    const rows = chosen.map((rule) => [
      rule.id,
      ...(numbered ? [String(rule.number ?? ""), rule.tier ?? "", rule.lifecycle ?? ""] : []),
      rule.outcome,
      rule.failMode,
      ...(numbered ? [rule.title ?? ""] : []),
      rule.summary,
    ]);
    console.log(table([head, ...rows]));
  }
  return 0;
}

function describe(id: string, rule: Rule) {
  const { catalogue } = rule;
  return {
    id,
    pack: id.split("/")[0] ?? id,
    summary: rule.summary,
    events: rule.on.events,
    outcome: rule.outcome,
    failMode: rule.failMode,
    presets: Object.keys(rule.presets),
    ...catalogue,
  };
}

async function show(given: Given): Promise<number> {
  const [id, rule] = ruleNamed(given.words[1]);
  const facts = {
    ...describe(id, rule),
    why: rule.why,
    since: rule.since,
    messages: rule.messages,
    examples: rule.examples,
  };
  if (given.flags["json"] === true) {
    console.log(JSON.stringify(facts, null, 2));
    return 0;
  }
  const entries = optionNames(rule, v);
  const rows = [
    ["outcome", rule.outcome],
    ["when it fails", rule.failMode],
    ["events", rule.on.events.join(", ")],
    ["actions", rule.on.actions?.join(", ") ?? "any"],
    ["presets", Object.keys(rule.presets).join(", ")],
    ["options", entries.join(", ") || "none"],
    ...(rule.catalogue
      ? [
          [
            "hook",
            `#${rule.catalogue.number} ${rule.catalogue.title}, ${rule.catalogue.tier}, ${rule.catalogue.lifecycle}, for ${rule.catalogue.serves}${rule.catalogue.risk === undefined ? "" : `, against ${rule.catalogue.risk}`}`,
          ],
        ]
      : []),
    ["contract", rule.contract ? `hookline rules eval ${id} < input.json` : "none"],
  ];
  console.log(`${id}\n\n${rule.summary}\n${rule.why}\n\n${table(rows, "  ")}\n\nMessages`);
  for (const [name, message] of Object.entries(rule.messages)) {
    console.log(table([[name, [message.what, message.instead].filter(Boolean).join(" ")]], "  "));
  }
  console.log(`\nThe page docs/rules/${id}.md has the examples.`);
  return 0;
}

async function evaluate(given: Given): Promise<number> {
  const [id, rule] = ruleNamed(given.words[1]);
  const { contract } = rule;
  if (!contract) {
    const with_ = Object.entries(rules)
      .filter(([, each]) => each.contract)
      .map(([each]) => each);
    throw new UsageError(`${id} has no literal contract; these have: ${with_.join(", ")}`);
  }
  const input = v.safeParse(contract.input(v), parseInput(await readInput(given.words[2])));
  if (!input.success) {
    const wrong = input.issues.map((issue) => {
      const key = v.getDotPath(issue) ?? "input";
      if (issue.received === "undefined") return `${key} is missing`;
      return `${key}: expected ${issue.expected ?? "another value"}, got ${issue.received}`;
    });
    throw new UsageError(`the input of ${id} is not what its contract says: ${wrong.join("; ")}`);
  }
  const world = liveWorld(process.env);
  let output: ContractOutput;
  try {
    const judged: Judged = await contract.judge(input.output, world, v.parse(rule.options(v), {}));
    output = judged.output;
    const root = (input.output as { workspace_root?: string }).workspace_root;
    if (root !== undefined && given.flags["dry-run"] !== true) {
      const failed = carryOut(judged.effects ?? [], root, world).find((done) => done.error !== undefined);
      if (failed?.error !== undefined) throw new Error(failed.error);
    }
  } catch (error) {
    output = failedOutput(rule, error);
  }
  console.log(JSON.stringify(output));
  return output.verdict === "BLOCK" ? 2 : 0;
}

/** A hook that fails by its own fault answers as its fail mode says. */
function failedOutput({ failMode }: Rule, error: unknown): ContractOutput {
  const reason = `Hook failed: ${error instanceof Error ? error.message : String(error)}`;
  return { verdict: failMode === "closed" ? "BLOCK" : "WARN", reason };
}

function parseInput(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new UsageError(`the input is not JSON (${error instanceof Error ? error.message : String(error)})`);
  }
}

function ruleNamed(name: string | undefined): [string, Rule] {
  if (name === undefined) throw new UsageError("name a rule, for example ralph/7 (hookline rules list)");
  const [pack, number] = name.split("/");
  const found = Object.entries(rules).find(
    ([id, rule]) =>
      id === name ||
      (id.startsWith(`${pack}/`) && rule.catalogue !== undefined && String(rule.catalogue.number) === number),
  );
  if (found) return found;
  throw unknown("rule", name, Object.keys(rules), "(hookline rules list)");
}

function unknown(
  what: string,
  name: string,
  known: readonly string[],
  all = `(expected ${known.join(", ")})`,
): UsageError {
  const near = nearest(name, known);
  return new UsageError(
    `unknown ${what} "${name}"${near === undefined ? "" : `; did you mean "${near}"?`} ${all}`,
  );
}
