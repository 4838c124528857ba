import { matchesGlob } from "node:path";
import type { Feed, Word } from "../core/command.ts";
import type { World } from "../core/world.ts";
import type { Sorted } from "./_program.ts";
import type { GitCommand } from "./git-commands.ts";
import { gitOptions } from "./git-options.ts";
import { gitSettings, leftIn, previousBranch } from "./git-settings.ts";
import { textOf } from "./output.ts";

/** The protected branches that git commands, one after the other, would check out, and `?` for one nobody can tell. */
export const protectedTargets = (
  commands: readonly GitCommand[],
  cwd: string,
  branches: readonly string[],
  world: World,
): string[] =>
  checkouts(commands, cwd, world).flatMap(({ name, perhaps, isGlob, folder }) => {
    if (isGlob) return branches.some((branch) => matchesGlob(branch, name)) ? ["?"] : [];
    const isProtected = (each: string): boolean => each === "?" || leadsTo(each, branches, folder, world);
    return isProtected(name) ? [name] : perhaps.some(isProtected) ? ["?"] : [];
  });

function leadsTo(name: string, branches: readonly string[], folder: string, world: World): boolean {
  if (branches.includes(name)) return true;
  const branch = branches.find((each) => name.endsWith(`/${each}`));
  if (branch === undefined) return false;
  // `feature/main` is a branch of its own; `origin/main` is the remote's.
  return gitSettings(folder, world).remotes.has(name.slice(0, -branch.length - 1));
}

/** What git commands, one after the other, check out: plain names, and `?` where nobody can tell. */
export const checkedOutNames = (commands: readonly GitCommand[], cwd: string, world: World): string[] =>
  checkouts(commands, cwd, world).map(({ name, isGlob }) => (isGlob ? "?" : name));

interface Checkout {
  /** A plain name, or `?` when nobody can tell. */
  readonly name: string;
  /** What it is if something in front of it goes wrong. */
  readonly perhaps: readonly string[];
  readonly folder: string;
  readonly isGlob: boolean;
}

/** Where a command works, and what those in front of it have checked out. */
interface Place {
  readonly folder: string;
  readonly world: World;
  readonly went: readonly string[];
}

function checkouts(commands: readonly GitCommand[], cwd: string, world: World): Checkout[] {
  const all: Checkout[] = [];
  for (const command of commands) {
    const folder = command.folder ?? cwd;
    const place = { folder, world, went: all.map(({ name }) => name) };
    const word = command.strange ? unknown : checkedOut(command, place);
    if (word === undefined) continue;
    const [name = "?", ...perhaps] = namesOf(word, place);
    all.push({ name, perhaps, folder, isGlob: word.glob });
  }
  return all;
}

const unknown: Word = { text: "?", known: false, glob: false };

/** What a word stands for where a branch is wanted; behind it what it stands for if not all in front of it has gone well. */
function namesOf(word: Word, { folder, world, went }: Place): string[] {
  const { text } = word;
  if (!word.known || upstream.test(text)) return ["?"];
  const steps = text === "-" ? 1 : Number(/^@\{-(\d+)\}/.exec(text)?.[1] ?? 0);
  if (steps === 0) return [plainName(text)];
  const before = (count: number): string => plainName(previousBranch(folder, count, world) ?? "");
  if (went.length === 0) return [before(steps)];
  const here = [currentBranch(folder, world) ?? "", ...went];
  return [
    here.at(-1 - steps) ?? before(steps - went.length),
    ...here,
    ...went.map((_, at) => before(steps - at)),
  ];
}

/** Git's words for what a branch is compared with. That may be any other branch of the same repository. */
const upstream = /@\{(?:u|upstream|push)\}$/i;

const plainName = (name: string): string =>
  name
    .replace(/^refs\//, "")
    .replace(/^(?:heads|remotes)\//, "")
    .replace(/(?:[~^]|@\{).*$/, "");

function currentBranch(folder: string, world: World): string | undefined {
  try {
    return world.git(folder)?.branch;
  } catch {
    return undefined;
  }
}

/** The word that names what a command checks out. */
function checkedOut(command: GitCommand, place: Place): Word | undefined {
  return Object.hasOwn(verbs, command.verb) ? verbs[command.verb]?.(command, place) : undefined;
}

type Reading = (command: GitCommand, place: Place) => Word | undefined;

/** Which commands of git check something out, and what. Adding one is adding a row. */
const verbs: Readonly<Record<string, Reading>> = {
  bisect(command, place) {
    const [action, name] = gitOptions(command.args).rest;
    // Both go back to where the search was begun.
    if (action?.text !== "reset" && action?.text !== "start") return undefined;
    return (action.text === "reset" ? name : undefined) ?? noted(["BISECT_START"], place);
  },
  branch(command, place) {
    const { flags, rest } = gitOptions(command.args, ["--move"]);
    if (!["-m", "-M", "--move"].some((flag) => flags.has(flag))) return undefined;
    const [old, name] = rest;
    return name === undefined ? old : isCurrent(old, place) ? name : undefined;
  },
  checkout(command) {
    const { front, behind } = aroundDashes(command.args);
    const given = gitOptions(front, ["--patch", "--ours", "--theirs", "--track"], checkoutTakes);
    const isAboutFiles = aboutFiles.some((flag) => given.flags.has(flag));
    return isAboutFiles || behind.length > 0 ? undefined : named(given, given.rest);
  },
  rebase(command, place) {
    const { flags, rest } = gitOptions(
      command.args,
      ["--root", "--continue", "--skip", "--abort"],
      rebaseTakes,
    );
    if (["--continue", "--skip", "--abort"].some((flag) => flags.has(flag)))
      return noted(["rebase-merge/head-name", "rebase-apply/head-name"], place);
    return flags.has("--root") ? rest[0] : rest[1];
  },
  stash(command) {
    const [action, name] = gitOptions(command.args).rest;
    return action?.text === "branch" ? name : undefined;
  },
  switch(command) {
    const { front, behind } = aroundDashes(command.args);
    const given = gitOptions(front, ["--force", "--track"], switchTakes);
    return named(given, [...given.rest, ...behind]);
  },
  "symbolic-ref"(command) {
    // A branch that stands for another is that one to whoever checks it out.
    const [name, to] = gitOptions(command.args, [], ["-m"]).rest;
    return name?.text.startsWith("refs/remotes/") ? undefined : to;
  },
  "update-ref"(command) {
    const { flags, rest } = gitOptions(command.args, ["--stdin", "--no-deref"], ["-m"]);
    if (flags.has("--stdin")) return orders(command.stdin);
    return flags.has("--no-deref") && rest[0]?.text === "HEAD" ? rest[1] : undefined;
  },
};

const aboutFiles = ["-p", "--patch", "--ours", "--theirs", "-2", "-3", "--pathspec-from-file"];
const checkoutTakes = ["-b", "-B", "--orphan", "--conflict", "--pathspec-from-file"];
const switchTakes = ["-c", "-C", "--create", "--force-create", "--orphan", "--conflict"];
const rebaseTakes = [
  "-x",
  "--exec",
  "-s",
  "--strategy",
  "-X",
  "--strategy-option",
  "-C",
  "--onto",
  "--whitespace",
  "--empty",
];

/** The branch that a checkout makes or names. */
function named({ flags, values }: Sorted, words: readonly Word[]): Word | undefined {
  const made = valueOf(values, "-b", "-B", "-c", "-C", "--create", "--force-create", "--orphan");
  if (made) return made;
  const [word, ...more] = words;
  // With more than one, the others are files to be taken from the first.
  if (!word || more.length > 0) return undefined;
  if (!flags.has("-t") && !flags.has("--track")) return word;
  // The branch is made, and called as it is behind the name of the remote.
  const name = word.text.replace(/^refs\//, "").replace(/^remotes\//, "");
  return { ...word, text: name.slice(name.indexOf("/") + 1) };
}

const valueOf = (values: Sorted["values"], ...flags: readonly string[]): Word | undefined =>
  flags.flatMap((flag) => values.get(flag) ?? []).at(-1);

function aroundDashes(args: readonly Word[]): { front: readonly Word[]; behind: readonly Word[] } {
  const at = args.findIndex(({ text }) => text === "--");
  return at === -1 ? { front: args, behind: [] } : { front: args.slice(0, at), behind: args.slice(at + 1) };
}

/** What git has noted down to go back to. */
function noted(files: readonly string[], { folder, world }: Place): Word | undefined {
  const [text] = files.flatMap((file) => leftIn(file, folder, world) ?? []);
  return text === undefined ? undefined : { text: text.trim(), known: true, glob: false };
}

/** What `git update-ref --stdin` is told about what is checked out. */
function orders(stdin: Feed | undefined): Word | undefined {
  const text = textOf(stdin);
  if (text === undefined) return unknown;
  const to = /^(?:symref-(?:update|create)|update|create) HEAD[ \0](\S+)/m.exec(text)?.[1];
  return to === undefined ? undefined : { text: to, known: true, glob: false };
}

/** May a word name the branch that is checked out by then? */
function isCurrent(word: Word | undefined, place: Place): boolean {
  const branch = currentBranch(place.folder, place.world);
  if (branch === undefined || word === undefined) return true;
  const here = [branch, ...place.went];
  return namesOf(word, place).some((name) => name === "?" || here.includes(name));
}
