import { character, type Part, type Source } from "./_code-token.ts";

export interface Quoting {
  readonly close: string;
  /** Brackets used as quotes nest. */
  readonly open?: string;
  /** `all` escapes mean something, `quote` only the backslash and the quote itself,
   * `keep` leaves unknown ones, `raw` leaves all but keeps the string open behind them. */
  readonly escapes: "all" | "keep" | "quote" | "raw" | "none";
  /** The string ends with its line, closed or not. */
  readonly oneLine?: boolean;
  /** Reads code whose value is put in; the place is left alone when there is none. */
  readonly code?: (source: Source) => Part | undefined;
}

/** Strings that stand deeper in each other than this are read as plain text. */
export const maxLevel = 12;

/** Reads the rest of a string, from behind its opening quote to behind the closing one. */
export function partsOf(source: Source, quoting: Quoting): Part[] {
  const { code } = source;
  const { close, open, escapes } = quoting;
  const parts: Part[] = [];
  let text = "";
  let from = source.at;
  let nested = 0;
  const keep = (): void => {
    text += code.slice(from, source.at);
  };
  while (source.at < code.length) {
    const char = code.charAt(source.at);
    if (char === "\\" && escapes !== "none") {
      keep();
      text += escaped(source, quoting);
      from = source.at;
      continue;
    }
    if (open !== undefined && char === open) nested++;
    else if (char === close[0] && code.startsWith(close, source.at)) {
      if (nested === 0) break;
      nested--;
    } else if (char === "\n" && quoting.oneLine) break;
    const before = source.at;
    const part = quoting.code && source.level < maxLevel ? quoting.code(source) : undefined;
    if (part === undefined) {
      source.at = before + 1;
      continue;
    }
    text += code.slice(from, before);
    if (typeof part === "string") text += part;
    else {
      if (text !== "") parts.push(text);
      text = "";
      parts.push(part);
    }
    from = source.at;
  }
  keep();
  if (code.startsWith(close, source.at)) source.at += close.length;
  if (text !== "") parts.push(text);
  return parts;
}

const simple: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\u0007",
  b: "\b",
  e: "\u001b",
  f: "\f",
  v: "\v",
  "\n": "",
};
const numeric =
  /x\{([\da-fA-F]{1,8})\}|x([\da-fA-F]{1,2})|u\{([\da-fA-F]{1,8})\}|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})/y;

function escaped(source: Source, { escapes, close, open }: Quoting): string {
  const { code } = source;
  const next = code.charAt(source.at + 1);
  if (escapes === "quote") {
    const counts = next === "\\" || (next !== "" && (next === close || next === open));
    source.at += counts ? 2 : 1;
    return counts ? next : "\\";
  }
  if (escapes === "raw") {
    source.at = Math.min(source.at + 2, code.length);
    return `\\${next}`;
  }
  numeric.lastIndex = source.at + 1;
  const match = numeric.exec(code);
  if (match) {
    source.at += 1 + match[0].length;
    const [, ...digits] = match;
    const hex = digits.slice(0, 5).find((each) => each !== undefined);
    return character(hex === undefined ? parseInt(digits[5] ?? "", 8) : parseInt(hex, 16));
  }
  source.at = Math.min(source.at + 2, code.length);
  const meaning = simple[next];
  if (meaning !== undefined) return meaning;
  return escapes === "keep" && next !== "\\" && next !== "'" && next !== '"' ? `\\${next}` : next;
}

const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };

/** The quotes that a character begins, for strings that choose their own: `q{…}`, `%w[…]`. */
export const quotesAt = (char: string): Pick<Quoting, "open" | "close"> => {
  const close = closers[char];
  return close === undefined ? { close: char } : { open: char, close };
};

/** Passes over the rest of the line. */
export function toLineEnd(source: Source): "nothing" {
  const end = source.code.indexOf("\n", source.at);
  source.at = end < 0 ? source.code.length : end;
  return "nothing";
}

/** Passes over a comment of several lines, or everything when nothing ends it. */
export function toBehind(source: Source, end: string): "nothing" {
  const at = source.code.indexOf(end, source.at);
  source.at = at < 0 ? source.code.length : at + end.length;
  return "nothing";
}

/** Passes over a pattern between slashes; false when the line ends before it does. */
export function isPattern(source: Source): boolean {
  const { code } = source;
  if (source.at < source.patternless) return false;
  let inClass = false;
  let at = source.at + 1;
  for (; at < code.length && code.charAt(at) !== "\n"; at++) {
    const char = code.charAt(at);
    if (char === "\\") at++;
    else if (char === "[") inClass = true;
    else if (char === "]") inClass = false;
    else if (char === "/" && !inClass) {
      source.at = at + 1;
      return true;
    }
  }
  source.patternless = at;
  return false;
}

/** The text of a here-document that begins on the next line, or nothing when no line ends it. */
export function hereDocument(source: Source, label: string, indented: boolean): string | undefined {
  source.labels ??= labelsOf(source.code);
  const ends = source.labels.get(label);
  if (ends === undefined) return undefined;
  const newline = source.resume > source.at ? source.resume : source.code.indexOf("\n", source.at);
  if (newline < 0) return undefined;
  const end = ends[firstFrom(ends, newline + 1)];
  if (end === undefined) return undefined;
  const body = source.code.slice(newline + 1, end);
  const behind = source.code.indexOf("\n", end);
  source.resume = behind < 0 ? source.code.length : behind;
  return indented ? body.replace(/^[ \t]+/gm, "") : body;
}

function labelsOf(code: string): Map<string, number[]> {
  const labels = new Map<string, number[]>();
  let at = 0;
  for (const line of code.split("\n")) {
    const label = /^\s*(\w+)[\s;,).]*$/.exec(line)?.[1];
    if (label !== undefined) {
      const places = labels.get(label);
      if (places) places.push(at);
      else labels.set(label, [at]);
    }
    at += line.length + 1;
  }
  return labels;
}

function firstFrom(places: readonly number[], from: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
