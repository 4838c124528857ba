import { isOneOf } from "../core/one-of.ts";
import { canonicalName, isCmdlet, parameterOf } from "./_powershell-names.ts";
import { members, primary } from "./_powershell-expression.ts";
import {
  charAt,
  maxShown,
  type PsCommand,
  type Script,
  since,
  skipBlanks,
  spend,
  take,
} from "./_powershell-script.ts";
import { bareWord, isQuote } from "./_powershell-text.ts";
import { constantOf, nothing, type PsValue, textOf, unknownOf } from "./_powershell-value.ts";

interface Argument {
  /** Of a parameter: its name as it was written. */
  readonly parameter?: string;
  readonly value?: PsValue | undefined;
}

/** Reads the arguments of a command and puts them where they belong; redirections are commands of their own. */
export function commandFrom(script: Script, called: PsValue, start: number): PsCommand {
  const name = called.known ? canonicalName(textOf(called), script.world.aliases) : "";
  const redirects: PsCommand[] = [];
  const { given, end } = argumentsOf(script, redirects);
  const text = script.text.slice(start, Math.min(end, start + maxShown)).trim();
  const command: PsCommand = { name, args: [], flags: {}, known: called.known, text };
  // What makes a folder in other shells makes one here, by a cmdlet that makes anything.
  if (/^(?:md|mkdir)(?:\.exe)?$/i.test(textOf(called))) command.flags["itemtype"] = "directory";
  if (isCmdlet(name)) place(command, given);
  else placeNative(command, given);
  // Without a name it is a block, which has been read already.
  if (name !== "" || !called.known) script.world.commands.push(command);
  const isText = name === "write-output" && command.known;
  script.world.commands.push(...redirects.map((each) => (isText ? withText(each, command.args) : each)));
  return command;
}

/** Reads `> file` behind a value. */
export function redirectsOf(script: Script, value: PsValue): void {
  const redirects: PsCommand[] = [];
  argumentsOf(script, redirects);
  script.world.commands.push(...redirects.map((each) => (value.known ? withText(each, value.items) : each)));
}

const withText = (redirect: PsCommand, items: readonly string[]): PsCommand => ({
  ...redirect,
  flags: { ...redirect.flags, value: items.join("\n") },
});

/** The arguments up to the end of the command, which lies before the blanks and comments behind it. */
function argumentsOf(script: Script, redirects: PsCommand[]): { given: Argument[]; end: number } {
  const given: Argument[] = [];
  for (;;) {
    const end = script.at;
    skipBlanks(script);
    const char = charAt(script);
    if (char === "" || "\n;|&)}".includes(char)) return { given, end };
    const before = script.at;
    const redirect = take(script, /[*\d]?(>>?)/y);
    if (redirect) {
      const target = redirected(script, before, redirect[1] === ">>");
      if (target) redirects.push(target);
      continue;
    }
    if (take(script, /--%/y)) {
      const rest = take(script, /[^\n]+/y)?.[0].trim() ?? "";
      given.push(...rest.split(/\s+/).map((word) => ({ value: constantOf(word.replace(/"/g, "")) })));
      continue;
    }
    given.push(parameterAt(script) ?? { value: argument(script) });
    if (script.at === before) script.at++;
  }
}

function redirected(script: Script, start: number, append: boolean): PsCommand | undefined {
  if (take(script, /&\d/y)) return undefined;
  skipBlanks(script);
  const target = argument(script);
  const path = textOf(target);
  if (target.items.length === 0 || /^(?:nul|\/dev\/null)$/i.test(path)) return undefined;
  const flags = { filepath: path, ...(append && { append: true as const }) };
  return { name: "out-file", args: [], flags, known: target.known, text: since(script, start) };
}

/** `-Name`, `-Name:value`; several kinds of dashes count. */
function parameterAt(script: Script): Argument | undefined {
  const found = take(script, /[-–—―](-?[A-Za-z?][\w-]*)(:?)/y);
  if (found === undefined) return undefined;
  const [, parameter = "", colon] = found;
  if (colon === ":") {
    skipBlanks(script);
    return { parameter, value: argument(script) };
  }
  // A word such as `-foo.bar=x` is no parameter.
  const rest = bareWord(script);
  return textOf(rest) === ""
    ? { parameter }
    : { parameter: parameter + textOf(rest), ...(!rest.known && { value: { ...nothing, known: false } }) };
}

/** A value among arguments: with commas it is a list. */
function argument(script: Script): PsValue {
  const first = single(script);
  if (first.items.length > 1 && !spend(script, first.items.length)) return unknownOf("$…");
  const items = [...first.items];
  let { known } = first;
  let isList = false;
  for (;;) {
    const before = script.at;
    skipBlanks(script);
    if (charAt(script) !== ",") {
      script.at = before;
      return isList ? { items, known } : first;
    }
    script.at++;
    skipBlanks(script, true);
    const next = single(script);
    if (next.items.length > 1 && !spend(script, next.items.length)) return unknownOf("$…");
    isList = true;
    known &&= next.known;
    items.push(...next.items);
  }
}

function single(script: Script): PsValue {
  const start = script.at;
  const char = charAt(script);
  const isSplat = char === "@" && /\w/.test(charAt(script, 1));
  if (isSplat) {
    const name = take(script, /@(\w+)/y)?.[1]?.toLowerCase() ?? "";
    return script.world.variables.get(name) ?? { items: [`$${name}`], known: false };
  }
  // A bracket begins a type in an expression, and a pattern of file names here.
  const value = char === "[" || /\d/.test(char) ? undefined : primary(script);
  if (value === undefined) return bareWord(script);
  if (isQuote(char)) return members(script, value, start);
  return char === "$" ? bareWord(script, members(script, value, start)) : members(script, value, start);
}

function place(command: PsCommand, given: readonly Argument[]): void {
  for (let at = 0; at < given.length; at++) {
    const { parameter, value } = given[at] ?? {};
    if (isUncertain(value)) command.known = false;
    if (value?.type === "environment") command.environment = true;
    if (parameter === undefined) {
      if (value?.fields) placeFields(command, value.fields);
      else if (value?.type !== "block") command.args.push(...(value?.items ?? []));
      continue;
    }
    if (command.name === "remove-item" && /^(?:rf|fr)$/i.test(parameter)) {
      command.flags["recurse"] = command.flags["force"] = true;
      continue;
    }
    const { name, isSwitch } = parameterOf(command.name, parameter);
    // All that follows `-Command` is the command.
    if (name === "command" && isOneOf(command.name, "powershell pwsh")) {
      const rest = [{ value: value ?? nothing }, ...given.slice(at + 1)].map(written);
      if (given.slice(at + 1).some((each) => each.value?.known === false)) command.known = false;
      command.flags[name] = rest.join(" ").trim();
      return;
    }
    const next = given[at + 1];
    const takesNext =
      value === undefined && isSwitch !== true && next !== undefined && next.parameter === undefined;
    const own = takesNext ? next.value : value;
    if (takesNext) at++;
    if (isUncertain(own)) command.known = false;
    if (own?.type === "environment") command.environment = true;
    setFlag(command, name, own);
  }
}

// A block is read where it stands, and a table by its fields.
const isUncertain = (value: PsValue | undefined): boolean =>
  value !== undefined && !value.known && value.type !== "block" && value.fields === undefined;

function placeFields(command: PsCommand, fields: ReadonlyMap<string, PsValue>): void {
  for (const [written, value] of fields) {
    if (!value.known) command.known = false;
    setFlag(command, parameterOf(command.name, written).name, value);
  }
}

function setFlag(command: PsCommand, name: string, value: PsValue | undefined): void {
  const text = value === undefined ? "true" : value.items.join(",");
  const lower = text.toLowerCase();
  if (lower === "true") command.flags[name] = true;
  // A switch that is off is as good as not there, but for the one that keeps questions away.
  else if (lower === "false" && name !== "confirm") delete command.flags[name];
  else command.flags[name] = lower === "false" ? "false" : text;
}

const written = ({ parameter, value }: Argument): string => {
  if (parameter === undefined) return value ? textOf(value) : "";
  return value ? `-${parameter}:${textOf(value)}` : `-${parameter}`;
};

/** A program gets its words as they are. */
function placeNative(command: PsCommand, given: readonly Argument[]): void {
  for (const each of given) {
    if (each.value?.known === false) command.known = false;
    if (each.parameter === undefined) command.args.push(...(each.value?.items ?? []));
    else command.args.push(written(each));
  }
}
