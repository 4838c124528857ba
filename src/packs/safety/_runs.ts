import type { Run } from "../../core/command.ts";
import type { Event } from "../../core/event.ts";
import { onceFor } from "../../core/once-for.ts";
import { wordsOf } from "../../core/words-of.ts";

export { wordsOf };

/** Every command the event will run, on this machine or elsewhere. */
export function runsOf(event: Event): readonly Run[] {
  const runs: Run[] = [];
  for (const action of event.actions) if (action.kind === "exec") runs.push(...action.commands);
  return runs;
}

/** Is one of the options there, alone, glued to others of one letter, or with a value? */
export const hasFlag = (words: readonly string[], ...flags: readonly string[]): boolean =>
  words.some((word) =>
    flags.some((flag) => {
      if (flag.startsWith("--")) return word === flag || word.startsWith(`${flag}=`);
      return (
        word === flag || (flag.length === 2 && /^-[a-zA-Z]+$/.test(word) && word.includes(flag[1] ?? ""))
      );
    }),
  );

/** The words that are no options. */
export const plainWords = (words: readonly string[]): string[] =>
  words.filter((word) => !word.startsWith("-"));

/** Does it only ask how something is used? Behind an option the word may be that option's value. */
export function asksForHelp(words: readonly string[]): boolean {
  const at = words.findIndex((word) => word.startsWith("-"));
  if (at === -1) return words.length > 1 && words.at(-1) === "help";
  const first = words[at] ?? "";
  return first === "--help" || first === "-help" || (first === "-h" && at === words.length - 1);
}

/** The command as a person would write it, for messages. */
export function shown(run: Run): string {
  const text = [run.program, ...wordsOf(run)].join(" ").replace(/\s+/g, " ");
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** All commands a command is fed by, through pipes and substitutions. Many rules ask for each of its actions. */
export const feedersOf: (run: Run) => readonly Run[] = onceFor((run) => feedersIn(run, 0));

function feedersIn(run: Run, depth: number): Run[] {
  if (depth > 10) return [];
  const direct: Run[] = run.stdin?.from === "commands" ? [...run.stdin.commands] : [];
  for (const arg of run.args) if (arg.from) direct.push(...arg.from);
  const all: Run[] = [];
  for (const each of direct) all.push(each, ...feedersIn(each, depth + 1));
  return all;
}
