/**
 * Is a word among others, which are written in one text with a blank between them? `isOneOf(program, "cp mv ln")`. A
 * pattern would have to be compiled, and a set to be made, for what a call of an agent asks but a few times.
 */
export function isOneOf(word: string, words: string): boolean {
  const known = asked.get(words) ?? 0;
  if (typeof known !== "number") return known.has(word);
  asked.set(words, known < few ? known + 1 : new Set(words.split(" ")));
  return ` ${words} `.includes(` ${word} `) && !word.includes(" ");
}

const few = 20;
/** How often a list has been asked about; if that is often, the words in it. */
const asked = new Map<string, number | ReadonlySet<string>>();

/** A program without its version: `python3.12` is `python`. */
export function unversioned(program: string): string {
  let end = program.length;
  while (end > 0 && "0123456789.".includes(program[end - 1] ?? " ")) end--;
  return program.slice(0, end);
}
