import { isOneOf } from "../core/one-of.ts";
import { canonicalCmd, isFlag, splitFlags } from "./_cmd-names.ts";
import type { PsCommand, PsWorld } from "./_powershell-script.ts";
import { unread } from "./_powershell-script.ts";

/** A word of cmd.exe: what it may be, several in the body of a loop. */
interface Word {
  readonly options: readonly string[];
  readonly known: boolean;
}

interface Batch {
  readonly text: string;
  at: number;
  depth: number;
  readonly world: PsWorld;
}

const maxDepth = 100;
const maxOptions = 32;
/** cmd.exe takes no longer lines than this. */
const maxWord = 8192;

/** Reads the commands of a text for cmd.exe into the world. */
export function unfoldCmdIn(world: PsWorld, text: string): void {
  lines({ text, at: 0, depth: 0, world }, false);
}

function lines(batch: Batch, inBrackets: boolean): void {
  if (batch.depth >= maxDepth) {
    batch.world.commands.push({ ...unread });
    batch.at = batch.text.length;
    return;
  }
  batch.depth++;
  while (batch.at < batch.text.length) {
    const char = batch.text.charAt(batch.at);
    if (char === "(") {
      batch.at++;
      lines(batch, true);
    } else if (char === ")") {
      batch.at++;
      if (inBrackets) break;
    } else if (/[\s&|@;,=]/.test(char)) batch.at++;
    else {
      const before = batch.at;
      statement(batch);
      if (batch.at === before) batch.at++;
    }
  }
  batch.depth--;
}

function statement(batch: Batch): void {
  const start = batch.at;
  if (/^(?:rem(?![\w.])|:)/i.test(batch.text.slice(batch.at, batch.at + 5))) {
    const end = batch.text.indexOf("\n", batch.at);
    batch.at = end < 0 ? batch.text.length : end;
    return;
  }
  const first = word(batch);
  switch (first?.options[0]?.toLowerCase()) {
    case undefined:
    case "else":
    case "do":
      return;
    case "if":
      condition(batch);
      return;
    case "for":
      loop(batch);
      return;
  }
  const redirects: PsCommand[] = [];
  const words = first ? [first, ...rest(batch, redirects)] : [];
  run(batch, words, batch.text.slice(start, Math.min(batch.at, start + 500)).trim());
  batch.world.commands.push(...redirects);
}

/** `if [/i] [not] exist x`, `if a==b`: what follows is a command like any other. */
function condition(batch: Batch): void {
  let next = word(batch);
  while (next && /^(?:\/i|not)$/i.test(next.options[0] ?? "")) next = word(batch);
  const first = next?.options[0] ?? "";
  if (/^(?:exist|defined|errorlevel|cmdextversion)$/i.test(first)) word(batch);
  else if (/==$/.test(first)) word(batch);
  else if (!first.includes("==")) {
    const sign = word(batch)?.options[0] ?? "";
    if (sign === "==" || !sign.startsWith("==")) word(batch);
  }
}

const loopHead = /(?:\s*\/([dlfr])(?![\w]))?\s*((?:"[^"\n]*"|[^\s%("]+)?)\s*%{1,2}(\w)\s+in\s*\(/iy;

/** `for /f "…" %i in ('command') do`, `for /r C:\x %i in (a b) do`: what follows is a command like any other. */
function loop(batch: Batch): void {
  loopHead.lastIndex = batch.at;
  const head = loopHead.exec(batch.text);
  if (!head) return;
  const [whole, kind = "", folder = "", name = ""] = head;
  batch.at += whole.length;
  const quote = /^\s*(['`])/.exec(batch.text.slice(batch.at, batch.at + 20))?.[1];
  const isCommand = /f/i.test(kind) && quote !== undefined;
  const close = batch.text.indexOf(isCommand ? `${quote})` : ")", batch.at + 1);
  const set = batch.text.slice(batch.at, close < 0 ? undefined : close).trim();
  batch.at = close < 0 ? batch.text.length : close + (isCommand ? 2 : 1);
  // Signs in the command are escaped for the line that the loop is on.
  if (isCommand) batch.world.nested("cmd", set.slice(1).replace(/\^(.)/g, "$1"));
  const items = set
    .split(/[\s,;]+/)
    .filter(Boolean)
    .slice(0, maxOptions)
    .map((item) => item.replaceAll('"', ""));
  const known = !/[fl]/i.test(kind) && items.length > 0 && !/[%!]/.test(set);
  const placed = folder === "" ? items : items.map((item) => `${folder.replaceAll('"', "")}\\${item}`);
  batch.world.variables.set(`%${name}`, { items: known ? placed : [`$env:${name}`], known });
}

function rest(batch: Batch, redirects: PsCommand[]): Word[] {
  const words: Word[] = [];
  for (;;) {
    blanks(batch);
    const start = batch.at;
    const redirect = /\d?(>>?|<)(&\d)?/y;
    redirect.lastIndex = batch.at;
    const found = redirect.exec(batch.text);
    if (found) {
      batch.at += found[0].length;
      const target = found[2] === undefined ? word(batch) : undefined;
      const path = target?.options[0] ?? "nul";
      if (found[1] !== "<" && !/^nul$/i.test(path)) {
        const flags = { filepath: path, ...(found[1] === ">>" && { append: true as const }) };
        redirects.push({
          name: "out-file",
          args: [],
          flags,
          known: target?.known ?? true,
          text: batch.text.slice(start, batch.at),
        });
      }
      continue;
    }
    const next = word(batch);
    if (next === undefined) return words;
    words.push(next);
  }
}

function blanks(batch: Batch): void {
  while (/[ \t\r\u00a0]/.test(batch.text.charAt(batch.at))) batch.at++;
}

const variable = /%(?:([\w()-]{1,64})(?::[^%\n]{1,64})?%|%?~?[a-z]{0,8}([A-Za-z])|[\d*])|!([\w-]{1,64})!/y;

/** Reads a word: quotes keep signs, a caret takes the meaning from the next one. */
function word(batch: Batch): Word | undefined {
  const { text } = batch;
  blanks(batch);
  let value: Word = { options: [""], known: true };
  let plain = "";
  let quoted = false;
  let isAny = false;
  const add = (more: Word): void => {
    const options = value.options.flatMap((option) => more.options.map((each) => option + plain + each));
    const isShort = options.length <= maxOptions && (options[0]?.length ?? 0) <= maxWord;
    value = {
      options: isShort ? options : [`${(options[0] ?? "").slice(0, maxWord)}$…`],
      known: value.known && more.known && isShort,
    };
    plain = "";
  };
  for (; batch.at < text.length; batch.at++) {
    const char = text.charAt(batch.at);
    if (char === "\n") break;
    if (char === '"') {
      quoted = !quoted;
      isAny = true;
      continue;
    }
    if (
      !quoted &&
      (/[ \t\r\u00a0&|<]/.test(char) ||
        char === ">" ||
        (char === ")" && batch.depth > 1) ||
        (char === "(" && plain === "" && !isAny))
    )
      break;
    isAny = true;
    if (char === "^" && !quoted) {
      batch.at++;
      if (text.charAt(batch.at) === "\r") batch.at++;
      if (text.charAt(batch.at) !== "\n") plain += text.charAt(batch.at);
      continue;
    }
    variable.lastIndex = batch.at;
    const found = char === "%" || char === "!" ? variable.exec(text) : null;
    if (!found) {
      plain += char;
      continue;
    }
    batch.at += found[0].length - 1;
    add(variableOf(batch.world, found));
  }
  if (!isAny) return undefined;
  add({ options: [""], known: true });
  return value;
}

function variableOf(world: PsWorld, [whole, long, single, delayed]: RegExpExecArray): Word {
  const name = (long ?? delayed ?? "").toLowerCase();
  if (single === undefined && isOneOf(name, "userprofile home")) return { options: ["~"], known: true };
  if (single === undefined && name === "cd") return { options: ["."], known: true };
  if (single === undefined && name === "comspec") return { options: ["cmd"], known: true };
  const isPart = long !== undefined && whole.includes(":");
  const value = isPart ? undefined : world.variables.get(single === undefined ? `%${name}%` : `%${single}`);
  return value?.known
    ? { options: value.items, known: true }
    : { options: [`$env:${name || single || "x"}`], known: false };
}

/** Where the command begins behind `call`, and behind `start` with its title and switches. */
function beginning(words: readonly Word[], text: string): number {
  const written = (at: number): string => words[at]?.options[0] ?? "";
  for (let at = 0; ;) {
    const { name, glued } = canonicalCmd(written(at));
    if (name === "call" && glued === "") at++;
    else if (name === "start" && glued === "") {
      let next = at + 1;
      if (at === 0 && /^start(?:\.exe)?\s+"/i.test(text)) next++;
      while (/^\/\w+$/.test(written(next))) next += /^\/d$/i.test(written(next)) ? 2 : 1;
      // An address is opened, not run.
      if (next >= words.length || /^\w+:\/\//.test(written(next))) return at;
      at = next;
    } else return Math.min(at, words.length);
  }
}

/** Reports a command, and follows what it starts. */
function run(batch: Batch, words: readonly Word[], text: string): void {
  const { world } = batch;
  const [first, ...others] = words.slice(beginning(words, text));
  if (first === undefined) return;
  const { name, glued } = canonicalCmd(first.options[0] ?? "");
  const all = glued === "" ? others : [{ options: [glued], known: true }, ...others];
  const flat = all.flatMap((each) => each.options);
  if (name === "set") return setVariable(world, all);
  const known = words.every((each) => each.known);
  const command: PsCommand = { name: first.known ? name : "", args: [], flags: {}, known, text };
  for (const each of flat) {
    if (isFlag(each) && name !== "echo") Object.assign(command.flags, splitFlags(each));
    else command.args.push(each);
  }
  world.commands.push(command);
  if (name === "powershell" || name === "pwsh") {
    world.commands.pop();
    const quoted = flat.map((each) =>
      /^[-/]\w+$/.test(each) ? each.replace(/^\//, "-") : `'${each.replaceAll("'", "''")}'`,
    );
    world.nested("powershell", [name, ...quoted].join(" "));
  }
  const at = flat.findIndex((each) => /^\/[ckr](?![a-z])/i.test(each));
  if (at < 0) return;
  // What could not be told must stay so in the inner text; the files that forfiles finds are of that kind.
  const inner = [flat[at]?.slice(2) ?? "", ...flat.slice(at + 1)].join(" ").replace(/\$env:(\w+)/g, "%$1%");
  if (name === "cmd") world.nested("cmd", inner);
  if (name === "forfiles") world.nested("cmd", inner.replace(/@\w+/g, "%file%"));
}

/** `set X=value`; arithmetic and questions give what nobody can know. */
function setVariable(world: PsWorld, words: readonly Word[]): void {
  const whole = words.map((each) => each.options[0] ?? "").join(" ");
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(whole) ?? [];
  if (name === undefined || value === undefined) return;
  const known = words.every((each) => each.known) && !name.startsWith("/") && value.length <= 8192;
  world.variables.set(`%${name.trim().toLowerCase()}%`, { items: [value], known });
}
