import type { EventName } from "../../core/event.ts";
import type { Ability } from "../../core/host.ts";

export interface EventContract {
  readonly name: EventName;
  readonly can: readonly Ability[];
  /** How a refusal is written; `stop` where only `continue: false` counts. */
  readonly refusal?: "permission" | "behavior" | "decision" | "stop";
  /** Something is about to happen: a stop refuses it. */
  readonly gate?: true;
}

const say = ["warn", "notice"] as const;
const tell = [...say, "context"] as const;

/** The 14 events of Codex 0.166.0. */
const events: Readonly<Record<string, EventContract>> = {
  SessionStart: { name: "SessionStart", can: [...tell, "stop"] },
  UserPromptSubmit: {
    name: "UserPromptSubmit",
    can: [...tell, "block", "stop"],
    refusal: "decision",
    gate: true,
  },
  // Seen with 0.166.0: whatever comes back changes nothing.
  PreModelRequest: { name: "Other", can: [] },
  PostModelRequest: { name: "Other", can: [] },
  PreToolUse: {
    name: "PreToolUse",
    // No ask and no allow: both are failures of the hook, and the call runs (seen with 0.166.0).
    can: [...tell, "block", "input", "stop"],
    refusal: "permission",
    gate: true,
  },
  PermissionRequest: {
    name: "PermissionRequest",
    // To ask is to say nothing: the prompt is about to be shown.
    can: [...say, "allow", "ask", "block"],
    refusal: "behavior",
  },
  PostToolUse: { name: "PostToolUse", can: [...tell, "block", "output", "stop"], refusal: "decision" },
  PreCompact: { name: "PreCompact", can: [...say, "block", "stop"], refusal: "stop" },
  PostCompact: { name: "Other", can: [...say, "stop"] },
  SubagentStart: { name: "SubagentStart", can: tell },
  SubagentStop: { name: "SubagentStop", can: [...say, "block", "stop"], refusal: "decision" },
  Stop: { name: "Stop", can: [...say, "block", "stop"], refusal: "decision" },
  Interrupt: { name: "Other", can: [] },
  SessionEnd: { name: "SessionEnd", can: [] },
};

export const abilities = (): Record<string, readonly Ability[]> =>
  Object.fromEntries(Object.entries(events).map(([native, event]) => [native, event.can]));

export const eventNamed = (native: string): EventContract | undefined =>
  Object.hasOwn(events, native) ? events[native] : undefined;
