import type { EventName } from "../../core/event.ts";
import type { Ability } from "../../core/host.ts";

export interface EventContract {
  readonly name: EventName;
  /** What it is in a session that another one has started. */
  readonly inside?: EventName;
  readonly can: readonly Ability[];
  /** Something is about to happen: a stop refuses it. */
  readonly gate?: true;
}

/**
 * The hooks of OpenCode 1.18.33 that our plugin file listens to, and of its bus events those it passes on. Those nobody waits
 * for can only be observed. There is no ask: `permission.ask` is typed and never called (seen with 1.18.33).
 */
const events: Readonly<Record<string, EventContract>> = {
  "session.created": { name: "SessionStart", inside: "SubagentStart", can: ["warn", "context"] },
  // The prompt of a subagent was written by an agent, and has been judged as a call of `task`.
  "chat.message": {
    name: "UserPromptSubmit",
    inside: "Other",
    can: ["warn", "context", "block", "stop"],
    gate: true,
  },
  "tool.execute.before": { name: "PreToolUse", can: ["block", "input", "stop"], gate: true },
  "tool.execute.after": { name: "PostToolUse", can: ["warn", "context", "block", "output"] },
  // Of a tool that failed; `tool.execute.after` does not come then.
  "message.part.updated": { name: "PostToolUseFailure", can: [] },
  "experimental.session.compacting": { name: "PreCompact", can: ["warn", "context"] },
  "permission.asked": { name: "Notification", can: [] },
  "session.idle": { name: "Stop", inside: "SubagentStop", can: [] },
  "session.error": { name: "ErrorOccurred", can: [] },
  "session.deleted": { name: "SessionEnd", inside: "Other", can: [] },
};

export const abilities = (): Record<string, readonly Ability[]> =>
  Object.fromEntries(Object.entries(events).map(([native, event]) => [native, event.can]));

export const eventNamed = (native: string): EventContract | undefined =>
  Object.hasOwn(events, native) ? events[native] : undefined;
