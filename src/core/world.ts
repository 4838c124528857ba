export interface Stat {
  readonly type: "file" | "directory" | "other";
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modified: number;
}

export interface Git {
  readonly root: string;
  /** In a linked worktree: the root of the repository it belongs to. */
  readonly main?: string;
  /** Absent on a detached head. */
  readonly branch?: string;
}

export interface Folders {
  readonly home: string;
  readonly temp: readonly string[];
  /** The running executable. */
  readonly executable: string;
  /** Where the guard keeps its policy layers, its cache and its records outside the workspace. */
  readonly guarded: readonly string[];
}

/**
 * All a rule may know of the outside. Read-only. What does not exist is `undefined`; what exists but
 * cannot be known (no permission, a loop of links, too large) throws a `WorldError`.
 */
export interface World {
  read(path: string): string | undefined;
  /** Follows symbolic links. */
  stat(path: string): Stat | undefined;
  list(path: string): readonly string[] | undefined;
  /** Follows symbolic links; cheaper than `stat`. */
  isDirectory(path: string): boolean;
  /**
   * Follows every symbolic link, also those above a path that does not exist yet, and then `..`: behind a
   * link that is the parent of what the link leads to, as the system has it.
   */
  realPath(path: string): string;
  git(directory: string): Git | undefined;
  now(): number;
  env(name: string): string | undefined;
  folders(): Folders;
}

export class WorldError extends Error {
  override readonly name = "WorldError";
}

/** A question put to the world and its answer: what a replay needs instead of the disk. */
export interface Observation {
  readonly ask: keyof World;
  readonly of?: string;
  readonly answer?: unknown;
  readonly error?: string;
}

export interface RecordingWorld extends World {
  /** Each question once. */
  readonly observations: readonly Observation[];
  /** Every question as it was put, for telling who looked at what. */
  readonly asked: readonly Observation[];
}

/** Remembers every answer, and gives the same answer to the same question for the length of one event. */
export function recordWorld(world: World): RecordingWorld {
  const observations: Observation[] = [];
  const asked: Observation[] = [];
  const known = new Map<string, Observation>();
  return {
    observations,
    asked,
    ...answering((ask, of) => {
      const key = `${ask} ${of ?? ""}`;
      let observation = known.get(key);
      if (!observation) {
        observation = observe(world, ask, of);
        known.set(key, observation);
        observations.push(observation);
      }
      asked.push(observation);
      return observation;
    }),
  };
}

/** Answers from observations alone. A question nobody asked when the event was recorded is an error. */
export function replayWorld(observations: readonly Observation[]): World {
  const known = new Map(observations.map((seen) => [`${seen.ask} ${seen.of ?? ""}`, seen]));
  return answering((ask, of) => {
    const seen = known.get(`${ask} ${of ?? ""}`);
    if (seen) return seen;
    throw new WorldError(`the record holds no answer to ${ask} ${of ?? ""}`.trimEnd());
  });
}

function observe(world: World, ask: keyof World, of: string | undefined): Observation {
  const question = of === undefined ? { ask } : { ask, of };
  try {
    // Each question takes one string or nothing, which the union of method types cannot say.
    const answer = (world[ask] as (of?: string) => unknown).call(world, of);
    return { ...question, answer };
  } catch (error) {
    return { ...question, error: error instanceof Error ? error.message : String(error) };
  }
}

function answering(find: (ask: keyof World, of?: string) => Observation): World {
  const answer = (ask: keyof World, of?: string): unknown => {
    const seen = find(ask, of);
    if (seen.error !== undefined) throw new WorldError(seen.error);
    return seen.answer;
  };
  return {
    read: (path) => answer("read", path) as string | undefined,
    stat: (path) => answer("stat", path) as Stat | undefined,
    list: (path) => answer("list", path) as readonly string[] | undefined,
    isDirectory: (path) => answer("isDirectory", path) as boolean,
    realPath: (path) => answer("realPath", path) as string,
    git: (directory) => answer("git", directory) as Git | undefined,
    now: () => answer("now") as number,
    env: (name) => answer("env", name) as string | undefined,
    folders: () => answer("folders") as Folders,
  };
}
