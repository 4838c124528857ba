import type { EventName } from "../../core/event.ts";
import { defineHost, type Ability, type Answer, type Call, type Reply } from "../../core/host.ts";
import { asText as text, defined, isObject, type Json } from "../../core/json.ts";
import { operationsOf, type Operation, type ToolTable } from "../../core/operation.ts";
import { recognises } from "./recognises.ts";

const dialect = "hooks.json";

const say = ["warn", "notice"] as const;
const gate = [...say, "block"] as const;

/** The eleven events (S4-R3). Context is plain text at the two that inject it (S4-R5). */
const events: Readonly<Partial<Record<EventName, readonly Ability[]>>> = {
  SessionStart: [...say, "context"],
  UserPromptSubmit: [...gate, "context"],
  // An approval is none of the format's words: to continue skips nobody's prompt.
  PreToolUse: [...gate, "input"],
  PermissionRequest: gate,
  PostToolUse: gate,
  Notification: say,
  Stop: gate,
  SubagentStart: say,
  SubagentStop: gate,
  PreCompact: gate,
  SessionEnd: say,
};

const nameOf = (native: string): EventName =>
  Object.hasOwn(events, native) ? (native as EventName) : "Other";

const value = (given: unknown): string => text(given) ?? "";

const tools: ToolTable = {
  Bash: (input) => [{ do: "exec", command: value(input["command"]) }],
  Write: (input) => [{ do: "write", path: value(input["file_path"]), text: value(input["content"]) }],
  Edit: (input) => [
    {
      do: "edit",
      path: value(input["file_path"]),
      edits: [
        {
          old: value(input["old_string"]),
          new: value(input["new_string"]),
          ...(input["replace_all"] === true ? { all: true } : {}),
        },
      ],
    },
  ],
  Read: (input) => [{ do: "read", path: value(input["file_path"]) }],
  Agent: delegate,
  Task: delegate,
};

function delegate(input: Json): Operation[] {
  return [
    { do: "delegate", prompt: value(input["prompt"]), ...defined({ agent: text(input["subagent_type"]) }) },
  ];
}

export default defineHost({
  title: "Plugins",
  reference: "hooks.json of plugins: eleven events, exit codes, continue and systemMessage",
  get can() {
    return { [dialect]: { ...events } as Record<string, readonly Ability[]> };
  },

  recognises,

  projectDirectory: (env) => env("CLAUDE_PROJECT_DIR"),

  decode(payload, event) {
    const tool = text(payload["tool_name"]);
    const native =
      text(payload["hook_event_name"]) ?? event ?? (tool === undefined ? "unknown" : "PreToolUse");
    const input = isObject(payload["tool_input"]) ? payload["tool_input"] : {};
    const agent = defined({ id: text(payload["agent_id"]), type: text(payload["agent_type"]) });
    return {
      name: nameOf(native),
      native,
      dialect,
      ...defined({
        session: text(payload["session_id"]),
        cwd: text(payload["cwd"]),
        transcript: text(payload["transcript_path"]) || undefined,
        permissionMode: text(payload["permission_mode"]),
        prompt: text(payload["prompt"]),
        agent: Object.keys(agent).length === 0 ? undefined : agent,
        tool:
          tool === undefined
            ? undefined
            : {
                name: tool,
                input: payload["tool_input"],
                ...defined({
                  id: text(payload["tool_use_id"]),
                  output: payload["tool_response"] ?? payload["tool_output"],
                  duration: typeof payload["duration_ms"] === "number" ? payload["duration_ms"] : undefined,
                }),
              },
      }),
      operations: tool === undefined ? [] : operationsOf(tools, tool, input),
    };
  },

  encode,
});

function encode({ outcome, reason, context, notices, input }: Reply, { native }: Call): Answer {
  if (nameOf(native) === "Other") return { exitCode: 0 };
  if (outcome === "block") {
    // Some runners read the JSON of a refusal, others only stderr (S4-C2): both say the same.
    const systemMessage = [reason, ...notices, ...context].join("\n\n");
    return { exitCode: 2, stdout: { ...refusal(native), systemMessage }, stderr: systemMessage };
  }
  // Plain text alone is context; with JSON there is one key for it.
  if (context.length > 0 && notices.length === 0) return { exitCode: 0, stdout: plain(context.join("\n\n")) };
  const out = {
    ...(notices.length === 0 ? {} : { continue: true, systemMessage: notices.join("\n\n") }),
    ...(context.length === 0 ? {} : { additionalContext: context.join("\n\n") }),
    // S4-C9: on PreToolUse only.
    ...(input === undefined ? {} : { updatedInput: input }),
  };
  return Object.keys(out).length === 0 ? { exitCode: 0 } : { exitCode: 0, stdout: out };
}

/** Where an agent is about to end, `continue: false` would end it: a refusal there keeps it going. */
const refusal = (native: string): Json =>
  native === "Stop" || native === "SubagentStop" ? { decision: "block" } : { continue: false };

// Text that starts like JSON would be read as JSON.
const plain = (said: string): string => (said.trimStart().startsWith("{") ? `- ${said}` : said);
