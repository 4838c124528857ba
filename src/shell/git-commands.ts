import { resolve } from "node:path";
import type { Feed, Run, Word } from "../core/command.ts";
import type { Event } from "../core/event.ts";
import { defined } from "../core/json.ts";
import type { World } from "../core/world.ts";
import { gitVerb } from "./programs.ts";
import { unfold } from "./unfold.ts";
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

/** `gh pr checkout 7` checks out whatever branch that is of, unless it is told how to call it. */
function byRequest(run: Run): GitCommand[] {
  const words = run.args.map(({ text }) => text);
  const at = words.findIndex((word) => word === "checkout" || word === "co");
  if (at === -1 || at > 1 || words.includes("--help") || words.includes("-h")) return [];
  const flag = words.findIndex((word) => /^(?:-b|--branch)(?:=|$)/.test(word));
  const given = run.args[words[flag]?.includes("=") ? flag : flag + 1];
  const named = flag === -1 || !given ? undefined : { ...given, text: given.text.replace(/^--?\w+=/, "") };
  const detached = words.includes("--detach") ? "HEAD" : undefined;
  const unknown: Word = { text: detached ?? "?", known: detached !== undefined, glob: false };
  return [{ verb: "checkout", args: [named ?? unknown], ...defined({ folder: run.cwd }) }];
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
