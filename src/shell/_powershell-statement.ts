import { isOneOf } from "../core/one-of.ts";
import { commandFrom, redirectsOf } from "./_powershell-command.ts";
import { expression, members, primary } from "./_powershell-expression.ts";
import { carriedOut, outputOf, piped } from "./_powershell-meaning.ts";
import { charAt, deeper, type Script, since, skipBlanks, spend, take } from "./_powershell-script.ts";
import { bareWord, isQuote, variableName } from "./_powershell-text.ts";
import { constantOf, listed, nothing, type PsValue, unknownOf } from "./_powershell-value.ts";

/** Reads statements up to a closing bracket and past it, or to the end; gives the value of the last. */
export const statements = (script: Script, closer: string): PsValue =>
  deeper(script, () => upTo(script, closer));

function upTo(script: Script, closer: string): PsValue {
  let value = nothing;
  let count = 0;
  while (script.at < script.text.length) {
    skipBlanks(script, true);
    const char = charAt(script);
    if (char === closer && char !== "") {
      script.at++;
      break;
    }
    if (";|,)]}".includes(char) || (char === "&" && charAt(script, 1) === "&")) {
      script.at++;
      continue;
    }
    const before = script.at;
    const next = keyword(script) ? nothing : pipeline(script);
    // Brackets gather what all their statements give.
    if (count++ === 0) value = next;
    else if (next.items.length > 0)
      value = closer === ")" && spend(script, value.items.length) ? listed(value, next) : next;
    if (script.at === before) script.at++;
  }
  return value;
}

const keywords =
  "if elseif else while for switch do until try catch finally return throw exit begin process end trap default param data in";
const named = /(?:function|filter|workflow|class|enum)\s+[\w:-]+/iy;
const loop = /foreach\s*(?:-parallel\s*)?\(\s*\$(\w+)\s+in(?!\w)/iy;

/** Passes over a word of the language; what belongs to it is read like everything else. */
function keyword(script: Script): boolean {
  const word = lettersAt(script).toLowerCase();
  if (word === "foreach") {
    const found = take(script, loop);
    if (!found) return false;
    skipBlanks(script, true);
    const over = script.pipeline();
    script.world.variables.set((found[1] ?? "").toLowerCase(), over);
    return true;
  }
  if (isOneOf(word, "function filter workflow class enum")) return take(script, named) !== undefined;
  if (!isOneOf(word, keywords) || /[\w.:\\/-]/.test(charAt(script, word.length))) return false;
  script.at += word.length;
  return true;
}

/** The letters that stand where the script is read: every word of the language is made of them alone. */
function lettersAt({ text, at }: Script): string {
  let end = at;
  while (isLetter(text.charCodeAt(end))) end++;
  return text.slice(at, end);
}

const isLetter = (code: number): boolean => (code > 64 && code < 91) || (code > 96 && code < 123);

/** Reads commands with bars between them; gives what comes out at the end. */
export const pipeline = (script: Script): PsValue => deeper(script, () => parts(script));

function parts(script: Script): PsValue {
  const element = script.element;
  let value = part(script, undefined);
  for (;;) {
    skipBlanks(script);
    if (charAt(script) !== "|" || charAt(script, 1) === "|") break;
    script.at++;
    skipBlanks(script, true);
    const before = script.at;
    script.element = value;
    value = part(script, value);
    if (script.at === before) break;
  }
  script.element = element;
  return value;
}

function part(script: Script, upstream: PsValue | undefined): PsValue {
  const start = script.at;
  const char = charAt(script);
  const call = take(script, /&(?!&)|\.(?=[\s"'$({])/y);
  if (call) {
    skipBlanks(script);
    return invoked(script, called(script), start, upstream);
  }
  const isExpression =
    isQuote(char) ||
    /[$([{@\d!]/.test(char) ||
    /^[-–—―](?:join|split|not|\d|\$|\()/i.test(script.text.slice(script.at, script.at + 6));
  if (!isExpression || (upstream !== undefined && char === "?"))
    return invoked(script, bareWord(script), start, upstream);
  const assignment = assigned(script, start);
  if (assignment !== undefined) return assignment;
  const value = expression(script);
  skipBlanks(script);
  if (charAt(script) === ">") redirectsOf(script, value);
  return value;
}

/** `& "name"`, `& { … }`, `. $x` */
function called(script: Script): PsValue {
  const start = script.at;
  const value = primary(script);
  return value === undefined ? bareWord(script) : members(script, value, start);
}

function invoked(script: Script, name: PsValue, start: number, upstream: PsValue | undefined): PsValue {
  if (name.type === "scriptblock" && name.known) script.world.nested("powershell", name.items.join(" "));
  if (name.type === "block" || name.type === "scriptblock") {
    // The block has been read where it stands; what is handed to it does not matter.
    commandFrom(script, constantOf(""), start);
    return unknownOf(since(script, start));
  }
  const at = script.world.commands.length;
  const command = commandFrom(script, name, start);
  const meant = upstream === undefined ? command : piped(command, upstream);
  const place = script.world.commands.indexOf(command, at);
  if (place >= 0) script.world.commands[place] = meant;
  carriedOut(script, meant, upstream);
  return outputOf(meant, upstream);
}

/** `$x = …`, `[string]$x += …`; nothing when it is something else, with the place unchanged. */
function assigned(script: Script, start: number): PsValue | undefined {
  take(script, /\[[\w.[\]]{1,100}\]\s*/y);
  const name = charAt(script) === "$" ? variableName(script) : undefined;
  const sign = name === undefined ? undefined : take(script, /\s*([+]?)=(?!=)/y);
  if (name === undefined || sign === undefined) {
    script.at = start;
    return undefined;
  }
  skipBlanks(script, true);
  const value = script.pipeline();
  const before = script.world.variables.get(name);
  script.world.variables.set(name, sign[1] === "+" && before ? joinedValue(before, value) : value);
  return nothing;
}

const joinedValue = (before: PsValue, more: PsValue): PsValue =>
  before.items.length === 1 && more.items.length === 1
    ? {
        items: [(before.items[0] ?? "") + (more.items[0] ?? "")].map((text) => text.slice(0, 64 * 1024)),
        known: before.known && more.known,
      }
    : listed(before, more);
