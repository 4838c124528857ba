import { basename } from "node:path";
import { defineRule } from "../../core/rule.ts";
import { sessionFiles } from "../../workflow/ralph-layout.ts";
import { logEffects } from "../../workflow/ralph-logs.ts";
import { validSession } from "../../workflow/ralph-session.ts";
import { logHookError } from "./_hook-errors.ts";

const active = { ".ralph-sessions/.active-session": "260215-173319" };

export default defineRule({
  summary: "Notes which instructions a session starts with, by their hash and time, in `logs/session.log`.",
  why: "The instructions decide what a session may edit and how often it retries; a change of them must not go unnoticed.",
  since: "0.1.0",
  outcome: "warn",
  presets: { "ralph/all": {} },
  on: { events: ["SessionStart"] },
  options: (v) => v.strictObject({}),
  catalogue: {
    number: 3,
    title: "Session Instruction Presence Check",
    tier: "P2",
    lifecycle: "SessionStart",
    serves: "audit",
  },
  messages: { present: { what: "the instructions `{file}` are in `logs/session.log`." } },
  examples: {
    catches: [
      {
        event: "SessionStart",
        files: { ...active, ".ralph-sessions/260215-173319.instructions.md": "# x\n" },
      },
      {
        event: "SessionStart",
        files: {
          ".ralph-sessions/260215-173319.instructions.md": "",
          ".ralph-sessions/260215-173319/metadata.yaml": "",
        },
      },
    ],
    allows: [
      { event: "SessionStart", files: active },
      { event: "SessionStart", files: { ...active, ".ralph-sessions/260216-000000.instructions.md": "" } },
    ],
  },
  onFailure: logHookError(3),
  *check({ event, world }) {
    const id = validSession(event, world);
    if (id === undefined) return;
    const { instructions } = sessionFiles(event.root, id);
    const stat = world.stat(instructions);
    if (stat?.type !== "file") return;
    const file = basename(instructions);
    const modified_at = new Date(stat.modified).toISOString();
    const entry = { kind: "instructions", file, sha256: world.digest(instructions) ?? null, modified_at };
    for (const effect of logEffects(event, world, "session.log", entry)) {
      yield { effect };
      yield { message: "present", outcome: "pass", data: { file } };
    }
  },
});
