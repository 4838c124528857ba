import { join } from "node:path";
import type { Effect } from "../core/effect.ts";
import type { Event } from "../core/event.ts";
import { isObject } from "../core/json.ts";
import type { World } from "../core/world.ts";
import { pathBelow } from "../core/paths.ts";
import { isSessionId, sessionsFolder } from "./ralph-layout.ts";

/**
 * Which Ralph session an event belongs to; the host's own session id is another thing. What the prompt names comes first,
 * then a session that is just being made, then the binding of the host's session, then what the transcript named last, then the marker of the active
 * session, then the only session there is. A workspace without sessions costs one look.
 */
export function ralphSession(event: Event, world: World): string | undefined {
  const folder = join(event.root, sessionsFolder);
  if (!world.isDirectory(folder)) return undefined;
  return namedSession(event, folder, world) ?? onlySession(folder, world);
}

/** The same, for what restricts other work: a session that is complete is nobody's current one. */
export function currentSession(event: Event, world: World): string | undefined {
  const folder = join(event.root, sessionsFolder);
  const id = ralphSession(event, world);
  if (id === undefined || id === startedSession(event, folder, world)) return id;
  return isComplete(folder, id, world) ? undefined : id;
}

const namedSession = (event: Event, folder: string, world: World): string | undefined =>
  mentionedSession(event, world) ??
  startedSession(event, folder, world) ??
  boundSession(event, folder, world) ??
  transcriptSession(event, folder, world) ??
  activeSession(folder, world);

/** The id, when it is one that may name a folder: what a marker says can be anything. */
export function validSession(event: Event, world: World): string | undefined {
  const id = ralphSession(event, world);
  return id !== undefined && isSessionId(id) ? id : undefined;
}

/** What `.active-session` says, valid or not. */
export const activeSession = (folder: string, world: World): string | undefined =>
  world.read(join(folder, ".active-session"))?.trim().slice(0, 200) || undefined;

/** The last session a prompt names, of those that exist. */
function mentionedSession({ root, prompt }: Event, world: World): string | undefined {
  // Only the ends of a very long prompt: nobody hides the session in the middle of one.
  const text =
    prompt === undefined || prompt.length <= 200_000
      ? (prompt ?? "")
      : `${prompt.slice(0, 100_000)} ${prompt.slice(-100_000)}`;
  const ids = text.match(/(?<!\d)\d{6}-\d{6}(?!\d)/g) ?? [];
  return [...new Set(ids.toReversed())]
    .slice(0, 20)
    .find((id) => world.isDirectory(join(root, sessionsFolder, id)));
}

/**
 * The session whose first file or folder a call makes. It is the one the agent works on from then on, whatever other sessions
 * there are: otherwise nobody could begin a second one. Only a marker says more plainly which session it is, as long as that is
 * one to work on.
 */
function startedSession({ actions }: Event, folder: string, world: World): string | undefined {
  for (const action of actions) {
    const path = action.kind === "write" && action.target ? pathBelow(folder, action.target.path) : undefined;
    const id = path?.split("/", 1)[0]?.replace(/\.instructions\.md$/, "") ?? "";
    if (!isSessionId(id) || world.isDirectory(join(folder, id))) continue;
    const marked = activeSession(folder, world);
    return marked === undefined || givesWay(folder, marked, path ?? "", world) ? id : undefined;
  }
  return undefined;
}

/** Does a marker stand in nobody's way? Its session is complete, or was deleted and another one is made as one is made. */
const givesWay = (folder: string, marked: string, path: string, world: World): boolean =>
  isComplete(folder, marked, world) ||
  (isSessionId(marked) &&
    !world.isDirectory(join(folder, marked)) &&
    /^[^/]+(?:\/(?:metadata\.yaml|signals|logs|iterations)?)?$/.test(path));

/** Remembers which session the host's session works on: the one its prompt names, or the one it begins. */
export function bindingEffects(event: Event, world: World): readonly Effect[] {
  const folder = join(event.root, sessionsFolder);
  const mentioned = mentionedSession(event, world);
  const id = mentioned ?? startedSession(event, folder, world);
  const path = bindingFile(event, folder);
  if (id === undefined || path === undefined || boundIn(path, world) === id) return [];
  const binding = {
    ralph_session_id: id,
    updated_at: new Date(world.now()).toISOString(),
    source: mentioned === undefined ? "session_begun" : "user_prompt",
  };
  return [{ do: "replace", path, text: `${JSON.stringify(binding)}\n` }];
}

// The host's id is opaque; as a file name it must stay one name.
const bindingFile = ({ session }: Event, folder: string): string | undefined =>
  session !== undefined && /^\w[\w.-]{0,199}$/.test(session)
    ? join(folder, ".hook-bindings", `${session}.json`)
    : undefined;

function boundSession(event: Event, folder: string, world: World): string | undefined {
  const path = bindingFile(event, folder);
  return path === undefined ? undefined : boundIn(path, world);
}

function boundIn(path: string, world: World): string | undefined {
  const text = world.read(path);
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

/** Asked only where there is a choice: a transcript is long. */
function transcriptSession({ transcript }: Event, folder: string, world: World): string | undefined {
  if (transcript === undefined) return undefined;
  const sessions = sessionsIn(folder, world);
  if (sessions.length === 0 || (sessions.length === 1 && activeSession(folder, world) === undefined))
    return undefined;
  try {
    return world.mentions(transcript).find((id) => sessions.includes(id));
  } catch {
    // What the host calls a transcript may be anything; one that cannot be read names nothing.
    return undefined;
  }
}

const sessionsIn = (folder: string, world: World): string[] => world.list(folder)?.filter(isSessionId) ?? [];

function onlySession(folder: string, world: World): string | undefined {
  const [id, ...others] = sessionsIn(folder, world);
  return others.length > 0 ? undefined : id;
}

const isComplete = (folder: string, id: string, world: World): boolean =>
  isSessionId(id) &&
  /^[ \t]+state:[ \t]*["']?COMPLETE\b/m.test(world.read(join(folder, id, "metadata.yaml")) ?? "");
