import { body } from "./_code-function.ts";
import { bindElements } from "./_code-items.ts";
import { perlConstants, perlFunctions, perlMethods } from "./_code-perl-api.ts";
import {
  hereDocument,
  isPattern,
  maxLevel,
  partsOf,
  quotesAt,
  type Quoting,
  toLineEnd,
} from "./_code-text.ts";
import {
  endsValue,
  is,
  isWord,
  type Lexis,
  type Literal,
  matched,
  type Part,
  type Source,
  sourceOf,
  type Token,
  tokensOf,
} from "./_code-token.ts";
import { listOf, mapped, nameOf, optionsOf, text, unknown, type Value } from "./_code-value.ts";
import { transliterated } from "./output.ts";
import { bind, type Dialect, emitDelete, peek, type Reader, spend } from "./_code-world.ts";

export const perl = (): Dialect => ({
  tokens: (code) => tokensOf(sourceOf(code), lexis),
  functions: perlFunctions(),
  methods: perlMethods(),
  constants: perlConstants(),
  canonical: (name) =>
    name
      .replace(/^CORE::(?:GLOBAL::)?|^main::|^&/, "")
      .replace(/^(?:File::(?:Path|Copy|Temp)|MIME::Base64|LWP::Simple|POSIX|IPC::Open[23])::/, ""),
  statement,
  operand,
  pairs: new Set(["=>"]),
  members: new Set(["->"]),
  joins: ".",
  iterators: new Set(),
  apply: (_world, sign, _left, right) => (sign === "=~" ? right : undefined),
  can: { callBare: true, callSilently: true, indexByBraces: true, flatten: true, blockAsValue: true },
});

const keywords = new Set(
  "split grep map join if unless while until and or not xor return x lt gt le ge eq ne cmp print push when unlink for foreach in".split(
    " ",
  ),
);
const quoteWord = /(?:q[qwxr]?|tr|[msy])(?![\w'])[ \t]*(?=[^\s\w=,;)])/y;
const specialVariable = /[$@%](?:::|\^)?\w+(?:::\w+)*|\$#?\$?\w+|\$[&`'+!@/\\,;.<>()[\]0-9~:?|"-]/y;
const inText = /\$\{\w{1,64}\}|[$@](?:::)?[A-Za-z_]\w*(?:(?:->)?(?:\{[\w'"]{1,64}\}|\[-?[\w$]{1,32}\]))*/y;
const hereLabel = /<<(~?)(?:"(\w+)"|'(\w+)'|(\w+))/y;
const angled = /<([^<>\s;=]*)>/y;

const lexis: Lexis = {
  word: /[A-Za-z_]\w*(?:(?:::|')[A-Za-z_]\w*)*/y,
  sign: /=>|->|<=>|[=!]~|[=!<>]=|&&=?|\|\|=?|\/\/=?|\.\.\.?|\*\*=?|[.+\-*/%x|&^]=|\+\+|--|<<|>>|::/y,
  joinsIn: undefined,
  literal(source: Source, last: Token | undefined, spaced: boolean): Literal | "nothing" | undefined {
    const { code } = source;
    const char = code.charAt(source.at);
    if (char === "#") return toLineEnd(source);
    if (char === "=" && /[a-z]/.test(code.charAt(source.at + 1)) && isLineStart(source))
      return toManualEnd(source);
    if (char === "_" && /^__(?:END|DATA)__/.test(code.slice(source.at, source.at + 8))) {
      source.at = code.length;
      return "nothing";
    }
    if (char === "'" || char === '"' || char === "`") {
      source.at++;
      return quote(source, char === "'" ? "q" : char === '"' ? "qq" : "qx", { close: char });
    }
    if (char === "$" || char === "@" || (char === "%" && (!endsValue(last, keywords) || spaced)))
      return sigil(source);
    if (char === "<") return angle(source, last);
    if (char === "/") {
      return endsValue(last, keywords) || !isPattern(source)
        ? undefined
        : { kind: "pattern", text: "/", parts: [] };
    }
    return is(last, "->") || is(last, "{") ? undefined : chosenQuote(source);
  },
};

const isLineStart = (source: Source): boolean =>
  source.at === 0 || source.code.charAt(source.at - 1) === "\n";

function toManualEnd(source: Source): "nothing" {
  const end = source.code.indexOf("\n=cut", source.at);
  source.at = end < 0 ? source.code.length : end + 5;
  return toLineEnd(source);
}

/** `$x`, `@x`, `%x` as words with their sign, `${x}` as `$x`. */
function sigil(source: Source): Literal | undefined {
  const braced = /^\$\{(\w+)\}/.exec(source.code.slice(source.at, source.at + 68));
  if (braced) {
    source.at += braced[0].length;
    return { kind: "word", text: `$${braced[1]}`, parts: [] };
  }
  const name = matched(specialVariable, source);
  return name === undefined ? undefined : { kind: "word", text: name, parts: [] };
}

/** A here-document, a pattern of file names, or the reading of a line. */
function angle(source: Source, last: Token | undefined): Literal | undefined {
  hereLabel.lastIndex = source.at;
  const here = hereLabel.exec(source.code);
  if (here) {
    const [whole, tilde, double, single, plain] = here;
    const content = hereDocument(source, double ?? single ?? plain ?? "", tilde === "~");
    if (content === undefined) return undefined;
    source.at += whole.length;
    const parts =
      single === undefined
        ? partsOf(sourceOf(content, source.level + 1), { ...interpolated, close: "\u0000" })
        : [content];
    return { kind: "text", text: "<<", parts };
  }
  if (endsValue(last, keywords)) return undefined;
  angled.lastIndex = source.at;
  const name = angled.exec(source.code)?.[1];
  if (name === undefined) return undefined;
  source.at += name.length + 2;
  return /^\$?\w*$/.test(name)
    ? { kind: "pattern", text: "<", parts: [] }
    : { kind: "text", text: "<", parts: [name] };
}

/** `q{…}` and its relatives; `s{…}{…}e` has code in its second half. */
function chosenQuote(source: Source): Literal | undefined {
  const kind = matched(quoteWord, source)?.trim();
  if (kind === undefined) return undefined;
  const delimiter = source.code.charAt(source.at);
  source.at++;
  const quotes = quotesAt(delimiter);
  if (kind !== "s" && kind !== "tr" && kind !== "y") return quote(source, kind, quotes);
  const pattern = partsOf(source, { ...quotes, escapes: "raw" });
  const start = source.at;
  if (quotes.open !== undefined) while (/[\s]/.test(source.code.charAt(source.at))) source.at++;
  const second = quotes.open === undefined ? quotes : quotesAt(source.code.charAt(source.at));
  source.at = quotes.open === undefined ? start : source.at + 1;
  const replacement = partsOf(source, { ...second, escapes: "raw" });
  const flags = matched(/[a-z]+/y, source) ?? "";
  const [only] = replacement;
  if (kind !== "s" && pattern.length === 1)
    return { kind: "pattern", text: `tr${flags}`, parts: [...pattern, ...replacement] };
  const runs = kind === "s" && flags.includes("e") && typeof only === "string" && source.level < maxLevel;
  return {
    kind: "pattern",
    text: kind,
    parts: runs ? [tokensOf(sourceOf(only, source.level + 1), lexis)] : [],
  };
}

function quote(source: Source, kind: string, quotes: Pick<Quoting, "open" | "close">): Literal {
  const isPlain = kind === "q" || kind === "qw" || quotes.close === "'";
  const parts = partsOf(source, isPlain ? { ...quotes, escapes: "quote" } : { ...quotes, ...interpolated });
  if (kind === "m" || kind === "qr") {
    matched(/[a-z]+/y, source);
    return { kind: "pattern", text: kind, parts: [] };
  }
  return { kind: kind === "qx" ? "command" : "text", text: kind, parts };
}

/** `$x`, `$ENV{HOME}`, `@{[ … ]}` in a string. */
function variable(source: Source): Part | undefined {
  const char = source.code.charAt(source.at);
  if (char !== "$" && char !== "@") return undefined;
  const name = matched(inText, source);
  if (name !== undefined) return tokensOf(sourceOf(name, source.level + 1), lexis);
  if (source.code.charAt(source.at + 1) !== "{") return undefined;
  source.at += 2;
  source.level++;
  const tokens = tokensOf(source, lexis, "}");
  source.level--;
  source.at++;
  return tokens;
}

const interpolated = { escapes: "all", code: variable } as const;

const branching = new Set("if elsif else unless while until do eval BEGIN END package".split(" "));
const leading = new Set("return use no print say printf die warn push then".split(" "));
const declaring = new Set(["my", "our", "local", "state"]);
const withoutArguments = new Set(["for", "foreach", "if", "unless", "while", ";", "}"]);

function statement(reader: Reader): boolean {
  const token = peek(reader);
  if (!isWord(token)) return false;
  if (token.text === "for" || token.text === "foreach") return loop(reader);
  if (token.text === "sub") {
    reader.world.straight = false;
    reader.at += 2;
    return true;
  }
  const isCall = token.text === "eval" && !is(peek(reader, 1), "{");
  if (branching.has(token.text) && !isCall) reader.world.straight = false;
  if (isCall || (!branching.has(token.text) && !leading.has(token.text))) return false;
  reader.at++;
  return true;
}

/** `foreach my $x (…)`, or `for (…)` with `$_`. */
function loop(reader: Reader): boolean {
  reader.at++;
  reader.world.straight = false;
  while (isWord(peek(reader)) && declaring.has(peek(reader)?.text ?? "")) reader.at++;
  const name = peek(reader);
  const isNamed = isWord(name) && is(peek(reader, 1), "(");
  if (isNamed) reader.at++;
  const over = reader.expression();
  bindElements(reader.world, [isNamed ? name.text : "$_"], over.is === "list" ? over : listOf([over]));
  return true;
}

function operand(reader: Reader, token: Token): Value | undefined {
  const { world } = reader;
  if (token.kind === "text" && token.text === "qw") {
    reader.at++;
    const words = token.parts.filter((part) => typeof part === "string").join("");
    return listOf(
      words
        .split(/\s+/)
        .filter(Boolean)
        .map((word) => text(word)),
    );
  }
  if (token.kind === "pattern" && /^tr[a-z]*$/.test(token.text) && token.parts.length > 0)
    return changedInPlace(reader, token);
  if (token.kind !== "word") return undefined;
  if (is(peek(reader, 1), "=>")) {
    reader.at++;
    return text(token.text);
  }
  if (declaring.has(token.text)) return declared(reader);
  if (token.text === "sub") {
    reader.at++;
    world.straight = false;
    return body(reader);
  }
  const next = peek(reader, 1);
  if (
    (token.text === "unlink" || token.text === "rmdir") &&
    (next === undefined || withoutArguments.has(next.text))
  ) {
    reader.at++;
    emitDelete(
      world,
      next === undefined || next.text === ";" || next.text === "}" ? world.variables.get("$_") : undefined,
    );
    return unknown;
  }
  return undefined;
}

/** `$x =~ tr/a-z/n-za-m/`, `($x = …) =~ tr/…/…/`, and of `$_` when nothing stands before it. */
function changedInPlace(reader: Reader, token: Token): Value {
  const { tokens, world } = reader;
  // In brackets it is the variable that is set there.
  const end = reader.at - 2;
  let from = end;
  if (is(tokens[end], ")")) while (from > end - 40 && from > 0 && tokens[from]?.close !== end) from--;
  const named = tokens.slice(from, end + 1).find(({ text }) => /^\$\w/.test(text));
  const name = is(tokens[end + 1], "=~") ? named?.text : "$_";
  reader.at++;
  const [set = "", by = ""] = token.parts.map(String);
  const flags = token.text.slice(2);
  const value = name === undefined ? undefined : world.variables.get(name);
  if (name === undefined || value === undefined) return unknown;
  const isFollowed = optionsOf(value).every((each) => spend(world, each.length * (set.length + 1)));
  if (!isFollowed) return unknown;
  const to = flags.includes("d") && by === "" ? undefined : by;
  const made = mapped(value, (each) => transliterated(each, set, to) ?? each);
  if (flags.includes("r")) return made;
  bind(world, name, made);
  return unknown;
}

/** `my $x`, and `my ($x, $y) = (…)`. */
function declared(reader: Reader): Value {
  const { world } = reader;
  reader.at++;
  const token = peek(reader);
  if (isWord(token)) {
    reader.at++;
    reader.chain = token.text;
    return world.variables.get(token.text) ?? nameOf(token.text);
  }
  if (!token || !is(token, "(")) return unknown;
  const names = reader.tokens.slice(reader.at, token.close).filter((each) => each.kind === "word");
  reader.at = Math.min(token.close + 1, reader.tokens.length);
  if (!is(peek(reader), "=")) return unknown;
  reader.at++;
  const value = reader.expression();
  bindElements(
    world,
    names.map((name) => name.text),
    listOf([value]),
  );
  return value;
}
