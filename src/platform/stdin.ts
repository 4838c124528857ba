import { errorCode, nodeFs } from "./files.ts";
import { joinBytes } from "./join-bytes.ts";
import { libc } from "./libc.ts";

const maxPayload = 64 * 1024 * 1024;

export class InputTooLarge extends Error {
  override readonly name = "InputTooLarge";
}

interface Reading {
  readonly limit?: number;
  /** How long nothing may come before what has come is taken for all of it; for ever when not given. */
  readonly patienceMs?: number;
}

/** All of standard input. Reads synchronously, which starts faster than a stream. */
export function readStdin({ limit = maxPayload, patienceMs }: Reading = {}):
  | Uint8Array
  | Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const buffer = new Uint8Array(256 * 1024);
  for (;;) {
    if (patienceMs !== undefined && isOver(chunks, patienceMs)) return joinBytes(chunks);
    const count = readSome(buffer);
    if (count === "busy") return readRest(chunks, size, limit);
    if (count === 0) return joinBytes(chunks);
    chunks.push(buffer.slice(0, count));
    size += count;
    if (size > limit) throw new InputTooLarge(`the payload is larger than ${limit} bytes`);
  }
}

/** A non-blocking pipe: let the event loop wait for the rest. */
async function readRest(chunks: Uint8Array[], before: number, limit: number): Promise<Uint8Array> {
  let size = before;
  for await (const chunk of Bun.stdin.stream()) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) throw new InputTooLarge(`the payload is larger than ${limit} bytes`);
  }
  return joinBytes(chunks);
}

const closingBrace = 0x7d;
const shortMs = 500;

/** A host may forget to close the pipe. What looks like a whole document is not waited behind for long. */
function isOver(chunks: readonly Uint8Array[], patienceMs: number): boolean {
  if (!libc) return false;
  const last = chunks[chunks.length - 1];
  const maybeWhole =
    last && (last[last.length - 1] === closingBrace || last[last.length - 2] === closingBrace);
  if (!maybeWhole) return !libc.stdinIsReady(patienceMs);
  if (libc.stdinIsReady(shortMs)) return false;
  return isDocument(chunks) || !libc.stdinIsReady(patienceMs - shortMs);
}

function isDocument(chunks: readonly Uint8Array[]): boolean {
  try {
    JSON.parse(new TextDecoder().decode(joinBytes(chunks)));
    return true;
  } catch {
    return false;
  }
}

/** Standard input as it comes. */
export async function* stdinPieces(): AsyncGenerator<Uint8Array, void> {
  const buffer = new Uint8Array(256 * 1024);
  for (;;) {
    const count = readSome(buffer);
    if (count === 0) return;
    if (count === "busy") break;
    yield buffer.slice(0, count);
  }
  yield* Bun.stdin.stream();
}

function readSome(buffer: Uint8Array): number | "busy" {
  const count = libc?.readStdin(buffer);
  if (count !== undefined) return count;
  try {
    return nodeFs().readSync(0, buffer);
  } catch (error) {
    if (errorCode(error) === "EAGAIN") return "busy";
    if (errorCode(error) === "EOF") return 0;
    throw error;
  }
}

/** Can more be read from standard input at once? No where nobody can tell. */
export const isInputWaiting = (): boolean => libc?.stdinIsReady(0) ?? false;
