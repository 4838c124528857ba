/** A piece of a program, in the form that all the languages read here share. */
export interface Token {
  /** `text` is a string, `command` a string that a shell runs, `end` a line end that ends a statement. */
  readonly kind: "word" | "number" | "sign" | "text" | "command" | "pattern" | "end";
  /** What was written; the content for strings is in `parts`. */
  readonly text: string;
  readonly parts: readonly Part[];
  /** Where it begins. */
  readonly start: number;
  /** White space stands before it. */
  readonly spaced: boolean;
  /** Of an opening bracket: the index of the closing one, or of the end. */
  close: number;
  /** Of an opening bracket: the index of the first `for` directly inside, where a comprehension begins. */
  loop: number;
}

/** A stretch of a string: as it is, or the code whose value is put in. */
export type Part = string | readonly Token[];

export interface Source {
  readonly code: string;
  at: number;
  /** How many strings deep the code stands. */
  level: number;
  /** Behind the here-documents announced on this line. */
  resume: number;
  /** No pattern begins before this place: one was tried and did not end on its line. */
  patternless: number;
  /** Where the lines are that could end a here-document. */
  labels: ReadonlyMap<string, readonly number[]> | undefined;
}

export type Literal = Pick<Token, "kind" | "text" | "parts">;

/** What differs between the languages when code is cut into tokens; the patterns are sticky. */
export interface Lexis {
  readonly word: RegExp;
  readonly sign: RegExp;
  /** The brackets within which a line end is only white space; nothing when line ends never matter. */
  readonly joinsIn: string | undefined;
  /** A line that ends with one of these signs, or is followed by one that begins with a dot, goes on. */
  readonly continuedBy?: ReadonlySet<string>;
  /** Reads a string, or passes over a comment (`"nothing"`). */
  readonly literal: (
    source: Source,
    last: Token | undefined,
    spaced: boolean,
  ) => Literal | "nothing" | undefined;
}

export const sourceOf = (code: string, level = 0): Source => ({
  code,
  at: 0,
  level,
  resume: 0,
  patternless: 0,
  labels: undefined,
});

const number = /0[xX][\da-fA-F_]+|0[oO]?[0-7_]+(?![\d.])|0[bB][01_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?n?/y;
const pairs: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** Cuts code into tokens, up to its end or up to a closing bracket that nothing in it opened. */
export function tokensOf(source: Source, lexis: Lexis, closer?: string): Token[] {
  const { code } = source;
  const tokens: Token[] = [];
  const open: number[] = [];
  let spaced = false;
  let start = 0;
  const push = (kind: Token["kind"], text: string, parts: readonly Part[] = []): void => {
    tokens.push({ kind, text, parts, start, spaced, close: -1, loop: -1 });
    spaced = false;
  };
  while (source.at < code.length) {
    const char = code.charAt(source.at);
    start = source.at;
    if (char === "\n") {
      source.at = Math.max(source.at + 1, source.resume);
      const inside = tokens[open.at(-1) ?? -1];
      const joins = lexis.joinsIn === undefined || (inside && lexis.joinsIn.includes(inside.text));
      if (!joins && tokens.length > 0 && !isContinued(source, lexis, tokens.at(-1))) push("end", "\n");
      spaced = true;
      continue;
    }
    if (char <= " ") {
      source.at++;
      spaced = true;
      continue;
    }
    const literal = lexis.literal(source, tokens.at(-1), spaced);
    if (literal === "nothing") {
      spaced = true;
      continue;
    }
    if (literal) {
      push(literal.kind, literal.text, literal.parts);
      continue;
    }
    source.at = start;
    const word = matched(lexis.word, source);
    if (word !== undefined) {
      const inside = tokens[open.at(-1) ?? -1];
      if (word === "for" && inside && inside.loop < 0) inside.loop = tokens.length;
      push("word", wordText(word));
      continue;
    }
    const digits = char >= "0" && char <= "9" ? matched(number, source) : undefined;
    if (digits !== undefined) {
      push("number", digits);
      continue;
    }
    const opener = pairs[char];
    if (opener !== undefined) {
      const inner = tokens[open.at(-1) ?? -1];
      if (inner === undefined && char === closer) break;
      // A bracket that does not fit is a slip, or a part of the language not read here; it closes nothing.
      if (inner?.text === opener) {
        inner.close = tokens.length;
        open.pop();
      }
    } else if (char === "(" || char === "[" || char === "{") open.push(tokens.length);
    const sign = matched(lexis.sign, source) ?? char;
    source.at = start + sign.length;
    push("sign", sign);
  }
  for (const at of open) {
    const token = tokens[at];
    if (token) token.close = tokens.length;
  }
  return tokens;
}

const dotted = /\s*(?=&?\.\w)/y;

function isContinued(source: Source, lexis: Lexis, last: Token | undefined): boolean {
  if (last === undefined || last.kind === "end") return true;
  if (lexis.continuedBy === undefined) return false;
  if (last.kind === "sign" && lexis.continuedBy.has(last.text)) return true;
  dotted.lastIndex = source.at;
  if (!lexis.continuedBy.has(".") || !dotted.test(source.code)) return false;
  source.at = dotted.lastIndex;
  return true;
}

/** What a sticky pattern finds at the place, which then lies behind it. */
export function matched(pattern: RegExp, source: Source): string | undefined {
  pattern.lastIndex = source.at;
  const found = pattern.exec(source.code)?.[0];
  if (found === undefined || found === "") return undefined;
  source.at += found.length;
  return found;
}

/** Does a value end here, so that a following `/` divides and `%` or `<<` is an operator? */
export const endsValue = (last: Token | undefined, keywords: ReadonlySet<string>): boolean => {
  if (last === undefined || last.kind === "end") return false;
  if (last.kind === "sign") return last.text === ")" || last.text === "]" || last.text === "}";
  return last.kind !== "word" || !keywords.has(last.text);
};

export const is = (token: Token | undefined, text: string): boolean =>
  token !== undefined && token.text === text && (token.kind === "sign" || token.kind === "word");

export const isWord = (token: Token | undefined): token is Token & { readonly kind: "word" } =>
  token?.kind === "word";

/** Python and JavaScript let letters be written in other forms, which mean the same name. */
const wordText = (word: string): string => {
  const plain = word.includes("\\")
    ? word.replace(/\\u(?:\{([\da-fA-F]+)\}|([\da-fA-F]{4}))/g, (_, braced?: string, four?: string) =>
        character(parseInt(braced ?? four ?? "", 16)),
      )
    : word;
  return /^[\x20-\x7e]*$/.test(plain) ? plain : plain.normalize("NFKC");
};

/** The character of a code point, or nothing for a number that is none. */
export const character = (code: number): string =>
  code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
