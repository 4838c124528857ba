import type { EventName } from "../../core/event.ts";
import type { Ability } from "../../core/host.ts";
import { isObject } from "../../core/json.ts";

export interface EventContract {
  readonly name: EventName;
  readonly can: readonly Ability[];
  /** A stop alone may come too late: here it also refuses. */
  readonly gate?: true;
  /** Keys of `hookSpecificOutput` the event knows besides those we fill ourselves. */
  readonly own?: Readonly<Record<string, (value: unknown) => boolean>>;
}

const say = ["warn", "notice"] as const;
const tell = [...say, "context"] as const;
const flag = (value: unknown): boolean => typeof value === "boolean";
const call = (value: unknown): boolean =>
  isObject(value) && typeof value["name"] === "string" && isObject(value["args"]);

/** The 11 events of Gemini CLI 0.61.0. */
const events: Readonly<Record<string, EventContract>> = {
  SessionStart: { name: "SessionStart", can: tell },
  // Nobody waits for the answer.
  SessionEnd: { name: "SessionEnd", can: [] },
  BeforeAgent: { name: "UserPromptSubmit", can: [...tell, "block", "stop"], gate: true },
  AfterAgent: { name: "Stop", can: [...say, "block", "stop"], own: { clearContext: flag } },
  BeforeModel: {
    name: "Other",
    can: ["block", "stop"],
    gate: true,
    own: { llm_request: isObject, llm_response: isObject },
  },
  AfterModel: { name: "Other", can: ["block", "stop"], gate: true, own: { llm_response: isObject } },
  BeforeToolSelection: { name: "Other", can: [], own: { toolConfig: isObject } },
  BeforeTool: {
    name: "PreToolUse",
    // No ask: `decision: "ask"` hangs a headless run until it is killed (seen with 0.61.0), and no payload says whether somebody
    // is there. No allow: it skips neither the policy engine nor the confirmation.
    can: [...say, "block", "input", "stop"],
    gate: true,
  },
  AfterTool: {
    name: "PostToolUse",
    can: [...tell, "block", "output", "stop"],
    own: { tailToolCallRequest: call },
  },
  // Comes before every model request, whether anything is compressed or not (seen with 0.61.0).
  PreCompress: { name: "PreCompact", can: [] },
  Notification: { name: "Notification", can: [] },
};

export const abilities = (): Record<string, readonly Ability[]> =>
  Object.fromEntries(Object.entries(events).map(([native, event]) => [native, event.can]));

export const eventNamed = (native: string): EventContract | undefined =>
  Object.hasOwn(events, native) ? events[native] : undefined;
