import type { PsValue } from "./_powershell-value.ts";

/** A command of PowerShell or cmd.exe that will run. */
export interface PsCommand {
  /** The full name in small letters: `remove-item`; empty when it cannot be told. */
  name: string;
  /** What stands by its place, in order; lists dissolve into their items. */
  args: string[];
  /** By the full names of parameters in small letters; a list is joined by commas. */
  flags: Record<string, string | true>;
  /** False when something is only known at run time; what is guessed then has a `$` in it. */
  known: boolean;
  /** As it was written. */
  text: string;
  /** What it is given holds all variables of the environment. */
  environment?: true;
}

/** What all parts of a script share. */
export interface PsWorld {
  readonly commands: PsCommand[];
  readonly variables: Map<string, PsValue>;
  readonly aliases: Map<string, string>;
  /** Steps left for work that does not advance in the script. */
  spare: number;
  /** Reads a script inside the script. */
  readonly nested: (language: "powershell" | "cmd", text: string) => void;
}

/** A place in a script, and the ways to read on from there. */
export interface Script {
  readonly text: string;
  at: number;
  depth: number;
  /** What `$_` stands for. */
  element: PsValue | undefined;
  readonly world: PsWorld;
  /** Reads up to a closing bracket and past it; gives the last value. */
  readonly statements: (closer: string) => PsValue;
  readonly pipeline: () => PsValue;
  /** Another text of the same script, to be read by itself. */
  readonly inside: (text: string) => Script;
}

export const maxShown = 500;

/** The part of the script since a place, as it was written. */
export const since = (script: Script, start: number): string =>
  script.text.slice(start, Math.min(script.at, start + maxShown)).trim();

/** Passes over white space and comments; over line ends only when asked to. */
export function skipBlanks(script: Script, lines = false): void {
  const { text } = script;
  for (; script.at < text.length; script.at++) {
    const char = text.charAt(script.at);
    if (char === "\n" ? lines : char <= " " || char === "\u00a0") continue;
    if (char === "`" && /^\r?\n/.test(text.slice(script.at + 1, script.at + 3))) {
      script.at += text.charAt(script.at + 1) === "\r" ? 2 : 1;
      continue;
    }
    if (char === "<" && text.charAt(script.at + 1) === "#") {
      const end = text.indexOf("#>", script.at + 2);
      script.at = end < 0 ? text.length : end + 1;
      continue;
    }
    if (char !== "#") return;
    const end = text.indexOf("\n", script.at);
    script.at = (end < 0 ? text.length : end) - 1;
  }
}

/** What a sticky pattern finds at the place, which then lies behind it. */
export function take(script: Script, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = script.at;
  const found = pattern.exec(script.text);
  if (found === null || found[0] === "") return undefined;
  script.at += found[0].length;
  return found;
}

export const charAt = (script: Script, ahead = 0): string => script.text.charAt(script.at + ahead);

/** Takes from the steps left; false when they are used up and the answer must be "unknown". */
export function spend(script: Script, steps: number): boolean {
  if (script.world.spare < steps) return false;
  script.world.spare -= steps;
  return true;
}

/** A bracket in a bracket counts as three levels: statements, a pipeline, a value. */
const maxDepth = 300;

/** Reads something one level deeper. What is too deep is not read, and may do anything. */
export function deeper(script: Script, read: () => PsValue): PsValue {
  if (script.depth >= maxDepth) {
    script.world.commands.push({ ...unread });
    script.at = script.text.length;
    return { items: ["$…"], known: false };
  }
  script.depth++;
  const value = read();
  script.depth--;
  return value;
}

/** What stands for everything that could not be read. */
export const unread: Readonly<PsCommand> = { name: "", args: [], flags: {}, known: false, text: "" };
