import type { EventName } from "../../core/event.ts";
import type { Ability } from "../../core/host.ts";

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
  /** Keys of `hookSpecificOutput` this event knows besides those we fill ourselves. */
  readonly own?: readonly string[];
  /** What comes back is plain text, not JSON. */
  readonly plain?: "context" | "worktreePath";
  /** The host throws the whole answer away. */
  readonly deaf?: true;
}

const say = ["warn", "notice", "stop"] as const;
const tell = [...say, "context"] as const;

/** The 33 events of Claude Code 2.1.325 (`hosts/claude-code.md` of the contract sheets, §2 and §4). */
export const events: Readonly<Record<string, EventContract>> = {
  SessionStart: {
    name: "SessionStart",
    can: tell,
    own: ["initialUserMessage", "sessionTitle", "watchPaths", "reloadSkills"],
  },
  Setup: { name: "Other", can: tell },
  UserPromptSubmit: {
    name: "UserPromptSubmit",
    can: [...tell, "block"],
    refusal: "decision",
    own: ["sessionTitle", "suppressOriginalPrompt"],
  },
  UserPromptExpansion: {
    name: "Other",
    can: [...tell, "block"],
    refusal: "decision",
    own: ["suppressOriginalPrompt"],
  },
  PreToolUse: { name: "PreToolUse", can: [...tell, "allow", "ask", "block", "input"], refusal: "permission" },
  PermissionRequest: {
    name: "PermissionRequest",
    can: [...say, "allow", "block", "input"],
    refusal: "behavior",
    own: ["updatedPermissions", "interrupt"],
  },
  PermissionDenied: { name: "Other", can: ["notice", "warn"], own: ["retry"] },
  PostToolUse: {
    name: "PostToolUse",
    can: [...tell, "block", "output"],
    refusal: "decision",
    own: ["updatedMCPToolOutput", "classifierContext"],
  },
  PostToolUseFailure: { name: "PostToolUseFailure", can: tell },
  PostToolBatch: { name: "Other", can: [...tell, "block"], refusal: "decision" },
  Notification: { name: "Notification", can: ["notice"] },
  MessageDisplay: { name: "Other", can: [], own: ["displayContent"] },
  SubagentStart: { name: "SubagentStart", can: tell },
  SubagentStop: { name: "SubagentStop", can: [...tell, "block"], refusal: "decision" },
  Stop: { name: "Stop", can: [...tell, "block"], refusal: "decision" },
  StopFailure: { name: "ErrorOccurred", can: [], deaf: true },
  TaskCreated: { name: "Other", can: [...say, "block"], refusal: "decision" },
  TaskCompleted: { name: "Other", can: [...say, "block"], refusal: "exit-2" },
  TeammateIdle: { name: "Other", can: [...say, "block"], refusal: "exit-2" },
  PreCompact: { name: "PreCompact", can: ["block", "context"], refusal: "decision", plain: "context" },
  PostCompact: { name: "Other", can: ["notice", "warn"] },
  PreModelSwitch: { name: "Other", can: ["allow", "ask", "block", "notice", "warn"], refusal: "permission" },
  PostModelSwitch: { name: "Other", can: tell },
  Elicitation: { name: "Other", can: ["block", "notice", "warn"], refusal: "decline", own: ["action", "content"] },
  ElicitationResult: {
    name: "Other",
    can: ["block", "notice", "warn"],
    refusal: "decline",
    own: ["action", "content"],
  },
  ConfigChange: { name: "Other", can: [...say, "block"], refusal: "decision" },
  InstructionsLoaded: { name: "Other", can: [], deaf: true },
  CwdChanged: { name: "Other", can: ["notice", "warn"], own: ["watchPaths"] },
  FileChanged: { name: "Other", can: ["notice", "warn"], own: ["watchPaths"] },
  DirectoryAdded: { name: "Other", can: ["notice", "warn"] },
  WorktreeCreate: { name: "Other", can: ["block"], refusal: "exit-1", plain: "worktreePath" },
  WorktreeRemove: { name: "Other", can: [], deaf: true },
  SessionEnd: { name: "SessionEnd", can: [], deaf: true },
};
