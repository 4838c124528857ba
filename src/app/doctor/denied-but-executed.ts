import { isObject } from "../../core/json.ts";
import { find } from "../../ledger/query/find.ts";
import { ask } from "../../ledger/query/index-ledger.ts";
import type { LedgerRecord } from "../../ledger/read.ts";
import type { Ailment, DoctorCheck } from "../doctor-check.ts";

const rule = "safety/denied-but-executed";
const days = 7;
const most = 20;

export default {
  title: `Nothing happened in the last ${days} days that was refused, and no tool ran unannounced`,
  run: async ({ ledgers, env }) => {
    const since = Date.now() - days * 24 * 60 * 60 * 1000;
    const found = ledgers.flatMap(({ folder }) =>
      ask(folder, env, (index) => find(index, { rule, since }, 1000)).flatMap(ailmentsOf),
    );
    // The same tool again and again is said once.
    const texts = new Map(found.map((each) => [each.text, each]));
    return [...texts.values()].slice(-most);
  },
} satisfies DoctorCheck;

function ailmentsOf(record: LedgerRecord): Ailment[] {
  const findings = Array.isArray(record["findings"]) ? record["findings"].filter(isObject) : [];
  return findings
    .filter((finding) => finding["rule"] === rule)
    .map(({ id, data }) => {
      const { tool, path, record: refused } = isObject(data) ? data : {};
      const said: Record<string, string> = {
        executed: `a call of ${String(tool)} that was refused has run nevertheless (record ${String(refused)})`,
        happened: `${String(path)} is as a refused call of ${String(tool)} would have left it (record ${String(refused)})`,
        unannounced: `${String(tool)} ran without having been announced, so no rule has seen it beforehand`,
      };
      return {
        text: said[String(id)] ?? String(id),
        instead:
          id === "unannounced"
            ? "See that the agent's settings call `hookline run` before every tool."
            : `See what came of it, and that the agent's hooks are on; \`hookline log ${String(record.id)}\` has the record.`,
      };
    });
}
