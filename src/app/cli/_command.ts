import { parseArgs } from "node:util";
import { nearest } from "../../core/nearest.ts";

export interface Flag {
  readonly type: "string" | "boolean";
  readonly summary: string;
  /** What stands for the value in the help. */
  readonly value?: string;
  /** Values to offer when completing. */
  readonly values?: () => readonly string[];
}

export interface Given {
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
}

/** A command of the command line: help, completion and run from one object. */
export interface Command {
  readonly summary: string;
  readonly usage: readonly string[];
  readonly details?: string;
  readonly flags: Readonly<Record<string, Flag>>;
  /** First words the command knows, with what they do. */
  readonly actions?: Readonly<Record<string, string>>;
  /** Words are a mistake: who writes `verify FILE` would otherwise believe that the file was looked at. */
  readonly takesNoWords?: true;
  /** Not listed in the help. */
  readonly hidden?: true;
  run(given: Given): Promise<number>;
}

export const defineCommand = (command: Command): Command => command;

/** The user's mistake: printed without a stack, exit 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Reads arguments against a command's flags; an unknown flag is an error that names the nearest one. */
export function readArguments(name: string, command: Command, args: readonly string[]): Given {
  const options = Object.fromEntries(
    Object.entries(command.flags).map(([flag, { type }]) => [flag, { type, multiple: type === "string" }]),
  );
  for (const arg of args) {
    if (arg === "--") break;
    const flag = /^--([^=]+)/.exec(arg)?.[1];
    if (flag === undefined || Object.hasOwn(command.flags, flag)) continue;
    const near = nearest(flag, Object.keys(command.flags));
    throw new UsageError(
      `unknown flag --${flag}${near === undefined ? "" : `; did you mean --${near}?`} (hookline ${name} --help)`,
    );
  }
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
      strict: true,
    });
    const [word] = positionals;
    if (command.takesNoWords && word !== undefined) throw new Error(`nobody knows what "${word}" is for`);
    const flags = Object.entries(values).map(([flag, value]) => [flag, oneOf(flag, value, command)] as const);
    return { words: positionals, flags: Object.fromEntries(flags) };
  } catch (error) {
    throw new UsageError(
      `${error instanceof Error ? error.message : String(error)} (hookline ${name} --help)`,
    );
  }
}

/** A flag that is there twice: a list goes on, and of anything else nobody knows which one is meant. */
function oneOf(
  flag: string,
  given: string | boolean | readonly (string | boolean)[] | undefined,
  { flags }: Command,
): string | boolean | undefined {
  if (!Array.isArray(given)) return given as string | boolean | undefined;
  const values = given as readonly (string | boolean)[];
  if (values.length === 1 || flags[flag]?.value?.includes("[,")) return values.join(",");
  throw new Error(`--${flag} is given ${values.length} times`);
}

/** A flag's text value. */
export const textFlag = (given: Given, name: string): string | undefined => {
  const value = given.flags[name];
  return typeof value === "string" ? value : undefined;
};

/** The action a command was asked for, or a usage error that lists them. */
export function actionOf(name: string, command: Command, given: Given): string {
  const actions = Object.keys(command.actions ?? {});
  const word = given.words[0];
  if (word !== undefined && actions.includes(word)) return word;
  const near = word === undefined ? undefined : nearest(word, actions);
  const problem = word === undefined ? `hookline ${name} needs an action` : `unknown action "${word}"`;
  throw new UsageError(
    `${problem}; expected ${actions.join(", ")}${near === undefined ? "" : `; did you mean "${near}"?`}`,
  );
}
