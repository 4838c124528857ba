import type { EventName } from "../../core/event.ts";
import type { Ability } from "../../core/host.ts";
import { asText, type Json } from "../../core/json.ts";

/** `cli`: event key in camelCase; `pascal`: the same client, PascalCase key; `vscode`: the local harness. */
export type Dialect = "cli" | "pascal" | "vscode";

export interface EventContract {
  readonly camel: string;
  readonly pascal: string;
  readonly name: EventName;
  readonly cli: readonly Ability[];
  /** Absent: VS Code has no such event. */
  readonly vscode?: readonly Ability[];
  /** Keys of the CLI's flat answer the event knows besides those we fill ourselves. */
  readonly own?: readonly string[];
}

const tell = ["warn", "context"] as const;
const vscodeTell = [...tell, "notice"] as const;
const tool = [...tell, "allow", "ask", "block", "input"] as const;

/** The events of Copilot CLI 1.0.102 and of the VS Code local harness. */
export const events: readonly EventContract[] = [
  { camel: "sessionStart", pascal: "SessionStart", name: "SessionStart", cli: tell, vscode: vscodeTell },
  { camel: "sessionEnd", pascal: "SessionEnd", name: "SessionEnd", cli: [] },
  {
    camel: "userPromptSubmitted",
    pascal: "UserPromptSubmit",
    name: "UserPromptSubmit",
    // Observed with 1.0.102: a JSON block and a changed prompt hold, although the reference says only for SDK callbacks.
    cli: [...tell, "block"],
    own: ["modifiedPrompt"],
    vscode: [...vscodeTell, "block", "stop"],
  },
  {
    camel: "userPromptTransformed",
    pascal: "UserPromptTransformed",
    name: "Other",
    cli: [],
    own: ["modifiedTransformedPrompt"],
  },
  {
    camel: "preToolUse",
    pascal: "PreToolUse",
    name: "PreToolUse",
    cli: tool,
    vscode: [...tool, "notice", "stop"],
  },
  // No ask: the event fires even with everything allowed, so silence is not a prompt.
  {
    camel: "permissionRequest",
    pascal: "PermissionRequest",
    name: "PermissionRequest",
    cli: ["allow", "block"],
  },
  { camel: "preMcpToolCall", pascal: "PreMcpToolCall", name: "Other", cli: [], own: ["metaToUse"] },
  {
    camel: "postToolUse",
    pascal: "PostToolUse",
    name: "PostToolUse",
    cli: [...tell, "output"],
    vscode: [...vscodeTell, "block", "stop"],
  },
  { camel: "postToolUseFailure", pascal: "PostToolUseFailure", name: "PostToolUseFailure", cli: tell },
  {
    camel: "agentStop",
    pascal: "Stop",
    name: "Stop",
    cli: ["block"],
    vscode: ["warn", "block", "notice", "stop"],
  },
  { camel: "subagentStart", pascal: "SubagentStart", name: "SubagentStart", cli: tell, vscode: vscodeTell },
  {
    camel: "subagentStop",
    pascal: "SubagentStop",
    name: "SubagentStop",
    cli: ["block", "output"],
    vscode: ["warn", "block", "notice", "stop"],
  },
  // VS Code ignores what comes back, like the CLI.
  { camel: "preCompact", pascal: "PreCompact", name: "PreCompact", cli: [], vscode: [] },
  { camel: "errorOccurred", pascal: "ErrorOccurred", name: "ErrorOccurred", cli: [] },
  // Context here is a new user message that may wake an idle session: only who names the key itself gets it.
  {
    camel: "notification",
    pascal: "Notification",
    name: "Notification",
    cli: [],
    own: ["additionalContext"],
  },
];

export const eventNamed = (native: string): EventContract | undefined =>
  events.find((event) => event.camel === native || event.pascal === native);

/**
 * The event of a camelCase payload that does not name itself, by the fields only that event has.
 * A guess for when the command line does not say; installed hooks always pass `--event`.
 */
export function guessEvent(payload: Json): string | undefined {
  const named = asText(payload["hookName"]);
  if (named !== undefined) return named;
  const found = signs.find(([, ...keys]) => keys.every((key) => payload[key] !== undefined))?.[0];
  // A subagent's own events have its id for the session; of its end another one tells.
  const { agentId, agentName, sessionId } = payload;
  return found === "agentStop" && (agentId ?? agentName ?? sessionId) !== sessionId ? "subagentStop" : found;
}

/** An event and the keys that tell it from those below. */
const signs: readonly (readonly [event: string, ...keys: string[]])[] = [
  ["notification", "notification_type"],
  ["preMcpToolCall", "serverName", "toolName"],
  ["postToolUse", "toolName", "toolResult"],
  ["postToolUseFailure", "toolName", "error"],
  ["preToolUse", "toolName"],
  ["userPromptTransformed", "transformedPrompt"],
  ["userPromptSubmitted", "prompt"],
  ["errorOccurred", "errorContext"],
  ["errorOccurred", "error"],
  ["agentStop", "stopReason"],
  ["agentStop", "response"],
  ["subagentStart", "agentName"],
  ["preCompact", "trigger"],
  ["sessionStart", "source"],
  ["sessionEnd", "reason"],
];
