import { defineRule } from "../../core/rule.ts";
import { loggedSession, logEntry, shortened } from "../../workflow/ralph-logs.ts";
import { failedCall, isToldTwice, ladder, linesSince, waitAfter } from "../../workflow/ralph-recovery.ts";
import { logHookError } from "./_hook-errors.ts";

const files = { ".ralph-sessions/260215-173319/metadata.yaml": "iteration: 1\n" };

export default defineRule({
  summary:
    "Adds every timeout to the session's `logs/timeouts.jsonl`, with how often the call timed out and how long to wait.",
  why: "Whether to wait, to try again or to split a task depends on how often it happened before.",
  since: "0.1.0",
  outcome: "warn",
  presets: { "ralph/all": {} },
  on: { events: ["ErrorOccurred", "PostToolUse", "PostToolUseFailure"] },
  options: (v) => v.strictObject({}),
  catalogue: {
    number: 21,
    title: "Timeout Ledger",
    tier: "P2",
    lifecycle: "ErrorOccurred",
    serves: "recovery",
  },
  messages: {
    logged: { what: "timeout {count} of `{call}` is in `logs/timeouts.jsonl`." },
  },
  examples: {
    catches: [
      { files, event: "ErrorOccurred", error: "TimeoutError: the subagent timed out" },
      { files, event: "PostToolUseFailure", shell: "npm test", error: "Command timed out after 2m 0s" },
    ],
    allows: [
      { files, event: "PostToolUseFailure", shell: "npm test", error: "Exit code 1" },
      { event: "ErrorOccurred", error: "TimeoutError: the subagent timed out" },
    ],
  },
  onFailure: logHookError(21),
  *check({ event, world }) {
    const session = loggedSession(event, world);
    const failed = session === undefined ? undefined : failedCall(event, session, world);
    if (session === undefined || failed?.isTimeout !== true) return;
    const before = linesSince(event.root, session, "timeouts.jsonl", failed, world);
    if (isToldTwice(event, session, failed, before.at(-1), world)) return;
    const count = before.length + 1;
    const entry = {
      key: failed.key,
      attempt: failed.attempt ?? null,
      subagent: failed.subagent ?? null,
      task_id: failed.task ?? null,
      call_count: count,
      backoff_step: Math.min(count, ladder.length),
      backoff_seconds: waitAfter(count),
      error: shortened(failed.error),
    };
    yield { effect: logEntry(event, world, session, "timeouts.jsonl", entry) };
    yield { message: "logged", outcome: "pass", data: { count, call: failed.key } };
  },
});
