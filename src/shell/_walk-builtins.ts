import { isAbsolute, join, resolve } from "node:path";
import type { Feed, Redirect, Run, Word } from "./model.ts";
import {
  declaredBy,
  declares,
  printsInto,
  reads,
  readsLines,
  realName,
  setsArguments,
  shiftsArguments,
} from "./_variables.ts";
import { copyOf, deeper, at, type Walk, type State, type Context } from "./_walk.ts";
import { scopeOf } from "./_walk-scope.ts";
import { emit } from "./_walk-emit.ts";
import { tellOf } from "./_walk-preload.ts";
import { numberIn, type Value } from "./words.ts";

/** Built-in commands that change what later ones mean. */
export function builtin(
  walk: Walk,
  program: string,
  args: readonly Word[],
  state: State,
  context: Context,
): Run[] | undefined {
  switch (program) {
    case "cd":
    case "pushd": {
      const to = args.find((arg) => !/^-[LPe@]+$|^--$/.test(arg.text));
      const before = state.cwd;
      if (program === "pushd") state.left = [...state.left, before];
      const [beside] = state.vars.get("CDPATH")?.text.split(":") ?? [];
      state.cwd =
        to?.text === "-"
          ? state.vars.get("OLDPWD")?.text
          : moved(beside && /^\w/.test(to?.text ?? "") ? { ...state, cwd: beside } : state, to);
      if (before === undefined) state.vars.delete("OLDPWD");
      else state.vars.set("OLDPWD", { text: before, known: true });
      return [];
    }
    case "popd":
      state.cwd = state.left.at(-1);
      state.left = state.left.slice(0, -1);
      return [];
    case "export":
    case "declare":
    case "typeset":
    case "local":
    case "readonly": {
      // Without names it prints.
      if (args.every(({ text }) => text.startsWith("-")) || args.some(({ text }) => /^-\w*p/.test(text)))
        return undefined;
      setDeclared(
        args.map((arg) => arg.text),
        args.flatMap((arg) => declaredBy(arg) ?? []),
        state,
        program !== "export" && program !== "readonly",
      );
      // What is put in from a file is worth a look.
      return program === "export" && args.some((arg) => !arg.known && arg.from) ? undefined : [];
    }
    case "unset":
      for (const arg of args) {
        state.vars.delete(realName(state.vars, arg.text));
        tellOf(walk, arg.text, [], state, context);
      }
      return [];
    case "read":
      reads(
        state.vars,
        args,
        (number) => (number === undefined ? context.stdin : state.fds.get(number)?.feed),
        state.vars.get("IFS")?.text ?? " \t\n",
      );
      return [];
    case "mapfile":
    case "readarray": {
      const called = readsLines(state.vars, args, context.stdin);
      return called ? runText(walk, called, [], copyOf(state), deeper(context, program)) : [];
    }
    case "printf":
      return printsInto(state.vars, args) ? [] : undefined;
    case "let":
      for (const arg of args) numberIn(arg.text, scopeOf(walk, state, context));
      return [];
    case "alias":
      for (const arg of args) {
        const [name, value] = assignment(arg.text);
        if (arg.text.includes("=")) state.aliases.set(name, value.text);
      }
      return [];
    case "eval": {
      const text = args.map((arg) => arg.text).join(" ");
      const from = args.flatMap((arg) => arg.from ?? []);
      const word = {
        text,
        known: args.every((arg) => arg.known),
        glob: false,
        ...(from.length > 0 ? { from } : {}),
      };
      return runText(walk, word, [], state, deeper(context, "eval"));
    }
    case "trap": {
      const text = args.find((arg) => !arg.text.startsWith("-"));
      // It runs at the end, with what the variables hold by then.
      if (text && args.length > 1)
        walk.traps.push(() => void runText(walk, text, [], copyOf(state), deeper(context, "trap")));
      return [];
    }
    case "set":
      setsArguments(state.vars, args);
      // `set -Ux NAME value` is fish's way to set a variable, for good.
      for (const arg of args) tellOf(walk, arg.text, [], state, context);
      return args.length === 0 ? undefined : [];
    case "shift":
      shiftsArguments(state.vars, args, scopeOf(walk, state, context));
      return [];
    case "hash": {
      const at = args.findIndex((arg) => arg.text === "-p");
      const [path, name] = at === -1 ? [] : args.slice(at + 1);
      if (path && name) state.aliases.set(name.text, path.text);
      return [];
    }
    case "shopt":
      return [];
    default:
      return undefined;
  }
}

export function setDeclared(
  flags: readonly string[],
  all: Parameters<typeof declares>[2],
  state: State,
  isLocal: boolean,
): void {
  const letters = flags.filter((flag) => /^-[a-zA-Z]+$/.test(flag)).join("");
  if (isLocal && !letters.includes("g")) for (const { name } of all) state.locals?.add(name);
  declares(state.vars, letters, all);
}

/** A word that is a whole program: known text is walked, unknown text is told about. */
export function runText(
  walk: Walk,
  text: Word,
  redirects: readonly Redirect[],
  state: State,
  context: Context,
): Run[] {
  if (text.known) return walk.text(text.text, state, context);
  const stdin: Feed | undefined = text.from ? { from: "commands", commands: text.from } : undefined;
  return [
    emit(walk, {
      program: "sh",
      called: "sh",
      args: [text],
      redirects,
      ...at(state, context),
      ...(stdin ? { stdin } : {}),
      opaque: true,
    }),
  ];
}

export function moved(state: State, to: Word | undefined): string | undefined {
  if (!to) return state.vars.get("HOME")?.text;
  // Into one of the folders that fit, whichever that is.
  if (!to.known || to.text === "-" || (to.glob && to.text.includes(".."))) return undefined;
  if (isAbsolute(to.text)) return resolve(to.text);
  return state.cwd === undefined ? undefined : join(state.cwd, to.text);
}

export function assignment(text: string): [string, Value] {
  const at = text.indexOf("=");
  return [text.slice(0, at), { text: text.slice(at + 1), known: true }];
}
