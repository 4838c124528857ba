import { join } from "node:path";
import { defineRule } from "../../core/rule.ts";
import { isSessionId, sessionsFolder } from "../../workflow/ralph-layout.ts";
import { rejectedId } from "../../workflow/ralph-logs.ts";
import { activeSession } from "../../workflow/ralph-session.ts";
import { logHookError } from "./_hook-errors.ts";

const marker = (text: string) => ({ ".ralph-sessions/.active-session": text });

export default defineRule({
  summary: "Keeps every session id that was rejected, with the reason, in `.ralph-sessions/logs/`.",
  why: "An id that is no id is a mistake in somebody's script, or an attempt to lead the session's files elsewhere.",
  since: "0.1.0",
  outcome: "warn",
  presets: { "ralph/all": {} },
  on: { events: ["SessionStart"] },
  options: (v) => v.strictObject({}),
  catalogue: {
    number: 33,
    title: "Session ID Sanitization Audit",
    tier: "P2",
    lifecycle: "SessionStart",
    serves: "audit",
  },
  messages: {
    rejected: {
      what: "the session id '{id}' is rejected: {reason}; it is in `.ralph-sessions/logs/rejected-session-ids.jsonl`.",
    },
  },
  examples: {
    catches: [
      { event: "SessionStart", files: marker("my-session") },
      { event: "SessionStart", files: marker("../260215-173319") },
    ],
    allows: [{ event: "SessionStart" }, { event: "SessionStart", files: marker("260215-173319\n") }],
  },
  onFailure: logHookError(33),
  *check({ event, world }) {
    const folder = join(event.root, sessionsFolder);
    const id = world.isDirectory(folder) ? activeSession(folder, world) : undefined;
    if (id === undefined || isSessionId(id)) return;
    const from = { source: ".active-session", command: event.prompt, session: event.session, cwd: event.cwd };
    const { effect, reason } = rejectedId(event.root, id, from, world);
    yield { effect };
    yield { message: "rejected", outcome: "pass", data: { id: id.slice(0, 60), reason } };
  },
});
