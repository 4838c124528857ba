import type { Effect, Run, Word } from "./model.ts";
import { textOf } from "./output.ts";

/** What is said of a patch besides where it stands. */
interface How {
  /** Files it is read from; none when it comes through the standard input. */
  readonly files: readonly Word[];
  /** How many first parts of its paths do not count; unknown when the program decides by what is there. */
  readonly strip: number | undefined;
  /** The folder its paths begin in. */
  readonly folder?: string | undefined;
}

/** A patch that is put in, from files or from what the command is fed. */
export function patches(run: Run, { files, strip, folder }: How): Effect[] {
  const how = {
    do: "patch" as const,
    ...(strip === undefined ? {} : { strip }),
    ...(folder === undefined ? {} : { folder }),
  };
  const text = textOf(run.stdin);
  if (text !== undefined) return [{ ...how, text }];
  const picked = pickedByGit(run);
  if (picked.length > 0) return picked;
  const named = files.filter((word) => word.text !== "-");
  const sources = named.length > 0 ? named : fedFrom(run);
  if (sources.length === 0) return [how];
  return sources.map((word) => (word.known ? { ...how, path: word.text } : how));
}

/** `patch < file` and `cat file | patch`. */
function fedFrom(run: Run): Word[] {
  const redirected = run.redirects.filter(({ mode }) => mode === "read").map(({ target }) => target);
  if (redirected.length > 0) return redirected;
  const [only, ...more] = run.stdin?.from === "commands" ? run.stdin.commands : [];
  if (only?.program !== "cat" || more.length > 0) return [];
  return only.args.filter((arg) => !arg.text.startsWith("-"));
}

/** `git diff … -- path | git apply -R`: the patch is about what it was asked for. */
function pickedByGit(run: Run): Effect[] {
  const feeders = run.stdin?.from === "commands" ? run.stdin.commands : [];
  return feeders.flatMap(({ program, args }) => {
    const dashes = program === "git" ? args.findIndex((arg) => arg.text === "--") : -1;
    if (dashes === -1) return [];
    return args
      .slice(dashes + 1)
      .flatMap((arg): Effect[] => (arg.known ? [{ do: "write", path: arg.text }] : []));
  });
}

export const patchOptions = [
  "-p",
  "-i",
  "-o",
  "-d",
  "-D",
  "-r",
  "-B",
  "-V",
  "-z",
  "--strip",
  "--input",
  "--directory",
];
export const applyOptions = [
  "-p",
  "--directory",
  "--exclude",
  "--include",
  "-C",
  "--whitespace",
  "--build-fake-ancestor",
];

/** The file a patch is read from when a command line puts one in: `git apply x`, `patch -i x`. */
export function patchFile(program: string, args: readonly Word[]): Word | undefined {
  if (program === "patch") {
    const at = args.findIndex((arg) => arg.text === "-i" || arg.text === "--input");
    return at === -1 ? undefined : args[at + 1];
  }
  const verb = program === "git" ? args.findIndex((arg) => arg.text === "apply" || arg.text === "am") : -1;
  return verb === -1 ? undefined : args.slice(verb + 1).find((arg) => !arg.text.startsWith("-"));
}
