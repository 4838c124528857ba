import type { Event } from "../core/event.ts";
import type { Json } from "../core/json.ts";
import type { World } from "../core/world.ts";
import { openCalls, toCall } from "./ralph-calls.ts";
import { readInstructions } from "./ralph-instructions.ts";
import { logFile, type LogName } from "./ralph-layout.ts";
import { readLog } from "./ralph-logs.ts";

/** How long to wait before each retry of a subagent call, in seconds. */
export const ladder = [0, 30, 60, 60] as const;

/** A call, as far as its failures are counted together. */
export interface RetriedCall {
  /** The same for every attempt. */
  readonly key: string;
  readonly subagent?: string;
  readonly mode?: string;
  readonly task?: string;
  /** The host's own id of this one attempt, where it is known. */
  readonly attempt?: string;
}

export interface FailedCall extends RetriedCall {
  readonly error: string;
  readonly isTimeout: boolean;
}

/** What failed, when an event is about a failure. */
export function failedCall(event: Event, session: string, world: World): FailedCall | undefined {
  const error = errorOf(event);
  if (error === undefined) return undefined;
  return { ...retriedCall(event, session, world), error, isTimeout: isTimeout(error) };
}

/** What went wrong with a tool or with the agent itself. */
export function errorOf({ name, tool, error }: Event): string | undefined {
  if (name === "ErrorOccurred") return error?.message ?? tool?.error ?? "unknown error";
  if (name === "PostToolUseFailure") return tool?.error ?? error?.message ?? "unknown error";
  if (name !== "PostToolUse") return undefined;
  if (tool?.error !== undefined) return tool.error;
  return (tool?.exitCode ?? 0) === 0 ? undefined : `exit code ${tool?.exitCode}`;
}

const isTimeout = (error: string): boolean =>
  /\btim(?:ed?|ing)[ _-]?out|timeout|ETIMEDOUT|deadline exceeded/i.test(error.slice(0, 20_000));

/** The subagent call an event is about: its own, or of an error without one, the call that is not done yet. */
export function retriedCall(event: Event, session: string, world: World): RetriedCall {
  const own = event.actions.find((action) => action.kind === "delegate");
  const call = own
    ? { ...toCall(own), key: event.call }
    : event.tool
      ? undefined
      : openCalls(event, session, world)[0];
  if (!call)
    return { key: event.tool?.name ?? "agent", ...(event.call === undefined ? {} : { attempt: event.call }) };
  const [mode, task] = [call.modes[0]?.toUpperCase(), call.taskIds[0]];
  return {
    key: [call.subagent, mode ?? "", task ?? ""].join("|"),
    subagent: call.subagent,
    ...(mode === undefined ? {} : { mode }),
    ...(task === undefined ? {} : { task }),
    ...(call.key === undefined ? {} : { attempt: call.key }),
  };
}

/** How often a call may be tried again: what the policy says, else the session's instructions, else the ladder's length. */
export const retryBudget = (
  root: string,
  session: string,
  configured: number | undefined,
  world: World,
): number =>
  configured ?? readInstructions(root, session, world).settings.max_subagent_retries ?? ladder.length;

/** Failures of a call in a log, since it last succeeded or its task was planned anew. */
export function linesSince(
  root: string,
  session: string,
  name: LogName,
  { key, task }: RetriedCall,
  world: World,
): Json[] {
  const reset = readLog(logFile(root, session, "recovery.jsonl"), world).findLast(
    (line) =>
      (line["decision"] === "recovered" && line["key"] === key) ||
      (line["decision"] === "planned" && (line["task_id"] === null || line["task_id"] === (task ?? null))),
  );
  const after = reset ? timeOf(reset) : "";
  return readLog(logFile(root, session, name), world).filter(
    (line) => line["key"] === key && isFailure(line["decision"]) && timeOf(line) >= after && line !== reset,
  );
}

/** ISO8601 in UTC, so it sorts as a text. */
const timeOf = ({ timestamp }: Json): string => (typeof timestamp === "string" ? timestamp : "");

const isFailure = (decision: unknown): boolean =>
  decision === undefined || decision === "retry" || decision === "split" || decision === "replan";

/**
 * A host may tell of one failure twice: as an error, and as the end of the call. Not every host has an id for a call, so a
 * call that was started again in between is another attempt.
 */
export function isToldTwice(
  event: Event,
  session: string,
  { attempt }: RetriedCall,
  last: Json | undefined,
  world: World,
): boolean {
  if (attempt === undefined || last?.["attempt"] !== attempt) return false;
  if (event.name === "ErrorOccurred" || last["event"] !== "ErrorOccurred") return false;
  return !readLog(logFile(event.root, session, "subagent-calls.jsonl"), world).some(
    (line) => line["phase"] === "start" && line["key"] === attempt && timeOf(line) > timeOf(last),
  );
}

/** Seconds to wait before the retry that follows a number of failures; the last step holds for all further ones. */
export const waitAfter = (failures: number): number => ladder[Math.min(failures, ladder.length) - 1] ?? 0;
