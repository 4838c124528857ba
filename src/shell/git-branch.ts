import type { Feed, Word } from "../core/command.ts";
import type { World } from "../core/world.ts";
import type { GitCommand } from "./git-commands.ts";
import { gitSettings, previousBranch } from "./git-settings.ts";
import { textOf } from "./output.ts";

/** The protected branch a git command would check out, or `?` for one nobody can tell; nothing when it leads elsewhere. */
export function protectedTarget(
  command: GitCommand,
  cwd: string,
  branches: readonly string[],
  world: World,
): string | undefined {
  const name = checkedOutName(command, cwd, world);
  if (name === undefined || name === "?") return name;
  if (branches.includes(name)) return name;
  const branch = branches.find((each) => name.endsWith(`/${each}`));
  if (branch === undefined) return undefined;
  // `feature/main` is a branch of its own; `origin/main` is the remote's.
  const { remotes } = gitSettings(command.folder ?? cwd, world);
  return remotes.has(name.slice(0, -branch.length - 1)) ? name : undefined;
}

/** What a git command checks out, as a plain name, or `?` when nobody can tell; nothing when it checks nothing out. */
export function checkedOutName(command: GitCommand, cwd: string, world: World): string | undefined {
  const folder = command.folder ?? cwd;
  if (command.strange) return "?";
  const word = checkedOut(command, folder, world);
  if (word === undefined) return undefined;
  if (!word.known) return "?";
  const steps = word.text === "-" ? 1 : Number(/^@\{-(\d+)\}$/.exec(word.text)?.[1] ?? 0);
  return plainName(steps > 0 ? (previousBranch(folder, steps, world) ?? "") : word.text);
}

const plainName = (name: string): string =>
  name
    .replace(/^refs\//, "")
    .replace(/^(?:heads|remotes)\//, "")
    .replace(/(?:[~^]|@\{).*$/, "");

/** The word that names what is checked out. */
function checkedOut({ verb, args, stdin }: GitCommand, folder: string, world: World): Word | undefined {
  switch (verb) {
    case "checkout":
      return fromCheckout(args, "bB", ["--orphan"]);
    case "switch":
      return fromCheckout(args, "cC", ["--orphan", "--create", "--force-create"]);
    case "symbolic-ref": {
      // A branch that stands for another is that one to whoever checks it out.
      const [name, to] = plain(args, ["-m"]);
      return name?.text.startsWith("refs/remotes/") ? undefined : to;
    }
    case "update-ref":
      if (args.some(({ text }) => text === "--stdin")) return orders(stdin);
      return args.some(({ text }) => text === "--no-deref") && plain(args, ["-m"])[0]?.text === "HEAD"
        ? plain(args, ["-m"])[1]
        : undefined;
    case "branch": {
      if (!args.some(({ text }) => /^-[a-zA-Z]*[mM]/.test(text) || text === "--move")) return undefined;
      const [old, name] = plain(args, []);
      return name === undefined ? old : isCurrent(old, folder, world) ? name : undefined;
    }
    case "rebase": {
      const words = plain(args, [
        "--onto",
        "-x",
        "--exec",
        "-s",
        "--strategy",
        "-X",
        "--strategy-option",
        "-C",
      ]);
      return args.some(({ text }) => text === "--root") ? words[0] : words[1];
    }
    case "stash":
    case "bisect": {
      const [action, name] = plain(args, []);
      return action?.text === (verb === "stash" ? "branch" : "reset") ? name : undefined;
    }
    default:
      return undefined;
  }
}

/** What `git update-ref --stdin` is told about what is checked out. */
function orders(stdin: Feed | undefined): Word | undefined {
  const text = textOf(stdin);
  if (text === undefined) return { text: "?", known: false, glob: false };
  const to = /^(?:symref-(?:update|create)|update|create) HEAD[ \0](\S+)/m.exec(text)?.[1];
  return to === undefined ? undefined : { text: to, known: true, glob: false };
}

function isCurrent(word: Word | undefined, folder: string, world: World): boolean {
  try {
    const branch = world.git(folder)?.branch;
    return branch === undefined || word?.known !== true || word.text === branch;
  } catch {
    return true;
  }
}

/** Files, not a branch. */
const aboutFiles = /^(?:-p|--patch|--ours|--theirs|-2|-3|--pathspec-from-file(?:=.*)?)$/;

function fromCheckout(args: readonly Word[], letters: string, creating: readonly string[]): Word | undefined {
  const words: Word[] = [];
  const glued = new RegExp(`^-[a-zA-Z]*?[${letters}](.*)$`);
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (!word) break;
    const { text } = word;
    if (text === "--") {
      if (at + 1 < args.length) return undefined;
      break;
    }
    if (aboutFiles.test(text)) return undefined;
    if (creating.includes(text)) return args[at + 1];
    const named = creating.find((flag) => text.startsWith(`${flag}=`));
    if (named !== undefined) return { ...word, text: text.slice(named.length + 1) };
    if (text === "--conflict") at++;
    else if (text === "-" || !text.startsWith("-")) words.push(word);
    else if (!text.startsWith("--")) {
      const name = glued.exec(text)?.[1];
      if (name !== undefined) return name === "" ? args[at + 1] : { ...word, text: name };
    }
  }
  // With more than one, the others are files to be taken from the first.
  return words.length === 1 ? words[0] : undefined;
}

/** The words that are no options, without what belongs to some of these. */
function plain(args: readonly Word[], valued: readonly string[]): Word[] {
  return args.filter(({ text }, at) => !text.startsWith("-") && !valued.includes(args[at - 1]?.text ?? ""));
}
