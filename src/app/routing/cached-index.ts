import { join } from "node:path";
import { TimeoutError } from "../../core/engine.ts";
import { isObject } from "../../core/json.ts";
import { isDue, tryAgainAt } from "../../platform/again.ts";
import { sha256 } from "../../platform/digest.ts";
import { readText } from "../../platform/files.ts";
import { liveWorld } from "../../platform/live-world.ts";
import { cacheFolder, type Env } from "../../platform/places.ts";
import { placesOf, stampOf, type Places } from "../../platform/stamps.ts";
import { version } from "../../platform/version.ts";
import { writeNew } from "../../platform/write-new.ts";
import type { AbilityIndex } from "../../routing/ability-index.ts";

/** The index of the abilities as seen from a folder, and what is wrong with their files. */
export interface Indexed {
  readonly index: AbilityIndex;
  readonly problems: readonly string[];
}

interface Cached extends Indexed {
  readonly key: string;
  readonly places: Places;
  readonly mark: string;
  /** When it is to be tried again, where not everything could be read in time. */
  readonly until?: number;
}

const most = 256 * 1024 * 1024;
/** A file that changed this recently may change again within one tick of the file system's clock. */
const settledMs = 100;
/** Nobody has trusted these files, and an agent that waits too long for its answer goes ahead. */
const readMs = 2000;
const buildMs = 6000;
const patientMs = 120_000;
/** Changes with what the cache contains. */
const shape = 3;

/**
 * Lies in the user's cache, where no repository can forge it, and counts while every file and folder that was looked at is as it was.
 * `root` and `from` have their links followed. Who is patient waits until everything is read.
 */
export async function indexFor(root: string, from: string, env: Env, patient: boolean): Promise<Indexed> {
  const key = sha256(JSON.stringify([version, shape, root, from]));
  const file = join(cacheFolder(env), "routing", `${key.slice(0, 32)}.json`);
  const cached = readCache(file, key);
  // Half of it is only for who cannot wait.
  if (cached && !(patient && cached.until !== undefined)) return cached;
  return build(root, from, env, patient, key, file);
}

function readCache(file: string, key: string): Cached | undefined {
  try {
    const cached: unknown = JSON.parse(readText(file, most) ?? "null");
    if (!isObject(cached) || cached["key"] !== key) return undefined;
    const known = cached as unknown as Cached;
    if (isDue(known.until)) return undefined;
    return stampOf(known.places).mark === known.mark ? known : undefined;
  } catch {
    return undefined;
  }
}

async function build(
  root: string,
  from: string,
  env: Env,
  patient: boolean,
  key: string,
  file: string,
): Promise<Indexed> {
  // The YAML reader is large, and most prompts find everything in the cache.
  const [{ loadAbilities }, { indexAbilities }, { showRoutingProblem }, { watchedLimits }] =
    await Promise.all([
      import("../../routing/load-abilities.ts"),
      import("../../routing/ability-index.ts"),
      import("../../routing/problem.ts"),
      import("../../platform/limits.ts"),
    ]);
  // Before anything is read: what is written while we read must not count as read.
  const started = Date.now();
  try {
    const isLate = (): boolean => !patient && Date.now() - started > readMs;
    const { index, problems, looked, unread } = watchedLimits.within(patient ? patientMs : buildMs, () => {
      const loaded = loadAbilities(root, liveWorld(env), from, isLate);
      return { ...loaded, index: indexAbilities(loaded.abilities) };
    });
    const errors = problems.filter(({ level }) => level === "error").map(showRoutingProblem);
    const isWhole = unread === 0;
    const indexed = { index, problems: isWhole ? errors : [notRead(unread), ...errors] };
    const places = looked.map((each) => join(root, each));
    save(file, key, places, started, indexed, isWhole);
    return indexed;
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
    const nothing = {
      index: { abilities: [], postings: {} },
      problems: ["the abilities were not read: it takes too long. Make the registry smaller."],
    };
    // Which files they are nobody has come to know.
    const places = ["ABILITY.md", ".system/registry/high-level", ".system/registry/low-level"];
    save(
      file,
      key,
      [...places.map((each) => join(root, each)), join(from, "ABILITY.md")],
      started,
      nothing,
      false,
    );
    return nothing;
  }
}

const notRead = (unread: number): string =>
  `${unread} registry files could not be read in time; of these abilities only what ABILITY.md says counts. \`hookline ability suggest\` reads them all once.`;

function save(
  file: string,
  key: string,
  looked: readonly string[],
  started: number,
  indexed: Indexed,
  isWhole: boolean,
): void {
  const places = placesOf(looked);
  if (!places) return;
  const { mark, newest } = stampOf(places);
  if (started - newest <= settledMs) return;
  try {
    const until = isWhole ? {} : { until: tryAgainAt() };
    writeNew(file, JSON.stringify({ key, places, mark, ...until, ...indexed } satisfies Cached));
  } catch {
    // Without a cache every prompt reads the files; slower, never wrong.
  }
}
