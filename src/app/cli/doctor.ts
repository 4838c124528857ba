import type { Ailment } from "../doctor-check.ts";
import { checks } from "../doctor/index.generated.ts";
import { defineCommand } from "./_command.ts";
import { ledgersOf, rootOf } from "./_ledgers.ts";
import { oneLine } from "./_record-line.ts";
import { paint } from "./_table.ts";

export default defineCommand({
  summary: "Says whether everything stands: ledger, policy, and what was refused.",
  usage: ["doctor [--json]"],
  details:
    'Prints what is wrong and what to do about it. --json: {"ok":bool,"findings":[{"check","text","place","instead"}]}.\n' +
    "Exits 0 when nothing is wrong, 1 when something is.",
  takesNoWords: true,
  flags: { json: { type: "boolean", summary: "Print it as JSON." } },
  async run(given) {
    const patient = { root: rootOf(process.env), env: process.env, ledgers: ledgersOf(given) };
    const results: { check: string; title: string; found: readonly Ailment[] }[] = [];
    for (const [id, check] of Object.entries(checks)) {
      // A check that fails says something about the patient, too; the others go on.
      const found = await check.run(patient).catch((error: unknown) => [failed(error)]);
      results.push({ check: id, title: check.title, found });
    }
    const findings = results.flatMap(({ check, found }) => found.map((each) => ({ check, ...each })));
    if (given.flags["json"] === true)
      console.log(JSON.stringify({ ok: findings.length === 0, findings }, null, 2));
    else
      for (const { title, found } of results)
        console.log([headline(title, found), ...found.map(asText)].join("\n"));
    return findings.length === 0 ? 0 : 1;
  },
});

const failed = (error: unknown): Ailment => ({
  text: `this could not be looked at: ${error instanceof Error ? error.message : String(error)}`,
  instead: "See that the files it names can be read.",
});

const headline = (title: string, found: readonly Ailment[]): string =>
  found.length === 0 ? `${paint("✓", "green")} ${title}` : `${paint("✗", "red")} ${title}: no`;

const asText = ({ text, place, instead }: Ailment): string =>
  `    ${place === undefined ? "" : `${oneLine(place, 1000)}  `}${oneLine(text, 1000)}\n      ${instead}`;
