import type { Effect } from "../core/effect.ts";
import type { Event } from "../core/event.ts";
import { isObject, type Json } from "../core/json.ts";
import type { World } from "../core/world.ts";
import { logFile, type LogName } from "./ralph-layout.ts";
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

/** A line for a log of the event's session: when, which session, which tool, and what the log is about. */
export function logEffects(event: Event, world: World, name: LogName, entry: Json): Effect[] {
  const session = validSession(event, world);
  if (session === undefined) return [];
  const path = logFile(event.root, session, name);
  return [{ do: "log", path, entry: { ...logHead(event, world, session), ...entry } }];
}

/** What every entry begins with. */
const logHead = (event: Event, world: World, session: string): Json => ({
  ts: timeIn(world),
  session_id: session,
  event: event.name,
  host_session: event.session ?? null,
  agent: event.agent?.type ?? null,
  tool: event.tool?.name ?? null,
  call: event.tool?.id ?? null,
});

const timeIn = (world: World): string => new Date(world.now()).toISOString();
