import { defineRule } from "../../core/rule.ts";

const announced = (told: string): string =>
  `${JSON.stringify({
    id: "r1",
    call: "t1",
    event: { name: "PreToolUse", session: "s", tool: "shell" },
    verdict: { outcome: told, told },
  })}\n`;
const ledger = ".hookline/ledger/current.jsonl";

export default defineRule({
  summary: "Says when something happened that was refused, or a tool ran that nobody had announced.",
  why: "A refusal that does not hold is worth more than all that do: the agent's hooks are off, broken or worked around.",
  since: "0.1.0",
  outcome: "warn",
  presets: { recommended: {} },
  on: { events: ["PostToolUse", "UserPromptSubmit", "Stop", "SessionEnd"] },
  options: (v) => v.strictObject({}),
  messages: {
    executed: {
      what: "this call of `{tool}` was refused (record {record}), and has run nevertheless.",
      instead:
        "Tell the user; `hookline verify` and the agent's hook settings say whether the guard still stands.",
    },
    happened: {
      what: "`{path}` is as a refused call of `{tool}` would have left it (record {record}).",
      instead: "Tell the user, unless it was the user who did it.",
    },
    unannounced: {
      what: "`{tool}` ran without having been announced, so no rule has seen it beforehand.",
      instead: "See that the agent's settings call the guard before every tool.",
    },
  },
  examples: {
    catches: [
      { event: "PostToolUse", shell: "rm -rf /srv", id: "t1", files: { [ledger]: announced("block") } },
      { event: "PostToolUse", shell: "ls", id: "t2", files: { [ledger]: announced("pass") } },
    ],
    allows: [
      { event: "PostToolUse", shell: "ls", id: "t1", files: { [ledger]: announced("pass") } },
      { event: "PostToolUse", shell: "ls", id: "t1" },
    ],
  },
  *check({ event, world }) {
    const tool = event.tool?.name ?? "a tool";
    if (event.name !== "PostToolUse") {
      if (event.session === undefined) return;
      for (const seen of world.happened(event.session)) yield { message: "happened", data: { ...seen } };
      return;
    }
    const earlier = event.call === undefined ? undefined : world.earlier(event.call);
    if (earlier?.told === "block")
      yield { message: "executed", data: { tool, record: earlier.record ?? "" } };
    if (earlier?.told === "none") yield { message: "unannounced", outcome: "pass", data: { tool } };
  },
});
