import {
  at,
  connects,
  changesFolder,
  deletes,
  evaluates,
  makes,
  moves,
  opens,
  reads,
  runsLine,
  table,
  writes,
} from "./_code-api.ts";
import {
  gives,
  changes,
  changesSelf,
  character,
  formatted,
  reverses,
  scratchName,
  variable,
  workFolder,
} from "./_code-api-text.ts";
import { parameters } from "./_code-function.ts";
import { loop } from "./_code-items.ts";
import { partsOf, toBehind, toLineEnd } from "./_code-text.ts";
import {
  is,
  isWord,
  type Lexis,
  type Literal,
  type Source,
  sourceOf,
  type Token,
  tokensOf,
} from "./_code-token.ts";
import { constant, hole, joined, listOf, nameOf, text, unknown, type Value } from "./_code-value.ts";
import { addText, type Api, type Dialect, emitExec, joinedList, peek, type Reader } from "./_code-world.ts";
import { reversed } from "./_decode.ts";

export const lua = (): Dialect => ({
  tokens: (code) => tokensOf(sourceOf(code), lexis),
  functions: functions(),
  methods: methods(),
  constants: new Map(),
  canonical: (name) => name.replace(/^_(?:G|ENV)\./, ""),
  statement,
  operand,
  apply: (_world, sign, left, right) => (sign === ".." ? joined([left, right]) : undefined),
  pairs: new Set(["="]),
  members: new Set([".", ":"]),
  joins: "",
  iterators: new Set(),
  can: { callBare: true },
});

const long = /\[(=*)\[/y;

const lexis: Lexis = {
  word: /[A-Za-z_]\w*/y,
  sign: /\.\.\.?|[=~<>]=|\/\/|::|<<|>>/y,
  joinsIn: undefined,
  literal(source: Source): Literal | "nothing" | undefined {
    const { code } = source;
    const char = code.charAt(source.at);
    if (char === "-" && code.startsWith("--", source.at)) {
      const close = closer(code, source.at + 2);
      return close === undefined ? toLineEnd(source) : toBehind(source, close);
    }
    if (char === "[") {
      const close = closer(code, source.at);
      if (close === undefined) return undefined;
      source.at += close.length;
      if (code.charAt(source.at) === "\n") source.at++;
      return { kind: "text", text: char, parts: partsOf(source, { close, escapes: "none" }) };
    }
    if (char !== '"' && char !== "'") return undefined;
    source.at++;
    const parts = partsOf(source, { close: char, escapes: "all", oneLine: true });
    return { kind: "text", text: char, parts };
  },
};

/** What ends the text that `[[` or `[==[` begins here. */
function closer(code: string, at: number): string | undefined {
  long.lastIndex = at;
  const level = long.exec(code)?.[1];
  return level === undefined ? undefined : `]${level}]`;
}

const branching = new Set("if elseif else while repeat until then do end".split(" "));
const leading = new Set("local return break goto".split(" "));

function statement(reader: Reader): boolean {
  const token = peek(reader);
  if (!isWord(token)) return false;
  if (token.text === "for" && !is(peek(reader, 2), "=")) {
    loop(reader);
    return true;
  }
  if (token.text === "function") {
    for (reader.at++; isWord(peek(reader)) || is(peek(reader), ".") || is(peek(reader), ":");) reader.at++;
    parameters(reader);
    return true;
  }
  if (branching.has(token.text) || token.text === "for") reader.world.straight = false;
  if (!branching.has(token.text) && !leading.has(token.text) && token.text !== "for") return false;
  reader.at++;
  return true;
}

/** A function has no brackets around its body, which is read as what follows. */
function operand(reader: Reader, token: Token): Value | undefined {
  if (!is(token, "function")) return undefined;
  reader.at++;
  parameters(reader);
  return unknown;
}

const writesText: Api = (call) => {
  if (call.self.is === "file") for (const content of call.args) addText(call.world, call.self, content);
  return call.self;
};

const functions = (): Map<string, Api> =>
  table({
    "os.remove lfs.rmdir": deletes(),
    "os.rename": moves,
    "lfs.mkdir lfs.touch": makes(),
    "lfs.link": makes(1),
    "io.open": (call) => opens(call, call.args[0], call.args[1]),
    "io.output": (call) => (call.args[0] === undefined ? unknown : writes()(call)),
    "io.lines io.input": (call) => (call.args[0] === undefined ? unknown : reads()(call)),
    "os.execute": runsLine,
    "io.popen": (call) => {
      emitExec(call.world, call.args[0], constant(call.args[1])?.startsWith("w") ? { input: unknown } : {});
      return unknown;
    },
    "load loadstring": evaluates,
    require: (call) => nameOf(constant(call.args[0]) ?? ""),
    "socket.tcp socket.tcp4": gives(nameOf("socket")),
    "socket.connect": connects(at(0), at(1)),
    "dofile loadfile": reads(),
    "lfs.chdir": changesFolder,
    "lfs.currentdir": workFolder,
    "os.getenv": variable,
    "os.tmpname": scratchName,
    "string.char utf8.char": character,
    "string.reverse": reverses,
    "string.lower": changes((option) => option.toLowerCase()),
    "string.upper": changes((option) => option.toUpperCase()),
    "string.format": (call) => formatted(call.world, call.args),
    "table.concat": (call) => {
      const [list, separator] = call.args;
      return list?.is === "list"
        ? joinedList(call.world, list.items, separator === undefined ? "" : (constant(separator) ?? hole))
        : text(hole);
    },
    "ipairs pairs": ({ args: [list] }) =>
      list?.is === "list" ? listOf(list.items.map((each) => listOf([unknown, each]))) : unknown,
    "pcall xpcall assert": (call) => call.args[0] ?? unknown,
  });

const methods = (): Map<string, Api> =>
  table({
    write: writesText,
    "reverse lower upper": (call) =>
      changesSelf((option) =>
        call.name === "reverse"
          ? reversed(option)
          : call.name === "lower"
            ? option.toLowerCase()
            : option.toUpperCase(),
      )(call),
    format: (call) =>
      call.self.is === "text" ? formatted(call.world, [call.self, ...call.args]) : undefined,
  });
