import { resolve } from "node:path";
import type { Feed, Run, Word } from "../core/command.ts";
import type { Event } from "../core/event.ts";
import { defined } from "../core/json.ts";
import type { World } from "../core/world.ts";
import { gitVerb } from "./programs.ts";
import { unfold } from "./unfold.ts";
import { gitOptions } from "./git-options.ts";
import { gitSettings } from "./git-settings.ts";
import { isGitVerb } from "./git-verbs.ts";

/** A git command that will really run, with aliases put in. */
export interface GitCommand {
  readonly verb: string;
  readonly args: readonly Word[];
  /** Where it works; nothing when that cannot be told. */
  readonly folder?: string;
  readonly stdin?: Feed;
  /** Neither git nor any settings we can read have it: an alias from elsewhere, or a program that may do anything. */
  readonly strange?: true;
}

/** Every git command of an event, as far as it runs on this machine. */
export function gitCommands(event: Event, world: World): GitCommand[] {
  const runs = event.actions.flatMap((action) => (action.kind === "exec" ? action.commands : []));
  const setting: Setting = { event, world, made: new Map() };
  return runs.flatMap((run) => {
    const found = run.elsewhere === undefined ? commandsOf(run, setting, 0) : [];
    for (const { verb, args } of found) if (verb === "config") rememberAlias(args, setting.made);
    return found;
  });
}

/** Does a git command make a commit? */
export function commits({ verb, args }: GitCommand): boolean {
  if (verb !== "commit" || /^(?:-h|--help)$/.test(args[0]?.text ?? "")) return false;
  return !gitOptions(args, ["--dry-run"], commitTakes).flags.has("--dry-run");
}

const commitTakes = [
  "-m",
  "--message",
  "-F",
  "--file",
  "-c",
  "--reedit-message",
  "-C",
  "--reuse-message",
  "-t",
  "--template",
  "--author",
  "--date",
  "--fixup",
  "--squash",
  "--cleanup",
  "--trailer",
  "--pathspec-from-file",
];

/** The settings by which git commands of an event let git run or read something else than before, as they are given. */
export function settingsMade(event: Event): string[] {
  const runs = event.actions.flatMap((action) => (action.kind === "exec" ? action.commands : []));
  return runs.flatMap((run) => {
    if (run.program !== "git" || run.elsewhere !== undefined) return [];
    const { verb, args } = gitVerb(run);
    const inline = run.args.filter(
      ({ text }, at) => run.args[at - 1]?.text === "-c" && leads.test(text) && !text.endsWith("=/dev/null"),
    );
    const key = verb === "config" ? args.findIndex(({ text }) => leads.test(`${text}=`)) : -1;
    const made = key === -1 || !args[key + 1] ? [] : args.slice(key, key + 1);
    return [...inline, ...made].map(({ text }) => text);
  });
}

const leads = /^(?:core\.hookspath|include\.path|includeif\..*\.path)=/i;

interface Setting {
  readonly event: Event;
  readonly world: World;
  /** Aliases that the same command line has made. */
  readonly made: Map<string, string>;
}

/** `git config alias.co checkout` holds for what comes behind it. */
function rememberAlias(args: readonly Word[], made: Map<string, string>): void {
  const at = args.findIndex(({ text }) => /^alias\./i.test(text));
  const value = args[at + 1];
  if (at !== -1 && value) made.set((args[at]?.text ?? "").slice(6).toLowerCase(), value.text);
}

const deepest = 5;

function commandsOf(run: Run, setting: Setting, depth: number): GitCommand[] {
  const { stdin } = run;
  const dashed = /^git-([a-z-]+)$/.exec(run.program)?.[1];
  if (dashed !== undefined)
    return [{ verb: dashed, args: run.args, ...defined({ folder: run.cwd, stdin }), ...strangely(dashed) }];
  if (run.program === "hub") return commandsOf({ ...run, program: "git" }, setting, depth);
  if (run.program === "gh" || run.program === "glab") return byRequest(run);
  if (run.program !== "git") return [];
  const { verb, args, folder: given } = gitVerb(run);
  const folder = run.cwd === undefined ? undefined : resolve(run.cwd, given ?? ".");
  const command = { verb, args, ...defined({ folder, stdin }) };
  if (verb === "" || isGitVerb(verb)) return [command];
  const { event, world, made } = setting;
  const name = verb.toLowerCase();
  const cwd = folder ?? event.cwd;
  const meaning = inlineAlias(run, name) ?? made.get(name) ?? gitSettings(cwd, world).aliases.get(name);
  if (meaning === undefined || depth >= deepest) return [{ ...command, strange: true }];
  const start = meaning.startsWith("!") ? meaning.slice(1) : `git ${meaning}`;
  const text = [start, ...args.map(quoted)].join(" ");
  const { runs } = unfold(text, { cwd, home: world.folders().home, root: event.root });
  return runs.flatMap((each) => commandsOf(each, setting, depth + 1));
}

const strangely = (verb: string): { strange?: true } => (isGitVerb(verb) ? {} : { strange: true });

/**
 * `gh pr checkout 7` checks out whatever branch that is of, unless it is told how to call it; one that takes the branch away when it is done goes back
 * to the default branch.
 */
function byRequest(run: Run): GitCommand[] {
  const words = run.args.map(({ text }) => text);
  if (words.includes("--help") || words.includes("-h")) return [];
  const where = defined({ folder: run.cwd });
  const unknown: Word = { text: "?", known: false, glob: false };
  if (/^(?:merge|close)$/.test(words[1] ?? ""))
    return words.some((word) => /^(?:-[a-z]*d[a-z]*|--delete-branch)$/.test(word))
      ? [{ verb: "checkout", args: [unknown], ...where }]
      : [];
  const at = words.findIndex((word) => word === "checkout" || word === "co");
  if (at === -1 || at > 1) return [];
  const flag = words.findIndex((word) => /^(?:-b|--branch)(?:=|$)/.test(word));
  const given = run.args[words[flag]?.includes("=") ? flag : flag + 1];
  const named = flag === -1 || !given ? undefined : { ...given, text: given.text.replace(/^--?\w+=/, "") };
  const detached = words.includes("--detach") ? { ...unknown, text: "HEAD", known: true } : undefined;
  return [{ verb: "checkout", args: [named ?? detached ?? unknown], ...where }];
}

/** `git -c alias.co=checkout co main`. */
function inlineAlias({ args }: Run, name: string): string | undefined {
  const start = `alias.${name}=`;
  return args
    .find(({ text }, at) => args[at - 1]?.text === "-c" && text.toLowerCase().startsWith(start))
    ?.text.slice(start.length);
}

// A word nobody knows must stay one for whoever reads it again.
const quoted = ({ text, known }: Word): string =>
  known ? `'${text.replaceAll("'", `'\\''`)}'` : '"$HOOKLINE_UNKNOWN"';
