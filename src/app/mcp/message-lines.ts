import { PassThrough, type Readable } from "node:stream";
import { parseJSONRPCMessage } from "@modelcontextprotocol/server";
import { isObject } from "../../core/json.ts";

/** Longer lines are not read as messages. */
const longest = 8 * 1024 * 1024;
/** So much of the beginning and of the end of a longer one is kept, to find out who waits for an answer. */
const edge = 512;

/**
 * The lines of a stream that are messages. Of the others, those with an id are answered with an error, so that nobody waits for
 * them for ever; what cannot be an answer's partner at all is dropped with a word on stderr.
 */
export function messageLines(from: Readable, answer: (line: string) => void): PassThrough {
  const through = new PassThrough();
  let parts: Buffer[] = [];
  let size = 0;
  const complete = (): void => {
    const line = Buffer.concat(parts).toString("utf8").trim();
    if (size > longest) refuseLong(line, answer);
    else if (line !== "" && isMessage(line, answer)) through.write(`${line}\n`);
    parts = [];
    size = 0;
  };
  const add = (piece: Buffer): void => {
    size += piece.length;
    parts.push(piece);
    if (size <= longest) return;
    const known = Buffer.concat(parts);
    parts = [Buffer.from(known.subarray(0, edge)), Buffer.from(known.subarray(-edge))];
  };
  from.on("data", (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      add(chunk.subarray(start, end));
      complete();
      start = end + 1;
    }
    add(chunk.subarray(start));
  });
  from.once("end", () => through.end());
  from.once("error", () => through.end());
  return through;
}

function isMessage(line: string, answer: (line: string) => void): boolean {
  let value: unknown;
  try {
    value = JSON.parse(line);
    parseJSONRPCMessage(value);
    return true;
  } catch {
    const id = isObject(value) ? value["id"] : undefined;
    const isCall = typeof id === "number" || typeof id === "string";
    if (isCall) answer(refusal(id, "not a JSON-RPC 2.0 message"));
    else console.error("hookline mcp: a line that is no message was dropped");
    return false;
  }
}

function refuseLong(edges: string, answer: (line: string) => void): void {
  const what = `longer than ${longest} bytes`;
  const id = callIn(edges);
  if (id === undefined) console.error(`hookline mcp: a line ${what} was not read`);
  else answer(refusal(id, `the message is ${what} and was not read`));
}

/** The id of a call by the members before and after the long one; those of other messages belong to somebody else. */
function callIn(edges: string): string | number | undefined {
  const value = String.raw`("[^"\\]*"|\d+)`;
  const first =
    new RegExp(String.raw`^\{(?:\s*"(?:jsonrpc|id|method)"\s*:\s*${value}\s*,)+`).exec(edges)?.[0] ?? "";
  if (!/"method"\s*:/.test(first)) return undefined;
  const id =
    new RegExp(String.raw`[{,]\s*"id"\s*:\s*${value}`).exec(first) ??
    new RegExp(String.raw`,\s*"id"\s*:\s*${value}\s*\}$`).exec(edges);
  return id?.[1] === undefined ? undefined : (JSON.parse(id[1]) as string | number); // a text or a number by the expression
}

const refusal = (id: string | number, message: string): string =>
  JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_600, message } });
