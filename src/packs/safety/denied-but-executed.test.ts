import { ruleTester } from "../../testing/rule-tester.ts";

const ledger = ".hookline/ledger/current.jsonl";
const line = (record: object): string => `${JSON.stringify(record)}\n`;
const refused = (more: object = {}) =>
  line({
    id: "r1",
    time: "2020-01-01T00:00:00.000Z",
    call: "t1",
    event: { name: "PreToolUse", session: "s", tool: "Write" },
    verdict: { outcome: "block", told: "block" },
    ...more,
  });
const passed = refused({ id: "r2", verdict: { outcome: "pass", told: "pass" } });
const later = line({ id: "r3", call: "t9", event: { name: "PreToolUse" }, verdict: { told: "pass" } });

ruleTester("safety/denied-but-executed", {
  catches: [
    {
      title: "a refused call that ran",
      event: "PostToolUse",
      shell: "ls",
      id: "t1",
      files: { [ledger]: refused() + later },
      message: "executed",
      outcome: "warn",
      data: { record: "r1" },
    },
    {
      title: "one far back",
      event: "PostToolUse",
      shell: "ls",
      id: "t1",
      files: { [ledger]: refused() + later.repeat(3000) },
      message: "executed",
    },
    {
      title: "one that was allowed once and refused the next time",
      event: "PostToolUse",
      shell: "ls",
      id: "t1",
      files: { [ledger]: passed + refused() },
      message: "executed",
    },
    {
      title: "a call nobody announced is noted, and no more",
      event: "PostToolUse",
      shell: "ls",
      id: "t2",
      files: { [ledger]: refused() },
      message: "unannounced",
      outcome: "pass",
    },
  ],
  allows: [
    {
      title: "a call that was let through",
      event: "PostToolUse",
      shell: "ls",
      id: "t1",
      files: { [ledger]: refused() + passed },
    },
    {
      title: "a ledger that does not reach back so far",
      event: "PostToolUse",
      shell: "ls",
      id: "t2",
      files: { [ledger]: refused(), ".hookline/ledger/000001.jsonl": later },
    },
    {
      title: "a damaged ledger",
      event: "PostToolUse",
      shell: "ls",
      id: "t1",
      files: { [ledger]: "{]\n", ".hookline/ledger/000001.jsonl": "" },
    },
    {
      title: "nothing was refused in this session",
      event: "Stop",
      session: "other",
      files: { [ledger]: refused() },
    },
  ],
});
