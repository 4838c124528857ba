import { describe } from "bun:test";
import { ruleTester } from "../../testing/rule-tester.ts";

const session = ".ralph-sessions/260215-173319";
const plan = `${session}/iterations/1/plan.md`;
const line = (phase: string, key: string, subagent: string, mode: string, more: object = {}): string =>
  `${JSON.stringify({ phase, key, host_session: "h", subagent, modes: [mode], ...more })}\n`;
const calls = (...lines: string[]) => ({
  [plan]: "# Plan\n",
  [`${session}/logs/subagent-calls.jsonl`]: lines.join(""),
});
const write = { session: "h", write: plan, text: "# New\n" };
const update = line("start", "1", "Ralph-v2-Planner", "UPDATE");

describe("S0-R23 a plan that is there is changed by the planner in UPDATE mode", () => {
  ruleTester("ralph/plan-snapshot-integrity-check", {
    catches: [
      {
        title: "a call that is done",
        files: calls(update, line("end", "1", "Ralph-v2-Planner", "UPDATE")),
        ...write,
      },
      { title: "a call of another host session", files: calls(update), ...write, session: "other" },
      {
        title: "a planner that was called for something else meanwhile",
        files: calls(update, line("start", "2", "Ralph-v2-Planner", "REBREAKDOWN")),
        agent: "Ralph-v2-Planner",
        ...write,
      },
      {
        title: "an executor while a planner works",
        files: calls(update),
        agent: "Ralph-v2-Executor",
        ...write,
      },
      {
        title: "a call of long ago",
        files: calls(line("start", "1", "Ralph-v2-Planner", "UPDATE", { timestamp: "2020-01-01T00:00:00Z" })),
        ...write,
      },
      {
        title: "moving another file over it",
        files: { [plan]: "x", "p.md": "" },
        shell: `mv p.md ${plan}`,
        data: { writer: "the main agent" },
      },
      {
        title: "a patch",
        files: { [plan]: "a\n" },
        patch: `*** Begin Patch\n*** Update File: ${plan}\n@@\n-a\n+b\n*** End Patch`,
      },
      {
        title: "a link to it",
        files: { [plan]: "a" },
        links: { "plan.md": plan },
        write: "plan.md",
        text: "",
      },
      { title: "a half log", files: calls(`${update.slice(0, 40)}\n`), ...write },
    ],
    allows: [
      { title: "small letters", files: calls(line("start", "1", "ralph-planner", "update")), ...write },
      {
        title: "a planner with another prefix",
        files: calls(update),
        agent: "plugin:Ralph-v2-Planner",
        ...write,
      },
      {
        title: "a planner in a mode the policy adds",
        files: calls(line("start", "1", "Ralph-v2-Planner", "INITIALIZE")),
        ...write,
        options: { modes: ["UPDATE", "INITIALIZE"] },
      },
      {
        title: "a plan at the root of a session",
        files: { [`${session}/plan.md`]: "" },
        write: `${session}/plan.md`,
        text: "x",
      },
      { title: "reading", files: { [plan]: "" }, read: plan },
      {
        title: "another file beside it",
        files: { [plan]: "" },
        write: `${session}/iterations/1/plan.notes.md`,
        text: "",
      },
    ],
  });
});
