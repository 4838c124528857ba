import { basename, dirname, join } from "node:path";
import type { Component, HookDefinition } from "../core/hook.ts";
import { asText, defined, isObject, type Json } from "../core/json.ts";
import { readText } from "../platform/files.ts";
import { parseText } from "./_document.ts";
import { readHooks } from "./_nested.ts";
import { readerOf, unreadable } from "./_reader.ts";
import type { HookFile, Loaded, Source } from "./source.ts";

/** Hooks at the top of an agent's, a skill's or a command's page: its own, while it is at work. */
export const components: Source = {
  name: "components",
  files: [".claude", ".github", "plugins/*"].flatMap((folder) => [
    `${folder}/agents/*.md`,
    `${folder}/skills/*/SKILL.md`,
    `${folder}/commands/*.md`,
    `${folder}/commands/*/*.md`,
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
  if (parsed.error) return { definitions: [], problems: [unreadable(file, parsed.error)] };
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
      prefix: `${component.kind}/${component.name}/`,
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

/** What stands between the `---` lines at the top of a page. */
const headOf = (text: string): string | undefined =>
  /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)^---[ \t]*\r?$/m.exec(text)?.[1];

/** Every page there is that could be of one of some names, whether it has hooks or not. */
export function componentsIn(root: string, names: readonly string[]): Component[] {
  const short = names.map((name) => name.split(":").at(-1) ?? name);
  const pages = components.files.flatMap((pattern) => [
    ...new Bun.Glob(pattern).scanSync({ cwd: root, dot: true }),
  ]);
  return pages.toSorted().flatMap((page) => {
    const file = page.replaceAll("\\", "/");
    const text = pageAt(join(root, page));
    // Most pages are somebody else's, and need not be read as YAML to tell.
    if (text === undefined || !short.some((name) => file.includes(name) || text.includes(name))) return [];
    const head = headOf(text);
    const value = head === undefined ? undefined : parseText(head).value;
    return isObject(value) ? [componentOf(file, value, root)] : [];
  });
}

const maxPage = 1024 * 1024;

function pageAt(path: string): string | undefined {
  try {
    return readText(path, maxPage);
  } catch {
    return undefined;
  }
}

function componentOf(file: string, head: Json, root: string): Component {
  const kind = /\bskills\//.test(file) ? "skill" : /\bcommands\//.test(file) ? "command" : "agent";
  const stem = basename(file).replace(/(?:\.agent)?\.md$/, "");
  const own = kind === "skill" ? basename(dirname(file)) : stem;
  const plugin = /^plugins\/[^/]+/.exec(file)?.[0];
  return {
    kind,
    // A command goes by the name of its file, whatever its page says.
    name: (kind === "command" ? undefined : asText(head["name"])) ?? own,
    ...defined({
      permissionMode: asText(head["permissionMode"]),
      tools: toolList(head[kind === "agent" ? "tools" : "allowed-tools"]),
      disallowed: toolList(head["disallowed-tools"] ?? head["disallowedTools"]),
      folder: plugin === undefined ? undefined : join(root, plugin),
      page: join(root, file),
    }),
  };
}

/** A list, or a text with commas between names; a comma inside brackets belongs to its name. */
function toolList(value: unknown): readonly string[] | undefined {
  if (Array.isArray(value)) return value.filter((each): each is string => typeof each === "string");
  if (typeof value !== "string" || value.trim() === "*") return undefined;
  return (value.match(/(?:\([^)]*\)|[^,(])+/g) ?? []).map((name) => name.trim()).filter(Boolean);
}
