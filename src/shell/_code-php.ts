import { body, parameters } from "./_code-function.ts";
import { bindElements } from "./_code-items.ts";
import { isAddress, phpConstants, phpFunctions, phpMethods } from "./_code-php-api.ts";
import { hereDocument, maxLevel, partsOf, toBehind, toLineEnd } from "./_code-text.ts";
import {
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
import { optionsOf, unknown, type Value } from "./_code-value.ts";
import { type Dialect, emitFetch, peek, type Reader, type World } from "./_code-world.ts";

export const php = (): Dialect => ({
  tokens: (code) => tokensOf(begun(sourceOf(code)), lexis),
  functions: phpFunctions(),
  methods: phpMethods(),
  constants: phpConstants(),
  canonical: (name) => (name.startsWith("$") ? name : name.toLowerCase().replace(/^\\+/, "")),
  statement,
  operand,
  pairs: new Set(["=>", ":"]),
  members: new Set(["->", "?->", "::"]),
  joins: ".",
  iterators: new Set(),
  can: {},
});

// `php -r` takes code as it is; a file has text around it.
function begun(source: Source): Source {
  const opening = /<\?(?:php\b|=)/.exec(source.code);
  if (opening) source.at = opening.index + opening[0].length;
  return source;
}

const hereLabel = /<<<[ \t]*(?:"(\w+)"|'(\w+)'|(\w+))/y;
const inText = /\$\{\w{1,64}\}|\$[A-Za-z_]\w*(?:->\w{1,64}|\[[\w'"-]{1,64}\])?/y;

const lexis: Lexis = {
  word: /\\?\${0,3}[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*(?:\\[A-Za-z_]\w*)*/y,
  sign: /=>|\?->|->|::|<=>|===?|!==?|<>|[<>]=|&&|\|\||\?\?=?|\*\*=?|\.\.\.|[.+\-*/%|&^]=|\+\+|--|<<|>>/y,
  joinsIn: undefined,
  literal(source: Source): Literal | "nothing" | undefined {
    const { code } = source;
    const char = code.charAt(source.at);
    if (char === "#" && code.charAt(source.at + 1) !== "[") return comment(source);
    if (code.startsWith("//", source.at)) return comment(source);
    if (code.startsWith("/*", source.at)) return toBehind(source, "*/");
    if (code.startsWith("?>", source.at)) {
      const rest = code.indexOf("<?", source.at);
      source.at = rest < 0 ? code.length : rest;
      matched(/<\?(?:php\b|=)?/y, source);
      return { kind: "sign", text: ";", parts: [] };
    }
    if (char === "<") return here(source);
    if (char !== "'" && char !== '"' && char !== "`") return undefined;
    source.at++;
    const parts = partsOf(
      source,
      char === "'" ? { close: char, escapes: "quote" } : { ...interpolated, close: char },
    );
    return { kind: char === "`" ? "command" : "text", text: char === "`" ? "x" : char, parts };
  },
};

// A comment ends with its line, or with the code.
function comment(source: Source): "nothing" {
  const start = source.at;
  toLineEnd(source);
  const closing = source.code.slice(start, source.at).indexOf("?>");
  if (closing >= 0) source.at = start + closing;
  return "nothing";
}

function here(source: Source): Literal | undefined {
  hereLabel.lastIndex = source.at;
  const found = hereLabel.exec(source.code);
  if (!found) return undefined;
  const [whole, double, single, plain] = found;
  const content = hereDocument(source, double ?? single ?? plain ?? "", true);
  if (content === undefined) return undefined;
  source.at += whole.length;
  const parts =
    single === undefined
      ? partsOf(sourceOf(content, source.level + 1), { ...interpolated, close: "\u0000" })
      : [content];
  return { kind: "text", text: "<<", parts };
}

/** `$x`, `{$x->y}`, `${x}` in a string. */
function variable(source: Source): Part | undefined {
  const char = source.code.charAt(source.at);
  if (char === "{" && source.code.charAt(source.at + 1) === "$") {
    source.at++;
    source.level++;
    const tokens = tokensOf(source, lexis, "}");
    source.level--;
    source.at++;
    return tokens;
  }
  if (char !== "$" || source.level >= maxLevel) return undefined;
  const name = matched(inText, source)?.replace(/^\$\{(\w+)\}$/, "$$$1");
  return name === undefined ? undefined : tokensOf(sourceOf(name, source.level + 1), lexis);
}

const interpolated = { escapes: "all", code: variable } as const;

const branching = new Set(
  "if elseif else while do switch case try catch finally class for match default".split(" "),
);
const leading = new Set(
  "return echo print throw use namespace static global final public private protected abstract".split(" "),
);

function statement(reader: Reader): boolean {
  const token = peek(reader);
  if (!isWord(token)) return false;
  const word = token.text.toLowerCase();
  if (word === "foreach") return loop(reader);
  if (word === "function" && isWord(peek(reader, 1))) {
    reader.at += 2;
    parameters(reader);
    return true;
  }
  if (branching.has(word)) reader.world.straight = false;
  if (!branching.has(word) && !leading.has(word)) return false;
  reader.at++;
  return true;
}

/** `foreach ($list as $key => $value)` */
function loop(reader: Reader): boolean {
  reader.at++;
  const open = peek(reader);
  reader.world.straight = false;
  if (!open || !is(open, "(")) return true;
  reader.at++;
  const over = reader.expression(7);
  const names = reader.tokens.slice(reader.at, open.close).filter((token) => token.text.startsWith("$"));
  const last = names.at(-1);
  if (last !== undefined) bindElements(reader.world, [last.text], over);
  reader.at = Math.min(open.close + 1, reader.tokens.length);
  return true;
}

const including = new Set(["include", "include_once", "require", "require_once"]);

/** Runs what lies at an address, or a file that the code itself has brought here. */
function includes(world: World, path: Value): void {
  const addresses = optionsOf(path).filter(isAddress);
  if (addresses.length > 0) emitFetch(world, path);
  const isBrought = world.effects.some(
    (effect) =>
      effect.do === "write" && effect.text === undefined && optionsOf(path).includes(effect.path ?? ""),
  );
  if (addresses.length > 0 || (isBrought && world.effects.some(({ do: done }) => done === "fetch")))
    world.effects.push({ do: "exec" });
}

function operand(reader: Reader, token: Token): Value | undefined {
  if (token.kind !== "word") return undefined;
  const word = token.text.toLowerCase();
  if (including.has(word)) {
    reader.at++;
    includes(reader.world, reader.expression(3));
    return unknown;
  }
  if (word !== "function" && word !== "fn") return undefined;
  reader.at++;
  parameters(reader);
  if (is(peek(reader), "use")) {
    reader.at++;
    const captured = peek(reader);
    if (is(captured, "(") && captured) reader.at = Math.min(captured.close + 1, reader.tokens.length);
  }
  if (is(peek(reader), ":")) reader.at += 2;
  if (is(peek(reader), "=>")) reader.at++;
  return body(reader);
}
