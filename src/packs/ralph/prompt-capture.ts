import { defineRule } from "../../core/rule.ts";
import { logEffects } from "../../workflow/ralph-logs.ts";
import { logHookError } from "./_hook-errors.ts";

const files = { ".ralph-sessions/260215-173319/metadata.yaml": "iteration: 1\n" };

export default defineRule({
  summary: "Keeps every prompt of a session in `logs/prompts.log`, secrets masked.",
  why: "A session can be followed, and done again, only by who knows what was asked.",
  since: "0.1.0",
  outcome: "warn",
  presets: { "ralph/all": {} },
  on: { events: ["UserPromptSubmit"] },
  options: (v) => v.strictObject({}),
  catalogue: {
    number: 4,
    title: "Prompt Capture (Raw)",
    tier: "P2",
    lifecycle: "UserPrompt",
    serves: "audit",
  },
  messages: { captured: { what: "the prompt is in `logs/prompts.log`." } },
  examples: {
    catches: [
      { prompt: "continue", files },
      {
        prompt: "continue with 260215-173319,\nplease",
        files: { ...files, ".ralph-sessions/260216-000000/x": "" },
      },
    ],
    allows: [
      { prompt: "continue" },
      { prompt: "continue with 999999-999999", files: { ...files, ".ralph-sessions/260216-000000/x": "" } },
    ],
  },
  onFailure: logHookError(4),
  *check({ event, world }) {
    if (event.prompt === undefined) return;
    for (const effect of logEffects(event, world, "prompts.log", { prompt: event.prompt })) {
      yield { effect };
      yield { message: "captured", outcome: "pass" };
    }
  },
});
