import { join } from "node:path";
import type { Event, EventName } from "../../core/event.ts";
import type { Finding } from "../../core/finding.ts";
import { isObject } from "../../core/json.ts";
import { lazily } from "../../core/lazily.ts";
import { sha256 } from "../../platform/digest.ts";
import { readText } from "../../platform/files.ts";
import { stateFolder, type Env } from "../../platform/places.ts";
import { stampOf, type Places } from "../../platform/stamps.ts";

/** How agents are made to ask us, as it was seen. */
export interface Standing {
  /** Every file that was looked at, and a mark that tells whether one of them has changed. */
  readonly places: Places;
  readonly mark: string;
  /** The variables that had a say in it, as they were. */
  readonly env: Readonly<Record<string, string | null>>;
  /** The files by which an agent asks us: a digest of our entry for each of its events. */
  readonly asks: Readonly<Record<string, Asking>>;
  /** What keeps agents from asking us. */
  readonly off: readonly Disarmed[];
}

/** Something that made a host ask us, or keeps it from doing so. */
export interface Disarmed {
  /** The host, by its id and its name. */
  readonly host: string;
  readonly title: string;
  readonly path: string;
  readonly what: string;
}

export interface Asking {
  readonly host: string;
  readonly title: string;
  readonly events: Readonly<Record<string, string>>;
}

/** What lies in the user's state folder, for a workspace and a host that calls. */
export interface Kept extends Standing {
  readonly shape: number;
  readonly session: string | null;
  /** The mark of what has been told already. */
  readonly told?: string;
  /** Settings were changed on the user's behalf since: it is no measure any more. */
  readonly isStale?: true;
}

/** Changes with what is kept. */
export const shape = 1;
const largest = 1024 * 1024;

/** The event at which it is looked, as far as it matters here. */
export type Occasion = Pick<Event, "name" | "host" | "root" | "session" | "settings">;

export interface Seen {
  readonly findings: readonly Finding[];
  /** Remembers how things stand, where that has changed; for whoever may write. */
  readonly keep?: () => void;
}

/**
 * What made agents ask us when the session began and does not any more. Where no file has changed since, that takes one look at each;
 * after a tool the same is told once, so that it is heard and does not fill the model's memory.
 */
export async function standingAt(occasion: Occasion, env: Env): Promise<Seen> {
  const known = read(occasion, env);
  const measure = known && !known.isStale && isComparable(known, env) ? known : undefined;
  const mark = measure && stampOf(measure.places).mark;
  const isNew = startsSession(occasion, known);
  if (mark !== undefined && !isNew) {
    if (mark === measure?.mark) return nothing;
    if (mark === measure?.told && isAfterTool(occasion.name)) return nothing;
  }
  return (await looking()).compare(occasion, { measure, mark, isNew, isStale: known?.isStale === true }, env);
}

const nothing: Seen = { findings: [] };

const isAfterTool = (name: EventName): boolean => name === "PostToolUse" || name === "PostToolUseFailure";

/** Some hosts only tell of prompts. */
const startsSession = ({ name, session }: Occasion, known: Kept | undefined): boolean =>
  (name === "SessionStart" || name === "UserPromptSubmit") && known?.session !== (session ?? null);

const looking = lazily(() => import("./look.ts"));

/** Of other files, or by other switches, nothing can be told. */
function isComparable({ env: was }: Kept, env: Env): boolean {
  for (const name in was) if ((env[name] ?? null) !== was[name]) return false;
  return true;
}

export const standingFolder = (env: Env): string => join(stateFolder(env), "standing");

export const standingFile = ({ root, host }: Occasion, env: Env): string =>
  join(standingFolder(env), `${sha256(`${root}\n${host}`).slice(0, 32)}.json`);

function read(occasion: Occasion, env: Env): Kept | undefined {
  try {
    const kept: unknown = JSON.parse(readText(standingFile(occasion, env), largest) ?? "null");
    // What we wrote ourselves, in a folder that is ours.
    return isObject(kept) && kept["shape"] === shape ? (kept as unknown as Kept) : undefined;
  } catch {
    return undefined;
  }
}
