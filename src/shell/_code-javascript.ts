import { isOneOf } from "../core/one-of.ts";
import { body, destructure, functionValue, parameters } from "./_code-function.ts";
import { javascriptConstants, javascriptFunctions, javascriptMethods } from "./_code-javascript-api.ts";
import { isPattern, maxLevel, partsOf, toBehind, toLineEnd } from "./_code-text.ts";
import {
  endsValue,
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
import { elementOf, nameOf, unknown, type Value } from "./_code-value.ts";
import { bind, type Dialect, peek, type Reader } from "./_code-world.ts";

export const javascriptTokens = (code: string): Token[] => tokensOf(sourceOf(code), lexis);

export const javascript = (): Dialect => ({
  tokens: javascriptTokens,
  functions: javascriptFunctions(),
  methods: javascriptMethods(),
  constants: javascriptConstants(),
  canonical,
  statement,
  operand,
  pairs: new Set([":"]),
  members: new Set([".", "?."]),
  joins: "+",
  iterators: new Set("forEach map filter flatMap some every find then finally".split(" ")),
  can: {},
});

/** The same function by other names: old and new module names, promises, the forms that wait. */
function canonical(name: string): string {
  const plain = name
    .replace(/^(?:globalThis|global|window|self)\./, "")
    .replace(/^(?:process\.mainModule|module)\.require/, "require")
    .replace(/^node:/, "")
    .replace(/\.default\b/g, "")
    .replace(/^(?:fs-extra|graceful-fs|fsPromises|fsp)\b/, "fs")
    .replace(/^fs[./]promises\b/, "fs")
    .replace(/^cross-spawn\b/, "child_process.spawn")
    .replace(/^(?:node-fetch|undici\.fetch)\b/, "fetch")
    .replace(/^(?:bun|zx|execa)\.\$/, "$");
  return plain.endsWith("Sync") && plain.length > 4 ? sync(plain.slice(0, -4)) : plain;
}

// Names that end in `Sync` belong to few modules, so they are known even when their module is not.
function sync(name: string): string {
  const last = name.slice(name.lastIndexOf(".") + 1);
  if (isOneOf(last, "exec spawn execFile") && !/^(?:execa|Deno|Bun)\b/.test(name))
    return `child_process.${last}`;
  return /^(?:Deno|Bun|execa|rimraf|del|shelljs)\b/.test(name) ? name : `fs.${last}`;
}

const keywords = new Set(
  "return typeof case do else in instanceof new void delete throw await yield of if while".split(" "),
);

const lexis: Lexis = {
  word: /(?:[A-Za-z_$#\u0080-\uffff]|\\u\{?[\da-fA-F]+\}?)(?:[\w$\u0080-\uffff]|\\u\{?[\da-fA-F]+\}?)*/y,
  sign: /=>|\?\.(?!\d)|\?\?=?|===?|!==?|\*\*=?|\.\.\.|&&=?|\|\|=?|>>>?=?|<<=?|[+\-*/%&|^<>]=|\+\+|--/y,
  joinsIn: undefined,
  literal(source: Source, last: Token | undefined): Literal | "nothing" | undefined {
    const { code } = source;
    const char = code.charAt(source.at);
    if (char === "/") return slashed(source, last);
    if (char === "#" && source.at === 0 && code.startsWith("#!")) return toLineEnd(source);
    if (char !== '"' && char !== "'" && char !== "`") return undefined;
    source.at++;
    const isTemplate = char === "`";
    const parts = partsOf(source, {
      close: char,
      escapes: "all",
      oneLine: !isTemplate,
      ...(isTemplate && { code: substitution }),
    });
    return { kind: "text", text: char, parts };
  },
};

/** A comment, or a pattern where a value can begin. */
function slashed(source: Source, last: Token | undefined): Literal | "nothing" | undefined {
  const { code } = source;
  if (code.startsWith("//", source.at)) return toLineEnd(source);
  if (code.startsWith("/*", source.at)) {
    source.at += 2;
    return toBehind(source, "*/");
  }
  if (endsValue(last, keywords) || !isPattern(source)) return undefined;
  return { kind: "pattern", text: "/", parts: [] };
}

function substitution(source: Source): Part | undefined {
  if (!source.code.startsWith("${", source.at) || source.level >= maxLevel) return undefined;
  source.at += 2;
  source.level++;
  const tokens = tokensOf(source, lexis, "}");
  source.level--;
  source.at++;
  return tokens;
}

const branching = new Set("if else while do switch case try catch finally class default".split(" "));
const leading = new Set("return throw export extends static async break continue of".split(" "));

function statement(reader: Reader): boolean {
  const token = peek(reader);
  if (!isWord(token)) return false;
  switch (token.text) {
    case "const":
    case "let":
    case "var":
      declarations(reader);
      return true;
    case "import":
      return imports(reader);
    case "for":
      reader.world.straight = false;
      // The head is read like what follows, so that `const x of y` is a declaration.
      for (reader.at++; is(peek(reader), "await") || is(peek(reader), "(");) reader.at++;
      return true;
  }
  if (branching.has(token.text)) reader.world.straight = false;
  if (!branching.has(token.text) && !leading.has(token.text)) return false;
  if (token.text === "async" && (is(peek(reader, 1), "(") || is(peek(reader, 2), "=>"))) return false;
  reader.at++;
  return true;
}

function declarations(reader: Reader): void {
  do {
    reader.at++;
    const start = reader.at;
    const pattern = peek(reader);
    const hasParts = is(pattern, "{") || is(pattern, "[");
    reader.at = hasParts && pattern ? pattern.close + 1 : reader.at + 1;
    if (is(peek(reader), ":")) skipType(reader);
    const sign = peek(reader);
    if (!is(sign, "=") && !is(sign, "of") && !is(sign, "in")) return;
    reader.at++;
    const given = reader.expression();
    const value = is(sign, "=") ? given : is(sign, "of") ? elementOf(given) : unknown;
    const end = reader.at;
    if (hasParts) {
      reader.at = start;
      destructure(reader, value);
    } else if (isWord(pattern)) bind(reader.world, pattern.text, value);
    reader.at = end;
  } while (is(peek(reader), ","));
}

/** Passes over `: Map<string, string[]> | undefined`. */
function skipType(reader: Reader): void {
  let angles = 0;
  let wantsMore = true;
  for (reader.at++; ; reader.at++) {
    const token = peek(reader);
    if (token === undefined) return;
    if (token.kind === "sign" && "<|&.,".includes(token.text)) {
      if (token.text === "," && angles === 0) return;
      if (token.text === "<") angles++;
      wantsMore = true;
      continue;
    }
    if (is(token, "[") || (wantsMore && (is(token, "{") || is(token, "(")))) reader.at = token.close;
    else if (angles > 0 && /^>+$/.test(token.text)) angles = Math.max(0, angles - token.text.length);
    else if (!wantsMore || token.kind === "sign") return;
    wantsMore = false;
  }
}

/** `import fs, { rm as remove } from "fs"`, `import * as fs from "fs"`. */
function imports(reader: Reader): boolean {
  if (is(peek(reader, 1), "(") || is(peek(reader, 1), ".")) return false;
  const start = reader.at + 1;
  let end = start;
  for (let token = reader.tokens[end]; token && isImported(token); token = reader.tokens[end]) {
    end = is(token, "{") ? token.close + 1 : end + 1;
  }
  const from = reader.tokens[end + 1];
  const [module] = from?.kind === "text" ? from.parts : [];
  if (!is(reader.tokens[end], "from") || typeof module !== "string") {
    reader.at = start;
    return true;
  }
  for (reader.at = start; reader.at < end; reader.at++) {
    const token = peek(reader);
    if (is(token, "{")) {
      destructure(reader, nameOf(module));
      reader.at--;
    } else if (isWord(token) && token.text !== "as" && token.text !== "type") {
      bind(reader.world, token.text, nameOf(module));
    }
  }
  reader.at = end + 2;
  return true;
}

const isImported = (token: Token): boolean =>
  token.kind === "word"
    ? token.text !== "from" && token.text !== "import"
    : ["{", ",", "*"].includes(token.text);

function operand(reader: Reader, token: Token): Value | undefined {
  if (is(token, "(") && is(reader.tokens[token.close + 1], "=>")) {
    parameters(reader);
    reader.at++;
    return body(reader);
  }
  if (token.kind !== "word") return undefined;
  if (is(peek(reader, 1), "=>")) {
    const { world } = reader;
    world.straight = false;
    world.variables.set(token.text, world.element ?? unknown);
    world.element = undefined;
    reader.at += 2;
    return body(reader);
  }
  if (token.text !== "function") return undefined;
  reader.at++;
  while (is(peek(reader), "*") || isWord(peek(reader))) reader.at++;
  return functionValue(reader);
}
