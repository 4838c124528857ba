import type { EventName } from "../../core/event.ts";
import type { Ability } from "../../core/host.ts";
import { isObject } from "../../core/json.ts";

/** How a refusal is written at an event. */
type Refusal =
  | "permission" // hookSpecificOutput.permissionDecision
  | "behavior" // hookSpecificOutput.decision.behavior; exit 2 is ignored here
  | "decision" // top-level decision: "block"
  | "decline" // hookSpecificOutput.action
  | "exit-2" // stderr goes to the model; no JSON form exists
  | "exit-1"; // any non-zero exit fails the step

export interface EventContract {
  readonly name: EventName;
  readonly can: readonly Ability[];
  readonly refusal?: Refusal;
  /** `continue: false` alone ends the turn but lets this step happen: here a stop must also refuse. */
  readonly gate?: true;
  /**
   * Keys of `hookSpecificOutput` this event knows besides those we fill ourselves. One value of a wrong type
   * makes the host drop the whole answer, denial included, so each comes with its check.
   */
  readonly own?: Readonly<Record<string, (value: unknown) => boolean>>;
  /** What comes back is plain text, not JSON. */
  readonly plain?: "context" | "worktreePath";
  /** The host throws the whole answer away. */
  readonly deaf?: true;
}

const text = (value: unknown): boolean => typeof value === "string";
const flag = (value: unknown): boolean => typeof value === "boolean";
const list = (value: unknown): boolean => Array.isArray(value);
const texts = (value: unknown): boolean => Array.isArray(value) && value.every(text);
const anything = (value: unknown): boolean => value !== undefined;
const action = (value: unknown): boolean => value === "accept" || value === "decline" || value === "cancel";

const say = ["warn", "notice"] as const;
const tell = [...say, "context"] as const;

/** The 33 events of Claude Code 2.1.325. */
const events: Readonly<Record<string, EventContract>> = {
  // No stop: observed, the session goes on.
  SessionStart: {
    name: "SessionStart",
    can: tell,
    own: { initialUserMessage: text, sessionTitle: text, watchPaths: texts, reloadSkills: flag },
  },
  Setup: { name: "Other", can: tell },
  UserPromptSubmit: {
    name: "UserPromptSubmit",
    can: [...tell, "block", "stop"],
    refusal: "decision",
    gate: true,
    own: { sessionTitle: text, suppressOriginalPrompt: flag },
  },
  UserPromptExpansion: {
    name: "Other",
    can: [...tell, "block", "stop"],
    refusal: "decision",
    gate: true,
    own: { suppressOriginalPrompt: flag },
  },
  PreToolUse: {
    name: "PreToolUse",
    can: [...tell, "allow", "ask", "block", "input", "stop"],
    refusal: "permission",
    gate: true,
    // The one decision that is none of our outcomes; an approval must come from a verdict.
    own: { permissionDecision: (value) => value === "defer" },
  },
  PermissionRequest: {
    name: "PermissionRequest",
    // To ask is to say nothing: without a decision the prompt is shown, or the call refused where nobody can answer.
    can: [...say, "allow", "ask", "block", "input", "stop"],
    refusal: "behavior",
    gate: true,
    own: { updatedPermissions: list, interrupt: flag },
  },
  PermissionDenied: { name: "Other", can: say, own: { retry: flag } },
  PostToolUse: {
    name: "PostToolUse",
    can: [...tell, "block", "output", "stop"],
    refusal: "decision",
    own: { updatedMCPToolOutput: anything, classifierContext: text },
  },
  PostToolUseFailure: { name: "PostToolUseFailure", can: [...tell, "stop"] },
  PostToolBatch: { name: "Other", can: [...tell, "block", "stop"], refusal: "decision", gate: true },
  Notification: { name: "Notification", can: say },
  MessageDisplay: { name: "Other", can: [], own: { displayContent: text } },
  SubagentStart: { name: "SubagentStart", can: tell },
  // Context keeps the agent going as a block does, so only who names the key itself gets it (observed for Stop).
  SubagentStop: {
    name: "SubagentStop",
    can: [...say, "block", "stop"],
    refusal: "decision",
    own: { additionalContext: text },
  },
  Stop: {
    name: "Stop",
    can: [...say, "block", "stop"],
    refusal: "decision",
    own: { additionalContext: text },
  },
  StopFailure: { name: "ErrorOccurred", can: [], deaf: true },
  TaskCreated: { name: "Other", can: [...say, "block", "stop"], refusal: "decision", gate: true },
  TaskCompleted: { name: "Other", can: [...say, "block", "stop"], refusal: "exit-2" },
  TeammateIdle: { name: "Other", can: [...say, "block", "stop"], refusal: "exit-2" },
  PreCompact: { name: "PreCompact", can: ["block", "context"], refusal: "decision", plain: "context" },
  PostCompact: { name: "Other", can: say },
  PreModelSwitch: { name: "Other", can: [...say, "allow", "ask", "block"], refusal: "permission" },
  PostModelSwitch: { name: "Other", can: tell },
  Elicitation: {
    name: "Other",
    can: [...say, "block"],
    refusal: "decline",
    own: { action, content: isObject },
  },
  ElicitationResult: {
    name: "Other",
    can: [...say, "block"],
    refusal: "decline",
    own: { action, content: isObject },
  },
  ConfigChange: { name: "Other", can: [...say, "block", "stop"], refusal: "decision", gate: true },
  InstructionsLoaded: { name: "Other", can: [], deaf: true },
  CwdChanged: { name: "Other", can: say, own: { watchPaths: texts } },
  FileChanged: { name: "Other", can: say, own: { watchPaths: texts } },
  DirectoryAdded: { name: "Other", can: say },
  WorktreeCreate: { name: "Other", can: ["block"], refusal: "exit-1", plain: "worktreePath" },
  WorktreeRemove: { name: "Other", can: [], deaf: true },
  SessionEnd: { name: "SessionEnd", can: [], deaf: true },
};

export function abilities(): Record<string, readonly Ability[]> {
  const all: Record<string, readonly Ability[]> = {};
  for (const native in events) all[native] = events[native]?.can ?? [];
  return all;
}

/** Nothing for an event this version does not know; names like `constructor` are none either. */
export const eventNamed = (native: string): EventContract | undefined =>
  Object.hasOwn(events, native) ? events[native] : undefined;
