import { join } from "node:path";
import type { Look, Observation } from "../../core/checkup.ts";
import { scopes } from "../../core/install.ts";
import type { Finding } from "../../core/finding.ts";
import { installs } from "../../hosts/installs.generated.ts";
import { sha256 } from "../../platform/digest.ts";
import { isDirectory, nodeFs } from "../../platform/files.ts";
import type { Env } from "../../platform/places.ts";
import { placesOf, stampOf } from "../../platform/stamps.ts";
import { writeNew } from "../../platform/write-new.ts";
import { configuredFor, lookOf, type Surveyed } from "../agents/survey.ts";
import { oursIn } from "../install/json-edit.ts";
import {
  shape,
  standingFile,
  standingFolder,
  type Asking,
  type Disarmed,
  type Kept,
  type Occasion,
  type Seen,
  type Standing,
} from "./standing.ts";

type Configured = Omit<Surveyed, "sign">;

/** What is known of earlier. */
interface Earlier {
  /** What can be compared with. */
  readonly measure: Kept | undefined;
  /** The mark of its files now. */
  readonly mark: string | undefined;
  readonly isNew: boolean;
  readonly isStale: boolean;
}

/** What was lost stays remembered as it was until another session starts: it is told as long as it is missing. */
export function compare(occasion: Occasion, { measure, mark, isNew, isStale }: Earlier, env: Env): Seen {
  const isSame = measure !== undefined && mark === measure.mark;
  const now = isSame ? measure : look(occasion.root, env);
  const lost = measure && !isSame ? lostIn(measure, now) : [];
  const session = occasion.session ?? null;
  const kept: Kept =
    measure && mark !== undefined && lost.length > 0 && !isNew
      ? { ...measure, told: mark }
      : { ...now, shape, session };
  const isUnknown = occasion.settings === true && !measure && !isStale;
  return {
    findings: (isUnknown ? sinceEver(occasion, env) : lost).map((each) => findingOf(each, occasion)),
    keep: () => write(standingFile(occasion, env), kept),
  };
}

/** Settings that a host is about to take over can still be refused, if they are its own. */
function findingOf({ host, title, path, what }: Disarmed, occasion: Occasion): Finding {
  const isRefused = occasion.settings === true && occasion.host === host;
  const head = isRefused ? "Blocked by" : "Warning from";
  const instead = isRefused
    ? "If you changed it on purpose, start a new session; else `hookline doctor --fix` puts it right."
    : "Tell the user, unless it was the user who did it; `hookline doctor` says what is wrong, `hookline doctor --fix` mends it.";
  return {
    rule: "hookline/switched-off",
    outcome: isRefused ? "block" : "warn",
    id: isRefused ? "refused" : "lost",
    data: { host, path, what },
    message:
      `${head} hookline/switched-off: \`${path}\` was changed behind Hookline's back, and ${what}.\n` +
      `What ${title} does without asking, no rule has seen.\n${instead}`,
  };
}

/** For whoever changes settings on the user's behalf: nothing of it is to be held against anybody. */
export function forgetStanding(env: Env): void {
  const folder = standingFolder(env);
  if (!isDirectory(folder)) return;
  for (const name of nodeFs().readdirSync(folder)) write(join(folder, name), { shape, isStale: true });
}

function write(file: string, kept: Kept | Pick<Kept, "shape" | "isStale">): void {
  try {
    writeNew(file, JSON.stringify(kept));
  } catch {
    // Where nothing can be kept nothing can be compared; the event is answered all the same.
  }
}

/** How every agent is made to ask us now, and where that was read. */
function look(root: string, env: Env): Standing {
  const seen = new Set<string>();
  const asked = new Map<string, string | null>();
  const watched = watching(lookOf({ root, env }), seen, asked);
  const agents = Object.keys(installs).flatMap((id) => configuredFor(id, watched) ?? []);
  for (const { install } of agents) {
    const files = install.files(watched.machine);
    for (const scope of scopes) if (files[scope]) seen.add(files[scope].path);
  }
  const asks = Object.fromEntries(agents.flatMap(asksOf));
  const off = agents.flatMap((agent) => offFor(agent, watched));
  const places = placesOf([...seen]) ?? [];
  return { places, mark: stampOf(places).mark, env: Object.fromEntries(asked), asks, off };
}

/** The same look, remembering what it was asked for. */
const watching = (inner: Look, seen: Set<string>, asked: Map<string, string | null>): Look => ({
  ...inner,
  machine: {
    ...inner.machine,
    env(name) {
      const value = inner.machine.env(name);
      asked.set(name, value ?? null);
      return value;
    },
  },
  read(path) {
    seen.add(path);
    return inner.read(path);
  },
  list(folder) {
    seen.add(folder);
    return inner.list(folder);
  },
});

function asksOf({ id: host, title, plugin, installed }: Configured): [path: string, asking: Asking][] {
  const files = installed.filter(isRead).map(({ file, config, text }): [string, Asking] => {
    const entries = file.layout.kind === "json" ? oursIn(config) : [];
    const events = Object.fromEntries(entries.map(({ event, entry }) => [event, digestOf(entry)]));
    return [file.path, { host, title, events: entries.length > 0 ? events : { "": digestOf(text) } }];
  });
  return plugin === undefined
    ? files
    : [...files, [`${plugin} (plugin)`, { host, title, events: { "": "on" } }]];
}

/** A file that its host drops makes nobody ask. */
const isRead = ({ trouble }: Configured["installed"][number]): boolean => trouble === undefined;

const digestOf = (what: unknown): string => sha256(JSON.stringify(what)).slice(0, 16);

function offFor({ id: host, title, checkup, plugin, installed }: Configured, watched: Look): Disarmed[] {
  if (!checkup || (installed.length === 0 && plugin === undefined)) return [];
  const observed: Observation[] = [
    ...checkup.switchedOff(watched, installed),
    ...installed.flatMap((each) => checkup.distrust?.(watched, each) ?? []),
  ];
  return observed.map(({ place, text }) => ({ host, title, path: place ?? title, what: text }));
}

/** What there was and is no more, and what was not there to stop it. Where another file makes the agent ask as well, nothing is lost. */
function lostIn(before: Standing, now: Standing): Disarmed[] {
  const isAsked = (host: string, event: string): boolean =>
    Object.values(now.asks).some(
      (each) => each.host === host && (Object.hasOwn(each.events, event) || Object.hasOwn(each.events, "")),
    );
  const gone = Object.entries(before.asks).flatMap(([path, { host, title, events }]): Disarmed[] => {
    const there = now.asks[path]?.events;
    const missing = Object.keys(events).filter((event) => !isAsked(host, event));
    const changed = Object.keys(events).filter(
      (event) => there && Object.hasOwn(there, event) && there[event] !== events[event],
    );
    const whats = [
      ...(missing.length > 0 && !there ? [`it does not make ${title} ask Hookline any more`] : []),
      ...(missing.length > 0 && there ? [`Hookline is not asked at ${missing.join(", ")}`] : []),
      ...(changed.length > 0
        ? [`the entry of Hookline is another${changed[0] === "" ? "" : ` at ${changed.join(", ")}`}`]
        : []),
    ];
    return whats.map((what) => ({ host, title, path, what }));
  });
  const isNew = ({ path, what }: Disarmed): boolean =>
    before.off.every((each) => each.path !== path || each.what !== what);
  return [...gone, ...now.off.filter(isNew)];
}

/** Where nobody has looked before: a host that asks us does so by some setting, and whatever would stop it is new. */
function sinceEver({ host, root }: Occasion, env: Env): Disarmed[] {
  const watched = lookOf({ root, env });
  const agent = configuredFor(host, watched);
  if (!agent) return [];
  if (agent.installed.some(isRead) || agent.plugin !== undefined) return offFor(agent, watched);
  const path = agent.install.files(watched.machine).repo?.path ?? root;
  return [{ host, title: agent.title, path, what: `no settings make ${agent.title} ask Hookline any more` }];
}
