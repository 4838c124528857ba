import { isOneOf } from "../core/one-of.ts";
import type { Run, Word } from "./model.ts";
import { outputOf, textOf } from "./output.ts";

const pattern = (text: string, known = true): Word => ({ text, known, glob: true });
const within = (folder: string, name: string): string => `${folder.replace(/\/$/, "")}/${name}`;

/**
 * What a `find` hands on: its start places as a whole, or, when it is narrowed down, something below them by
 * the names it looks for.
 */
export function foundBy(args: readonly Word[]): Word[] {
  const at = args.findIndex((arg) => /^[-(!]/.test(arg.text));
  const given = at === -1 ? args : args.slice(0, at);
  const starts = given.length > 0 ? given : [{ text: ".", known: true, glob: false }];
  if (!args.some((arg) => narrowing.test(arg.text))) return [...starts];
  const names = namesIn(args);
  return starts.flatMap((start) => {
    const below = names.map((name) =>
      pattern(name.startsWith("/") ? name : within(start.text, name), start.known),
    );
    return below.length > 0 ? below : [pattern(within(start.text, "*"), start.known)];
  });
}

const narrowing =
  /^-(?:i?name|i?path|i?wholename|i?regex|mtime|mmin|atime|amin|ctime|cmin|size|empty|newer\w*|user|perm|lname)$/;

/** Does a `find` take everything but what it names? */
export function onlyLeavesOut(args: readonly Word[]): boolean {
  const isLeftOut = leftOut(args);
  const tests = [...args.keys()].filter((at) => narrowing.test(args[at]?.text ?? ""));
  return tests.length > 0 && tests.every(isLeftOut);
}

/** Tells of each word whether a `!` stands before it, or before the brackets it is in. */
function leftOut(args: readonly Word[]): (at: number) => boolean {
  const found = new Set<number>();
  let depth = 0;
  for (const [at, { text }] of args.entries()) {
    const isNot = isOneOf(args[at - 1]?.text ?? "", "! -not");
    if (text === "(" && (isNot || depth > 0)) depth++;
    else if (text === ")" && depth > 0) depth--;
    else if (isNot || depth > 0) found.add(at);
  }
  return (at) => found.has(at);
}

/** The names and paths a `find` looks for; not those it leaves out. */
function namesIn(args: readonly Word[]): string[] {
  const isLeftOut = leftOut(args);
  const names = args.flatMap(({ text }, at) => {
    const isPruned = args[at + 2]?.text === "-prune" && args[at + 3]?.text === "-o";
    const value = args[at + 1]?.text;
    if (isLeftOut(at) || isPruned || value === undefined) return [];
    if (isOneOf(text, "-iname -name")) return [value];
    if (isOneOf(text, "-iregex -regex")) return ["*.found"];
    if (!isOneOf(text, "-ipath -iwholename -path -wholename")) return [];
    return [value.replace(/^\.\//, "").replace(/^\*+\/?/, "") || "*"];
  });
  return [...new Set(names)].slice(0, 20);
}

/** Programs that only choose among the lines they are given, or cut something off them. */
const choosers = new Set(
  "sort uniq head tail grep egrep fgrep rg sed awk gawk cut tr cat tac shuf tee column xargs".split(" "),
);

/** The names of files that come out of some commands, when they come from one that looks for files. */
export function namesFrom(runs: readonly Run[], depth = 0): Word[] | undefined {
  if (depth > 6) return undefined;
  for (const run of runs) {
    const own = printedBy(run);
    if (own) return own;
    if (!choosers.has(run.program) || !run.stdin) continue;
    const text = textOf(run.stdin);
    if (text !== undefined) return wordsIn(text);
    const before = run.stdin.from === "commands" ? namesFrom(run.stdin.commands, depth + 1) : undefined;
    if (before) return chosen(before, run);
  }
  return undefined;
}

/** The words of a text, as `xargs` takes them. */
export const wordsIn = (text: string): Word[] =>
  text
    .split(/[\s\0]+/)
    .filter(Boolean)
    .slice(0, 50)
    .map((each) => ({ text: each, known: true, glob: false }));

/** What is chosen from a whole folder is not all of it, unless only little is left out. */
function chosen(names: readonly Word[], by: Run): Word[] {
  const isNarrow = !isOneOf(by.program, "sort uniq cat tac tee shuf tr column");
  const leavesOut = by.args.some((arg) => /^-\w*v\w*$|^--invert-match$/.test(arg.text));
  return names.map((word) =>
    isNarrow && !leavesOut && word.glob
      ? { ...word, text: word.text.replace(/(^|\/)\*$/, "$1*.found") }
      : word,
  );
}

function printedBy(run: Run): Word[] | undefined {
  const plain = run.args.filter((arg) => !arg.text.startsWith("-"));
  switch (run.program) {
    case "find":
    case "gfind":
      return foundBy(run.args);
    case "fd":
    case "fdfind": {
      const [what, folder] = plain;
      const name = /^\^?\\?(\.?[\w-]+)\$?$/.exec(what?.text ?? "")?.[1];
      return [pattern(within(folder?.text ?? ".", name ?? "*.found"), folder?.known ?? true)];
    }
    case "ls": {
      const places = plain.length > 0 ? plain : [{ text: ".", known: true, glob: false }];
      const isAlone = run.args.some((arg) => /^-\w*d/.test(arg.text));
      return places.map((word) =>
        isAlone || /[*?[]/.test(word.text) ? word : pattern(within(word.text, "*"), word.known),
      );
    }
    case "git":
      return fromGit(run);
    case "grep":
    case "egrep":
    case "rg":
    case "ag":
    case "ack": {
      const isListing = run.args.some((arg) => /^-\w*[lL]\w*$|^--files/.test(arg.text));
      if (!isListing) return undefined;
      // `rg --files` lists everything there is, and takes no pattern.
      if (run.args.some((arg) => arg.text === "--files"))
        return (plain.length > 0 ? plain : [pattern(".")]).map((word) =>
          pattern(
            within(
              word.text,
              run.args.some((arg) => /^(?:-g|--glob|-t|--type)/.test(arg.text)) ? "*.found" : "*",
            ),
            word.known,
          ),
        );
      const folders = plain.slice(1);
      // Files that are looked for because there is a key in them.
      if (/PRIVATE KEY/.test(plain[0]?.text ?? ""))
        return (folders.length > 0 ? folders : [pattern(".")]).map((word) =>
          pattern(within(word.text, "found.pem"), word.known),
        );
      return (folders.length > 0 ? folders : [pattern(".")]).map((word) =>
        pattern(within(word.text, "*.found"), word.known),
      );
    }
    case "locate":
      return [pattern("/*.found")];
    case "lsblk":
    case "blkid":
      return [pattern("/dev/sda")];
    case "echo":
    case "printf": {
      const text = outputOf([run]);
      return text === undefined ? undefined : wordsIn(text);
    }
    default:
      return undefined;
  }
}

function fromGit(run: Run): Word[] | undefined {
  const words = run.args.map((arg) => arg.text);
  const at = words.findIndex((word) => isOneOf(word, "ls-files ls-tree diff status grep log show diff-tree"));
  if (at === -1) return undefined;
  const folder = words[words.indexOf("-C") + 1];
  const isAll =
    words[at] === "ls-files" && words.slice(at + 1).every((word) => isOneOf(word, "-z -c --cached"));
  const name = within(words.includes("-C") ? (folder ?? ".") : ".", isAll ? "*" : "*.found");
  return [{ ...pattern(name), from: [run] }];
}
