import { isObject, type Json } from "../../src/core/json.ts";
import type { ToolCall } from "./agent.ts";
import type { Heard, Move, Wire } from "./wires/wire.ts";

/** One answer of the model. */
export interface Turn {
  readonly say?: string;
  readonly call?: ToolCall;
  /** The model cannot be reached; the status says why. */
  readonly fails?: number;
  /** What somebody else does just before. */
  readonly meanwhile?: () => void | Promise<void>;
  /** The conversation of the subagent this call starts. */
  readonly helper?: { readonly task: string; readonly turns: readonly Turn[] };
}

/** What the model was told in the course of a run. */
export interface Listener {
  /** How often it was asked for a turn. */
  asked: number;
  /** The results of its calls, in the order of the calls; nothing where none came back. */
  readonly results: () => readonly (string | undefined)[];
  /** Whether a text has reached it in any way. */
  readonly hears: (text: string) => boolean;
  /** What went wrong in the model itself. */
  readonly troubles: string[];
  /** What of the script was never asked for. */
  readonly left: () => number;
}

export interface Model extends Listener {
  readonly url: string;
  /** Every request in full, for whoever has to find out why something did not hold. */
  readonly requests: { readonly path: string; readonly body: unknown }[];
  close(): Promise<void>;
}

interface Conversation {
  readonly task: string;
  readonly turns: readonly Turn[];
  at: number;
  last: string;
}

/** A model that plays a script, on loopback. An equal request gets an equal answer, since agents repeat themselves. */
export function startModel(wire: Wire, script: (url: string) => readonly Turn[]): Model {
  const conversations: Conversation[] = [];
  const helpers = (turns: readonly Turn[]): { task: string; turns: readonly Turn[] }[] =>
    turns.flatMap(({ helper }) => (helper ? [helper, ...helpers(helper.turns)] : []));
  const ids: string[] = [];
  const results = new Map<string, string>();
  const texts = new Set<string>();
  const requests: { path: string; body: unknown }[] = [];

  const moveIn = async (conversation: Conversation, heard: Heard): Promise<Move> => {
    const said = JSON.stringify(heard);
    const isNew = said !== conversation.last;
    if (isNew) conversation.at++;
    conversation.last = said;
    const turn = conversation.turns[conversation.at];
    if (isNew) await turn?.meanwhile?.();
    const id = `call_${conversations.indexOf(conversation)}_${conversation.at}`;
    if (turn?.call && isNew) ids.push(id);
    return turn?.call
      ? { calls: [{ ...turn.call, id }] }
      : { text: turn?.say ?? "There is nothing left to do.", calls: [] };
  };

  const model: Model = {
    url: "",
    requests,
    asked: 0,
    troubles: [],
    results: () => ids.map((id) => results.get(id)),
    hears: (text) => [...texts, ...results.values()].some((each) => each.includes(text)),
    left: () => conversations.reduce((sum, { at, turns }) => sum + Math.max(0, turns.length - at - 1), 0),
    close: () => server.stop(true),
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    error(error) {
      model.troubles.push(`the model: ${error.message}`);
      return new Response(null, { status: 500 });
    },
    async fetch(request) {
      const path = new URL(request.url).pathname;
      const body = await bodyOf(request);
      requests.push({ path, body });
      if (!wire.isTurn(path, body)) return wire.aside(path, body);
      const heard = wire.hear(body);
      for (const text of heard.texts) texts.add(text);
      for (const { id, text } of heard.results) results.set(id, text);
      model.asked++;
      const conversation = conversations.find(({ task }) => heard.opening.includes(task));
      if (!conversation) throw new Error("The main conversation fits every request.");
      const move = await moveIn(conversation, heard);
      const { fails } = conversation.turns[conversation.at] ?? {};
      return fails === undefined ? wire.answer(move, body, path) : failure(fails);
    },
  });
  const url = `http://127.0.0.1:${server.port}`;
  const main = script(url);
  for (const each of [...helpers(main), { task: "", turns: main }])
    conversations.push({ ...each, at: -1, last: "" });
  return Object.assign(model, { url });
}

/** In all the languages there are. */
const failure = (status: number): Response =>
  Response.json(
    { type: "error", error: { type: "api_error", code: status, message: "Out of order." } },
    { status },
  );

async function bodyOf(request: Request): Promise<Json> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  const encoding = request.headers.get("content-encoding");
  const plain =
    encoding === "zstd" ? Bun.zstdDecompressSync(bytes) : encoding === "gzip" ? Bun.gunzipSync(bytes) : bytes;
  try {
    const body: unknown = JSON.parse(new TextDecoder().decode(plain));
    return isObject(body) ? body : {};
  } catch {
    return {};
  }
}
