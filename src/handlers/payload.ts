import type { Event } from "../core/event.ts";
import type { Profile } from "../core/hook.ts";
import { defined, isObject, type Json } from "../core/json.ts";
import { isPlainName, toolFor } from "./tool-names.ts";

type Input = Readonly<Record<string, unknown>>;

/** What a hook gets on standard input, in the words of its format whoever is calling. */
export function payloadFor(profile: Profile, event: Event, input?: Input, now = new Date()): Json {
  if (profile === "ability") return abilityContext(event, now);
  return profile === "copilot" ? copilotPayload(event, input, now) : nestedPayload(event, input);
}

/** The payload of plugins and the Harness. */
function nestedPayload(event: Event, input: Input | undefined): Json {
  const tool = toolFor(event);
  const own = snakeKeys(event.payload);
  return {
    ...own,
    session_id: event.session ?? "",
    transcript_path: event.transcript ?? "",
    cwd: event.cwd,
    hook_event_name: event.name === "Other" ? event.native : event.name,
    ...defined({
      permission_mode: event.permissionMode,
      prompt: event.prompt,
      agent_id: event.agent?.id,
      agent_type: event.agent?.type,
      tool_name: tool?.name,
      tool_input: tool && (input ?? tool.input),
      tool_use_id: event.tool?.id,
      tool_response: event.tool?.output,
      host: isPlainName(event.host) ? undefined : event.host,
    }),
  };
}

function copilotPayload(event: Event, input: Input | undefined, now: Date): Json {
  const nested = nestedPayload(event, input);
  const { hook_event_name: _name, tool_input, tool_name, ...rest } = nested;
  return {
    ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [toCamel(key), value])),
    timestamp: now.getTime(),
    cwd: event.cwd,
    ...(tool_name === undefined ? {} : { toolName: tool_name, toolArgs: JSON.stringify(tool_input) }),
  };
}

/** The registry's context: what is known under the names of its document, and whatever came with the event. */
function abilityContext(event: Event, now: Date): Json {
  const own = snakeKeys(event.payload);
  const { hook_event_name: _name, prompt, status, tool_call_path, ...rest } = own;
  const message = rest["user_message"] ?? event.prompt ?? prompt;
  return {
    ...rest,
    event_type: typeOf(event),
    session_id: event.session ?? "",
    timestamp: typeof rest["timestamp"] === "string" ? rest["timestamp"] : now.toISOString(),
    repository_root: event.root,
    ...defined({ user_message: message }),
    ...statusOf(status),
    ...pathsOf(tool_call_path),
  };
}

/** This format has one name for the stop of a session, whoever tells of it. */
const typeOf = ({ name, native }: Event): string =>
  name === "Other" ? native : name === "Stop" ? "SessionStop" : name;

/** The successor of this format says `partial` for a call that did not get all the way. */
const statusOf = (status: unknown): Json => {
  if (status === undefined) return {};
  return status === "partial" ? { status: "failure", status_detail: "partial" } : { status };
};

const pathsOf = (path: unknown): Json => {
  if (path === undefined) return {};
  return Array.isArray(path)
    ? { tool_call_path: path[0] as unknown, tool_call_paths: path }
    : { tool_call_path: path };
};

const snakeKeys = (payload: Json): Json =>
  Object.fromEntries(
    Object.entries(payload).map(([key, value]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );

const toCamel = (key: string): string =>
  key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The file a tool call is about, for hooks that read it from the environment. */
export function filePathIn(input: unknown): string | undefined {
  if (!isObject(input)) return undefined;
  for (const key of ["file_path", "path", "notebook_path", "filePath"])
    if (typeof input[key] === "string") return input[key];
  return undefined;
}
