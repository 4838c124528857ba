import type { EventName } from "../../core/event.ts";
import type { Ability } from "../../core/host.ts";

/** How an event is answered. */
type Form =
  | "permission" // permission, user_message, agent_message
  | "quiet-permission" // permission, user_message: nothing for the model
  | "bare-permission" // permission alone
  | "continue" // continue, user_message
  | "followup" // followup_message keeps the agent going
  | "context" // additional_context
  | "message"; // user_message

export interface EventContract {
  readonly name: EventName;
  readonly can: readonly Ability[];
  readonly form?: Form;
  /** Keys of the answer the event knows besides those we fill ourselves. */
  readonly own?: readonly string[];
  /** `postToolUse` tells of the same call. */
  readonly again?: true;
}

const gate = ["allow", "block"] as const;

/** The events of the hooks reference of 2026-08-22. */
const events: Readonly<Record<string, EventContract>> = {
  // `continue: false` is accepted and not enforced.
  sessionStart: { name: "SessionStart", can: ["warn", "context"], form: "context", own: ["env"] },
  sessionEnd: { name: "SessionEnd", can: [] },
  beforeSubmitPrompt: { name: "UserPromptSubmit", can: ["block", "stop"], form: "continue" },
  // `ask` is accepted here and not enforced, so it is not offered: what should be asked is refused.
  preToolUse: { name: "PreToolUse", can: [...gate, "input"], form: "permission" },
  postToolUse: {
    name: "PostToolUse",
    can: ["warn", "context"],
    form: "context",
    own: ["updated_mcp_tool_output"],
  },
  postToolUseFailure: { name: "PostToolUseFailure", can: [] },
  // Reported for 3.21.16: in the mode "Auto-review" an `ask` is not enforced either.
  beforeShellExecution: { name: "PreToolUse", can: [...gate, "ask"], form: "permission" },
  afterShellExecution: { name: "PostToolUse", can: [], again: true },
  beforeMCPExecution: { name: "PreToolUse", can: [...gate, "ask"], form: "permission" },
  afterMCPExecution: { name: "PostToolUse", can: [], again: true },
  beforeReadFile: { name: "PreToolUse", can: gate, form: "quiet-permission" },
  afterFileEdit: { name: "PostToolUse", can: [], again: true },
  // Inline completion is no tool of the agent's: only these events tell of it.
  beforeTabFileRead: { name: "PreToolUse", can: gate, form: "bare-permission" },
  afterTabFileEdit: { name: "PostToolUse", can: [] },
  // `ask` counts as a refusal.
  subagentStart: { name: "SubagentStart", can: gate, form: "quiet-permission" },
  // Read only when the subagent has completed; `loop_limit` of the hook ends it, 5 times where nothing is said.
  subagentStop: { name: "SubagentStop", can: ["block"], form: "followup" },
  preCompact: { name: "PreCompact", can: ["warn", "notice"], form: "message" },
  afterAgentResponse: { name: "Other", can: [] },
  afterAgentThought: { name: "Other", can: [] },
  stop: { name: "Stop", can: ["block"], form: "followup" },
  workspaceOpen: { name: "Other", can: [], own: ["pluginPaths"] },
};

export const abilities = (): Record<string, readonly Ability[]> =>
  Object.fromEntries(Object.entries(events).map(([native, { can }]) => [native, can]));

/** Nothing for an event this version does not know; names like `constructor` are none either. */
export const eventNamed = (native: string): EventContract | undefined =>
  Object.hasOwn(events, native) ? events[native] : undefined;
