import { isObject, type Json } from "../../../src/core/json.ts";

/** What the model does next, with the ids of its calls. */
export interface Move {
  readonly text?: string;
  readonly calls: readonly {
    readonly id: string;
    readonly name: string;
    readonly namespace?: string;
    readonly input: Json | string;
  }[];
}

/** What a request tells the model. */
export interface Heard {
  /** What the user or somebody for them said first: it tells conversations apart. */
  readonly opening: string;
  /** Everything but the model's own words: instructions, prompts, context. */
  readonly texts: readonly string[];
  /** What came of tool calls, by their ids. */
  readonly results: readonly { readonly id: string; readonly text: string }[];
}

/** The language in which an agent speaks to its model. */
export interface Wire {
  /** Whether a request asks for the model's next move in a conversation with tools; others are titles, counts and the like. */
  isTurn(path: string, body: Json): boolean;
  hear(body: Json): Heard;
  answer(move: Move, body: Json, path: string): Response;
  /** The answer to anything else. */
  aside(path: string, body: Json): Response;
}

export const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** The text of a message, be it plain or in parts. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (isObject(content))
    return textOf(content["text"] ?? content["content"] ?? content["output"] ?? content["encrypted_content"]);
  return Array.isArray(content) ? content.map(textOf).join("\n") : "";
}

/** A stream of events; a text is sent as it is. */
export function streamOf(events: readonly { readonly event?: string; readonly data: unknown }[]): Response {
  const lines = events.map(
    ({ event, data }) =>
      `${event === undefined ? "" : `event: ${event}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`,
  );
  return new Response(lines.join(""), {
    headers: { "content-type": "text/event-stream", "cache-control": "no-cache" },
  });
}

export const nothingHere = (): Response =>
  Response.json({ error: { message: "nothing here", type: "not_found" } }, { status: 404 });
