import type { Feed, Word } from "./model.ts";
import { formatted, textOf } from "./output.ts";
import { fromList, numberIn, type Scope, type Value } from "./words.ts";

type Variables = Map<string, Value>;

const maxText = 64 * 1024;
const maxElements = 256;

/** The variable a name stands for, through `declare -n`. */
export function realName(vars: ReadonlyMap<string, Value>, name: string): string {
  let real = name;
  for (let turns = 0; turns < 5; turns++) {
    const refers = vars.get(real)?.refers;
    if (refers === undefined) break;
    real = refers;
  }
  return real;
}

interface Manner {
  /** `x+=…` */
  readonly append?: boolean | undefined;
  /** `x[index]=…` */
  readonly index?: string | undefined;
}

/** Gives a variable a value, as `x=…`, `x+=…` and `x[i]=…` do. */
export function assign(vars: Variables, name: string, value: Value, { append, index }: Manner = {}): void {
  const real = realName(vars, name);
  const before = vars.get(real);
  const made =
    index !== undefined
      ? withElement(before, index, value, append ?? false)
      : append
        ? appended(before, value, real)
        : value;
  vars.set(real, before?.letters ? inLetters(made, before.letters) : made);
}

function appended(before: Value | undefined, value: Value, name: string): Value {
  if (value.array || before?.array) {
    if (!value.array) return withElement(before, "0", value, true);
    const list = [...(before ? elementsOf(before) : []), ...(value.list ?? [])].slice(0, maxElements);
    const keys =
      before?.keys || value.keys ? [...keysOf(before), ...keysOf(value)].slice(0, maxElements) : undefined;
    return fromList(list, keys);
  }
  // One of the environment is written in capitals; any other that was never set is empty.
  if (!before) return /^[a-z_]/.test(name) ? value : joined({ text: `$${name}`, known: false }, value);
  return joined(before, value);
}

function joined(before: Value, value: Value): Value {
  const from = [...(before.from ?? []), ...(value.from ?? [])];
  const text = before.text + value.text;
  if (text.length > maxText) return { text: "", known: false };
  return { text, known: before.known && value.known, ...(from.length > 0 ? { from } : {}) };
}

const elementsOf = (value: Value): readonly Word[] =>
  value.list ?? [{ text: value.text, known: value.known, glob: false }];

const keysOf = (value: Value | undefined): readonly string[] =>
  value === undefined ? [] : (value.keys ?? elementsOf(value).map((_, at) => String(at)));

function withElement(before: Value | undefined, index: string, value: Value, append: boolean): Value {
  const list = before ? [...elementsOf(before)] : [];
  const keys = [...keysOf(before)];
  const known = keys.indexOf(/^-\d+$/.test(index) ? String(list.length + Number(index)) : index);
  const old = append && known !== -1 ? list[known] : undefined;
  const { text, known: isKnown, from } = old ? joined(old, value) : value;
  const word: Word = { text, known: isKnown, glob: false, ...(from ? { from } : {}) };
  if (known !== -1) list[known] = word;
  else if (list.length < maxElements) {
    list.push(word);
    keys.push(index);
  }
  const isNumbered = keys.every((key, at) => key === String(at)) && before?.keys === undefined;
  return fromList(list, isNumbered ? undefined : keys);
}

function inLetters(value: Value, letters: "lower" | "upper"): Value {
  const change = (text: string) => (letters === "lower" ? text.toLowerCase() : text.toUpperCase());
  return {
    ...value,
    text: change(value.text),
    letters,
    ...(value.list ? { list: value.list.map((word) => ({ ...word, text: change(word.text) })) } : {}),
  };
}

/** One variable of a `declare`, `local` or `export`: its name, and its value unless it has none. */
export interface Declared extends Manner {
  readonly name: string;
  readonly value?: Value | undefined;
}

/** `declare -l x=A`, `local -n r=x`, `export y+=z`. */
export function declares(vars: Variables, flags: string, all: readonly Declared[]): void {
  const letters = flags.includes("l") ? "lower" : flags.includes("u") ? "upper" : undefined;
  for (const { name, value, append, index } of all) {
    if (flags.includes("n") && value?.known) {
      if (value.text !== name) vars.set(name, { text: "", known: true, refers: value.text });
    } else if (value) {
      if (letters) vars.set(name, { ...(vars.get(name) ?? { text: "", known: true }), letters });
      const isNamed = flags.includes("A") && value.array === true && !value.keys;
      assign(vars, name, isNamed ? { ...value, keys: [] } : value, { append, index });
    } else if (letters) vars.set(name, { ...(vars.get(name) ?? { text: "", known: true }), letters });
    else if (/[aA]/.test(flags) && !vars.has(name))
      vars.set(name, fromList([], flags.includes("A") ? [] : undefined));
  }
}

/** `name=value` as one word, for a `declare` whose words had to be put together first. */
export function declaredBy(word: Word): Declared | undefined {
  const match = /^([A-Za-z_]\w*)(?:\[([^\]]*)\])?(\+?=)(.*)$/s.exec(word.text);
  if (!match) return /^[A-Za-z_]\w*$/.test(word.text) ? { name: word.text } : undefined;
  const [, name = "", index, sign, text = ""] = match;
  const from = word.from ? { from: word.from } : {};
  return { name, value: { text, known: word.known, ...from }, append: sign === "+=", index };
}

/** The words behind options that take a value, and those values. */
function sorted(args: readonly Word[], takes: string): { options: Map<string, Word>; rest: Word[] } {
  const options = new Map<string, Word>();
  for (let at = 0; at < args.length; at++) {
    const text = args[at]?.text ?? "";
    if (!/^-[a-zA-Z]/.test(text)) return { options, rest: args.slice(text === "--" ? at + 1 : at) };
    for (let letter = 1; letter < text.length; letter++) {
      const name = text.charAt(letter);
      const glued = text.slice(letter + 1);
      const own = takes.includes(name);
      const word = own && glued === "" ? args[++at] : { text: glued, known: true, glob: false };
      options.set(name, word ?? { text: "", known: true, glob: false });
      if (own) break;
    }
  }
  return { options, rest: [] };
}

/** `read a b <<< "x y"`: fields go to variables, the rest to the last one. */
export function reads(
  vars: Variables,
  args: readonly Word[],
  feedOf: (descriptor: string | undefined) => Feed | undefined,
  ifs: string,
): void {
  const { options, rest } = sorted(args, "adinNptu");
  const stdin = feedOf(options.get("u")?.text);
  const array = options.get("a")?.text;
  const names = rest.length > 0 ? rest.map((word) => word.text) : ["REPLY"];
  const line = lineOf(stdin, options.get("d")?.text);
  if (line === undefined) {
    const from = stdin?.from === "commands" ? { from: stdin.commands } : {};
    for (const name of array === undefined ? names : [array])
      assign(vars, name, { text: `$${name}`, known: false, ...from });
    return;
  }
  const text = options.has("r") ? line : line.replace(/\\(.)/gs, "$1");
  if (array !== undefined) {
    assign(
      vars,
      array,
      fromList(fieldsOf(text, ifs).map((each) => ({ text: each, known: true, glob: false }))),
    );
    return;
  }
  const fields = fieldsOf(text, ifs, names.length);
  for (const [at, name] of names.entries())
    if (/^\w+$/.test(name)) assign(vars, name, { text: fields[at] ?? "", known: true });
}

function lineOf(stdin: Feed | undefined, delimiter: string | undefined): string | undefined {
  const text = textOf(stdin);
  const end = delimiter === undefined ? "\n" : delimiter === "" ? "\0" : delimiter.charAt(0);
  return text?.split(end, 1)[0];
}

/** A line cut at the separators; white space among them counts once, and not at the ends. */
function fieldsOf(line: string, ifs: string, most = maxElements): string[] {
  if (ifs === "") return [line];
  const blanks = [...ifs].filter((char) => /\s/.test(char)).join("");
  const isGap = (char: string): boolean => ifs.includes(char);
  const isBlank = (char: string): boolean => char !== "" && blanks.includes(char);
  const fields: string[] = [];
  let at = 0;
  while (isBlank(line.charAt(at))) at++;
  while (at < line.length) {
    let end = at;
    if (fields.length + 1 >= most) end = line.length;
    while (end < line.length && !isGap(line.charAt(end))) end++;
    fields.push(fields.length + 1 >= most ? trimmed(line.slice(at), isBlank) : line.slice(at, end));
    at = end;
    while (isBlank(line.charAt(at))) at++;
    if (at < line.length && isGap(line.charAt(at))) at++;
    while (isBlank(line.charAt(at))) at++;
  }
  return fields;
}

function trimmed(text: string, isBlank: (char: string) => boolean): string {
  let end = text.length;
  while (end > 0 && isBlank(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** `mapfile -t a < file`; gives the command it was told to call for the lines. */
export function readsLines(
  vars: Variables,
  args: readonly Word[],
  stdin: Feed | undefined,
): Word | undefined {
  const { options, rest } = sorted(args, "dnOsuCc");
  const name = rest[0]?.text ?? "MAPFILE";
  const text = textOf(stdin);
  const delimiter = options.get("d")?.text;
  if (text === undefined) {
    const from = stdin?.from === "commands" ? { from: stdin.commands } : {};
    assign(vars, name, fromList([{ text: `$${name}`, known: false, glob: false, ...from }]));
  } else {
    const lines = text.split(delimiter === undefined ? "\n" : delimiter.charAt(0) || "\0");
    if (lines.at(-1) === "") lines.pop();
    const words = lines.slice(0, maxElements).map((line) => ({ text: line, known: true, glob: false }));
    assign(vars, name, fromList(words));
  }
  return options.get("C");
}

/** `printf -v name format words…`; false when it prints. */
export function printsInto(vars: Variables, args: readonly Word[]): boolean {
  const { options, rest } = sorted(args, "v");
  const target = options.get("v");
  if (!target) return false;
  const declared = declaredBy({ ...target, text: `${target.text}=` });
  if (!declared) return true;
  const isKnown = rest.every((word) => word.known);
  const from = rest.flatMap((word) => word.from ?? []);
  const text = formatted(rest.map((word) => word.text));
  assign(
    vars,
    declared.name,
    { text, known: isKnown, ...(from.length > 0 ? { from } : {}) },
    { index: declared.index },
  );
  return true;
}

/** The variables that hold the arguments of a script or function. */
export const positional = (args: readonly Word[], zero?: Word): [string, Value][] => [
  ...(zero ? [["0", { text: zero.text, known: zero.known }] as [string, Value]] : []),
  ...args.map((arg, index): [string, Value] => [
    String(index + 1),
    { text: arg.text, known: arg.known, list: [arg], ...(arg.from ? { from: arg.from } : {}) },
  ]),
  ["@", { text: args.map((arg) => arg.text).join(" "), known: args.every((arg) => arg.known), list: args }],
  ["*", { text: args.map((arg) => arg.text).join(" "), known: args.every((arg) => arg.known) }],
  ["#", { text: String(args.length), known: true }],
];

/** `set -- a b` */
export function setsArguments(vars: Variables, args: readonly Word[]): void {
  const dashes = args.findIndex((arg) => arg.text === "--");
  const first = dashes === -1 ? args.findIndex((arg) => !/^[-+]/.test(arg.text)) : dashes + 1;
  if (first === -1 || /^[-+]o$/.test(args[first - 1]?.text ?? "")) return;
  replaceArguments(vars, args.slice(first));
}

/** `shift`, `shift 2` */
export function shiftsArguments(vars: Variables, args: readonly Word[], scope: Scope): void {
  const all = vars.get("@")?.list;
  if (!all) return;
  replaceArguments(vars, all.slice(numberIn(args[0]?.text ?? "1", scope) ?? 1));
}

function replaceArguments(vars: Variables, args: readonly Word[]): void {
  for (const name of vars.keys()) if (/^\d+$/.test(name) && Number(name) > args.length) vars.delete(name);
  for (const [name, value] of positional(args)) vars.set(name, value);
}
