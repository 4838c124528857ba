import { isObject, type Json } from "../core/json.ts";
import { bodyOf } from "./_body.ts";
import type { Frame } from "./_frame.ts";

/** A question to a model over http. */
export interface Ask {
  readonly url: string;
  readonly model: string;
  readonly key?: string;
  readonly frame: Frame;
  readonly signal: AbortSignal;
  /** When an answer is of no use any more, by `performance.now()`. */
  readonly until: number;
}

/** Why there is no answer. Never holds the key, nor what a server said: that may repeat it. */
export class AskFailed extends Error {
  override readonly name = "AskFailed";
  constructor(
    message: string,
    /** There was no time left. */
    readonly late = false,
  ) {
    super(message);
  }
}

const maxTokens = 300;

/** Anthropic's Messages. */
export const askAnthropic = (ask: Ask): Promise<string> =>
  post(
    ask,
    { "anthropic-version": "2023-06-01", ...(ask.key === undefined ? {} : { "x-api-key": ask.key }) },
    {
      model: ask.model,
      max_tokens: maxTokens,
      temperature: 0,
      system: ask.frame.system,
      messages: [{ role: "user", content: ask.frame.user }],
    },
    {
      whole: ({ content }) =>
        (Array.isArray(content) ? content : []).map((block) => textAt(block, "text")).join(""),
      piece: ({ type, delta }) => (type === "content_block_delta" ? textAt(delta, "text") : ""),
    },
  );

/** Chat completions, as OpenAI and many others have them. */
export const askOpenai = (ask: Ask): Promise<string> =>
  post(
    ask,
    ask.key === undefined ? {} : { authorization: `Bearer ${ask.key}` },
    {
      model: ask.model,
      max_tokens: maxTokens,
      temperature: 0,
      messages: [
        { role: "system", content: ask.frame.system },
        { role: "user", content: ask.frame.user },
      ],
    },
    {
      whole: ({ choices }) => textAt(firstOf(choices, "message"), "content"),
      piece: ({ choices }) => textAt(firstOf(choices, "delta"), "content"),
    },
  );

const textAt = (value: unknown, key: string): string =>
  isObject(value) && typeof value[key] === "string" ? value[key] : "";

const firstOf = (choices: unknown, key: string): unknown =>
  Array.isArray(choices) && isObject(choices[0]) ? choices[0][key] : undefined;

/** How a text is found in an answer, whole or piece by piece. */
interface Reading {
  whole(body: Json): string;
  piece(event: Json): string;
}

/** A server that is busy says when to come again; as long as there is time, we do. */
const busy = [429, 503, 529];
const mostTries = 4;

async function post(
  ask: Ask,
  headers: Record<string, string>,
  body: Json,
  reading: Reading,
): Promise<string> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(ask.url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
      redirect: "manual",
      signal: ask.signal,
    });
    if (response.ok) return textOf(response, reading);
    await response.body?.cancel();
    if (!busy.includes(response.status) || tries >= mostTries)
      throw new AskFailed(`the evaluator answered with ${response.status}`);
    const wait = waitOf(response.headers.get("retry-after"), tries);
    if (performance.now() + wait >= ask.until)
      throw new AskFailed(`the evaluator is busy (${response.status}) for longer than there is time`, true);
    await sleep(wait, ask.signal);
  }
}

/** Seconds or a date, or without either a little longer each time. */
function waitOf(said: string | null, tries: number): number {
  const seconds = Number(said);
  if (said !== null && said.trim() !== "" && Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = said === null ? Number.NaN : Date.parse(said);
  return Number.isNaN(date) ? 250 * 2 ** tries : Math.max(0, date - Date.now());
}

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((done, fail) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      fail(new AskFailed("no answer in time", true));
    });
  });

async function textOf(response: Response, reading: Reading): Promise<string> {
  const streams = /^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
  const { text: body, cut } = await bodyOf(response);
  if (cut) throw new AskFailed("the evaluator's answer is too long");
  if (streams) {
    const events = eventsIn(body);
    // What came before it may be half of what was to be said.
    if (events.some(({ error }) => isObject(error)))
      throw new AskFailed("the evaluator broke off its answer with an error");
    return events.map((event) => reading.piece(event)).join("");
  }
  const value = parsed(body);
  if (!isObject(value)) throw new AskFailed("the evaluator's answer is not JSON");
  return reading.whole(value);
}

/** The JSON of every `data:` of a stream of events. */
const eventsIn = (body: string): Json[] =>
  body
    .split(/\r?\n/)
    .filter((line) => line.startsWith("data:"))
    .map((line) => parsed(line.slice(5)))
    .filter(isObject);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
