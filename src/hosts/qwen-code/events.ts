import type { EventName } from "../../core/event.ts";
import type { Ability } from "../../core/host.ts";

export interface EventContract {
  readonly name: EventName;
  readonly can: readonly Ability[];
  /** How a refusal is written: `permission` and `behavior` nested, `decision` on top. */
  readonly refusal?: "permission" | "behavior" | "decision";
  /** A stop alone may come too late: here it also refuses. */
  readonly gate?: true;
}

const say = ["warn", "notice"] as const;
const tell = [...say, "context"] as const;

/** The 22 events of Qwen Code 0.24.4. */
const events: Readonly<Record<string, EventContract>> = {
  SessionStart: { name: "SessionStart", can: tell },
  InstructionsLoaded: { name: "Other", can: [] },
  UserPromptSubmit: {
    name: "UserPromptSubmit",
    can: [...tell, "block", "stop"],
    refusal: "decision",
    gate: true,
  },
  UserPromptExpansion: { name: "Other", can: [...tell, "block"], refusal: "decision" },
  PreToolUse: {
    name: "PreToolUse",
    // No allow: of several hooks the last one's permission counts (seen with 0.24.4), and an approval of ours would undo
    // another's refusal. No input: `updatedInput` is documented and has no effect; no context: it never arrives (both seen).
    can: [...say, "ask", "block", "stop"],
    refusal: "permission",
    gate: true,
  },
  PermissionRequest: {
    name: "PermissionRequest",
    // To ask is to say nothing: the prompt is about to be shown.
    can: [...say, "allow", "ask", "block", "input"],
    refusal: "behavior",
  },
  PermissionDenied: { name: "Other", can: [] },
  // No block: it has no effect, and its reason never reaches the model (seen with 0.24.4).
  PostToolUse: { name: "PostToolUse", can: [...tell, "stop"] },
  PostToolUseFailure: { name: "PostToolUseFailure", can: tell },
  PostToolBatch: { name: "Other", can: [...tell, "block", "stop"], refusal: "decision" },
  MessageDisplay: { name: "Other", can: [] },
  Stop: { name: "Stop", can: [...say, "block"], refusal: "decision" },
  StopFailure: { name: "ErrorOccurred", can: [] },
  SubagentStart: { name: "SubagentStart", can: tell },
  SubagentStop: { name: "SubagentStop", can: [...say, "block"], refusal: "decision" },
  PreCompact: { name: "PreCompact", can: ["warn", "context"] },
  PostCompact: { name: "Other", can: [] },
  Notification: { name: "Notification", can: [] },
  SessionEnd: { name: "SessionEnd", can: [] },
  SessionDelete: { name: "Other", can: [] },
  TodoCreated: { name: "Other", can: ["block"], refusal: "decision" },
  TodoCompleted: { name: "Other", can: ["block"], refusal: "decision" },
};

export const abilities = (): Record<string, readonly Ability[]> =>
  Object.fromEntries(Object.entries(events).map(([native, event]) => [native, event.can]));

export const eventNamed = (native: string): EventContract | undefined =>
  Object.hasOwn(events, native) ? events[native] : undefined;
