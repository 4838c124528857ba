import type { Action, Change, DeleteAction, ReadAction, WriteAction } from "../core/action.ts";
import type { Event } from "../core/event.ts";
import { isObject, type Json } from "../core/json.ts";

/** Callers whose tools have the names these formats were written for. */
export const isPlainName = (host: string): boolean => host === "claude-code" || host === "orchestrator";

/**
 * The tool of an event as hooks of these formats know it: `Bash`, `Write`, `Edit`, `Read` and so on, whatever the host calls
 * it. What it really does decides; a tool that does nothing we know keeps its name.
 */
export function toolFor(event: Event): { readonly name: string; readonly input: Json } | undefined {
  const { tool, host } = event;
  if (!tool) return undefined;
  const input = isObject(tool.input) ? tool.input : {};
  if (isPlainName(host)) return { name: tool.name, input };
  const [first] = event.actions;
  const known = first ? namesFor(first, tool.name) : undefined;
  return known ? { name: known.name, input: { ...input, ...known.input } } : { name: tool.name, input };
}

/**
 * The calls that an event is to hooks of these formats: they know tools for one file alone, and whoever looks at the first file of a patch
 * has not seen the second. Each is the event with what it does to one file.
 */
export function callsIn(event: Event): readonly Event[] {
  if (!event.tool || isPlainName(event.host) || event.actions.length < 2) return [event];
  const own = event.actions.filter((action) => !("by" in action && action.by));
  if (!own.every(isAboutFile)) return [event];
  const files = new Map<string | undefined, Action[]>();
  for (const action of own) {
    const path = action.target?.path;
    files.set(path, [...(files.get(path) ?? []), action]);
  }
  return files.size < 2 ? [event] : [...files.values()].map((actions) => ({ ...event, actions }));
}

const isAboutFile = (action: Action): action is WriteAction | DeleteAction | ReadAction =>
  action.kind === "write" || action.kind === "delete" || action.kind === "read";

function namesFor(action: Action, tool: string): { name: string; input: Json } | undefined {
  const path = "target" in action && action.target ? { file_path: action.target.path } : {};
  if (action.kind === "exec") return { name: "Bash", input: { command: action.command } };
  if (action.kind === "read") return readingBy(tool, action.target?.path);
  if (action.kind === "fetch")
    return { name: "WebFetch", input: action.url === undefined ? {} : { url: action.url } };
  if (action.kind === "delegate") return { name: "Agent", input: { prompt: action.prompt } };
  if (action.kind === "todo") return undefined;
  // These formats have no tool for it.
  if (action.kind === "delete") return { name: tool, input: path };
  const { change } = action;
  if (change.by === "text") return { name: "Write", input: { ...path, content: change.text } };
  return { name: "Edit", input: { ...path, ...editIn(change) } };
}

/** To look through files is another tool than to read one. */
function readingBy(tool: string, path: string | undefined): { name: string; input: Json } {
  const name = /grep|^rg$|search_file/i.test(tool)
    ? "Grep"
    : /glob|^find|file_search/i.test(tool)
      ? "Glob"
      : "Read";
  return { name, input: path === undefined ? {} : { [name === "Read" ? "file_path" : "path"]: path } };
}

/** A change as one edit: several are put one below the other, for whoever looks through them. */
function editIn(change: Exclude<Change, { by: "text" }>): Json {
  const parts = partsOf(change);
  if (parts.length === 0) return {};
  return {
    old_string: parts.map((part) => part.old).join("\n"),
    new_string: parts.map((part) => part.new).join("\n"),
  };
}

function partsOf(change: Exclude<Change, { by: "text" }>): readonly { old: string; new: string }[] {
  if (change.by === "edits") return change.edits;
  if (change.by === "hunks")
    return change.hunks.map((hunk) => ({ old: hunk.old.join("\n"), new: hunk.new.join("\n") }));
  const text = change.by === "unknown" ? change.fragment : change.by === "sed" ? undefined : change.text;
  return text === undefined ? [] : [{ old: "", new: text }];
}

/** Our names for arguments, and what other hosts call them. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  file_path: ["path", "filePath", "file", "filename"],
  content: ["file_text", "fileText", "text", "contents"],
  old_string: ["old_str", "oldString"],
  new_string: ["new_str", "newString"],
  command: ["cmd", "script", "command_line"],
  prompt: ["task", "description"],
  url: ["uri"],
};

/** A changed input in the words of the host's own tool; nothing where it has none for what was changed. */
export function toHostInput(call: Event, changed: Json): Json | undefined {
  const own = isObject(call.tool?.input) ? call.tool.input : {};
  if (isPlainName(call.host)) return changed;
  const given = toolFor(call)?.input ?? {};
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(changed)) {
    const theirs = key in own ? key : (aliases[key]?.find((alias) => alias in own) ?? key);
    // What only we have put in for the hook's sake is not the tool's, unless it is one of its own keys.
    if (theirs !== key || key in own || !Object.hasOwn(aliases, key)) result[theirs] = value;
    else if (!Bun.deepEquals(value, given[key])) return undefined;
  }
  return result;
}
