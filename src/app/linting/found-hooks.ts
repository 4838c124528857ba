import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { HookDefinition } from "../../core/hook.ts";
import { isObject } from "../../core/json.ts";
import { pathBelow } from "../../core/paths.ts";
import { isScriptName } from "../../lint/script.ts";
import { readText } from "../../platform/files.ts";
import { sourceNamed } from "../../sources/load-hooks.ts";
import type { HookProblem, Loaded } from "../../sources/source.ts";
import { missingOf } from "./subjects.ts";

export interface Found {
  readonly hooks: readonly FoundHook[];
  readonly problems: readonly HookProblem[];
  /** Scripts that were named by themselves. */
  readonly scripts: readonly string[];
}

/** A hook, and the folder its paths are counted from. */
export interface FoundHook {
  readonly hook: HookDefinition;
  readonly base: string;
}

const maxFile = 1024 * 1024;
const skipped = new Set(["node_modules", ".git", "dist", "build", "vendor", ".venv", "target"]);
const mostEntries = 50_000;

/** Hooks in a file or below a folder, wherever they lie: each file is read as what it looks like. */
export function hooksIn(path: string, root: string): Found {
  const found = statSync(path).isDirectory() ? candidatesBelow(path) : [path];
  const hooks: FoundHook[] = [];
  const problems: HookProblem[] = [];
  const scripts: string[] = [];
  for (const file of found) {
    const loaded = loadOne(file, root);
    if (loaded) {
      hooks.push(...loaded.definitions.map((hook) => ({ hook, base: loaded.base })));
      problems.push(...loaded.problems);
    } else if (file === path && isScript(file)) scripts.push(file);
  }
  return { hooks, problems, scripts };
}

/** By its name, or by the line that says what runs it. */
const isScript = (file: string): boolean => isScriptName(file) || textOf(file)?.startsWith("#!") === true;

function candidatesBelow(folder: string): string[] {
  const found: string[] = [];
  const pending = [folder];
  for (let seen = 0; pending.length > 0 && seen < mostEntries;) {
    const here = pending.pop() ?? folder;
    for (const entry of readdirSync(here, { withFileTypes: true })) {
      seen++;
      const path = join(here, entry.name);
      if (entry.isDirectory() && !skipped.has(entry.name)) pending.push(path);
      else if (entry.isFile() && formatOf(path) !== undefined) found.push(path);
    }
  }
  return found.toSorted();
}

/** A hook file by its name, whether there are hooks in it or not. */
export const isHookFile = (path: string): boolean => formatOf(path) !== undefined;

type Format = "registry" | "harness" | "plugins" | "claude" | "copilot" | "components";

/** What a file may be, by its name and place. */
function formatOf(path: string): Format | undefined {
  const name = basename(path);
  const above = dirname(path).split(sep);
  const [parent, grandparent] = [above.at(-1), above.at(-2)];
  if (/\.ya?ml$/.test(name)) return parent === "hooks" && grandparent === ".system" ? "registry" : undefined;
  if (name.endsWith(".md"))
    return above.some((each) => /^(?:agents|skills|commands)$/.test(each)) ? "components" : undefined;
  if (name === "hooks.json") return "plugins";
  if (name.endsWith(".json") && parent === "hooks" && grandparent === ".github") return "copilot";
  if (/^settings(?:\.local)?\.json$/.test(name)) return parent === ".claude" ? "claude" : "harness";
  return undefined;
}

function loadOne(path: string, root: string): (Loaded & { readonly base: string }) | undefined {
  const text = textOf(path);
  if (text === undefined) return undefined;
  const format = formatOf(path) ?? formatIn(path, text);
  const source = format && sourceNamed(format);
  if (!source) return undefined;
  // A plugin's own folder is two above its hooks.json, wherever the plugin lies.
  const pluginRoot = format === "plugins" ? dirname(dirname(path)) : undefined;
  const shown = pathBelow(root, path) ?? path;
  const load = (base: string): Loaded & { base: string } => ({
    ...source.load({ file: relative(base, path).split(sep).join("/"), path, text, root: base }),
    base,
  });
  const [first, ...others] = (
    pluginRoot === undefined ? basesFor(format, path, root) : [resolve(pluginRoot, "../..")]
  ).map(load);
  if (!first) return undefined;
  // Of several the one in which more of the scripts are there.
  const lacks = ({ definitions: all, base: from }: Loaded & { base: string }): number =>
    all.filter((each) => missingOf(each, from) !== undefined).length;
  const { definitions, problems, base } = others.reduce(
    (best, each) => (lacks(each) < lacks(best) ? each : best),
    first,
  );
  return {
    base,
    definitions: definitions.map((each) => ({
      ...each,
      file: shown,
      ...(pluginRoot === undefined ? {} : { pluginRoot }),
    })),
    problems: problems.map((problem) => ({ ...problem, file: shown })),
  };
}

/** The workspace a file may belong to: ours where it lies in it, and the folder its format counts from. */
function basesFor(format: Format, path: string, root: string): string[] {
  const up = {
    registry: "../..",
    copilot: "../..",
    claude: "..",
    harness: basename(dirname(path)) === ".harness" ? ".." : ".",
    components: "..",
    plugins: "../..",
  }[format];
  const own = resolve(dirname(path), up);
  return pathBelow(root, path) === undefined ? [own] : [root, own];
}

/** What a file is by what stands in it, where its name says nothing. */
function formatIn(path: string, text: string): Format | undefined {
  if (/\.ya?ml$/.test(path)) return /^event_type:/m.test(text) ? "registry" : undefined;
  if (path.endsWith(".md")) return /^---\r?\n[\s\S]*?^hooks:/m.test(text) ? "components" : undefined;
  if (!path.endsWith(".json")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || !isObject(value["hooks"])) return undefined;
    const entries = Object.values(value["hooks"]).flatMap((list) =>
      Array.isArray(list) ? (list as unknown[]) : [],
    );
    if (entries.some((entry) => isObject(entry) && typeof entry["path"] === "string")) return "harness";
    return "version" in value ? "copilot" : "plugins";
  } catch {
    return undefined;
  }
}

function textOf(path: string): string | undefined {
  try {
    return readText(path, maxFile);
  } catch {
    return undefined;
  }
}
