import type { Outcome } from "./outcome.ts";

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

/** Commits that are only here. */
export interface Unpushed {
  readonly hasRemote: boolean;
  readonly commits: number;
}

/** What a branch has changed, committed or not. */
export interface BranchChanges {
  /** The branch it is compared with; empty where there is none. */
  readonly base: string;
  readonly files: readonly string[];
}

export interface Folders {
  readonly home: string;
  readonly temp: readonly string[];
  /** The running executable. */
  readonly executable: string;
  /** Where the guard keeps its policy layers, its cache and its records outside the workspace. */
  readonly guarded: readonly string[];
}

/** The policy in force: the version of the engine and of its rules, and the digest of what the layers made of them. */
export interface PolicyInForce {
  readonly engine: string;
  readonly digest: string;
}

/** What was said to a tool call when it was announced. */
export interface Earlier {
  /** `none`: it never was. */
  readonly told: Outcome | "none";
  /** The record of it, and when it was made, in milliseconds since the epoch. */
  readonly record?: string;
  readonly time?: number;
}

/** Something that was refused and has come about nevertheless. */
export interface Happened {
  readonly record: string;
  readonly tool: string;
  readonly path: string;
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
  /** The SHA-256 of a file's bytes, for telling whether it changed without reading it. */
  digest(path: string): string | undefined;
  /** What looks like the id of a Ralph session in the last 200 000 characters of a file; the last one first. */
  mentions(path: string): readonly string[];
  /** What the agent said last, by the end of its transcript; empty when that was nothing but the use of tools. */
  said(transcript: string): string | undefined;
  git(directory: string): Git | undefined;
  /** Files below a folder that differ from the last commit, as paths from there; nothing when nobody can tell. */
  changed(directory: string): readonly string[] | undefined;
  /** Commits of what is checked out that no remote has; nothing when nobody can tell. */
  unpushed(directory: string): Unpushed | undefined;
  /** Files below a folder that differ from where the branch began, as paths from there; nothing when nobody can tell. */
  branchChanges(directory: string): BranchChanges | undefined;
  now(): number;
  env(name: string): string | undefined;
  folders(): Folders;
  policy(): PolicyInForce;
  /** What the ledger says about a call; nothing when it does not reach back that far. */
  earlier(call: string): Earlier | undefined;
  /** How often in a row the agent of a session was kept from stopping, as far as the ledger reaches back. */
  holds(session: string): number;
  /** What was refused in a session and can be seen to have happened, as far as nobody has said so yet. */
  happened(session: string): readonly Happened[];
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

/**
 * Remembers every answer, and gives the same answer to the same question for the length of one event. A world that remembers
 * by itself is left as it is.
 */
export function recordWorld(world: World | RecordingWorld): RecordingWorld {
  return "observations" in world ? world : new Recording(world);
}

export abstract class Answering implements World {
  abstract find(ask: keyof World, of?: string): Observation;

  private answer(ask: keyof World, of?: string): unknown {
    const seen = this.find(ask, of);
    if (seen.error !== undefined) throw new WorldError(seen.error);
    return seen.answer;
  }

  read(path: string): string | undefined {
    return this.answer("read", path) as string | undefined;
  }
  stat(path: string): Stat | undefined {
    return this.answer("stat", path) as Stat | undefined;
  }
  list(path: string): readonly string[] | undefined {
    return this.answer("list", path) as readonly string[] | undefined;
  }
  isDirectory(path: string): boolean {
    return this.answer("isDirectory", path) as boolean;
  }
  realPath(path: string): string {
    return this.answer("realPath", path) as string;
  }
  digest(path: string): string | undefined {
    return this.answer("digest", path) as string | undefined;
  }
  mentions(path: string): readonly string[] {
    return this.answer("mentions", path) as readonly string[];
  }
  said(transcript: string): string | undefined {
    return this.answer("said", transcript) as string | undefined;
  }
  git(directory: string): Git | undefined {
    return this.answer("git", directory) as Git | undefined;
  }
  changed(directory: string): readonly string[] | undefined {
    return this.answer("changed", directory) as readonly string[] | undefined;
  }
  unpushed(directory: string): Unpushed | undefined {
    return this.answer("unpushed", directory) as Unpushed | undefined;
  }
  branchChanges(directory: string): BranchChanges | undefined {
    return this.answer("branchChanges", directory) as BranchChanges | undefined;
  }
  now(): number {
    return this.answer("now") as number;
  }
  env(name: string): string | undefined {
    return this.answer("env", name) as string | undefined;
  }
  folders(): Folders {
    return this.answer("folders") as Folders;
  }
  policy(): PolicyInForce {
    return this.answer("policy") as PolicyInForce;
  }
  earlier(call: string): Earlier | undefined {
    return this.answer("earlier", call) as Earlier | undefined;
  }
  holds(session: string): number {
    return this.answer("holds", session) as number;
  }
  happened(session: string): readonly Happened[] {
    return this.answer("happened", session) as readonly Happened[];
  }
}

/** Observations by question and what it was about. */
export class Known {
  private readonly byQuestion = new Map<keyof World, Map<string | undefined, Observation>>();

  get(ask: keyof World, of: string | undefined): Observation | undefined {
    return this.byQuestion.get(ask)?.get(of);
  }
  add(seen: Observation): void {
    const known = this.byQuestion.get(seen.ask);
    if (known) known.set(seen.of, seen);
    else this.byQuestion.set(seen.ask, new Map([[seen.of, seen]]));
  }
}

class Recording extends Answering implements RecordingWorld {
  readonly observations: Observation[] = [];
  readonly asked: Observation[] = [];
  private readonly known = new Known();

  constructor(private readonly world: World) {
    super();
  }

  find(ask: keyof World, of?: string): Observation {
    const known = this.known.get(ask, of);
    const seen = known ?? observe(this.world, ask, of);
    this.asked.push(seen);
    if (known) return seen;
    this.known.add(seen);
    this.observations.push(seen);
    return seen;
  }
}

/** Answers from observations alone. A question nobody asked when the event was recorded is an error. */
export function replayWorld(observations: readonly Observation[]): World {
  return new Replaying(observations);
}

class Replaying extends Answering {
  private readonly known = new Known();

  constructor(observations: readonly Observation[]) {
    super();
    for (const seen of observations) this.known.add(seen);
  }

  find(ask: keyof World, of?: string): Observation {
    const seen = this.known.get(ask, of);
    if (seen) return seen;
    throw new WorldError(`the record holds no answer to ${ask} ${of ?? ""}`.trimEnd());
  }
}

export function observe(world: World, ask: keyof World, of: string | undefined): Observation {
  const question = of === undefined ? { ask } : { ask, of };
  try {
    // Each question takes one string or nothing, which the union of method types cannot say.
    const answer = (world[ask] as (of?: string) => unknown).call(world, of);
    return { ...question, answer };
  } catch (error) {
    return { ...question, error: error instanceof Error ? error.message : String(error) };
  }
}
