import type { Run, Word } from "./command.ts";

/** The arguments of a command as texts. They are made once: nearly every rule wants them. */
export function wordsOf({ args }: Pick<Run, "args">): readonly string[] {
  let words = known.get(args);
  if (words) return words;
  words = [];
  for (const arg of args) words.push(arg.text);
  known.set(args, words);
  return words;
}

const known = new WeakMap<readonly Word[], string[]>();
