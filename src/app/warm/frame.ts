/** What goes over the socket. `client/hookline-warm.c` is the other end. */

export interface Request {
  /** The caller's version, then its arguments. */
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly payload: Uint8Array;
  /** When it was asked, by the clock. */
  readonly time: number;
  /** Who may not read and write what is made. */
  readonly umask: number;
}

export interface Response {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Of a refusal, for when standard output cannot be written. */
  readonly reason?: string;
}

const magic = new TextEncoder().encode("HKLN");
const headSize = 32;
/** What the cold executable would read, and room for the rest. */
const largest = 80 * 1024 * 1024;

class BadFrame extends Error {
  override readonly name = "BadFrame";
}

/** How long a request is, as soon as its head is there. */
export function requestSize(bytes: Uint8Array): number | undefined {
  if (bytes.length < headSize) return undefined;
  if (magic.some((byte, at) => bytes[at] !== byte)) throw new BadFrame("it does not begin like a request");
  const size = headSize + lengths(bytes).reduce((sum, each) => sum + each, 0);
  if (size > largest) throw new BadFrame("it is too long");
  return size;
}

export function readRequest(bytes: Uint8Array): Request {
  const [words = 0, env = 0, cwd = 0, payload = 0] = lengths(bytes);
  let at = headSize;
  const next = (size: number): Uint8Array => bytes.subarray(at, (at += size));
  return {
    words: listIn(next(words)),
    env: variables(listIn(next(env))),
    cwd: decoder.decode(next(cwd)),
    payload: next(payload),
    time: Number(viewOf(bytes).getBigUint64(20, true)),
    umask: viewOf(bytes).getUint32(28, true) & 0o777,
  };
}

/** Nothing: the caller shall start the cold executable. */
export function writeResponse(response: Response | undefined): Uint8Array {
  const head = (what: string, code: number, refuses: boolean): number[] => [
    ...magic,
    codeOf(what),
    code,
    refuses ? codeOf("R") : 0,
    0,
  ];
  if (!response) return Uint8Array.from([...head("C", 0, false), ...numbers(0, 0, 0)]);
  const texts = [response.stdout, response.stderr, response.reason ?? ""].map((text) => encoder.encode(text));
  const start = [
    ...head("A", response.exitCode, response.reason !== undefined),
    ...numbers(...texts.map(({ length }) => length)),
  ];
  return Buffer.concat([Uint8Array.from(start), ...texts]);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const codeOf = (letter: string): number => letter.charCodeAt(0);

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, headSize);

const lengths = (bytes: Uint8Array): number[] =>
  [4, 8, 12, 16].map((at) => viewOf(bytes).getUint32(at, true));

const numbers = (...values: readonly number[]): number[] =>
  values.flatMap((value) => [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff));

/** Texts that each end with a zero. */
const listIn = (bytes: Uint8Array): string[] =>
  bytes.length === 0 ? [] : decoder.decode(bytes).replace(/\0$/, "").split("\0");

function variables(list: readonly string[]): Record<string, string> {
  // Names come from outside: `__proto__` is a variable like any other.
  const env = Object.create(null) as Record<string, string>;
  for (const each of list) {
    const at = each.indexOf("=");
    if (at > 0) env[each.slice(0, at)] = each.slice(at + 1);
  }
  return env;
}
