import type { Action, DeleteAction, WriteAction } from "../../core/action.ts";
import type { Run } from "../../core/command.ts";
import { isSink, pathBelow } from "../../core/paths.ts";
import { hasPattern } from "../../shell/globs.ts";
import { fitsGlob, fitsName, mayFitBelow } from "./glob.ts";
import type { Forbidden } from "./model.ts";

/** What an action does that is forbidden, in a few words; nothing when it is not. */
export function offenceOf(forbidden: Forbidden, action: Action, place: string): string | undefined {
  const { actions, except } = forbidden;
  switch (action.kind) {
    case "write":
    case "delete": {
      const globs = [...(actions[action.kind] ?? []), ...(actions.edit ?? [])];
      return globs.length > 0 && isChange(action, globs, except, place) ? shown(action) : undefined;
    }
    case "read": {
      const path = action.target && pathBelow(place, action.target.real);
      return path !== undefined && isOne(path, actions.read ?? [], except, false)
        ? action.target?.given
        : undefined;
    }
    case "fetch":
      return isNamed(action.url, actions.fetch ?? [], except)
        ? (action.url ?? "an address nobody can tell")
        : undefined;
    case "delegate":
      return isNamed(action.agent, actions.delegate ?? [], except) ? (action.agent ?? "an agent") : undefined;
    case "exec":
      return action.commands.map((run) => runOffence(forbidden, run)).find((each) => each !== undefined);
    case "todo":
      return undefined;
  }
}

function isChange(
  action: WriteAction | DeleteAction,
  globs: readonly string[],
  except: readonly string[],
  place: string,
): boolean {
  const { target } = action;
  // It may be any file.
  if (!target) return true;
  if (action.kind === "write" && isSink(target)) return false;
  const path = pathBelow(place, target.real);
  return path !== undefined && isOne(path, globs, except, action.kind === "delete" && action.recursive);
}

/** Is a path among some, or a folder in which some are, and none of the exceptions? */
function isOne(path: string, globs: readonly string[], except: readonly string[], isWhole: boolean): boolean {
  if (except.some((glob) => fitsGlob(glob, path))) return false;
  if (globs.some((glob) => fitsGlob(glob, path))) return true;
  if (hasPattern(path)) {
    const names = path.split("/");
    const folder = names.slice(0, names.findIndex(hasPattern)).join("/");
    return globs.some((glob) => mayFitBelow(glob, folder));
  }
  return isWhole && globs.some((glob) => mayFitBelow(glob, path));
}

const isNamed = (name: string | undefined, patterns: readonly string[], except: readonly string[]): boolean =>
  patterns.some((pattern) => name === undefined || fitsName(pattern, name)) &&
  !(name !== undefined && except.some((pattern) => fitsName(pattern, name)));

const shown = ({ target }: WriteAction | DeleteAction): string =>
  target?.given ?? "a file nobody can tell before it runs";

function runOffence({ run: patterns, except }: Forbidden, run: Run): string | undefined {
  const isIt =
    patterns.some((pattern) => isRun(pattern, run)) && !except.some((pattern) => isRun(pattern, run));
  return isIt ? [run.program, ...run.args.slice(0, 3).map(({ text }) => text)].join(" ") : undefined;
}

/** Is it a command such as `git push --force`: the program, the words behind it in order, and every option? */
export function isRun(pattern: string, { program, called, args }: Run): boolean {
  const [name = "", ...words] = pattern.trim().split(/\s+/);
  if (!fitsName(name, program) && !fitsName(name, called)) return false;
  const texts = args.map(({ text }) => text);
  const options = words.filter((word) => word.startsWith("-"));
  const wanted = words.filter((word) => !word.startsWith("-"));
  if (!options.every((option) => texts.includes(option))) return false;
  // What follows an option may be its value or not: either reading counts.
  const isOption = (text: string | undefined): boolean => text !== undefined && /^-./.test(text);
  const readings = [
    texts.filter((text) => !isOption(text)),
    texts.filter((text, at) => !isOption(text) && !isOption(texts[at - 1])),
  ];
  return readings.some((plain) =>
    wanted.every((word, at) => plain[at] !== undefined && fitsName(word, plain[at])),
  );
}

/** Does a state forbid edits at all, and which? */
export const editGlobs = ({ actions }: Forbidden): readonly string[] => [
  ...(actions.edit ?? []),
  ...(actions.write ?? []),
];

/** Paths a program is given: does one of them, or what is in it, come under some globs? */
export function concernsPaths(
  paths: readonly string[],
  globs: readonly string[],
  except: readonly string[],
): boolean {
  return paths.length === 0 || paths.some((path) => isOne(path, globs, except, true));
}
