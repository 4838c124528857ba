import { changesFolder, runsLine, table } from "./_code-api.ts";
import { isPattern, partsOf, toLineEnd } from "./_code-text.ts";
import {
  endsValue,
  is,
  isWord,
  type Lexis,
  type Literal,
  type Source,
  sourceOf,
  type Token,
  tokensOf,
} from "./_code-token.ts";
import { hole, home, joined, nameOf, optionsOf, text, unknown, type Value } from "./_code-value.ts";
import {
  type Dialect,
  emitExec,
  emitFetch,
  emitRead,
  emitWrite,
  peek,
  type Reader,
  type World,
} from "./_code-world.ts";

export const awk = (): Dialect => ({
  tokens: (code) => tokensOf(sourceOf(code), lexis),
  functions: table({ system: runsLine, chdir: changesFolder }),
  methods: new Map(),
  constants: new Map([["ENVIRON.HOME", text(home)]]),
  canonical: (name) => name,
  statement,
  operand,
  apply,
  pairs: new Set(),
  members: new Set(),
  joins: "",
  iterators: new Set(),
  can: { juxtapose: true },
});

const keywords = new Set("print printf return in if while".split(" "));

const lexis: Lexis = {
  word: /[A-Za-z_]\w*/y,
  sign: /\|&|>>|[=!<>+\-*/%^]=|!~|&&|\|\||\+\+|--|\*\*/y,
  joinsIn: "([",
  continuedBy: new Set([",", "{", "&&", "||"]),
  literal(source: Source, last: Token | undefined): Literal | "nothing" | undefined {
    const { code } = source;
    const char = code.charAt(source.at);
    if (char === "#") return toLineEnd(source);
    if (char === "\\" && code.charAt(source.at + 1) === "\n") {
      source.at += 2;
      return "nothing";
    }
    if (char === "/" && !endsValue(last, keywords) && isPattern(source))
      return { kind: "pattern", text: "/", parts: [] };
    if (char !== '"') return undefined;
    source.at++;
    return {
      kind: "text",
      text: char,
      parts: partsOf(source, { close: char, escapes: "keep", oneLine: true }),
    };
  },
};

const branching = new Set("if else while for do function func".split(" "));
const leading = new Set("BEGIN END return next exit delete".split(" "));

function statement(reader: Reader): boolean {
  const token = peek(reader);
  if (!isWord(token)) return false;
  if (token.text === "print" || token.text === "printf") {
    prints(reader);
    return true;
  }
  if (branching.has(token.text)) reader.world.straight = false;
  if (!branching.has(token.text) && !leading.has(token.text)) return false;
  reader.at++;
  return true;
}

/** `print a, b > "file"`, `print a | "command"` */
function prints(reader: Reader): void {
  reader.at++;
  const values: Value[] = [];
  for (
    let token = peek(reader);
    token && token.kind !== "end" && !stops.has(token.text);
    token = peek(reader)
  ) {
    const before = reader.at;
    if (!is(token, ",")) values.push(reader.expression(6));
    if (reader.at === before) reader.at++;
  }
  const { world } = reader;
  const sign = peek(reader);
  const output =
    values.length === 0
      ? unknown
      : joined(
          values.flatMap((value) => (value.is === "list" ? value.items : [value])),
          " ",
        );
  if (is(sign, ">") || is(sign, ">>")) {
    reader.at++;
    writesTo(world, reader.expression(6), output, is(sign, ">>"));
  } else if (is(sign, "|") || is(sign, "|&")) {
    reader.at++;
    const target = reader.expression(6);
    const place = networkPlace(target);
    if (place === undefined) emitExec(world, target, { input: output });
    else emitFetch(world, place, true);
  }
}

const stops = new Set([";", "}", ">", ">>", "|", "|&"]);

// The first print to a file empties it; how often it happens is for the input to say.
function writesTo(world: World, path: Value, output: Value, append: boolean): void {
  const place = networkPlace(path);
  if (place === undefined) emitWrite(world, path, world.straight ? output : undefined, append);
  else emitFetch(world, place, true);
}

/** `/inet/tcp/0/host/port` is a connection. */
function networkPlace(path: Value): Value | undefined {
  const [first = ""] = optionsOf(path);
  const [, kind, , host, port] = /^\/inet\d?\/(\w+)\/([^/]*)\/([^/]*)\/([^/]*)/.exec(first) ?? [];
  if (kind === undefined) return undefined;
  return text(`${kind}://${host?.replace(hole, "") || hole}:${port}`);
}

/** `$1`, and `getline x < "file"`; behind a bar, what is before it is run. */
function operand(reader: Reader, token: Token): Value | undefined {
  if (is(token, "$")) {
    reader.at++;
    reader.expression(9);
    return text(hole);
  }
  if (token.kind !== "word" || token.text !== "getline") return undefined;
  reader.at++;
  if (isWord(peek(reader)) && peek(reader)?.text !== "getline") reader.at++;
  if (!is(peek(reader), "<")) return nameOf("getline");
  reader.at++;
  const path = reader.expression(8);
  const place = networkPlace(path);
  if (place === undefined) emitRead(reader.world, path);
  else emitFetch(reader.world, place);
  return unknown;
}

function apply(world: World, sign: string, left: Value, right: Value): Value | undefined {
  if ((sign !== "|" && sign !== "|&") || right.is !== "name" || right.name !== "getline") return undefined;
  const place = networkPlace(left);
  if (place === undefined) emitExec(world, left);
  else emitFetch(world, place);
  return unknown;
}
