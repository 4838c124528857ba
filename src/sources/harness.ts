import { basename, resolve } from "node:path";
import type { HookDefinition } from "../core/hook.ts";
import { isObject } from "../core/json.ts";
import { plainName } from "../core/plain-name.ts";
import { parseJson } from "../core/yaml-document.ts";
import { eventOf, fieldsOf, readerOf, timeoutOf, unreadable, type Reader } from "./_reader.ts";
import type { HookFile, Loaded, Source } from "./source.ts";

/** The Harness's `settings.json`: a path, milliseconds, and a matcher that is an object. */
export const harness: Source = {
  name: "harness",
  files: [".harness/settings.json", "settings.json"],
  firstOnly: true,
  load,
};

const names = ["SessionStart", "UserPromptSubmit", "PreToolUse", "SubagentStop", "Stop", "SessionEnd"];
const events = Object.fromEntries(names.map((name) => [name, name]));

const usualTimeout = 5000;

function load(file: HookFile): Loaded {
  const parsed = parseJson(file.text);
  if (parsed.error) return { definitions: [], problems: [unreadable(file, parsed.error)] };
  const reader = readerOf(file, parsed);
  const hooks = isObject(parsed.value) ? parsed.value["hooks"] : undefined;
  // A `settings.json` without hooks may be anybody's.
  if (hooks === undefined) return { definitions: [], problems: [] };
  if (!isObject(hooks)) {
    reader.error(["hooks"], "HL_HOOK_FIELD", "not a mapping", "Expected events as keys.");
    return { definitions: [], problems: reader.problems };
  }
  const definitions = Object.entries(hooks).flatMap(([event, list]) => {
    const name = eventOf(event, events, ["hooks", event], reader);
    if (name === undefined) return [];
    if (Array.isArray(list))
      return list.flatMap((entry: unknown, at) => define(file, name, entry, at, reader) ?? []);
    reader.error(["hooks", event], "HL_HOOK_FIELD", "not a list", "Expected a list of hooks.");
    return [];
  });
  return { definitions, problems: reader.problems };
}

function define(
  file: HookFile,
  event: string,
  value: unknown,
  at: number,
  reader: Reader,
): HookDefinition | undefined {
  const path = ["hooks", event, at];
  if (!isObject(value)) return reader.error(path, "HL_HOOK_FIELD", "not a mapping", "Expected a `path`.");
  const script = value["path"];
  if (script === undefined && Array.isArray(value["hooks"]))
    return reader.error(
      path,
      "HL_HOOK_HANDLER",
      "hooks below a matcher are another format, that of plugins and Claude Code",
      "Move them to plugins/<plugin>/hooks/hooks.json or .claude/settings.json, or give each its `path` here.",
    );
  if (typeof script !== "string" || script === "")
    return reader.error(
      [...path, "path"],
      "HL_HOOK_HANDLER",
      "missing",
      "Expected the path of a script, from the root of the workspace.",
    );
  const before = reader.problems.length;
  const fields = fieldsOf(value["matcher"], [...path, "matcher"], reader);
  const timeoutMs = timeoutOf(value["timeout"], "ms", usualTimeout, [...path, "timeout"], reader);
  if (reader.problems.slice(before).some(({ level }) => level === "error")) return undefined;
  return {
    id: `${event}.${at + 1}.${plainName(basename(script).replace(/(?:\.hook)?\.\w+$/, ""))}`,
    source: "harness",
    file: file.file,
    line: reader.lineOf([...path, "path"]),
    profile: "harness",
    events: [event],
    enabled: true,
    handler: { kind: "command", script: resolve(file.root, script) },
    timeoutMs,
    blocking: false,
    // A broken hook degrades, it does not halt: only its own word stops anything.
    failMode: "open",
    written: value,
    ...(fields === undefined ? {} : { match: { fields } }),
    ...(value["blocking"] === false ? { takesNotes: true as const } : {}),
  };
}
