import { invoke, isCallable, isKnownCall, lastName, maxName, memberOf, receivedBy } from "./_code-call.ts";
import { block, body } from "./_code-function.ts";
import { bareItems, group, items, list, record } from "./_code-items.ts";
import {
  applied,
  beginsArgument,
  beginsTerm,
  juxtaposition,
  operatorPower,
  unary,
} from "./_code-operator.ts";
import { is, isWord, type Part, type Token } from "./_code-token.ts";
import {
  constant,
  either,
  itemOf,
  joined,
  mapped,
  nameOf,
  text,
  unknown,
  type Value,
} from "./_code-value.ts";
import { bind, emitExec, peek, type Reader, spend, type World, joinedList } from "./_code-world.ts";
import { reversed } from "./_decode.ts";

/** Brackets deeper than this are passed over, so that what they enclose is still seen. */
const flatDepth = 100;
/** Code deeper than this is not read, and may do anything. */
const maxDepth = 200;

const prefixes = new Set(
  "- + ! ~ & * ** ... \\ @ ++ -- not await new typeof void delete yield async defined scalar".split(" "),
);
const assigning = new Set(["=", ":=", "+=", ".=", "||=", "??=", "//="]);

/** A reader at the beginning of a program. */
export function readerOf(tokens: readonly Token[], world: World, level = 0): Reader {
  const reader: Reader = {
    tokens,
    at: 0,
    level,
    chain: undefined,
    world,
    expression: (least = 0) => expression(reader, least),
    statements: (end = tokens.length) => statements(reader, end),
  };
  return reader;
}

function statements(reader: Reader, end: number): void {
  while (reader.at < end) {
    const before = reader.at;
    const token = peek(reader);
    const isFlat =
      token?.kind === "end" || is(token, ";") || is(token, "{") || is(token, "}") || is(token, ",");
    if (!isFlat && !reader.world.dialect.statement(reader)) expression(reader, 0);
    if (reader.at === before) reader.at++;
  }
}

function expression(reader: Reader, least: number): Value {
  if (reader.level >= flatDepth && isTooDeep(reader)) {
    reader.at++;
    return unknown;
  }
  reader.level++;
  let value = operand(reader);
  const chain = reader.chain;
  for (let token = peek(reader); token !== undefined && token.kind !== "end"; token = peek(reader)) {
    if (chain !== undefined && least <= 2 && token.kind === "sign" && assigning.has(token.text)) {
      reader.at++;
      value = assign(reader, chain, token.text, value);
      continue;
    }
    const power = operatorPower(reader, token);
    if (power !== undefined) {
      if (power < least) break;
      reader.at++;
      value = operated(reader, token, value, power);
      continue;
    }
    if (!reader.world.dialect.can.juxtapose || !beginsTerm(token) || juxtaposition < least) break;
    const before = reader.at;
    value = joined([value, expression(reader, juxtaposition + 1)]);
    if (reader.at === before) break;
  }
  reader.level--;
  reader.chain = undefined;
  return value;
}

function isTooDeep(reader: Reader): boolean {
  const token = peek(reader);
  if (token?.kind === "sign" || (token?.kind === "word" && prefixes.has(token.text))) return true;
  if (reader.level < maxDepth) return false;
  if (!reader.world.lost) reader.world.effects.push({ do: "exec" });
  reader.world.lost = true;
  return true;
}

function operated(reader: Reader, sign: Token, left: Value, power: number): Value {
  if (sign.text === "?") {
    const yes = expression(reader, 2);
    if (!is(peek(reader), ":")) return yes;
    reader.at++;
    return either(yes, expression(reader, 2));
  }
  if (sign.text === "if") {
    expression(reader, 3);
    if (!is(peek(reader), "else")) return left;
    reader.at++;
    return either(left, expression(reader, 2));
  }
  return applied(reader.world, sign.text, left, expression(reader, power + 1));
}

function assign(reader: Reader, chain: string, sign: string, before: Value): Value {
  const value = expression(reader, 0);
  const whole = sign === "+=" || sign === ".=" ? applied(reader.world, sign.charAt(0), before, value) : value;
  bind(reader.world, chain, whole);
  return whole;
}

function operand(reader: Reader): Value {
  reader.chain = undefined;
  const token = peek(reader);
  if (token === undefined || token.kind === "end") return unknown;
  const { world } = reader;
  const special = world.dialect.operand(reader, token);
  if (special !== undefined) return behind(reader, special);
  reader.at++;
  if ((token.kind === "sign" || token.kind === "word") && prefixes.has(token.text))
    return prefixed(reader, token);
  switch (token.kind) {
    case "text":
      return behind(reader, texts(reader, token));
    case "command":
      emitExec(world, textOf(reader, token.parts));
      return behind(reader, unknown);
    case "pattern":
      textOf(reader, token.parts);
      return behind(reader, unknown);
    case "number":
      return behind(reader, { is: "number", number: numberOf(token.text) });
    case "word":
      reader.chain = token.text;
      return behind(reader, resolved(world, token.text));
    case "sign":
      if (token.text === "(") return behind(reader, group(reader, token));
      if (token.text === "[") return behind(reader, list(reader, token));
      if (token.text === "{") return behind(reader, braces(reader, token));
  }
  reader.at--;
  return unknown;
}

function prefixed(reader: Reader, sign: Token): Value {
  const value = expression(reader, unary);
  reader.chain = undefined;
  if (sign.text === "-" && value.is === "number") return { is: "number", number: -value.number };
  return sign.kind === "word" || !"!~+-".includes(sign.text) ? value : unknown;
}

const resolved = (world: World, name: string): Value =>
  world.variables.get(name) ?? world.dialect.constants.get(name) ?? nameOf(name);

function numberOf(digits: string): number {
  const plain = digits.replace(/_|n$/g, "");
  // A leading zero means octal where numbers are file modes, which is where it matters.
  return /^0\d+$/.test(plain) ? parseInt(plain, 8) : Number(plain);
}

function braces(reader: Reader, open: Token): Value {
  const [first, second] = [peek(reader), peek(reader, 1)];
  const isRecord = is(first, "}") || is(second, "=>") || is(second, ",") || first?.text.startsWith("%");
  if (!reader.world.dialect.can.blockAsValue || isRecord) return record(reader, open);
  reader.at--;
  return body(reader);
}

// Strings side by side are one string.
function texts(reader: Reader, first: Token): Value {
  const values = [textOf(reader, first.parts)];
  for (let next = peek(reader); next?.kind === "text" && next.text !== "`"; next = peek(reader)) {
    values.push(textOf(reader, next.parts));
    reader.at++;
  }
  return values.length === 1 ? (values[0] ?? unknown) : joined(values);
}

/** The value of a string, with the values of the code in it. */
function textOf(reader: Reader, parts: readonly Part[]): Value {
  if (parts.length === 0) return text("");
  if (parts.length === 1 && typeof parts[0] === "string") return text(parts[0]);
  return joined(
    parts.map((part) => {
      if (typeof part === "string") return text(part);
      const inner = readerOf(part, reader.world, reader.level);
      const value = expression(inner, 0);
      statements(inner, part.length);
      return value.is === "list" ? joinedList(reader.world, value.items, " ") : value;
    }),
  );
}

/** Members, calls and indexes behind a value. */
function behind(reader: Reader, start: Value): Value {
  const { world } = reader;
  const { members, can } = world.dialect;
  let value = start;
  for (let token = peek(reader); token !== undefined && token.kind !== "end"; token = peek(reader)) {
    const next = peek(reader, 1);
    if (token.kind === "sign" && members.has(token.text)) {
      if (isWord(next)) {
        const isChain = reader.chain !== undefined && reader.chain.length + next.text.length < maxName;
        const chain = isChain ? `${reader.chain}.${next.text}` : undefined;
        const from = silent(reader, value);
        reader.at += 2;
        reader.chain = chain;
        value = memberOf(world, from, next.text, chain);
        continue;
      }
      if (next?.kind !== "sign" || !"([{".includes(next.text)) return value;
      reader.at++;
      if (next.text === "{") value = index(reader, next, value);
      continue;
    }
    const result = called(reader, value, token);
    const isIndex =
      (is(token, "[") && !(token.spaced && can.callBare)) ||
      (is(token, "{") && can.indexByBraces && !token.spaced && reader.chain?.startsWith("$"));
    if (result !== undefined) value = result;
    else if (isIndex) value = index(reader, token, value);
    else break;
  }
  return silent(reader, value);
}

/** Reads the arguments of a call and what it gives, if there is one here. */
function called(reader: Reader, callee: Value, token: Token): Value | undefined {
  const { world } = reader;
  const { can } = world.dialect;
  const before = world.element;
  let result: Value | undefined;
  if (is(token, "(") && !(token.spaced && can.juxtapose)) {
    reader.at++;
    world.element = receivedBy(world, callee);
    const { values, named } = items(reader, token);
    result = invoke(world, callee, values, named);
  } else if (token.kind === "text" && token.text === "`" && isCallable(callee)) {
    reader.at++;
    // A template with a tag is a call of its own kind: `$` alone may be anything.
    const tag = callee.is === "name" ? nameOf(`${callee.name}\``, callee.self) : callee;
    result = invoke(world, tag, [textOf(reader, token.parts)]);
  } else if (can.callBare && beginsArgument(reader, token) && isKnownCall(world, callee)) {
    const { values, named } = bareItems(reader);
    result = invoke(world, callee, values, named);
  }
  world.element = before;
  if (result === undefined) return undefined;
  reader.chain = undefined;
  if (can.takeBlocks) block(reader, callee, result);
  return result;
}

/** `Dir.pwd`: where the language calls without brackets, a known name behind a dot is called. */
function silent(reader: Reader, value: Value): Value {
  const { world } = reader;
  if (!world.dialect.can.callSilently || !isCallable(value) || !isKnownCall(world, value)) return value;
  if (value.is === "name" && lastName(value.name) === value.name) return value;
  reader.chain = undefined;
  const result = invoke(world, value, []);
  if (world.dialect.can.takeBlocks) block(reader, value, result);
  return result;
}

function index(reader: Reader, open: Token, value: Value): Value {
  const { world } = reader;
  const isBackwards = is(peek(reader, 1), ":") && is(peek(reader, 2), ":") && is(peek(reader, 3), "-");
  const word = peek(reader, 1);
  reader.at++;
  const isKey = open.text === "{" && isWord(word) && is(peek(reader, 1), "}");
  if (isKey) reader.at += 2;
  const [key = unknown] = isKey ? [text(word.text)] : items(reader, open).values;
  reader.chain = undefined;
  if (isBackwards) {
    const length = constant(value)?.length ?? 0;
    return value.is === "text" && spend(world, length) ? mapped(value, reversed) : unknown;
  }
  if (key.is === "number" && value.is === "list") return itemOf(value, key.number);
  const name = constant(key);
  return name === undefined || (key.is === "number" && value.is !== "name")
    ? unknown
    : memberOf(world, value, name);
}
