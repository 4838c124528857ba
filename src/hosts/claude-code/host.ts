import type { EventName } from "../../core/event.ts";
import { defineHost, type Answer, type Reply } from "../../core/host.ts";
import { asText as text, defined, isObject } from "../../core/json.ts";
import { operationsOf } from "../../core/operation.ts";
import { events, type EventContract } from "./events.ts";
import { tools } from "./tools.ts";

const dialect = "settings";

export default defineHost({
  title: "Claude Code",
  reference: "Claude Code 2.1.325: package, hooks reference, and observed behaviour",
  can: { [dialect]: Object.fromEntries(Object.entries(events).map(([native, event]) => [native, event.can])) },

  recognises(payload) {
    if (typeof payload["hook_event_name"] !== "string") return 0;
    // Copilot sends the same names with a time stamp; Claude Code never does.
    if ("timestamp" in payload) return 0;
    return typeof payload["transcript_path"] === "string" && "session_id" in payload ? 2 : 1;
  },

  projectDirectory: (env) => env("CLAUDE_PROJECT_DIR"),

  decode(payload, event) {
    const native = text(payload["hook_event_name"]) ?? event ?? "unknown";
    const name: EventName = events[native]?.name ?? "Other";
    const tool = text(payload["tool_name"]);
    const input = isObject(payload["tool_input"]) ? payload["tool_input"] : {};
    const server = isObject(payload["mcp_server"]) ? text(payload["mcp_server"]["name"]) : undefined;
    const id = text(payload["agent_id"]);
    const type = text(payload["agent_type"]);
    return {
      name,
      native,
      dialect,
      ...defined({
        session: text(payload["session_id"]),
        cwd: text(payload["cwd"]),
        transcript: text(payload["transcript_path"]) || undefined,
        permissionMode: text(payload["permission_mode"]),
        prompt: text(payload["prompt"]),
        // `agent_type` without an id is the main thread of `--agent`.
        agent: id === undefined && type === undefined ? undefined : defined({ id, type }),
        tool:
          tool === undefined
            ? undefined
            : {
                name: tool,
                input: payload["tool_input"],
                ...defined({
                  id: text(payload["tool_use_id"]),
                  output: payload["tool_response"],
                  error: text(payload["error"]),
                  server,
                }),
              },
      }),
      operations: tool === undefined ? [] : operationsOf(tools, tool, input),
    };
  },

  encode(reply, call) {
    const event = events[call.native];
    if (!event || event.deaf) return { exitCode: 0 };
    return encodeFor(event, reply, call.native);
  },
});

function encodeFor(event: EventContract, reply: Reply, native: string): Answer {
  const refused = reply.outcome === "block";
  if (refused && event.refusal === "exit-2") return { exitCode: 2, stderr: reply.reason };
  if (refused && event.refusal === "exit-1") return { exitCode: 1, stderr: reply.reason };
  if (!refused && event.plain === "worktreePath") return plain(text(reply.native["worktreePath"]));
  if (!refused && event.plain === "context") return plain(reply.context.join("\n\n"));

  const top: Record<string, unknown> = {};
  const nested: Record<string, unknown> = {};
  decide(event, reply, top, nested);
  for (const key of event.own ?? []) {
    if (key in reply.native && !(key in nested) && event.refusal !== "behavior") nested[key] = reply.native[key];
  }
  if (reply.context.length > 0 && event.can.includes("context")) nested["additionalContext"] = reply.context.join("\n\n");
  if (reply.output !== undefined) nested["updatedToolOutput"] = reply.output;
  if (reply.notices.length > 0) top["systemMessage"] = reply.notices.join("\n\n");
  if (reply.native["terminalSequence"] !== undefined) top["terminalSequence"] = reply.native["terminalSequence"];
  if (reply.stop !== undefined) Object.assign(top, { continue: false, stopReason: reply.stop });
  // An answer without the event's own name, or with another's, is invalid as a whole.
  if (Object.keys(nested).length > 0) top["hookSpecificOutput"] = { hookEventName: native, ...nested };
  return Object.keys(top).length === 0 ? { exitCode: 0 } : { exitCode: 0, stdout: top };
}

function decide(event: EventContract, reply: Reply, top: Record<string, unknown>, nested: Record<string, unknown>): void {
  const { outcome, reason } = reply;
  if (event.refusal === "permission") {
    const decision = { allow: "allow", ask: "ask", block: "deny" }[outcome as string];
    if (decision !== undefined) {
      const said = { permissionDecision: decision, permissionDecisionReason: reason };
      Object.assign(nested, said);
      // Copilot CLI runs `.claude/settings.json` too and reads the flat form; Claude Code ignores it.
      if (event.name === "PreToolUse") Object.assign(top, said);
    }
    if (reply.input) nested["updatedInput"] = reply.input;
  } else if (event.refusal === "behavior") {
    const extra = defined({
      updatedInput: reply.input,
      updatedPermissions: reply.native["updatedPermissions"],
    });
    if (outcome === "block") {
      nested["decision"] = { behavior: "deny", message: reason, ...defined({ interrupt: reply.native["interrupt"] }) };
    } else if (outcome === "allow") nested["decision"] = { behavior: "allow", ...extra };
  } else if (outcome === "block" && event.refusal === "decision") Object.assign(top, { decision: "block", reason });
  else if (outcome === "block" && event.refusal === "decline") {
    nested["action"] = "decline";
    top["systemMessage"] = reason;
  }
}

const plain = (out: string | undefined): Answer => (out ? { exitCode: 0, stdout: out } : { exitCode: 0 });
