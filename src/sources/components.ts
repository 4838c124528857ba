import { basename, dirname, join } from "node:path";
import type { Component, HookDefinition } from "../core/hook.ts";
import { asText, defined, isObject, type Json } from "../core/json.ts";
import { plainName } from "../core/plain-name.ts";
import { errorCode, nodeFs } from "../platform/files.ts";
import { parseText } from "../core/yaml-document.ts";
import { expand, newSearch } from "./_files.ts";
import { headOf, plainHead, toolNames } from "./_head.ts";
import { readHooks } from "./_nested.ts";
import { readerOf, unreadable } from "./_reader.ts";
import type { HookFile, Loaded, Source } from "./source.ts";

/** Hooks at the top of an agent's, a skill's or a command's page: its own, while it is at work. */
export const components: Source = {
  name: "components",
  files: [".claude", ".github", "plugins/*"].flatMap((folder) => [
    `${folder}/agents/*.md`,
    `${folder}/agents/*/*.md`,
    `${folder}/skills/*/SKILL.md`,
    `${folder}/commands/*.md`,
    `${folder}/commands/*/*.md`,
    `${folder}/commands/*/*/*.md`,
  ]),
  load,
};

/** All that a component's own hooks can be about; everything else is for all. */
const events = { PreToolUse: "PreToolUse", PostToolUse: "PostToolUse", Stop: "Stop" };

const usualTimeout = 30_000;

function load(file: HookFile): Loaded {
  const head = headOf(file.text);
  if (head === undefined) return { definitions: [], problems: [] };
  // A line of its own in place of the first `---`, so that lines are those of the file.
  const parsed = parseText(`\n${head}`);
  // Many a head is no YAML because of its description, and has no hooks that could be missed.
  if (parsed.error)
    return { definitions: [], problems: /^hooks[ \t]*:/m.test(head) ? [unreadable(file, parsed.error)] : [] };
  if (!isObject(parsed.value) || parsed.value["hooks"] === undefined)
    return { definitions: [], problems: [] };
  const component = componentOf(file.file, parsed.value, file.root);
  const reader = readerOf(file, parsed);
  const folder = dirname(file.path);
  const definitions = readHooks(
    file,
    parsed.value["hooks"],
    ["hooks"],
    {
      source: "components",
      events,
      prefix: `${component.kind}/${plainName(component.name)}/`,
      usualTimeout,
      // Commands are looked for beside the page they stand in.
      folder,
      pluginRoot: component.kind === "skill" ? folder : (component.folder ?? folder),
      profileOf: () => "plugin",
      matcherOf: (matcher) => matcher,
    },
    reader,
  );
  return {
    definitions: definitions.map((definition): HookDefinition => ({
      ...definition,
      // When an agent that was called stops, that is the end of a subagent.
      ...(component.kind === "agent" && definition.events.includes("Stop")
        ? { events: ["Stop", "SubagentStop"] }
        : {}),
      component,
    })),
    problems: reader.problems,
  };
}

/** Every page there is that could be of one of some names, whether it has hooks or not. */
export function componentsIn(root: string, names: readonly string[]): Component[] {
  const short = names.map((name) => name.split(":").at(-1) ?? name);
  const search = newSearch();
  const pages = components.files.flatMap((pattern) => expand(pattern, root, search));
  let left = mostYaml;
  let unread = mostRead;
  const valuesIn = (head: string): Json => {
    left -= head.length;
    return head.length > longHead || left < 0 ? plainHead(head) : yamlIn(head);
  };
  return pages.toSorted().flatMap((file) => {
    const start = unread > 0 ? startOf(join(root, file)) : { trouble: "comes behind too many others" };
    if (typeof start !== "string") return [{ ...componentOf(file, {}, root), trouble: start.trouble }];
    unread -= start.length;
    const head = headOf(start) ?? headOf(`${start}\n---\n`);
    // Most pages are somebody else's, and need not be read as YAML to tell. A name may be written with escapes.
    const isMaybe = (text: string): boolean =>
      text.includes("\\") || short.some((name) => file.includes(name) || text.includes(name));
    return head !== undefined && isMaybe(head) ? [componentOf(file, valuesIn(head), root)] : [];
  });
}

/** Nobody has trusted these pages, and YAML takes its time: what is longer, or comes behind so much of it, is read line by line. */
const longHead = 16 * 1024;
const mostYaml = 256 * 1024;
const mostRead = 16 * 1024 * 1024;

/** A head that is no YAML, as many are, is read line by line: what it says about tools and mode counts all the same. */
function yamlIn(head: string): Json {
  const { value, error } = parseText(head);
  return isObject(value) && error === undefined ? merged(value) : plainHead(head);
}

/** What a head takes over from elsewhere in it (`<<`) stands behind its own. */
function merged(value: Json): Json {
  const { "<<": from, ...own } = value;
  const all: unknown[] = Array.isArray(from) ? from : [from];
  return Object.assign({}, ...all.filter(isObject).toReversed(), own) as Json;
}

/** More than any head takes. What stands below it may be as long as it likes. */
const headBytes = 1024 * 1024;

function startOf(path: string): string | { readonly trouble: string } {
  const fs = nodeFs();
  try {
    const stat = fs.statSync(path);
    if (!stat.isFile()) return { trouble: "is no plain file" };
    const file = fs.openSync(path, "r");
    try {
      const beginning = (most: number): string => {
        const bytes = new Uint8Array(Math.min(most, stat.size));
        const count = fs.readSync(file, bytes, 0, bytes.length, 0);
        return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, count));
      };
      const first = beginning(longHead);
      return headOf(first) === undefined ? beginning(headBytes) : first;
    } finally {
      fs.closeSync(file);
    }
  } catch (error) {
    return { trouble: `cannot be read (${errorCode(error)})` };
  }
}

function componentOf(file: string, head: Json, root: string): Component {
  const kind = /\bskills\//.test(file) ? "skill" : /\bcommands\//.test(file) ? "command" : "agent";
  const stem = kind === "skill" ? basename(dirname(file)) : basename(file).replace(/(?:\.agent)?\.md$/, "");
  const listed = toolList(head[kind === "agent" ? "tools" : "allowed-tools"]);
  const tools = listed?.includes("*") ? undefined : listed;
  const disallowed = toolList(head["disallowed-tools"] ?? head["disallowedTools"]);
  const mode = head["permissionMode"] ?? undefined;
  const plugin = /^plugins\/[^/]+/.exec(file)?.[0];
  // A command goes by the name of its file, whatever its page says.
  const name = (kind === "command" ? undefined : asText(head["name"])?.trim()) || stem;
  return {
    kind,
    name,
    ...defined({
      stem: name === stem ? undefined : stem,
      permissionMode: asText(mode)?.trim(),
      tools: tools === "?" ? undefined : tools,
      disallowed: disallowed === "?" ? undefined : disallowed,
      trouble:
        tools === "?" || disallowed === "?"
          ? "has a list of tools that cannot be read"
          : mode !== undefined && asText(mode) === undefined
            ? "has a mode that cannot be read"
            : undefined,
      folder: plugin === undefined ? undefined : join(root, plugin),
      page: join(root, file),
    }),
  };
}

/** A list, or a text with commas or spaces between names. `?` is none of these. */
function toolList(value: unknown): readonly string[] | "?" | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value) && typeof value !== "string") return "?";
  return Array.isArray(value)
    ? value.filter((each): each is string => typeof each === "string").map((each) => each.trim())
    : toolNames(value);
}
