import { join } from "node:path";
import type { HookDefinition, Match, Profile } from "../core/hook.ts";
import { isDue, tryAgainAt } from "../platform/again.ts";
import { sha256 } from "../platform/digest.ts";
import { nodeFs, readText } from "../platform/files.ts";
import { cacheFolder, type Env } from "../platform/places.ts";
import { placesOf, stampOf, type Places } from "../platform/stamps.ts";
import { version } from "../platform/version.ts";
import { writeNew } from "../platform/write-new.ts";
import { hasWildcard } from "./match.ts";
import type { SourceSettings } from "./places.ts";
import type { HookProblem } from "./source.ts";
import { trustedFiles } from "./trust.ts";

/** Hooks of one event that share their conditions. */
interface Group {
  readonly profile: Profile;
  readonly match?: Match;
  readonly hooks: readonly Numbered[];
}

/** A hook with its place in the order they run. */
type Numbered = readonly [at: number, definition: HookDefinition];

interface Index {
  readonly key: string;
  readonly places: Places;
  readonly mark: string;
  readonly problems: readonly HookProblem[];
  /** When it is to be tried again, where not everything could be read. */
  readonly until?: number;
  /** For each event, how many files its hooks for certain abilities are spread over. */
  readonly events: Readonly<Record<string, number>>;
}

export interface Indexed {
  readonly definitions: readonly HookDefinition[];
  readonly problems: readonly HookProblem[];
}

type IsWanted = (profile: Profile, match: Match | undefined) => boolean;

const most = 256 * 1024 * 1024;
/** A file that changed this recently may change again within one tick of the file system's clock. */
const settledMs = 100;
/** More than anybody is told at an event. */
const mostProblems = 100;
/** Hooks for certain abilities by name, most of a large registry, are found without reading the others. */
const perFile = 8;

/**
 * The hooks of one event whose conditions hold. What was read of the files lies in the user's cache, event by event, and counts
 * while every file and folder that was looked at is as it was: a thousand hooks of which one is wanted cost little more than looking.
 */
export async function hooksOf(
  event: string,
  ability: unknown,
  root: string,
  settings: SourceSettings,
  env: Env,
  isWanted: IsWanted,
): Promise<Indexed> {
  const folder = folderOf(root, env);
  const key = sha256(JSON.stringify([version, shape, root, settings]));
  const index = readIndex(join(folder, "index.json"), key);
  const cached = index && fromCache(folder, index, event, ability, isWanted);
  if (index && cached) return { definitions: cached, problems: index.problems };
  const { definitions, problems } = await build(folder, key, root, settings, env);
  return {
    definitions: definitions.filter(
      ({ enabled, events, profile, match }) => enabled && events.includes(event) && isWanted(profile, match),
    ),
    problems,
  };
}

/** Changes with what the cache contains. */
const shape = 8;

const folderOf = (root: string, env: Env): string =>
  join(cacheFolder(env), "hooks", sha256(root).slice(0, 32));

/** For whoever has changed what counts besides the files themselves. */
export const forgetIndex = (root: string, env: Env): void =>
  nodeFs().rmSync(join(folderOf(root, env), "index.json"), { force: true });

const fileOf = (mark: string, event: string, part: number | "all"): string =>
  `${Bun.hash(mark).toString(36)}-${event.replace(/\W/g, "_")}.${part}.json`;

const partOf = (ability: string, parts: number): number => Number(Bun.hash(ability) % BigInt(parts));

function readIndex(file: string, key: string): Index | undefined {
  const index = readJson(file) as Index | null | undefined;
  if (index?.key !== key || isDue(index.until)) return undefined;
  return stampOf(index.places).mark === index.mark ? index : undefined;
}

/** What we wrote ourselves, in a folder that is ours; whoever asks knows what it is. */
function readJson(file: string): unknown {
  try {
    return JSON.parse(readText(file, most) ?? "null");
  } catch {
    return undefined;
  }
}

/** Nothing when a file of the cache is gone. */
function fromCache(
  folder: string,
  { mark, events }: Index,
  event: string,
  ability: unknown,
  isWanted: IsWanted,
): readonly HookDefinition[] | undefined {
  const parts = Object.hasOwn(events, event) ? events[event] : undefined;
  if (parts === undefined) return [];
  const groups = readJson(join(folder, fileOf(mark, event, "all"))) as Group[] | undefined;
  const named =
    typeof ability === "string" && parts > 0
      ? (readJson(join(folder, fileOf(mark, event, partOf(ability, parts)))) as Group[] | undefined)
      : [];
  if (!groups || !named) return undefined;
  return [...groups, ...named]
    .flatMap(({ profile, match, hooks }) => (isWanted(profile, match) ? hooks : []))
    .toSorted(([a], [b]) => a - b)
    .map(([, definition]) => definition);
}

async function build(
  folder: string,
  key: string,
  root: string,
  settings: SourceSettings,
  env: Env,
): Promise<Indexed> {
  // The readers of all formats are large, and most calls find everything in the cache.
  const { loadHooks, switchedOn } = await import("./load-hooks.ts");
  const { watchedLimits } = await import("../platform/limits.ts");
  const started = Date.now();
  const { definitions, problems, looked } = loadHooks(
    root,
    settings,
    trustedFiles(root, env),
    switchedOn(settings),
    watchedLimits,
  );
  const errors = problems.filter(({ level }) => level === "error");
  const places = placesOf(looked);
  const { mark, newest } = places ? stampOf(places) : { mark: "", newest: started };
  // What could not be read in time on a busy machine may well be later; until then nobody waits for it again.
  const isWhole = !problems.some(({ code }) => code === "HL_HOOK_TOO_LONG");
  // What has changed since may have been read before.
  if (places && started - newest > settledMs) {
    try {
      const until = isWhole ? {} : { until: tryAgainAt() };
      save(folder, { key, places, mark, problems: errors.slice(0, mostProblems), ...until }, definitions);
    } catch {
      // Without a cache every call reads the files; slower, never wrong.
    }
  }
  return { definitions, problems: errors };
}

function save(folder: string, index: Omit<Index, "events">, definitions: readonly HookDefinition[]): void {
  // What only `hooks register` and people want to know stays in the files.
  const lean = definitions.map(({ written: _written, summary: _summary, ...rest }): HookDefinition => rest);
  const numbered = [...lean.entries()].filter(([, definition]) => definition.enabled);
  const events: Record<string, number> = {};
  const write = (event: string, part: number | "all", hooks: readonly Numbered[]): void =>
    writeNew(join(folder, fileOf(index.mark, event, part)), JSON.stringify(grouped(hooks)));
  for (const event of new Set(numbered.flatMap(([, definition]) => definition.events))) {
    const mine = numbered.filter(([, definition]) => definition.events.includes(event));
    const certain = mine.filter(([, definition]) => isCertain(definition));
    const parts = Math.ceil(certain.length / perFile);
    const byPart = Array.from({ length: parts }, (): Numbered[] => []);
    for (const each of certain) {
      const places = new Set(each[1].match?.abilities?.map((name) => partOf(name, parts)));
      for (const place of places) byPart[place]?.push(each);
    }
    events[event] = parts;
    write(
      event,
      "all",
      mine.filter(([, definition]) => !isCertain(definition)),
    );
    for (const [part, hooks] of byPart.entries()) write(event, part, hooks);
  }
  writeNew(join(folder, "index.json"), JSON.stringify({ ...index, events }));
  const current = fileOf(index.mark, "", 0).split("-")[0] ?? "";
  const fs = nodeFs();
  for (const name of fs.readdirSync(folder))
    if (name !== "index.json" && !name.startsWith(`${current}-`))
      fs.rmSync(join(folder, name), { force: true });
}

/** It names the abilities it is for, without patterns. */
const isCertain = ({ match }: HookDefinition): boolean =>
  match?.abilities?.every((name) => !hasWildcard(name)) === true;

function grouped(hooks: readonly Numbered[]): Group[] {
  const groups = new Map<string, { profile: Profile; match?: Match; hooks: Numbered[] }>();
  for (const numbered of hooks) {
    const { profile, match } = numbered[1];
    const key = JSON.stringify([profile, match]);
    const group = groups.get(key) ?? { profile, ...(match ? { match } : {}), hooks: [] };
    group.hooks.push(numbered);
    groups.set(key, group);
  }
  return [...groups.values()];
}
