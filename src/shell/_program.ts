import { namesFrom } from "./_find.ts";
import type { Effect, Run, Word } from "./model.ts";

/** The arguments of a command, sorted into options and the rest. */
export interface Sorted {
  readonly flags: ReadonlySet<string>;
  /** Values of options that take one. */
  readonly values: ReadonlyMap<string, readonly Word[]>;
  readonly rest: readonly Word[];
}

export type Row = (args: Sorted, run: Run) => Effect[];

export interface Program {
  /** Options that take a value of their own. */
  readonly takes?: readonly string[];
  readonly effects: Row;
}

/** What is known of a path: all of it, or the folder in front of the part that is not. */
export function pathOf(word: Word | undefined): { path?: string } {
  if (!word) return {};
  if (word.known) return { path: word.text };
  const [found] = foundIn(word);
  if (found?.known) return { path: found.text };
  const before = /^([^$`(]*\/)[^/]*[$`(]/.exec(word.text)?.[1];
  return before === undefined || before === "/" || word.text.includes("..")
    ? {}
    : { path: `${before}unknown` };
}

/** What `find` and its like print is something in the place they look through. */
export function foundIn(word: Word): readonly Word[] {
  if (word.known || !word.from || !/^[$`(]/.test(word.text) || word.text.includes("..")) return [];
  return namesFrom(word.from) ?? [];
}

export const write = (word: Word | undefined): Effect => ({ do: "write", ...pathOf(word) });

export const read = (word: Word): Effect => ({ do: "read", ...pathOf(word) });

export const remove = (word: Word | undefined, recursive: boolean, force = false): Effect => ({
  do: "delete",
  recursive,
  force,
  ...pathOf(word),
});

export const writesAll: Row = ({ rest }) => rest.map(write);

export const readsAll: Row = ({ rest }) => rest.map(read);

export const readsBehindFirst: Row = ({ rest }) => rest.slice(1).map(read);

// A mode may begin with a dash: `chmod -x file`.
export const writesBehindFirst: Row = ({ rest, flags }) =>
  rest
    .slice(flags.has("--reference") || [...flags].some((flag) => /^-[rwxXst]+$/.test(flag)) ? 0 : 1)
    .map(write);

export const valuesOf = (args: Sorted, ...flags: string[]): readonly Word[] =>
  flags.flatMap((flag) => args.values.get(flag) ?? []);

export const writesOption =
  (...flags: string[]): Row =>
  (args) =>
    valuesOf(args, ...flags).map(write);

export const optionValues = (run: Run, ...names: string[]): Word[] =>
  run.args.flatMap((arg, at) => {
    const next = run.args[at + 1];
    return names.includes(arg.text) && next ? [next] : [];
  });

/** Sorts arguments as getopt would: glued letters apart, values with their options, `--` respected. */
export function sortArguments(args: readonly Word[], takes: readonly string[] = []): Sorted {
  const flags = new Set<string>();
  const values = new Map<string, Word[]>();
  const rest: Word[] = [];
  const keep = (flag: string, word: Word | undefined): void => {
    flags.add(flag);
    if (word) values.set(flag, [...(values.get(flag) ?? []), word]);
  };
  for (let at = 0; at < args.length; at++) {
    const arg = args[at];
    if (!arg) continue;
    const { text } = arg;
    if (text === "--") {
      rest.push(...args.slice(at + 1));
      break;
    }
    if (!text.startsWith("-") || text === "-") rest.push(arg);
    else if (takes.includes(text)) keep(text, args[++at]);
    else if (text.startsWith("--")) {
      const [name = "", value] = text.split(/=(.*)/s);
      if (value !== undefined && takes.includes(name)) keep(name, { ...arg, text: value });
      else flags.add(value === undefined ? text : name);
    } else at += letters(arg, takes, flags, keep, args[at + 1]);
  }
  return { flags, values, rest };
}

function letters(
  arg: Word,
  takes: readonly string[],
  flags: Set<string>,
  keep: (flag: string, word: Word | undefined) => void,
  next: Word | undefined,
): number {
  flags.add(arg.text);
  for (let at = 1; at < arg.text.length; at++) {
    const flag = `-${arg.text[at]}`;
    if (takes.includes(flag)) {
      const glued = arg.text.slice(at + 1);
      keep(flag, glued === "" ? next : { ...arg, text: glued });
      return glued === "" ? 1 : 0;
    }
    flags.add(flag);
  }
  return 0;
}

/** Options by their names, with a blank between. */
export const words = (text: string): readonly string[] => text.split(" ");
