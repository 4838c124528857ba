import { join } from "node:path";
import type { Event } from "../core/event.ts";
import type { HookDefinition } from "../core/hook.ts";
import { sha256 } from "../platform/digest.ts";
import { append, nodeFs, readText } from "../platform/files.ts";
import { stateFolder, type Env } from "../platform/places.ts";

const most = 1024 * 1024;

const folderOf = (env: Env): string => join(stateFolder(env), "once");

const lineOf = ({ source, id }: HookDefinition): string => `${source} ${id}`;

/** Without those that want to run once a session and already did. Marks the others as done. */
export function notYetDone(
  definitions: readonly HookDefinition[],
  { root, session }: Event,
  env: Env,
): readonly HookDefinition[] {
  const once = definitions.filter((definition) => definition.once);
  if (once.length === 0 || session === undefined) return definitions;
  const file = join(folderOf(env), sha256(`${root}\n${session}`).slice(0, 32));
  const done = new Set((readText(file, most) ?? "").split("\n"));
  const left = once.filter((definition) => !done.has(lineOf(definition)));
  if (left.length > 0) {
    nodeFs().mkdirSync(folderOf(env), { recursive: true, mode: 0o700 });
    append(file, left.map((definition) => `${lineOf(definition)}\n`).join(""), 0o600);
  }
  return definitions.filter((definition) => !definition.once || left.includes(definition));
}
