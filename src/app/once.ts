import { join } from "node:path";
import type { Event } from "../core/event.ts";
import type { HookDefinition } from "../core/hook.ts";
import { sha256 } from "../platform/digest.ts";
import { append, nodeFs, readText } from "../platform/files.ts";
import { stateFolder, type Env } from "../platform/places.ts";
import { keyOf } from "../sources/trust.ts";
import type { Wanted } from "./select-hooks.ts";

const most = 1024 * 1024;

/** Put before a line that does not hold any more. */
const undone = "- ";

const folderOf = (env: Env): string => join(stateFolder(env), "once");

const fileOf = (root: string, session: string, env: Env): string =>
  join(folderOf(env), sha256(`${root}\n${session}`).slice(0, 32));

/** Without those that want to run once a session and already did. Marks the others as done. */
export function notYetDone(wanted: readonly Wanted[], { root, session }: Event, env: Env): readonly Wanted[] {
  const once = wanted.filter(({ definition }) => definition.once).map(({ definition }) => definition);
  if (once.length === 0 || session === undefined) return wanted;
  const file = fileOf(root, session, env);
  const done = new Set<string>();
  for (const line of (readText(file, most) ?? "").split("\n"))
    if (line.startsWith(undone)) done.delete(line.slice(undone.length));
    else done.add(line);
  const left = once.filter((definition) => !done.has(keyOf(definition)));
  if (left.length > 0) {
    nodeFs().mkdirSync(folderOf(env), { recursive: true, mode: 0o700 });
    append(file, left.map((definition) => `${keyOf(definition)}\n`).join(""), 0o600);
  }
  // Once is once, also where an event is several calls.
  return wanted
    .filter(({ definition }) => !definition.once || left.includes(definition))
    .map(({ definition, calls }) => ({ definition, calls: definition.once ? calls.slice(0, 1) : calls }));
}

/** Takes back the mark of those that were stopped: their once is still to come. */
export function notDone(definitions: readonly HookDefinition[], { root, session }: Event, env: Env): void {
  const once = definitions.filter((definition) => definition.once);
  if (once.length === 0 || session === undefined) return;
  append(
    fileOf(root, session, env),
    once.map((definition) => `${undone}${keyOf(definition)}\n`).join(""),
    0o600,
  );
}
