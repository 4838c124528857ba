import { eventNames, type Agent, type EventName } from "../../core/event.ts";
import { defineHost, type Ability, type Answer, type Reply } from "../../core/host.ts";
import { asFlag, asText as text, defined, isObject, type Json } from "../../core/json.ts";
import { operationsOf, type Operation } from "../../core/operation.ts";
import { recognises } from "./recognises.ts";

const dialect = "json";

const say = ["allow", "warn", "context", "notice"] as const;
const decide = [...say, "ask", "block", "stop"] as const;

/** What can still be held back is decided, what a finished agent does next too; the rest can only be told something. */
const canAt = (name: EventName): readonly Ability[] => {
  if (name === "PreToolUse" || name === "PermissionRequest" || name === "PreAbilityCall")
    return [...decide, "input"];
  if (name === "PostToolUse" || name === "PostAbilityCall") return [...say, "block", "output", "stop"];
  return observed.has(name) ? say : decide;
};

const observed = new Set<EventName>([
  "SessionStart",
  "SessionStop",
  "SessionEnd",
  "PostToolUseFailure",
  "Notification",
  "ErrorOccurred",
]);

export default defineHost({
  title: "Generic",
  reference: "schema/generic-host.schema.json, docs/hosts.md",
  get can() {
    return { [dialect]: Object.fromEntries(eventNames.map((name) => [name, canAt(name)])) };
  },

  recognises,

  decode(payload, event) {
    const native = eventOf(text(payload["event"]) ?? event);
    const tool = text(payload["tool"]);
    const input = isObject(payload["input"]) ? payload["input"] : {};
    const { error } = payload;
    return {
      name: native,
      native,
      dialect,
      ...defined({
        session: text(payload["session"]),
        cwd: text(payload["cwd"]),
        transcript: text(payload["transcript"]),
        permissionMode: text(payload["mode"]),
        prompt: text(payload["prompt"]),
        said: text(payload["said"]),
        agent: agentIn(payload["agent"]),
        error: tool === undefined && typeof error === "string" ? { message: error } : undefined,
        tool:
          tool === undefined
            ? undefined
            : {
                name: tool,
                input: payload["input"],
                ...defined({
                  id: text(payload["call"]),
                  output: payload["output"],
                  error: text(error),
                  duration: number(payload["duration"]),
                  exitCode: number(payload["exitCode"]),
                  server: text(payload["server"]),
                }),
              },
      }),
      operations: [
        ...(tool === undefined ? [] : operationsOf({}, tool, input)),
        ...stated(payload["operations"]),
      ],
    };
  },

  encode,
});

/** A misspelt event must not open a gate: what nobody knows is taken for something that can still be stopped. */
const eventOf = (named: string | undefined): (typeof eventNames)[number] =>
  eventNames.find((name) => name === named) ?? "PreToolUse";

/** Exit 2 whenever it must not simply go ahead, for callers that look no further. */
function encode({ outcome, reason, context, notices, input, output, stop }: Reply): Answer {
  const stdout = {
    decision: outcome,
    ...(reason === "" ? {} : { reason }),
    ...(context.length === 0 ? {} : { context: context.join("\n\n") }),
    ...(notices.length === 0 ? {} : { notice: notices.join("\n\n") }),
    ...defined({ input, output, stop }),
  };
  if (outcome === "block" || outcome === "ask") return { exitCode: 2, stdout, stderr: reason };
  return stop === undefined ? { exitCode: 0, stdout } : { exitCode: 2, stdout, stderr: stop };
}

function agentIn(value: unknown): Agent | undefined {
  if (!isObject(value)) return undefined;
  const agent = defined({ id: text(value["id"]), type: text(value["type"]) });
  return Object.keys(agent).length === 0 ? undefined : agent;
}

/** What the caller says a call does, where its arguments do not show it. What cannot be read may do anything. */
function stated(value: unknown): Operation[] {
  if (value === undefined) return [];
  return Array.from(
    Array.isArray(value) ? value : [value],
    (each) => (isObject(each) && operation(each)) || unknown,
  );
}

/** A change nobody knows the file of. */
const unknown: Operation = { do: "patch", text: "" };

function operation(given: Json): Operation | undefined {
  const path = text(given["path"]);
  switch (given["do"]) {
    case "exec": {
      const command = text(given["command"]);
      if (!command) return undefined;
      return { do: "exec", command, ...(given["shell"] === "powershell" ? { shell: "powershell" } : {}) };
    }
    case "write":
      return path ? { do: "write", path, ...defined({ text: text(given["text"]) }) } : undefined;
    case "edit":
      return path ? { do: "edit", path, edits: editsIn(given["edits"]) } : undefined;
    case "delete":
      return path ? { do: "delete", path, recursive: given["recursive"] !== false } : undefined;
    case "read":
      return path ? { do: "read", path } : undefined;
    case "patch":
      return { do: "patch", text: text(given["text"]) ?? "" };
    case "fetch":
      return { do: "fetch", url: text(given["url"]) ?? "" };
    case "todo":
      return {
        do: "todo",
        items: (Array.isArray(given["items"]) ? given["items"] : []).filter(isObject).map((item) => ({
          ...defined({ id: text(item["id"]), text: text(item["text"]), done: asFlag(item["done"]) }),
        })),
        ...(given["whole"] === true ? { whole: true } : {}),
      };
    case "delegate":
      return {
        do: "delegate",
        prompt: text(given["prompt"]) ?? "",
        ...defined({ agent: text(given["agent"]) }),
      };
    default:
      return undefined;
  }
}

const editsIn = (value: unknown): { old: string; new: string; all?: boolean }[] =>
  (Array.isArray(value) ? value : []).filter(isObject).map((edit) => ({
    old: text(edit["old"]) ?? "",
    new: text(edit["new"]) ?? "",
    ...(edit["all"] === true ? { all: true } : {}),
  }));

const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
