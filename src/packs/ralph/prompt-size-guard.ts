import { join } from "node:path";
import { defineRule } from "../../core/rule.ts";
import { sessionsFolder } from "../../workflow/ralph-layout.ts";
import { logHookError } from "./_hook-errors.ts";

const files = { ".ralph-sessions/260215-173319/metadata.yaml": "iteration: 1\n" };

export default defineRule({
  summary: "Rejects a prompt that is larger than a limit, 50 KB if you set none.",
  why: "A prompt of that size is a file pasted by mistake, and drives the session's own instructions out of the agent's memory.",
  since: "0.1.0",
  outcome: "block",
  presets: { "ralph/all": {} },
  on: { events: ["UserPromptSubmit"] },
  options: (v) =>
    v.strictObject({
      max_kb: v.pipe(
        v.optional(v.pipe(v.number(), v.minValue(0)), 50),
        v.description("The largest prompt, in units of 1024 bytes of UTF-8."),
      ),
    }),
  catalogue: { number: 6, title: "Prompt Size Guard", tier: "P2", lifecycle: "UserPrompt", serves: "scope" },
  messages: {
    large: {
      what: "the prompt has {size} KB, and {limit} KB are allowed.",
      instead: "Put the long part into a file and name the file in the prompt.",
    },
  },
  examples: {
    catches: [
      { prompt: "x".repeat(2000), files, options: { max_kb: 1 } },
      { prompt: "größer", files, options: { max_kb: 0 } },
    ],
    allows: [
      { prompt: "x".repeat(1024), files, options: { max_kb: 1 } },
      { prompt: "x".repeat(2000), options: { max_kb: 1 } },
    ],
  },
  onFailure: logHookError(6),
  *check({ event, world, options }) {
    const size = event.prompt === undefined ? 0 : new TextEncoder().encode(event.prompt).length;
    if (size <= options.max_kb * 1024 || !world.isDirectory(join(event.root, sessionsFolder))) return;
    // Rounded up, so that a little too much does not read as just enough.
    yield { message: "large", data: { size: Math.ceil((size / 1024) * 10) / 10, limit: options.max_kb } };
  },
});
