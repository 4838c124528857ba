import type { Action } from "../core/action.ts";
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
  const known = first ? namesFor(first) : undefined;
  return known ? { name: known.name, input: { ...input, ...known.input } } : { name: tool.name, input };
}

function namesFor(action: Action): { name: string; input: Json } | undefined {
  const path = "target" in action && action.target ? { file_path: action.target.path } : {};
  if (action.kind === "exec") return { name: "Bash", input: { command: action.command } };
  if (action.kind === "read") return { name: "Read", input: path };
  if (action.kind === "fetch")
    return { name: "WebFetch", input: action.url === undefined ? {} : { url: action.url } };
  if (action.kind === "delegate") return { name: "Agent", input: { prompt: action.prompt } };
  if (action.kind === "delete") return undefined;
  const { change } = action;
  if (change.by === "text") return { name: "Write", input: { ...path, content: change.text } };
  const [edit] = change.by === "edits" ? change.edits : [];
  return { name: "Edit", input: edit ? { ...path, old_string: edit.old, new_string: edit.new } : path };
}

/** Our names for arguments, and what other hosts call them. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  file_path: ["path", "filePath", "file", "filename"],
  content: ["file_text", "fileText", "text", "contents"],
  old_string: ["old_str", "oldString"],
  new_string: ["new_str", "newString"],
  command: ["cmd", "script"],
  prompt: ["task", "description"],
  url: ["uri"],
};

/** A changed input in the words of the host's own tool. */
export function toHostInput(event: Event, changed: Json): Json {
  const own = isObject(event.tool?.input) ? event.tool.input : {};
  if (isPlainName(event.host)) return changed;
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(changed)) {
    const theirs = key in own ? key : (aliases[key]?.find((alias) => alias in own) ?? key);
    // What only we have put in for the hook's sake is not the tool's, unless it is one of its own keys.
    if (theirs !== key || key in own || !Object.hasOwn(aliases, key)) result[theirs] = value;
  }
  return result;
}
