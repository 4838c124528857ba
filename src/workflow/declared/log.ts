import { join } from "node:path";
import type { Effect } from "../../core/effect.ts";
import type { Event } from "../../core/event.ts";
import { asText, isObject, type Json } from "../../core/json.ts";
import type { Todo, TodoAction } from "../../core/action.ts";
import type { World } from "../../core/world.ts";
import type { Workflow } from "./model.ts";

/** Where Hookline keeps what it has seen for workflows, below the workspace. */
export const seenFolder = ".hookline/seen";

/** A line of the log: something seen, a step taken, a failure, a stop that was held back. Unknown lines mean nothing. */
export interface Entry {
  readonly saw?: string;
  readonly result?: string;
  readonly from?: string;
  readonly to?: string;
  /** What was written on the agent's list. */
  readonly todos?: Pick<TodoAction, "items" | "whole">;
  /** The retry budget, by its place in the workflow. */
  readonly failed?: number;
  readonly succeeded?: number;
  /** The stop condition, by its place. */
  readonly held?: number;
  /** The agent was let go, or somebody spoke to it: counting starts again. */
  readonly released?: true;
}

const logFile = ({ name, remember }: Workflow, { root, session }: Event): string => {
  // The host's id is opaque; as a file name it must stay one name.
  const own = session !== undefined && /^\w[\w.-]{0,199}$/.test(session) ? session : "_no-session";
  return join(root, seenFolder, name, `${remember === "workspace" ? "_workspace" : own}.jsonl`);
};

/** What was written down so far. Half a line, as a crash leaves it, is none; what cannot be read says nothing. */
export function entriesOf(workflow: Workflow, event: Event, world: World): readonly Entry[] {
  let text: string | undefined;
  try {
    text = world.read(logFile(workflow, event));
  } catch {
    return [];
  }
  return (text ?? "").split("\n").flatMap((line) => {
    try {
      const entry: unknown = JSON.parse(line);
      return isObject(entry) ? [entry] : [];
    } catch {
      return [];
    }
  });
}

export const logEffect = (workflow: Workflow, event: Event, world: World, entry: Entry): Effect => ({
  do: "log",
  path: logFile(workflow, event),
  entry: { time: new Date(world.now()).toISOString(), ...(entry as Json) },
});

/** Where a workflow stands that is kept in the log: a step counts if it begins where the last one ended. */
export function recordedState({ initial, states }: Workflow, entries: readonly Entry[]): string {
  let state = initial;
  for (const { from, to } of entries)
    if (to !== undefined && from === state && Object.hasOwn(states, to)) state = to;
  return state;
}

const longest = 200;

/** As much of a list as is worth remembering. */
export const todosEntry = ({ items, whole }: TodoAction): Entry => ({
  todos: {
    ...(whole ? { whole } : {}),
    items: items.slice(0, longest).map((item) => ({
      ...item,
      ...(item.text === undefined ? {} : { text: item.text.slice(0, longest) }),
    })),
  },
});

/** The agent's list as it was left. */
export function todosOf(entries: readonly Entry[]): readonly Todo[] {
  let list = new Map<string, Todo>();
  for (const { todos } of entries) {
    if (!isObject(todos) || !Array.isArray(todos.items)) continue;
    if (todos.whole) list = new Map();
    for (const item of todos.items) {
      if (!isObject(item)) continue;
      const key = asText(item["id"]) ?? `#${list.size}`;
      list.set(key, { ...list.get(key), ...item });
    }
  }
  return [...list.values()];
}
