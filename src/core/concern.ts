import type { ActionKind } from "./action.ts";
import type { Event } from "./event.ts";
import type { Outcome } from "./outcome.ts";
import type { About } from "./rule.ts";

/** Why a rule does not have to look at an event; nothing when it does. */
export function reasonToSkip(
  { on, outcome }: { readonly on: About; readonly outcome: Outcome },
  event: Event,
  running: Running,
): string | undefined {
  if (outcome === "pass") return "off";
  if (!on.events.includes(event.name)) return (notAbout[event.name] ??= `not about ${event.name}`);
  const { actions: kinds, tools } = on;
  if (tools && !tools.some((name) => event.tool?.name.endsWith(name))) return "none of its tools";
  if (!kinds) return undefined;
  if (running.kinds.some((kind) => kinds.includes(kind))) return undefined;
  if (running.any && kinds.includes("exec") && isAboutOne(on, running)) return undefined;
  if (running.plain && kinds.includes("exec")) return "a plain command that concerns no rule";
  return (
    noneOfThem.get(on) ??
    remember(noneOfThem, on, `no ${kinds.join(" or ")}${on.programs ? " of its programs" : ""}`)
  );
}

/** What an event brings. A command line that is plainly harmless is not unfolded, and concerns nobody. */
interface Running {
  /** The kinds of its actions other than command lines. */
  readonly kinds: readonly ActionKind[];
  readonly any: boolean;
  /** Was there a command line, and nothing in it to unfold? */
  readonly plain: boolean;
  readonly unclear: boolean;
  readonly names: readonly string[];
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
      names.add(run.program).add(run.called);
      if (run.about) names.add(run.about);
    }
  }
  const any = unclear || names.size > 0;
  return { kinds, any, plain: execs && !any, unclear, names: [...names] };
}

function isAboutOne(on: About, { names, unclear }: Running): boolean {
  if (!on.programs) return true;
  const { exact, starts } = programsOf.get(on) ?? remember(programsOf, on, sortPrograms(on.programs));
  if (unclear && exact.has("?")) return true;
  return names.some(
    (name) => (name !== "?" && exact.has(name)) || starts.some((start) => name.startsWith(start)),
  );
}

interface Programs {
  readonly exact: ReadonlySet<string>;
  readonly starts: readonly string[];
}

const sortPrograms = (programs: readonly string[]): Programs => ({
  exact: new Set(programs),
  starts: programs.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1)),
});

const notAbout: Partial<Record<Event["name"], string>> = {};
const programsOf = new WeakMap<About, Programs>();
const noneOfThem = new WeakMap<About, string>();

function remember<K extends WeakKey, V>(known: WeakMap<K, V>, key: K, value: V): V {
  known.set(key, value);
  return value;
}
