import { defineRule } from "../../core/rule.ts";
import { logEffects } from "../../workflow/ralph-logs.ts";
import { sha256 } from "../../workflow/sha256.ts";
import { logHookError } from "./_hook-errors.ts";

const active = { ".ralph-sessions/.active-session": "260215-173319" };

export default defineRule({
  summary: "Adds a line to the session's `logs/session.log` whenever work on it starts.",
  why: "Who wants to know later when and where a session was worked on, and on what request, finds it in one place.",
  since: "0.1.0",
  outcome: "warn",
  presets: { "ralph/p1": {} },
  on: { events: ["SessionStart"] },
  options: (v) => v.strictObject({}),
  catalogue: {
    number: 2,
    title: "Session Header Stamp",
    tier: "P1",
    lifecycle: "SessionStart",
    serves: "audit",
  },
  messages: { stamped: { what: "the start is in `logs/session.log`." } },
  examples: {
    catches: [
      { event: "SessionStart", files: active },
      { event: "SessionStart", files: active, prompt: "Add a discount field" },
    ],
    allows: [{ event: "SessionStart" }, { event: "Stop", files: active }],
  },
  onFailure: logHookError(2),
  load: ({ prompt }) => (prompt === undefined ? undefined : sha256(prompt)),
  *check({ event, world, loaded }) {
    const entry = { kind: "start", cwd: event.cwd, prompt_hash: loaded ?? null };
    for (const effect of logEffects(event, world, "session.log", entry)) {
      yield { effect };
      yield { message: "stamped", outcome: "pass" };
    }
  },
});
