import { resolve } from "node:path";
import type { Handler, HookDefinition, Profile, SourceName } from "../core/hook.ts";
import { defined, isObject, type Json } from "../core/json.ts";
import type { Path } from "../core/yaml-place.ts";
import { parseJson } from "../core/yaml-document.ts";
import {
  eventOf,
  isAddress,
  patternOf,
  readerOf,
  textsOf,
  timeoutOf,
  unreadable,
  type Reader,
} from "./_reader.ts";
import type { HookFile, Loaded } from "./source.ts";

/** What differs between the files that nest hooks below matchers. */
export interface Nesting {
  readonly source: SourceName;
  /** The names of the format, and ours for them. */
  readonly events: Readonly<Record<string, string>>;
  /** Put before each id. */
  readonly prefix: string;
  readonly usualTimeout: number;
  readonly pluginRoot?: string;
  /** Where `./` leads. */
  readonly folder: string;
  profileOf(event: string): Profile;
  /** The format's matcher as a regular expression. */
  matcherOf(matcher: string): string;
  /** What a crash at an event means, where the entry does not say. */
  failsClosed?(event: string): boolean;
}

/** Reads `{"hooks": {"<Event>": [{"matcher", "hooks": [{…}]}]}}`, and entries that are not nested. */
export function loadNested(file: HookFile, nesting: Nesting): Loaded {
  const parsed = parseJson(file.text);
  if (parsed.error) return { definitions: [], problems: [unreadable(file, parsed.error)] };
  const reader = readerOf(file, parsed);
  const value = isObject(parsed.value) ? parsed.value : {};
  const { hooks } = value;
  if (hooks === undefined || value["disableAllHooks"] === true) return { definitions: [], problems: [] };
  return { definitions: readHooks(file, hooks, ["hooks"], nesting, reader), problems: reader.problems };
}

/** The hooks below one key, by event. */
export function readHooks(
  file: HookFile,
  hooks: unknown,
  path: Path,
  nesting: Nesting,
  reader: Reader,
): HookDefinition[] {
  if (!isObject(hooks)) {
    reader.error(path, "HL_HOOK_FIELD", "not a mapping", "Expected events as keys.");
    return [];
  }
  return Object.entries(hooks).flatMap(([native, groups]) => {
    const here = [...path, native];
    const event = eventOf(native, nesting.events, here, reader);
    if (event === undefined) return [];
    if (Array.isArray(groups))
      return groups.flatMap((group: unknown, at) =>
        readGroup(file, { native, event, at }, group, [...here, at], nesting, reader),
      );
    reader.error(here, "HL_HOOK_FIELD", "not a list", "Expected a list of matchers with their hooks.");
    return [];
  });
}

interface Place {
  readonly native: string;
  readonly event: string;
  readonly at: number;
}

function readGroup(
  file: HookFile,
  place: Place,
  group: unknown,
  path: Path,
  nesting: Nesting,
  reader: Reader,
): HookDefinition[] {
  if (!isObject(group)) {
    reader.error(path, "HL_HOOK_FIELD", "not a mapping", 'Expected {"matcher", "hooks"}.');
    return [];
  }
  const matcher = matcherIn(group, path, nesting, reader);
  if (!matcher) return [];
  const nested = group["hooks"];
  // Copilot's own entries stand here themselves.
  const entries: [unknown, Path][] = Array.isArray(nested)
    ? nested.map((entry: unknown, at) => [entry, [...path, "hooks", at]])
    : [[group, path]];
  if (nested === undefined && !hasHandler(group)) {
    reader.error([...path, "hooks"], "HL_HOOK_FIELD", "missing", "Expected a list of hooks.");
    return [];
  }
  return entries.flatMap(([entry, where], at) => {
    const before = reader.problems.length;
    const found = define(file, place, at, entry, where, matcher.pattern, nesting, reader);
    const wrong = reader.problems.slice(before).some(({ level }) => level === "error");
    return found && !wrong ? [found] : [];
  });
}

const hasHandler = (entry: Json): boolean =>
  ["type", "command", "bash", "powershell", "exec", "url", "prompt"].some((key) => key in entry);

function matcherIn(
  group: Json,
  path: Path,
  nesting: Nesting,
  reader: Reader,
): { pattern?: string } | undefined {
  const { matcher } = group;
  if (matcher === undefined || matcher === "" || matcher === "*") return {};
  if (typeof matcher !== "string")
    return reader.error(
      [...path, "matcher"],
      "HL_HOOK_MATCHER",
      "not a text",
      'Expected a regular expression over tool names, for example "Write|Edit".',
    );
  const pattern = patternOf(nesting.matcherOf(matcher), [...path, "matcher"], reader);
  return pattern === undefined ? undefined : { pattern };
}

function define(
  file: HookFile,
  { native, event, at }: Place,
  inner: number,
  entry: unknown,
  path: Path,
  matcher: string | undefined,
  nesting: Nesting,
  reader: Reader,
): HookDefinition | undefined {
  if (!isObject(entry)) return reader.error(path, "HL_HOOK_FIELD", "not a mapping", "Expected a `type`.");
  const handler = handlerOf(file, entry, path, nesting, reader);
  // What Hookline itself is started by would start it again.
  if (!handler || isOurselves(handler)) return undefined;
  const permission = typeof entry["if"] === "string" ? entry["if"] : undefined;
  const closed = entry["onFailure"] === "block" || nesting.failsClosed?.(event) === true;
  const seconds = entry["timeout"] ?? entry["timeoutSec"];
  const key = entry["timeout"] === undefined ? "timeoutSec" : "timeout";
  return {
    id: `${nesting.prefix}${native}.${at + 1}.${inner + 1}`,
    source: nesting.source,
    file: file.file,
    line: reader.lineOf(path),
    profile: nesting.profileOf(native),
    events: [event],
    enabled: true,
    handler,
    timeoutMs: timeoutOf(seconds, "s", nesting.usualTimeout, [...path, key], reader),
    blocking: false,
    failMode: closed ? "closed" : "open",
    written: entry,
    ...defined({
      match:
        matcher === undefined && permission === undefined
          ? undefined
          : defined({ subject: matcher, permission }),
      once: entry["once"] === true ? (true as const) : undefined,
      // Anything else is waited for: nobody would be there to hear its answer.
      background: entry["async"] === true && handler.kind === "command" ? (true as const) : undefined,
      takesNotes: entry["blocking"] === false ? (true as const) : undefined,
      pluginRoot: nesting.pluginRoot,
    }),
  };
}

function handlerOf(
  file: HookFile,
  entry: Json,
  path: Path,
  nesting: Nesting,
  reader: Reader,
): Handler | undefined {
  const type = entry["type"] ?? "command";
  if (type === "command") return commandOf(file, entry, path, nesting, reader);
  if (type === "http") {
    const { url, headers } = entry;
    if (!isAddress(url))
      return reader.error([...path, "url"], "HL_HOOK_HANDLER", "not an address", "Expected https://…");
    const allowedEnvVars = textsOf(entry["allowedEnvVars"]);
    return { kind: "http", url, ...defined({ headers: headersOf(headers), allowedEnvVars }) };
  }
  if (type === "prompt") {
    const { prompt, model } = entry;
    if (typeof prompt !== "string" || prompt === "")
      return reader.error([...path, "prompt"], "HL_HOOK_HANDLER", "missing", "Expected the prompt's text.");
    return { kind: "prompt", prompt, ...(typeof model === "string" ? { model } : {}) };
  }
  if (type === "agent" || type === "mcp_tool")
    return reader.error(
      [...path, "type"],
      "HL_HOOK_HANDLER",
      `${JSON.stringify(type)} hooks run in Claude Code alone; Hookline does not run this one, under any agent`,
      "Leave it to Claude Code, or write it as a command, http or prompt hook to have it everywhere.",
    );
  return reader.error(
    [...path, "type"],
    "HL_HOOK_HANDLER",
    `${JSON.stringify(type)} is no type of hook`,
    "Expected command, http or prompt.",
  );
}

const headersOf = (value: unknown): Record<string, string> | undefined =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).filter((each): each is [string, string] => typeof each[1] === "string"),
      )
    : undefined;

function commandOf(
  file: HookFile,
  entry: Json,
  path: Path,
  { folder }: Nesting,
  reader: Reader,
): Handler | undefined {
  const own = process.platform === "win32" ? entry["powershell"] : entry["bash"];
  const shell = own ?? entry["command"];
  const program = entry["exec"] ?? (entry["args"] === undefined ? undefined : entry["command"]);
  const more = defined({
    cwd:
      typeof entry["cwd"] === "string"
        ? resolve(file.root, entry["cwd"])
        : folder === file.root
          ? undefined
          : folder,
    env: headersOf(entry["env"]),
  });
  if (typeof program === "string") {
    const args = textsOf(entry["args"] ?? []);
    if (args) return { kind: "command", args: [program, ...args], ...more };
    return reader.error([...path, "args"], "HL_HOOK_HANDLER", "not a list of texts", "Expected a list.");
  }
  if (typeof shell === "string" && shell.trim() !== "") return { kind: "command", shell, ...more };
  return reader.error([...path, "command"], "HL_HOOK_HANDLER", "missing", "Expected a command line.");
}

const isOurselves = (handler: Handler): boolean =>
  handler.kind === "command" &&
  /(?:^|[\s"'/\\])hookline(?:-warm|\.exe|\.mjs)?["']?\s+run\b/.test(
    handler.shell ?? handler.args?.join(" ") ?? "",
  );
