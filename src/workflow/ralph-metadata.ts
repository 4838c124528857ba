import { join } from "node:path";
import { isObject, type Json } from "../core/json.ts";
import type { World } from "../core/world.ts";
import { changeYaml, readYaml } from "./yaml.ts";

// This module brings the YAML library along: import it only when such a file is really at stake.

/** What the workflow asks of a session's own `metadata.yaml`. */
export const sessionKeys = [
  "version",
  "session_id",
  "created_at",
  "updated_at",
  "iteration",
  "orchestrator.state",
  "tasks.total",
  "tasks.completed",
  "tasks.failed",
  "tasks.pending",
] as const;

/** What it asks of an iteration's. */
export const iterationKeys = [
  "version",
  "iteration",
  "started_at",
  "planning_complete",
  "planning_completed_at",
  "completed_at",
  "tasks_defined",
] as const;

export type Metadata = { readonly data: Json } | { readonly error: string };

/** A metadata file as a mapping, or what is wrong with it. */
export function readMetadata(text: string): Metadata {
  const parsed = readYaml(text);
  if ("error" in parsed) return parsed;
  return isObject(parsed.value) ? { data: parsed.value } : { error: "not a mapping" };
}

/** The value at a path such as `orchestrator.state`. */
export function valueAt(data: Json, path: string): unknown {
  let value: unknown = data;
  for (const key of path.split(".")) value = isObject(value) ? value[key] : undefined;
  return value;
}

export const stateIn = (data: Json): string | undefined => {
  const state = valueAt(data, "orchestrator.state");
  return typeof state === "string" ? state : undefined;
};

/** The orchestrator's state as a session's own metadata has it. */
export function stateOf(session: string, world: World): string | undefined {
  const read = readMetadata(world.read(join(session, "metadata.yaml")) ?? "");
  return "data" in read ? stateIn(read.data) : undefined;
}

/**
 * The file with some values changed, its `version` one higher and its `updated_at` now. Refused when its version is no longer
 * the one somebody read: then another has written in between.
 */
export function changeMetadata(
  text: string,
  changes: Readonly<Record<string, unknown>>,
  { expected, now }: { readonly expected?: number; readonly now: string },
): { readonly text: string } | { readonly error: string } {
  const read = readMetadata(text);
  if ("error" in read) return { error: `metadata.yaml is not a valid YAML mapping (${read.error})` };
  const version = read.data["version"];
  if (expected !== undefined && version !== expected)
    return { error: `metadata.yaml version changed (expected ${expected}, found ${String(version)})` };
  return changeYaml(text, {
    ...changes,
    ...(typeof version === "number" ? { version: version + 1 } : {}),
    ...("updated_at" in read.data ? { updated_at: now } : {}),
  });
}

/** The `metadata.yaml` a session begins with. */
export const newSessionMetadata = (id: string, now: string): string =>
  [
    "version: 1",
    `session_id: "${id}"`,
    `created_at: "${now}"`,
    `updated_at: "${now}"`,
    "iteration: 1",
    "status: in_progress",
    "orchestrator:",
    "  state: INITIALIZING",
    "  current_wave: null",
    "tasks:",
    "  total: 0",
    "  completed: 0",
    "  failed: 0",
    "  pending: 0",
    "",
  ].join("\n");

/** The `metadata.yaml` an iteration begins with. */
export const newIterationMetadata = (iteration: number, now: string): string =>
  [
    "version: 1",
    `iteration: ${iteration}`,
    `started_at: "${now}"`,
    "planning_complete: false",
    "planning_completed_at: null",
    "completed_at: null",
    "tasks_defined: 0",
    "",
  ].join("\n");
