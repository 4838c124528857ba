import { join } from "node:path";
import type { Event } from "../core/event.ts";
import { isObject } from "../core/json.ts";
import type { World } from "../core/world.ts";

export const sessionsFolder = ".ralph-sessions";

const sessionIdFormat = /^\d{6}-\d{6}$/;

export const isSessionId = (id: string): boolean => sessionIdFormat.test(id);

/** The folders every session starts with. */
export const scaffold = ["signals/inputs", "signals/processed", "logs"] as const;

export const sessionFolder = (root: string, id: string): string => join(root, sessionsFolder, id);

/**
 * Which Ralph session an event belongs to; the host's own session id is another thing. First the
 * binding of the host session, then the marker of the active session, then the only session there is.
 */
export function ralphSession(event: Event, world: World): string | undefined {
  const folder = join(event.root, sessionsFolder);
  return boundSession(event, folder, world) ?? activeSession(folder, world) ?? onlySession(folder, world);
}

/** What `.active-session` says, valid or not. */
export const activeSession = (folder: string, world: World): string | undefined =>
  world.read(join(folder, ".active-session"))?.trim() || undefined;

function boundSession(event: Event, folder: string, world: World): string | undefined {
  // The host's id is opaque; as a file name it must stay one name.
  if (event.session === undefined || !/^[\w.-]{1,200}$/.test(event.session)) return undefined;
  const text = world.read(join(folder, ".hook-bindings", `${event.session}.json`));
  if (text === undefined) return undefined;
  try {
    const binding: unknown = JSON.parse(text);
    const id = isObject(binding) ? binding["ralph_session_id"] : undefined;
    return typeof id === "string" && isSessionId(id) ? id : undefined;
  } catch {
    // Half a binding binds nothing.
    return undefined;
  }
}

function onlySession(folder: string, world: World): string | undefined {
  const ids = world.list(folder)?.filter(isSessionId) ?? [];
  return ids.length === 1 ? ids[0] : undefined;
}

/** The paths under `## Target Files` of the session's instructions: what the session may edit besides its own. */
export function targetFiles(root: string, id: string, world: World): string[] {
  const text = world.read(join(root, sessionsFolder, `${id}.instructions.md`));
  const lines = text?.split(/\r?\n/) ?? [];
  const start = lines.findIndex((line) => line.startsWith("## Target Files"));
  if (start === -1) return [];
  const end = lines.findIndex((line, at) => at > start && line.startsWith("## "));
  return lines.slice(start + 1, end === -1 ? undefined : end).flatMap((line) => {
    const item = line.trim();
    const path = /^[-*]\s/.test(item) ? item.slice(1).trim().replace(/^`|`$/g, "") : "";
    return path === "" ? [] : [path];
  });
}
