import { describe } from "bun:test";
import { ruleTester } from "../../testing/rule-tester.ts";

const logs = ".ralph-sessions/260215-173319/logs";
const files = { [`${logs}/recovery.jsonl`]: "{}\n", [`${logs}/failures/a/failure.json`]: "{}\n" };

describe("S0-R30 a call that fails too often is not tried again", () => {
  ruleTester("ralph/retry-budget-guard", {
    catches: [
      { files, shell: `: > ${logs}/recovery.jsonl`, message: "ledger" },
      { files, shell: `rm -r ${logs}`, message: "ledger" },
      { files, shell: `mv ${logs}/recovery.jsonl /tmp/x`, message: "ledger" },
      { files, write: `${logs}/recovery.jsonl`, text: "", message: "ledger" },
    ],
    allows: [
      { files, shell: `cat ${logs}/recovery.jsonl` },
      { files, write: `${logs}/manual-edits.md`, text: "- [x] mine\n" },
      { files, shell: `rm -r ${logs}/failures` },
    ],
  });
});
