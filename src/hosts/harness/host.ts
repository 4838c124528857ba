import type { EventName } from "../../core/event.ts";
import { defineHost, type Ability, type Answer, type Call, type Reply } from "../../core/host.ts";
import { asText as text, defined, isObject } from "../../core/json.ts";
import { operationsOf, type ToolTable } from "../../core/operation.ts";
import { recognises } from "./recognises.ts";

const dialect = "settings";

const say = ["warn", "context"] as const;

/** The six events (S2-R3). Exit 2 prevents what is about to happen, wherever something is (S2-R10). */
const events: Readonly<Partial<Record<EventName, readonly Ability[]>>> = {
  SessionStart: say,
  UserPromptSubmit: [...say, "block"],
  PreToolUse: [...say, "allow", "ask", "block"],
  SubagentStop: [...say, "block"],
  Stop: [...say, "block"],
  // Nobody is left to read it.
  SessionEnd: [],
};

const nameOf = (native: string): EventName =>
  Object.hasOwn(events, native) ? (native as EventName) : "Other";

const value = (given: unknown): string => text(given) ?? "";

/** The tools of its examples; any other is understood by its arguments. */
const tools: ToolTable = {
  Bash: (input) => [{ do: "exec", command: value(input["command"]) }],
  Write: (input) => [{ do: "write", path: value(input["file_path"]), text: value(input["content"]) }],
  Edit: (input) => [
    {
      do: "edit",
      path: value(input["file_path"]),
      edits: [{ old: value(input["old_string"]), new: value(input["new_string"]) }],
    },
  ],
  Read: (input) => [{ do: "read", path: value(input["file_path"]) }],
};

export default defineHost({
  title: "The Harness",
  reference: "The Harness life cycle: six events, exit codes, decision JSON",
  get can() {
    return { [dialect]: { ...events } as Record<string, readonly Ability[]> };
  },

  recognises,

  decode(payload, event) {
    const tool = text(payload["tool_name"]);
    const native =
      text(payload["hook_event_name"]) ?? event ?? (tool === undefined ? "unknown" : "PreToolUse");
    const input = isObject(payload["tool_input"]) ? payload["tool_input"] : {};
    return {
      name: nameOf(native),
      native,
      dialect,
      ...defined({
        session: text(payload["session_id"]),
        cwd: text(payload["cwd"]),
        transcript: text(payload["transcript_path"]) || undefined,
        prompt: text(payload["prompt"]),
        tool: tool === undefined ? undefined : { name: tool, input: payload["tool_input"] },
      }),
      operations: tool === undefined ? [] : operationsOf(tools, tool, input),
    };
  },

  encode,
});

function encode({ outcome, reason, context }: Reply, { native }: Call): Answer {
  const said = context.join("\n\n");
  if (nameOf(native) === "Other") return { exitCode: 0 };
  if (native === "PreToolUse") {
    // Standard output is a decision or context, never both (S2-C2): what else is to be said goes with the reason.
    const message = [reason, said].filter(Boolean).join("\n\n");
    // Decision and exit code both, as the contract shows it (S2-R14), and stderr for who reads only that (S2-F7).
    if (outcome === "block") return { exitCode: 2, stdout: { decision: "block", message }, stderr: message };
    if (outcome === "ask") return { exitCode: 0, stdout: { decision: "ask", message } };
    if (outcome === "allow" && said === "") return { exitCode: 0, stdout: { continue: true } };
  } else if (outcome === "block") {
    // Elsewhere standard output is context (S2-C2), so the reason goes where exit 2 is explained (S2-C4).
    return { exitCode: 2, stderr: reason, ...(said === "" ? {} : { stdout: plain(said) }) };
  }
  return said === "" ? { exitCode: 0 } : { exitCode: 0, stdout: plain(said) };
}

// Text that starts like JSON would be read as a decision.
const plain = (said: string): string => (said.trimStart().startsWith("{") ? `- ${said}` : said);
