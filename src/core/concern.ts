import type { ActionKind } from "./action.ts";
import type { Event, EventName } from "./event.ts";
import type { Outcome } from "./outcome.ts";
import type { About } from "./rule.ts";

/** A rule as far as it has to be known to tell what concerns it. */
export interface Asked {
  readonly on: About;
  readonly outcome: Outcome;
}

/** The rules an event concerns, in their order. */
export function concernedBy<R extends Asked>(rules: readonly R[], event: Event): R[] {
  const { kinds, names, any, unclear } = runningIn(event);
  const found = new Set<Asked>();
  const add = (what: string, isAbout: (on: About, what: string) => boolean): void => {
    for (const rule of rulesAbout(what, isAbout, rules, event.name)) found.add(rule);
  };
  add("", isAboutAll);
  for (const kind of kinds) add(kind, isAboutKind);
  if (any) add("any program", isAboutPrograms);
  // No name of a program is taken for anything else.
  for (const name of names) add(`|${name}|`, isAboutProgram);
  if (unclear) add("unclear", isAboutUnclear);
  const concerned: R[] = [];
  if (found.size > 0)
    for (const rule of rules) if (found.has(rule) && isAboutTool(rule.on, event)) concerned.push(rule);
  return concerned;
}

/** What an event brings. A command line that is plainly harmless is not unfolded, and concerns nobody. */
interface Running {
  /** The kinds of its actions other than command lines. */
  readonly kinds: readonly ActionKind[];
  readonly any: boolean;
  /** Was there a command line, and nothing in it to unfold? */
  readonly plain: boolean;
  /** Could part of it not be followed? */
  readonly unclear: boolean;
  /** The programs it runs. */
  readonly names: ReadonlySet<string>;
}

export function runningIn(event: Event): Running {
  const kinds: ActionKind[] = [];
  const names = new Set<string>();
  let unclear = false;
  let execs = false;
  for (const action of event.actions) {
    if (action.kind !== "exec") {
      if (!kinds.includes(action.kind)) kinds.push(action.kind);
      continue;
    }
    execs = true;
    if (action.troubles.length > 0) unclear = true;
    for (const run of action.commands) {
      if (run.opaque) unclear = true;
      names.add(run.program);
      if (run.called !== run.program) names.add(run.called);
      if (run.about) names.add(run.about);
    }
  }
  const any = unclear || names.size > 0;
  return { kinds, any, plain: execs && !any, unclear, names };
}

/** Which rules are about something, worked out when it first occurs: a batch brings the same over and over. */
function rulesAbout(
  what: string,
  isAbout: (on: About, what: string) => boolean,
  rules: readonly Asked[],
  name: EventName,
): readonly Asked[] {
  let events = known.get(rules);
  if (!events) known.set(rules, (events = {}));
  const lists = (events[name] ??= new Map<string, Asked[]>());
  let found = lists.get(what);
  if (found) return found;
  found = [];
  for (const rule of rules)
    if (rule.outcome !== "pass" && rule.on.events.includes(name) && isAbout(rule.on, what)) found.push(rule);
  // Names of programs come from outside.
  if (lists.size >= most) lists.clear();
  lists.set(what, found);
  return found;
}

const most = 5000;
const known = new WeakMap<readonly Asked[], Partial<Record<EventName, Map<string, Asked[]>>>>();

const isAboutAll = ({ actions }: About): boolean => !actions;

const isAboutKind = ({ actions = [] }: About, kind: string): boolean =>
  (actions as readonly string[]).includes(kind);

const isAboutPrograms = ({ actions = [], programs }: About): boolean => !programs && actions.includes("exec");

const isAboutUnclear = ({ actions = [], programs = [] }: About): boolean =>
  actions.includes("exec") && textOf(programs).includes("|?|");

function isAboutProgram({ actions = [], programs = [] }: About, name: string): boolean {
  if (!actions.includes("exec")) return false;
  const text = textOf(programs);
  // Nobody means a program that is called so.
  if (name !== "|?|" && text.includes(name)) return true;
  for (let at = text.indexOf("*|"); at !== -1; at = text.indexOf("*|", at + 1))
    if (name.startsWith(text.slice(text.lastIndexOf("|", at), at))) return true;
  return false;
}

const textOf = (programs: readonly string[] | string): string =>
  typeof programs === "string" ? programs : `|${programs.join("|")}|`;

export function isAboutTool({ tools }: About, { tool }: Event): boolean {
  if (!tools) return true;
  for (const name of tools) if (tool?.name.endsWith(name)) return true;
  return false;
}
