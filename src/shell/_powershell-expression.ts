import { isOneOf } from "../core/one-of.ts";
import { castTo, methodCall, staticCall, typeName } from "./_powershell-net.ts";
import { charAt, deeper, type Script, since, skipBlanks, spend, take } from "./_powershell-script.ts";
import { bareWord, dollar, hereString, isQuote, quotedText } from "./_powershell-text.ts";
import {
  concatenated,
  constantOf,
  formatted,
  joinedBy,
  nothing,
  picked,
  type PsValue,
  ranged,
  replacedIn,
  textOf,
  unknownOf,
} from "./_powershell-value.ts";

const maxItems = 2048;
const wordOperator = /[-–—―]([A-Za-z]+)(?![\w-])/y;
const powers: Readonly<Record<string, number>> = { and: 0, or: 0, xor: 0, f: 4 };
const comparison = 1;

/** Reads an expression with operators that bind at least so strongly. */
export function expression(script: Script, least = 0): PsValue {
  const start = script.at;
  let value = least > 5 ? operand(script) : series(script);
  for (;;) {
    skipBlanks(script);
    const before = script.at;
    const sign = operatorAt(script);
    const power =
      sign === undefined
        ? -1
        : sign === ".."
          ? 5
          : "*/%".includes(sign)
            ? 3
            : "+-".includes(sign)
              ? 2
              : (powers[sign] ?? comparison);
    if (sign === undefined || power < least) {
      script.at = before;
      return value;
    }
    skipBlanks(script, true);
    value = applied(sign, value, expression(script, power + 1), () => since(script, start));
  }
}

function operatorAt(script: Script): string | undefined {
  if (take(script, /\.\./y)) return "..";
  const word = take(script, wordOperator)?.[1]?.toLowerCase();
  if (word !== undefined) return word;
  return take(script, /[+*/%-](?![=+-])/y)?.[0];
}

function applied(sign: string, left: PsValue, right: PsValue, source: () => string): PsValue {
  switch (sign) {
    case "+":
      return concatenated(left, right);
    case "*": {
      const times = Number(textOf(right));
      const text = textOf(left);
      const isShort = left.known && right.known && times >= 0 && text.length * times <= 64 * 1024;
      return isShort ? constantOf(text.repeat(Math.floor(times))) : unknownOf(source());
    }
    case "..":
      return ranged(left, right);
    case "f":
      return formatted(left, right);
    case "join":
      return joinedBy(left, textOf(right));
    case "replace":
    case "creplace":
    case "ireplace":
      return replacedIn(left, right);
    case "split":
      return left.known && right.known && textOf(left).length <= 4096
        ? constantOf(...textOf(left).split(textOf(right)))
        : unknownOf(source());
    case "as":
      return left;
    default:
      return unknownOf(source());
  }
}

/** Values with commas between them. */
function series(script: Script): PsValue {
  const first = operand(script);
  if (first.items.length > 1 && !spend(script, first.items.length)) return unknownOf("$…");
  const items = [...first.items];
  let known = first.known;
  let isList = false;
  for (;;) {
    const before = script.at;
    skipBlanks(script);
    if (charAt(script) !== ",") {
      script.at = before;
      return isList ? { items: items.slice(0, maxItems), known: known && items.length <= maxItems } : first;
    }
    script.at++;
    skipBlanks(script, true);
    const start = script.at;
    const next = operand(script);
    if (script.at === start) return { items, known };
    isList = true;
    known &&= next.known;
    // A list can be put into itself with every line of a script.
    if (next.items.length > 1 && !spend(script, next.items.length)) return unknownOf("$…");
    if (items.length <= maxItems) items.push(...next.items);
  }
}

/** Reads one value, with the members and indexes behind it. */
const operand = (script: Script): PsValue => deeper(script, () => value(script));

function value(script: Script): PsValue {
  skipBlanks(script);
  const start = script.at;
  const unary = take(
    script,
    /!|,|\+\+|--|[-–—―](?:join|split|not|bnot)(?![\w-])|[+-](?=[$(\d])/iy,
  )?.[0].toLowerCase();
  if (unary !== undefined) {
    skipBlanks(script, true);
    const value = unary.endsWith("join") ? joinedBy(expression(script, 5), "") : operand(script);
    return unary === "-" && value.known
      ? constantOf(`-${textOf(value)}`)
      : unary === "!" || /not$/.test(unary)
        ? unknownOf(since(script, start))
        : value;
  }
  const first = primary(script);
  return first === undefined ? nothing : members(script, first, start);
}

/** Reads a value that begins with a sign of its own, or nothing. */
export function primary(script: Script): PsValue | undefined {
  const [char, next] = [charAt(script), charAt(script, 1)];
  if (isQuote(char)) return quotedText(script);
  if (char === "(" || (char === "@" && next === "(")) {
    script.at += char === "(" ? 1 : 2;
    return script.statements(")");
  }
  if (char === "@" && next === "{") return hashtable(script);
  if (char === "@" && (next === '"' || next === "'")) return hereString(script);
  if (char === "$") return dollar(script) ?? bareWord(script);
  if (char === "[") return typed(script);
  if (char === "{") {
    const start = script.at++;
    script.statements("}");
    return { ...unknownOf(since(script, start)), type: "block" };
  }
  const number = take(script, /0x[\da-fA-F]+|\d+(?:\.\d+)?/y)?.[0];
  return number === undefined ? undefined : constantOf(number);
}

/** `[Type]::Member(…)` or a cast. */
function typed(script: Script): PsValue | undefined {
  const start = script.at;
  const name = take(script, /\[([\w.,+`\s]{1,100}(?:\[[\w.,\s]{0,100}\])?)\]/y)?.[1];
  if (name === undefined) return undefined;
  const type = typeName(name);
  const member = take(script, /\s*::\s*["']?(\w+)["']?/y)?.[1]?.toLowerCase();
  if (member === undefined) return castTo(type, operand(script));
  const args = argumentsAt(script) ?? [];
  return staticCall(script, type, member, args, since(script, start));
}

function argumentsAt(script: Script): PsValue[] | undefined {
  if (charAt(script) !== "(") return undefined;
  script.at++;
  const args: PsValue[] = [];
  for (;;) {
    skipBlanks(script, true);
    const char = charAt(script);
    if (char === ")" || char === "") {
      script.at++;
      return args;
    }
    const before = script.at;
    if (char !== ",") args.push(expression(script, 6));
    // The elements of an argument are not those of the argument list, so operators come one by one.
    while (script.at > before && !/[,)]/.test(peekSign(script))) {
      const last = args.pop() ?? nothing;
      const at = script.at;
      const sign = operatorAt(script);
      if (sign === undefined) {
        args.push(last);
        break;
      }
      skipBlanks(script, true);
      args.push(applied(sign, last, expression(script, 6), () => since(script, at)));
    }
    if (script.at === before) script.at++;
  }
}

function peekSign(script: Script): string {
  skipBlanks(script, true);
  return charAt(script) || ")";
}

/** `.Name`, `.Name(…)` and `[0]` behind a value. */
export function members(script: Script, first: PsValue, start: number): PsValue {
  let value = first;
  for (;;) {
    const name = take(script, /(?:\.|::)["']?([A-Za-z_]\w*)["']?/y)?.[1]?.toLowerCase();
    if (name !== undefined) {
      const args = argumentsAt(script);
      const text = since(script, start);
      value = args === undefined ? property(value, name, text) : methodCall(script, value, name, args, text);
      continue;
    }
    if (charAt(script) !== "[") return value;
    script.at++;
    const index = script.statements("]");
    value = picked(value, index);
  }
}

function property(value: PsValue, name: string, text: string): PsValue {
  const field = value.fields?.get(name);
  if (field !== undefined) return field;
  if (isOneOf(name, "fullname path pspath name basename value") && value.known) return value;
  if (value.type === "process" && isOneOf(name, "id name processname processid")) return value;
  return { ...unknownOf(text), type: value.type === undefined ? name : `${value.type}.${name}` };
}

/** `@{ Path = "x"; Recurse = $true }` */
function hashtable(script: Script): PsValue {
  const start = script.at;
  script.at += 2;
  const fields = new Map<string, PsValue>();
  for (;;) {
    skipBlanks(script, true);
    const char = charAt(script);
    if (char === "}" || char === "") {
      script.at++;
      return { ...unknownOf(since(script, start)), fields };
    }
    const before = script.at;
    const key = isQuote(char) ? textOf(quotedText(script)) : (take(script, /\w+/y)?.[0] ?? "");
    skipBlanks(script);
    if (charAt(script) === "=") {
      script.at++;
      skipBlanks(script, true);
      fields.set(key.toLowerCase(), script.pipeline());
    }
    if (script.at === before) script.at++;
  }
}
