import type { Ailment, Patient } from "../doctor-check.ts";
import { checks } from "../doctor/index.generated.ts";
import { defineCommand, type Given } from "./_command.ts";
import { ledgersOf, rootOf } from "./_ledgers.ts";
import { oneLine } from "./_record-line.ts";
import { paint } from "./_table.ts";

export default defineCommand({
  summary: "Says whether everything stands: agents, hooks, policy, ledger, and what was refused.",
  usage: ["doctor [--fix] [--json]"],
  details:
    "For each agent: does it call Hookline, by a configuration that is valid and trusted, in time, once, and by an executable that is there; and does a\n" +
    "dangerous call through that very command line come back refused? --fix brings the agents' configuration in order, and keeps what was there.\n" +
    'Prints what is wrong and what to do about it. --json: {"ok":bool,"findings":[{"check","text","place","instead"}],"notes":[…]}.\n' +
    "Exits 0 when nothing is wrong, 1 when something is.",
  takesNoWords: true,
  flags: {
    fix: {
      type: "boolean",
      summary:
        "Mend what can be mended: `init` for agents that do not call Hookline, `update` for the others.",
    },
    json: { type: "boolean", summary: "Print it as JSON." },
  },
  async run(given) {
    const json = given.flags["json"] === true;
    if (given.flags["fix"] === true) await mend(patientOf(given), json);
    const results = await examine(patientOf(given));
    const all = results.flatMap(({ check, found }) => found.map((each) => ({ check, ...each })));
    const findings = all.filter(({ isNote }) => !isNote);
    const notes = all.filter(({ isNote }) => isNote);
    if (json) console.log(JSON.stringify({ ok: findings.length === 0, findings, notes }, null, 2));
    else
      for (const { title, found } of results)
        console.log([headline(title, found), ...found.map(asText)].join("\n"));
    return findings.length === 0 ? 0 : 1;
  },
});

const patientOf = (given: Given): Patient => ({
  root: rootOf(process.env),
  env: process.env,
  ledgers: ledgersOf(given),
});

interface Result {
  readonly check: string;
  readonly title: string;
  readonly found: readonly Ailment[];
}

/** A check that fails says something about the patient, too; the others go on. */
async function examine(patient: Patient): Promise<Result[]> {
  return Promise.all(
    Object.entries(checks).map(async ([id, check]) => {
      const found = await check.run(patient).catch((error: unknown) => [failed(error)]);
      return { check: id, title: check.title, found };
    }),
  );
}

async function mend(patient: Patient, isQuiet: boolean): Promise<void> {
  const { mendAgents } = await import("../agents/mend.ts");
  for (const line of mendAgents(patient)) if (!isQuiet) console.log(line);
}

const failed = (error: unknown): Ailment => ({
  text: `this could not be looked at: ${error instanceof Error ? error.message : String(error)}`,
  instead: "See that the files it names can be read.",
});

const headline = (title: string, found: readonly Ailment[]): string =>
  found.every(({ isNote }) => isNote)
    ? `${paint("✓", "green")} ${title}`
    : `${paint("✗", "red")} ${title}: no`;

const asText = ({ text, place, instead }: Ailment): string =>
  `    ${place === undefined ? "" : `${oneLine(place, 1000)}  `}${oneLine(text, 1000)}\n      ${instead}`;
