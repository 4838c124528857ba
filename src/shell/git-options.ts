import type { Word } from "../core/command.ts";
import { sortArguments, type Sorted } from "./_program.ts";

/** The arguments of a git command as git sorts them: `takes` have a value, and long options may be shortened to what tells them apart. */
export function gitOptions(
  args: readonly Word[],
  flags: readonly string[] = [],
  takes: readonly string[] = [],
): Sorted {
  const known = [...flags, ...takes];
  const whole = args.map((word) => {
    const [, start, value = ""] = /^(--[\w-]+)(=.*)?$/s.exec(word.text) ?? [];
    if (start === undefined || known.includes(start)) return word;
    const option = known.find((each) => each.startsWith(start));
    return option === undefined ? word : { ...word, text: option + value };
  });
  return sortArguments(whole, takes);
}
