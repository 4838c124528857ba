import type { Word } from "./model.ts";

/**
 * What a `find` hands on: its start places as a whole, or, when it is narrowed down, something below them by
 * the name it looks for.
 */
export function foundBy(args: readonly Word[]): Word[] {
  const at = args.findIndex((arg) => /^[-(!]/.test(arg.text));
  const given = at === -1 ? args : args.slice(0, at);
  const starts = given.length > 0 ? given : [{ text: ".", known: true, glob: false }];
  if (!args.some((arg) => narrowing.test(arg.text))) return [...starts];
  const name = args[args.findIndex((arg) => /^-i?name$/.test(arg.text)) + 1];
  const last = args.some((arg) => /^-i?name$/.test(arg.text)) && name ? name.text : "*";
  return starts.map((start) => ({
    text: `${start.text.replace(/\/$/, "")}/${last}`,
    known: start.known,
    glob: true,
  }));
}

const narrowing =
  /^-(?:i?name|i?path|i?regex|mtime|mmin|atime|amin|ctime|cmin|size|empty|newer\w*|user|perm|lname)$/;
