import { join } from "node:path";
import type { Effect } from "../core/effect.ts";
import type { Event } from "../core/event.ts";
import { isObject, type Json } from "../core/json.ts";
import type { World } from "../core/world.ts";
import { currentIteration } from "./ralph-iteration.ts";
import { iterationFiles, logFile, rejectedIdsLog, sessionFolder, type LogName } from "./ralph-layout.ts";
import { validSession } from "./ralph-session.ts";

/** What views that repeat facts of other files begin with. */
export const nonAuthoritative = "Non-authoritative. Regenerate from SSOT.";

/** The entries of a log; half a line, as a crash leaves it, is none. */
export function readLog(path: string, world: World): Json[] {
  return (world.read(path) ?? "").split("\n").flatMap((line) => {
    try {
      const entry: unknown = JSON.parse(line);
      return isObject(entry) ? [entry] : [];
    } catch {
      return [];
    }
  });
}

/** Whether a log lies in the session's own folder of logs or in that of its current iteration. */
export type LogFolder = "session" | "iteration";

/** A line for a log of the event's session: when, which session, which tool, and what the log is about. */
export function logEffects(
  event: Event,
  world: World,
  name: LogName,
  entry: Json,
  folder: LogFolder = "session",
): Effect[] {
  const session = loggedSession(event, world);
  if (session === undefined) return [];
  const line = logEntry(event, world, session, name, entry);
  if (folder === "session") return [line];
  return [{ ...line, path: iterationLog(event.root, session, name, world) ?? line.path }];
}

/** The log of the current iteration, if there is one. */
export function iterationLog(root: string, id: string, name: LogName, world: World): string | undefined {
  const iteration = currentIteration(sessionFolder(root, id), world);
  return iteration === undefined
    ? undefined
    : join(iterationFiles(sessionFolder(root, id), iteration).folder, "logs", name);
}

/** The same for a session that is known. */
export const logEntry = (
  event: Event,
  world: World,
  session: string,
  name: LogName,
  entry: Json,
): Effect & { do: "log" } => ({
  do: "log",
  path: logFile(event.root, session, name),
  entry: { ...logHead(event, world, session), ...entry },
});

/** The session an event is logged for. A log makes no session: without its folder there is none, unless it is about to start. */
export function loggedSession(event: Event, world: World): string | undefined {
  const id = validSession(event, world);
  if (id === undefined || event.name === "SessionStart") return id;
  return world.isDirectory(sessionFolder(event.root, id)) ? id : undefined;
}

/** What every entry begins with. */
const logHead = (event: Event, world: World, session: string): Json => ({
  timestamp: timeIn(world),
  session_id: session,
  event: event.name,
  host_session: event.session ?? null,
  agent: event.agent?.type ?? null,
  tool: event.tool?.name ?? null,
  call: event.tool?.id ?? null,
});

/** A line for an id that may not name a session: why, and where it came from. */
export function rejectedId(
  root: string,
  id: string,
  from: {
    readonly source: string;
    readonly command?: string | undefined;
    readonly session?: string | undefined;
    readonly cwd: string;
  },
  world: World,
): { readonly effect: Effect; readonly reason: string } {
  const reason = [
    "does not match required format YYMMDD-HHmmss",
    ...(/[\\/]/.test(id) ? ["contains path separators"] : []),
    ...(id.includes("..") ? ["leads to a parent folder"] : []),
  ].join(" and ");
  const entry = {
    timestamp: timeIn(world),
    session_id: shortened(id),
    reason,
    source: from.source,
    source_command: shortened(from.command),
    host_session: from.session ?? null,
    cwd: from.cwd,
  };
  return { reason, effect: { do: "log", path: rejectedIdsLog(root), entry } };
}

export const timeIn = (world: World): string => new Date(world.now()).toISOString();

const longest = 2000;

/** A value small enough for a line of a log: long texts are cut, and say so. */
export function shortened(value: unknown, depth = 0): unknown {
  if (typeof value === "string")
    return value.length > longest ? `${value.slice(0, longest)}… [${value.length} characters]` : value;
  if (typeof value !== "object" || value === null) return value ?? null;
  if (depth > 8) return "[too deep]";
  if (Array.isArray(value)) return value.slice(0, 100).map((each) => shortened(each, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 100)
      .map(([key, each]) => [key, shortened(each, depth + 1)]),
  );
}
