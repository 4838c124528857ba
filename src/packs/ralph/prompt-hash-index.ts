import { defineRule } from "../../core/rule.ts";
import { logEffects, nonAuthoritative } from "../../workflow/ralph-logs.ts";
import { sha256 } from "../../workflow/sha256.ts";
import { logHookError } from "./_hook-errors.ts";

const files = { ".ralph-sessions/260215-173319/metadata.yaml": "iteration: 1\n" };

export default defineRule({
  summary: "Keeps the hash of every prompt of a session in `logs/prompts.index.jsonl`.",
  why: "Whether two runs were asked the same is told by their hashes, also where the prompts themselves are not kept.",
  since: "0.1.0",
  outcome: "warn",
  presets: { "ralph/all": {} },
  on: { events: ["UserPromptSubmit"] },
  options: (v) => v.strictObject({}),
  catalogue: { number: 5, title: "Prompt Hash Index", tier: "P2", lifecycle: "UserPrompt", serves: "audit" },
  messages: { indexed: { what: "the prompt's hash is in `logs/prompts.index.jsonl`." } },
  examples: {
    catches: [
      { prompt: "continue", files },
      { prompt: "", files },
    ],
    allows: [{ prompt: "continue" }, { prompt: "continue", files: { ".ralph-sessions/notes/x": "" } }],
  },
  onFailure: logHookError(5),
  load: ({ prompt }) => (prompt === undefined ? undefined : sha256(prompt)),
  *check({ event, world, loaded }) {
    if (loaded === undefined) return;
    const entry = { prompt_hash: loaded, prompt_length: event.prompt?.length ?? 0, label: nonAuthoritative };
    for (const effect of logEffects(event, world, "prompts.index.jsonl", entry)) {
      yield { effect };
      yield { message: "indexed", outcome: "pass" };
    }
  },
});
