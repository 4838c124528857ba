import type { Trouble } from "../../core/event.ts";
import { defineHost } from "../../core/host.ts";
import { asText as text, defined, isObject, type Json } from "../../core/json.ts";
import { onDrive, operationsOf } from "../../core/operation.ts";
import { encode } from "./encode.ts";
import { abilities, eventNamed } from "./events.ts";
import { recognises } from "./recognises.ts";
import { tools } from "./tools.ts";

const dialect = "plugin";

export default defineHost({
  title: "OpenCode",
  reference: "OpenCode 1.18.33 through our plugin file: types, source of 2026-08-19, and observed behaviour",
  get can() {
    return { [dialect]: abilities() };
  },

  namesAgents: [dialect],

  recognises,

  // The plugin file hands on what OpenCode told it when the session began.
  version: (env) => env("HOOKLINE_OPENCODE_VERSION"),

  decode(payload, event) {
    const native = text(payload["hook"]) ?? event ?? "unknown";
    const contract = eventNamed(native);
    const tool = text(payload["tool"]);
    const input = isObject(payload["args"]) ? payload["args"] : {};
    const session = text(payload["sessionID"]);
    const parent = text(payload["parentID"]);
    const metadata = isObject(payload["metadata"]) ? payload["metadata"] : {};
    return {
      name: (parent === undefined ? undefined : contract?.inside) ?? contract?.name ?? "Other",
      native,
      dialect,
      ...defined({
        session: parent ?? session,
        cwd: text(payload["directory"]),
        prompt: promptIn(payload["parts"]),
        said: text(payload["text"]),
        agent: parent === undefined ? undefined : defined({ id: session, type: text(payload["agent"]) }),
        error: tool === undefined ? troubleIn(payload["error"]) : undefined,
        tool:
          tool === undefined
            ? undefined
            : {
                name: tool,
                input,
                ...defined({
                  id: text(payload["callID"]),
                  output: payload["output"],
                  error: text(payload["error"]),
                  exitCode: typeof metadata["exit"] === "number" ? metadata["exit"] : undefined,
                }),
              },
      }),
      operations:
        tool === undefined ? [] : operationsOf(tools, tool, input).map(onDrive(payload["directory"])),
    };
  },

  encode,
});

/** What the person wrote; parts that the client itself adds are marked. */
function promptIn(parts: unknown): string | undefined {
  if (!Array.isArray(parts)) return undefined;
  const texts = parts.flatMap((part) =>
    isObject(part) && part["type"] === "text" && part["synthetic"] !== true ? (text(part["text"]) ?? []) : [],
  );
  return texts.join("\n");
}

function troubleIn(error: unknown): Trouble | undefined {
  if (!isObject(error)) return undefined;
  const data: Json = isObject(error["data"]) ? error["data"] : {};
  const kind = text(error["name"]);
  const message = text(data["message"]) ?? text(error["message"]) ?? kind;
  return message === undefined ? undefined : { message, ...defined({ kind }) };
}
