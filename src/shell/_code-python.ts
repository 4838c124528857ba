import { body, parameters } from "./_code-function.ts";
import { formatted } from "./_code-api-text.ts";
import { bindElements, loop } from "./_code-items.ts";
import { pythonConstants, pythonFunctions, pythonProperty } from "./_code-python-api.ts";
import { pythonMethods } from "./_code-python-methods.ts";
import { maxLevel, partsOf } from "./_code-text.ts";
import {
  is,
  isWord,
  type Lexis,
  type Literal,
  type Part,
  type Source,
  sourceOf,
  type Token,
  tokensOf,
} from "./_code-token.ts";
import { listOf, nameOf, underPath, unknown, type Value } from "./_code-value.ts";
import { bind, type Dialect, peek, type Reader, type World } from "./_code-world.ts";

export const python = (): Dialect => ({
  tokens: (code) => tokensOf(sourceOf(code), lexis),
  functions: pythonFunctions(),
  methods: pythonMethods(),
  constants: pythonConstants(),
  canonical,
  statement,
  operand,
  property: pythonProperty,
  apply,
  pairs: new Set(["=", ":"]),
  members: new Set(["."]),
  joins: "+",
  iterators: new Set(),
  can: { comprehend: true },
});

/** The same function by other names: through its parent module, its dictionary, the module it comes from. */
function canonical(name: string): string {
  if (!name.includes(".") && name !== "Path") return name;
  return name
    .replace(/^(?:__)?builtins(?:__)?\.|^sys\.modules\./, "")
    .replace(/\.__dict__|\.__call__|\.__func__/g, "")
    .replace(/^(?:posix|nt)\./, "os.")
    .replace(/^(?:httpx|aiohttp)\./, "requests.")
    .replace(/^Path\b/, "pathlib.Path");
}

const prefix = /(?:[rR][bBfF]?|[bBfF][rR]?|[uU])?(?:"""|'''|"|')/y;

const lexis: Lexis = {
  word: /[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*/y,
  sign: /\*\*=?|\/\/=?|[+\-*/%&|^@]=|[<>=!:]=|<<|>>|->|\.\.\./y,
  joinsIn: "([{",
  literal(source: Source): Literal | "nothing" | undefined {
    const { code } = source;
    const char = code.charAt(source.at);
    if (char === "#") {
      const end = code.indexOf("\n", source.at);
      source.at = end < 0 ? code.length : end;
      return "nothing";
    }
    if (char === "\\" && code.charAt(source.at + 1) === "\n") {
      source.at += 2;
      return "nothing";
    }
    prefix.lastIndex = source.at;
    const start = prefix.exec(code)?.[0];
    if (start === undefined) return undefined;
    source.at += start.length;
    const quote = start.replace(/^[a-zA-Z]+/, "");
    const marks = start.slice(0, -quote.length).toLowerCase();
    const parts = partsOf(source, {
      close: quote,
      // A backslash before the quote keeps a raw string open, and stays in it.
      escapes: marks.includes("r") ? "raw" : "keep",
      oneLine: quote.length === 1,
      ...(marks.includes("f") && { code: replacement }),
    });
    return { kind: "text", text: quote, parts };
  },
};

/** `{x!r:>10}` in a formatted string. */
function replacement(source: Source): Part | undefined {
  const { code } = source;
  const char = code.charAt(source.at);
  if (char !== "{" && char !== "}") return undefined;
  source.at++;
  if (code.charAt(source.at) === char) {
    source.at++;
    return char;
  }
  if (char === "}" || source.level >= maxLevel) return char;
  source.level++;
  const tokens = tokensOf(source, lexis, "}");
  source.level--;
  source.at++;
  const end = tokens.findIndex(
    (token) => token.kind === "sign" && (token.text === "!" || token.text === ":"),
  );
  return end < 0 ? tokens : tokens.slice(0, end);
}

const branching = new Set("if elif else while try except finally match case class".split(" "));
const leading = new Set(
  "return assert raise yield await async del global nonlocal with print in and or not is pass".split(" "),
);

function statement(reader: Reader): boolean {
  const token = peek(reader);
  const { world } = reader;
  if (!isWord(token)) return isTuple(reader);
  switch (token.text) {
    case "import":
      imports(reader);
      return true;
    case "from":
      importsFrom(reader);
      return true;
    case "for":
      loop(reader);
      return true;
    case "def":
      reader.at += 2;
      parameters(reader);
      return true;
  }
  if (branching.has(token.text)) world.straight = false;
  // Some of these are names of functions as well: `print(…)`.
  if (branching.has(token.text) || (leading.has(token.text) && !is(peek(reader, 1), "("))) {
    reader.at++;
    return true;
  }
  if (is(peek(reader, 1), ":") && isWord(peek(reader, 2)) && is(peek(reader, 3), "=")) {
    bindNext(reader, token.text);
    return true;
  }
  return isTuple(reader);
}

/** `x: str = "a"` */
function bindNext(reader: Reader, name: string): void {
  reader.at += 4;
  bind(reader.world, name, reader.expression());
}

/** An expression that may go on: `a, b = "x", "y"`, `open("x") as f`. */
function isTuple(reader: Reader): boolean {
  const start = reader.at;
  const values = [reader.expression()];
  if (is(peek(reader), "as")) {
    const name = peek(reader, 1);
    reader.at += 2;
    if (isWord(name)) bind(reader.world, name.text, values[0] ?? unknown);
    return true;
  }
  if (!is(peek(reader), ",")) return reader.at > start;
  while (is(peek(reader), ",")) {
    reader.at++;
    // Without assignments: in `a, b = c` the last one is no assignment to b alone.
    values.push(reader.expression(3));
  }
  if (!is(peek(reader), "=")) return true;
  const names = reader.tokens.slice(start, reader.at).filter((token) => token.kind === "word");
  reader.at++;
  const given = [reader.expression()];
  while (is(peek(reader), ",")) {
    reader.at++;
    given.push(reader.expression());
  }
  const [only] = given;
  const value = given.length === 1 && only?.is === "list" ? only : listOf(given);
  bindElements(
    reader.world,
    names.map((name) => name.text),
    listOf([value]),
  );
  return true;
}

function dotted(reader: Reader): string {
  let name = "";
  for (let token = peek(reader); isWord(token) || is(token, "."); token = peek(reader)) {
    if (token === undefined || token.text === "import" || token.text === "as") break;
    name += token.text;
    reader.at++;
  }
  return name;
}

function imports(reader: Reader): void {
  do {
    reader.at++;
    const module = dotted(reader);
    const alias = is(peek(reader), "as") ? peek(reader, 1) : undefined;
    if (alias === undefined) reader.world.variables.delete(module);
    else {
      reader.at += 2;
      bind(reader.world, alias.text, nameOf(module));
    }
  } while (is(peek(reader), ","));
}

function importsFrom(reader: Reader): void {
  reader.at++;
  const module = dotted(reader);
  if (!is(peek(reader), "import")) return;
  reader.at++;
  if (is(peek(reader), "(")) reader.at++;
  for (let token = peek(reader); token && token.kind !== "end" && !is(token, ";"); token = peek(reader)) {
    reader.at++;
    if (is(token, "*")) reader.world.starred.push(module);
    if (!isWord(token)) continue;
    const alias = is(peek(reader), "as") ? peek(reader, 1) : undefined;
    if (alias !== undefined) reader.at += 2;
    bind(reader.world, (alias ?? token).text, nameOf(`${module}.${token.text}`));
  }
}

function operand(reader: Reader, token: Token): Value | undefined {
  if (token.kind !== "word" || token.text !== "lambda") return undefined;
  reader.world.straight = false;
  for (reader.at++; peek(reader) && peek(reader)?.kind !== "end" && !is(peek(reader), ":"); reader.at++) {
    const name = peek(reader);
    if (isWord(name)) reader.world.variables.set(name.text, unknown);
  }
  reader.at++;
  return body(reader);
}

function apply(world: World, sign: string, left: Value, right: Value): Value | undefined {
  if (sign === "/" && (left.is === "text" || right.is === "text")) return underPath(left, right);
  if (sign === "//") return unknown;
  return sign === "%" && left.is === "text"
    ? formatted(world, [left, ...(right.is === "list" ? right.items : [right])])
    : undefined;
}
