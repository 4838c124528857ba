import type { Match } from "../core/hook.ts";
import type { Event } from "../core/event.ts";
import { isObject } from "../core/json.ts";
import { pathBelow } from "../core/paths.ts";
import { permits } from "./_permission.ts";

/** What is asked of a hook's conditions. */
export interface Occasion {
  readonly event: Event;
  /** The tool's name as the hook's format knows it. */
  readonly tool?: string;
  /** The payload as the hook will get it. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Whether a hook wants to see an event. Without conditions it wants to see all. */
export function isWanted(match: Match | undefined, occasion: Occasion): boolean {
  if (!match) return true;
  const { payload } = occasion;
  if (match.subject !== undefined && !fitsSubject(match.subject, occasion)) return false;
  if (
    match.fields &&
    !Object.entries(match.fields).every(([path, any]) => any.includes(at(payload, path) as never))
  )
    return false;
  if (match.abilities && !fitsAny(match.abilities, payload["ability_id"])) return false;
  if (match.operations && !fitsAny(match.operations, payload["operation_key"])) return false;
  if (match.minDurationMs !== undefined && !(Number(payload["duration_ms"] ?? 0) >= match.minDurationMs))
    return false;
  if (match.changedPaths && !changed(match.changedPaths, occasion)) return false;
  // Where it cannot be told the hook runs: a check too many does no harm.
  return match.permission === undefined || (permits(match.permission, occasion.event, occasion.tool) ?? true);
}

/** What a matcher is compared with, by event; where nothing is named it is not looked at. */
const subjects: Readonly<Record<string, string>> = {
  SessionStart: "source",
  SessionEnd: "reason",
  Notification: "notification_type",
  PreCompact: "trigger",
  SubagentStart: "agent_type",
  SubagentStop: "agent_type",
};

/** Longer than the name of any tool. */
const longestSubject = 128;

/** What matchers may take together in the life of this process, which is one event. */
const patienceMs = 500;
let spentMs = 0;

function fitsSubject(pattern: string, { event, tool, payload }: Occasion): boolean {
  const key = subjects[event.name];
  const subject = key === undefined ? tool : payload[key];
  // An event that is about nothing in particular is not narrowed by a matcher.
  if (subject === undefined) return key === undefined;
  if (typeof subject !== "string") return false;
  // A check too many does no harm, and to find out whether it is needed must not take longer than an agent waits.
  if (subject.length > longestSubject || spentMs > patienceMs) return true;
  const started = performance.now();
  const fits = new RegExp(pattern).test(subject);
  spentMs += performance.now() - started;
  return fits;
}

/** A dotted path into a payload. What is missing fits nothing. */
function at(value: unknown, path: string): unknown {
  let here = value;
  for (const name of path.split(".")) {
    if (!isObject(here) || !Object.hasOwn(here, name)) return undefined;
    here = here[name];
  }
  return here;
}

export const hasWildcard = (pattern: string): boolean => /[*?[\]{}!\\]/.test(pattern);

const fits = (pattern: string, text: string): boolean => {
  if (pattern === "*" || pattern === "**") return true;
  return hasWildcard(pattern) ? new Bun.Glob(pattern).match(text) : pattern === text;
};

const fitsAny = (patterns: readonly string[], value: unknown): boolean =>
  typeof value === "string"
    ? patterns.some((pattern) => fits(pattern, value))
    : patterns.some((pattern) => pattern === "*" || pattern === "**");

function changed(patterns: readonly string[], { event, payload }: Occasion): boolean {
  const files = payload["changed_files"];
  if (!Array.isArray(files)) return false;
  return files.some((file: unknown) => {
    if (typeof file !== "string") return false;
    const below = file.startsWith("/") ? pathBelow(event.root, file) : file.replace(/^\.\//, "");
    return below !== undefined && patterns.some((pattern) => fits(pattern, below));
  });
}
