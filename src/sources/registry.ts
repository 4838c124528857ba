import { basename, resolve } from "node:path";
import type { Handler, HookDefinition, Match } from "../core/hook.ts";
import { defined, isObject, type Json } from "../core/json.ts";
import { nearest } from "../core/nearest.ts";
import { parseText } from "../core/yaml-document.ts";
import {
  environmentsOf,
  eventOf,
  flagOf,
  globsOf,
  isAddress,
  leastOf,
  readerOf,
  textsOf,
  timeoutOf,
  unreadable,
  type Reader,
} from "./_reader.ts";
import { commandWords } from "./_words.ts";
import type { HookFile, Loaded, Source } from "./source.ts";

/** `.system/hooks/*.yaml`: one hook a file. */
export const registry: Source = {
  name: "registry",
  files: [".system/hooks/*.yaml", ".system/hooks/*.yml"],
  load,
};

/** The names of this format, and a successor's spelling of one of them. */
const events = {
  UserPromptSubmit: "UserPromptSubmit",
  PreAbilityCall: "PreAbilityCall",
  PostAbilityCall: "PostAbilityCall",
  SessionStart: "SessionStart",
  SessionEnd: "SessionEnd",
  SessionStop: "SessionStop",
  PromptSubmit: "UserPromptSubmit",
} as const;

const usualTimeout = 30_000;

const keys = [
  "id",
  "event_type",
  "enabled",
  "summary",
  "match",
  "handler",
  "effects",
  "blocking",
  "environments",
  "timeout_ms",
];
const matchKeys = [
  "ability_scope",
  "min_duration_ms",
  "only_if_changed_paths",
  "operation_key",
  "environment",
];

function load(file: HookFile): Loaded {
  const parsed = parseText(file.text);
  if (parsed.error) return { definitions: [], problems: [unreadable(file, parsed.error)] };
  const reader = readerOf(file, parsed);
  const definition = isObject(parsed.value)
    ? define(file, parsed.value, reader)
    : reader.error([], "HL_HOOK_FIELD", "a hook is a mapping of keys", `Expected ${keys.join(", ")}.`);
  const usable = definition && !reader.hasErrors() ? [definition] : [];
  const problems = definition
    ? reader.problems.map((problem) => ({ ...problem, hook: definition.id }))
    : reader.problems;
  return { definitions: usable, problems };
}

function define(file: HookFile, value: Json, reader: Reader): HookDefinition | undefined {
  unknownKeys(value, keys, [], reader);
  const id = value["id"];
  if (typeof id !== "string" || !/^[a-z0-9][a-z0-9_-]*$/.test(id))
    return reader.error(
      ["id"],
      "HL_HOOK_FIELD",
      id === undefined ? "missing" : `${JSON.stringify(id)} is no id`,
      "Expected small letters, digits, `_` and `-`, for example `post_tool_use_tracker`.",
    );
  const name = basename(file.file).replace(/\.ya?ml$/, "");
  if (name !== id)
    reader.warn(["id"], "HL_HOOK_NAME", `the file is called ${name}`, `Name it ${id}.yaml: one hook a file.`);
  const named = Array.isArray(value["event_type"]) ? value["event_type"] : [value["event_type"]];
  const wanted = named.flatMap((each: unknown) => eventOf(each, events, ["event_type"], reader) ?? []);
  const blocking = flagOf(value["blocking"], false, ["blocking"], reader);
  const inMatch = isObject(value["match"]) ? value["match"]["environment"] : undefined;
  const environments = environmentsOf(value["environments"] ?? inMatch, ["environments"], reader);
  const handler = handlerOf(file, value["handler"], reader);
  if (!handler) return undefined;
  const match = matchOf(value["match"], reader);
  return {
    id,
    source: "registry",
    file: file.file,
    line: reader.lineOf(["id"]),
    profile: "ability",
    events: [...new Set(wanted)],
    enabled: flagOf(value["enabled"], true, ["enabled"], reader),
    handler,
    timeoutMs: timeoutOf(value["timeout_ms"], "ms", usualTimeout, ["timeout_ms"], reader),
    blocking,
    failMode: blocking ? "closed" : "open",
    written: defined({
      handler: value["handler"],
      match: value["match"],
      effects: value["effects"],
    }),
    ...defined({
      match,
      environments,
      takesNotes: blocking ? undefined : (true as const),
      summary: typeof value["summary"] === "string" ? value["summary"].trim() : undefined,
    }),
  };
}

function unknownKeys(value: Json, known: readonly string[], path: readonly string[], reader: Reader): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const near = nearest(key, known);
    // A misspelt `match` or `blocking` would quietly do nothing.
    reader.warn(
      [...path, key],
      "HL_HOOK_FIELD",
      "unknown key",
      near === undefined ? `Expected any of ${known.join(", ")}.` : `Did you mean "${near}"?`,
    );
  }
}

/** `kind: script` with a command; `builtin` for code that runs in our process, `http` for a service. */
function handlerOf(file: HookFile, value: unknown, reader: Reader): Handler | undefined {
  const wrong = (key: string, text: string, hint: string): undefined =>
    reader.error(key === "" ? ["handler"] : ["handler", key], "HL_HOOK_HANDLER", text, hint);
  if (!isObject(value))
    return wrong("", "missing", "Expected `kind: script` and `command: ./scripts/hooks/….sh`.");
  const { kind, command, url, args } = value;
  if (kind === "http") {
    if (isAddress(url)) return { kind, url };
    return wrong("url", "not an address", "Expected `url: http://127.0.0.1:8080/hook`.");
  }
  if (kind === "module" || kind === "builtin") {
    const path = value["module"] ?? value["path"] ?? command;
    if (typeof path === "string") return { kind: "module", path: resolve(file.root, path) };
    return wrong("module", "missing", "Expected the path of a TypeScript file with a default function.");
  }
  if (kind !== "script")
    return wrong("kind", `unknown kind ${JSON.stringify(kind)}`, "Expected script, module or http.");
  if (typeof command !== "string" || command.trim() === "")
    return wrong("command", "missing", "Expected a path such as `./scripts/hooks/check.sh`.");
  const more = args === undefined ? [] : textsOf(args);
  if (!more) return wrong("args", "not a list of texts", "Expected a list of arguments.");
  return commandWords(command, more, file.root);
}

function matchOf(value: unknown, reader: Reader): Match | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value))
    return reader.error(["match"], "HL_HOOK_MATCHER", "not a mapping", `Expected ${matchKeys.join(", ")}.`);
  unknownKeys(value, matchKeys, ["match"], reader);
  const list = (key: string) => globsOf(value[key], ["match", key], reader);
  return defined({
    abilities: list("ability_scope"),
    operations: list("operation_key"),
    changedPaths: list("only_if_changed_paths"),
    minDurationMs: leastOf(value["min_duration_ms"], ["match", "min_duration_ms"], reader),
  });
}
