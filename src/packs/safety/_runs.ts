import type { Run, Word } from "../../core/command.ts";
import type { Event } from "../../core/event.ts";

/** Every command the event will run, on this machine or elsewhere. */
export const runsOf = (event: Event): readonly Run[] =>
  event.actions.flatMap((action) => (action.kind === "exec" ? action.commands : []));

/** The arguments as texts. */
export const wordsOf = (run: Run): string[] => run.args.map((arg) => arg.text);

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

/** The command as a person would write it, for messages. */
export function shown(run: Run): string {
  const text = [run.program, ...run.args.map((arg: Word) => arg.text)].join(" ").replace(/\s+/g, " ");
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** All commands a command is fed by, through pipes and substitutions. */
export function feedersOf(run: Run, depth = 0): Run[] {
  if (depth > 10) return [];
  const piped = run.stdin?.from === "commands" ? run.stdin.commands : [];
  const direct = [...piped, ...run.args.flatMap((arg) => arg.from ?? [])];
  return direct.flatMap((each) => [each, ...feedersOf(each, depth + 1)]);
}
