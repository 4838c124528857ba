import { body, functionValue } from "./_code-function.ts";
import { loop } from "./_code-items.ts";
import { rubyConstants, rubyFunctions, rubyMethods } from "./_code-ruby-api.ts";
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
import { listOf, text, unknown, type Value } from "./_code-value.ts";
import { type Dialect, peek, type Reader } from "./_code-world.ts";

export const ruby = (): Dialect => ({
  tokens: (code) => tokensOf(sourceOf(code), lexis),
  functions: rubyFunctions(),
  methods: rubyMethods(),
  constants: rubyConstants(),
  canonical: (name) =>
    name
      .replace(/^(?:Kernel|Object|self)\.|\.call$/g, "")
      .replace(/^FileUtils\.(?:Verbose|NoWrite)\./, "FileUtils."),
  statement,
  operand,
  // `Dir["*.rb"]` is a call, but looks like the member of a module.
  property: (value, name) =>
    value.is === "name" && value.name === "Dir" && /[^\w?!]/.test(name) ? text(name) : undefined,
  pairs: new Set(["=>", ":"]),
  members: new Set([".", "&.", "::"]),
  joins: "+",
  iterators: new Set(
    "each map collect select reject each_with_index each_entry flat_map then tap each_child".split(" "),
  ),
  can: { callBare: true, callSilently: true, takeBlocks: true },
});

const keywords = new Set(
  "if unless while until and or not return when in do then else elsif puts p print split grep match case".split(
    " ",
  ),
);
const hereLabel = /<<([~-]?)(?:"(\w+)"|'(\w+)'|([A-Z_]\w*))/y;
const percent = /%[qQwWiIxrs]?(?=[([{<|!/^])/y;
const symbol = /:(?=[A-Za-z_"])/y;

const lexis: Lexis = {
  word: /(?:@@?|\$)?[A-Za-z_]\w*(?:[?!](?![=~]))?|\$[?!@0-9~&:;,/\\]/y,
  sign: /=>|->|&\.|::|<=>|===?|=~|![=~]|[<>]=|&&=?|\|\|=?|\*\*=?|\.\.\.?|<<=?|>>=?|[+\-*/%|&^]=/y,
  joinsIn: "([",
  continuedBy: new Set([",", "+", ".", "&.", "&&", "||", "=", "?", ":", "=>", "::"]),
  literal(source: Source, last: Token | undefined, spaced: boolean): Literal | "nothing" | undefined {
    const { code } = source;
    const char = code.charAt(source.at);
    if (char === "#") return toLineEnd(source);
    if (char === "=" && code.startsWith("=begin", source.at) && isLineStart(source)) {
      const end = code.indexOf("\n=end", source.at);
      source.at = end < 0 ? code.length : end + 5;
      return "nothing";
    }
    if (char === "_" && code.startsWith("__END__", source.at)) {
      source.at = code.length;
      return "nothing";
    }
    if (char === "'" || char === '"' || char === "`") {
      source.at++;
      return quote(source, char === "'" ? "q" : char === '"' ? "Q" : "x", { close: char });
    }
    const atValue = !endsValue(last, keywords);
    if (char === "/")
      return atValue && isPattern(source) ? { kind: "pattern", text: "/", parts: [] } : undefined;
    if (char === "%" && (atValue || (spaced && code.charAt(source.at + 1) > " "))) return chosenQuote(source);
    if (char === ":" && (atValue || spaced)) return symbolAt(source);
    return char === "<" ? here(source) : undefined;
  },
};

const isLineStart = (source: Source): boolean =>
  source.at === 0 || source.code.charAt(source.at - 1) === "\n";

function chosenQuote(source: Source): Literal | undefined {
  const start = matched(percent, source);
  if (start === undefined) return undefined;
  const quotes = quotesAt(source.code.charAt(source.at));
  source.at++;
  return quote(source, start.slice(1) || "Q", quotes);
}

function quote(source: Source, kind: string, quotes: Pick<Quoting, "open" | "close">): Literal {
  const isPlain = kind === "q" || kind === "w" || kind === "i" || kind === "s";
  const parts = partsOf(source, isPlain ? { ...quotes, escapes: "quote" } : { ...quotes, ...interpolated });
  if (kind === "r") return { kind: "pattern", text: kind, parts: [] };
  return { kind: kind === "x" ? "command" : "text", text: kind.toLowerCase(), parts };
}

/** `:name` and `:"a name"` are texts to everything that is looked at here. */
function symbolAt(source: Source): Literal | undefined {
  if (matched(symbol, source) === undefined) return undefined;
  if (source.code.charAt(source.at) === '"') {
    source.at++;
    return quote(source, "Q", { close: '"' });
  }
  const name = matched(/\w+[?!]?/y, source) ?? "";
  return { kind: "text", text: ":", parts: [name] };
}

function here(source: Source): Literal | undefined {
  hereLabel.lastIndex = source.at;
  const found = hereLabel.exec(source.code);
  if (!found) return undefined;
  const [whole, dash, double, single, plain] = found;
  const content = hereDocument(source, double ?? single ?? plain ?? "", dash === "~");
  if (content === undefined) return undefined;
  source.at += whole.length;
  const parts =
    single === undefined
      ? partsOf(sourceOf(content, source.level + 1), { ...interpolated, close: "\u0000" })
      : [content];
  return { kind: "text", text: "<<", parts };
}

/** `#{x}` in a string. */
function substitution(source: Source): Part | undefined {
  if (!source.code.startsWith("#{", source.at)) return undefined;
  if (source.level >= maxLevel) return undefined;
  source.at += 2;
  source.level++;
  const tokens = tokensOf(source, lexis, "}");
  source.level--;
  source.at++;
  return tokens;
}

const interpolated = { escapes: "all", code: substitution } as const;

const branching = new Set(
  "if elsif else unless while until begin rescue ensure case when class module do".split(" "),
);
const leading = new Set(
  "return then end puts p print require require_relative in and or not yield raise".split(" "),
);

function statement(reader: Reader): boolean {
  const token = peek(reader);
  if (!isWord(token)) return false;
  if (token.text === "for") {
    loop(reader);
    return true;
  }
  if (token.text === "def") {
    reader.world.straight = false;
    for (reader.at += 2; is(peek(reader), ".") || isWord(peek(reader));) reader.at++;
    return true;
  }
  if (branching.has(token.text)) reader.world.straight = false;
  if (!branching.has(token.text) && !leading.has(token.text)) return false;
  reader.at++;
  return true;
}

function operand(reader: Reader, token: Token): Value | undefined {
  if (token.kind === "text" && (token.text === "w" || token.text === "i")) {
    reader.at++;
    const words = token.parts.map((part) => (typeof part === "string" ? part : "\uE000")).join("");
    return listOf(
      words
        .split(/\s+/)
        .filter(Boolean)
        .map((word) => text(word)),
    );
  }
  if (is(token, "->") || ((is(token, "lambda") || is(token, "proc")) && is(peek(reader, 1), "{"))) {
    reader.at++;
    return functionValue(reader);
  }
  if (is(token, "begin") || is(token, "do")) {
    reader.at++;
    return is(peek(reader), "{") ? body(reader) : unknown;
  }
  return undefined;
}
