import { errorCode, nodeFs } from "./files.ts";
import { libc } from "./libc.ts";

const maxPayload = 64 * 1024 * 1024;

export class InputTooLarge extends Error {
  override readonly name = "InputTooLarge";
}

/** All of standard input. Reads synchronously, which starts faster than a stream. */
export async function readStdin(limit = maxPayload): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const buffer = new Uint8Array(256 * 1024);
  for (;;) {
    const count = readSome(buffer);
    if (count === "busy") break;
    if (count === 0) return concat(chunks, size);
    chunks.push(buffer.slice(0, count));
    size += count;
    if (size > limit) throw new InputTooLarge(`the payload is larger than ${limit} bytes`);
  }
  // A non-blocking pipe: let the event loop wait for the rest.
  for await (const chunk of Bun.stdin.stream()) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) throw new InputTooLarge(`the payload is larger than ${limit} bytes`);
  }
  return concat(chunks, size);
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

function concat(chunks: readonly Uint8Array[], size: number): Uint8Array {
  if (chunks.length === 1 && chunks[0]) return chunks[0];
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
