import { join } from "node:path";
import { pathBelow } from "../core/paths.ts";

export const sessionsFolder = ".ralph-sessions";

const sessionIdFormat = /^\d{6}-\d{6}$/;

export const isSessionId = (id: string): boolean => sessionIdFormat.test(id);

export const sessionFolder = (root: string, id: string): string => join(root, sessionsFolder, id);

/** Where the files of a session lie. */
export const sessionFiles = (root: string, id: string) => {
  const folder = sessionFolder(root, id);
  return {
    folder,
    metadata: join(folder, "metadata.yaml"),
    instructions: join(root, sessionsFolder, `${id}.instructions.md`),
    inputs: join(folder, "signals/inputs"),
    processed: join(folder, "signals/processed"),
    logs: join(folder, "logs"),
    iterations: join(folder, "iterations"),
  };
};

/** Where the files of an iteration lie. */
export const iterationFiles = (session: string, iteration: number) => {
  const folder = join(session, "iterations", String(iteration));
  return {
    folder,
    metadata: join(folder, "metadata.yaml"),
    plan: join(folder, "plan.md"),
    progress: join(folder, "progress.md"),
    review: join(folder, "review.md"),
    tasks: join(folder, "tasks"),
    reports: join(folder, "reports"),
    questions: join(folder, "questions"),
    feedbacks: join(folder, "feedbacks"),
    knowledge: join(folder, "knowledge"),
    task: (id: string) => join(folder, "tasks", `${id}.md`),
  };
};

/** Every log by its name. */
export type LogName =
  | "session.log"
  | "prompts.log"
  | "prompts.index.jsonl"
  | "tool-usage.jsonl"
  | "checksums.jsonl"
  | "policy-denials.jsonl"
  | "subagent-digests.jsonl"
  | "subagent-calls.jsonl"
  | "timeouts.jsonl"
  | "errors.log"
  | "signals.jsonl"
  | "recovery.jsonl"
  | "state-transitions.jsonl"
  | "hook-errors.jsonl"
  | "manual-edits.md";

export const logFile = (root: string, id: string, name: LogName): string =>
  join(sessionFolder(root, id), "logs", name);

/** Rejected ids have no session of their own. */
export const rejectedIdsLog = (root: string): string =>
  join(root, sessionsFolder, "logs", "rejected-session-ids.jsonl");

export type FileKind =
  | "instructions"
  | "session-metadata"
  | "iteration-metadata"
  | "progress"
  | "plan"
  | "review"
  | "task"
  | "report"
  | "feedback"
  | "signal"
  | "processed-signal"
  | "log"
  | "other";

/** What a path is to Ralph. */
export interface Place {
  readonly session: string;
  readonly iteration?: number;
  readonly kind: FileKind;
  /** Below the session's folder, with forward slashes; the name of the file for the instructions beside it. */
  readonly path: string;
}

const kinds: readonly [RegExp, FileKind][] = [
  [/^metadata\.yaml$/, "session-metadata"],
  [/^iterations\/\d+\/metadata\.yaml$/, "iteration-metadata"],
  [/^(?:iterations\/\d+\/)?progress\.md$/, "progress"],
  [/^(?:iterations\/\d+\/)?plan\.md$/, "plan"],
  [/^iterations\/\d+\/review\.md$/, "review"],
  [/^(?:iterations\/\d+\/)?tasks\/[^/]+\.md$/, "task"],
  [/^(?:iterations\/\d+\/)?reports\/[^/]+\.md$/, "report"],
  [/^iterations\/\d+\/feedbacks\/[^/]+\/feedbacks\.md$/, "feedback"],
  [/^signals\/inputs\/[^/]+$/, "signal"],
  [/^signals\/processed\/[^/]+$/, "processed-signal"],
  [/^(?:iterations\/\d+\/)?logs\//, "log"],
];

/** What a path below a workspace is to Ralph; nothing outside its sessions. Both with their links resolved. */
export function placeOf(root: string, path: string): Place | undefined {
  const below = pathBelow(join(root, sessionsFolder), path);
  if (below === undefined) return undefined;
  const [first = "", ...rest] = below.split("/");
  if (rest.length === 0) {
    const id = first.endsWith(".instructions.md") ? first.slice(0, -".instructions.md".length) : "";
    return isSessionId(id) ? { session: id, kind: "instructions", path: first } : undefined;
  }
  if (!isSessionId(first)) return undefined;
  const inside = rest.join("/");
  const kind = kinds.find(([pattern]) => pattern.test(inside))?.[1] ?? "other";
  const iteration = /^iterations\/(\d+)\//.exec(inside)?.[1];
  return {
    session: first,
    kind,
    path: inside,
    ...(iteration === undefined ? {} : { iteration: Number(iteration) }),
  };
}
