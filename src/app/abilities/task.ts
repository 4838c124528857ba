import type { ImplementationKind } from "../../routing/ability.ts";

/** Who asks for an ability to be run. */
export const callerSources = ["ai_session", "background_job", "ci_pipeline", "manual_cli"] as const;
export type CallerSource = (typeof callerSources)[number];

export interface Caller {
  readonly source: CallerSource;
  readonly job_id?: string;
  readonly triggered_by?: string;
}

/** How a call ended, in the words of `PostAbilityCall`. */
export type CallStatus = "success" | "failure" | "skipped";

/** One time a task was run. */
export interface Attempt {
  /** Counted from 1. */
  readonly number: number;
  readonly started: string;
  readonly pid: number;
  readonly caller: Caller;
  /** Absent: it is running, or whoever ran it was ended. */
  readonly ended?: string;
  readonly status?: CallStatus;
  /** Why it did not succeed, in words. */
  readonly detail?: string;
  readonly ms?: number;
  /** The beginning of what it brought back. */
  readonly output?: string;
  /** The same in a few words. */
  readonly summary?: string;
  /** Nobody could say how it went. */
  readonly interrupted?: true;
  /** What hooks and the person who was asked had to say. */
  readonly notes?: readonly string[];
  /** How log and counts stood before hooks were told, so that a hook's own entry can be told from none. */
  readonly before?: Before;
  /** A hook said that it has recorded the call. */
  readonly hookRecorded?: boolean;
  /** The log has it; the counts have it. */
  readonly logged?: boolean;
  readonly counted?: boolean;
}

/** Log and counts have it. */
export const isRecorded = ({ logged, counted }: Attempt): boolean => logged === true && counted === true;

export interface Before {
  readonly logSize: number;
  readonly calls: number;
  readonly runs: readonly string[];
}

/** A call of an ability, from the moment it was created. */
export interface Task {
  readonly v: 1;
  readonly key: string;
  readonly ability: string;
  readonly operation: string;
  readonly implementation: string;
  readonly kind: ImplementationKind;
  /** The digest of what would run and of what it takes, as it was then. */
  readonly definition: string;
  readonly environment: string;
  readonly input: unknown;
  readonly reason?: string;
  readonly expect?: string;
  readonly session?: string;
  readonly stage?: string;
  readonly parent?: string;
  readonly created: string;
  readonly expires: string;
  readonly attempts: readonly Attempt[];
  readonly feedback: readonly { readonly time: string; readonly text: string }[];
}

export type TaskState = "created" | "running" | "interrupted" | "expired" | CallStatus;

/** Where a task stands. `running`: somebody is running it at this moment. */
export function stateOf({ attempts, expires }: Task, running: boolean, now: number): TaskState {
  const last = attempts.at(-1);
  if (running) return "running";
  if (last) {
    if (last.status === undefined || last.interrupted) return "interrupted";
    if (last.status === "success") return "success";
  }
  if (now > Date.parse(expires)) return "expired";
  return last?.status ?? "created";
}

/** Letters and digits only, so that a key is never a path. */
export const isKey = (text: string): boolean => /^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$/.test(text);

/** By which a run is known wherever it is written down. */
export const runId = (key: string, attempt: number): string => `${key}#${attempt}`;

/** Where the record of a task lies, below the workspace. */
export const toolCallPath = (key: string): string => `.system/implement/${key}/tool_call.md`;
