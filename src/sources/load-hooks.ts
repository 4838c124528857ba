import { join, resolve } from "node:path";
import { plainLimits, TimeoutError, type Limits } from "../core/engine.ts";
import type { HookDefinition, SourceName } from "../core/hook.ts";
import { errorCode, isMissing, lookAt, nodeFs, readText } from "../platform/files.ts";
import { claude } from "./claude.ts";
import { components } from "./components.ts";
import { copilot } from "./copilot.ts";
import { harness } from "./harness.ts";
import { plugins } from "./plugins.ts";
import type { FileSource, SourceSettings } from "./places.ts";
import { registry } from "./registry.ts";
import type { HookFile, HookProblem, Loaded, Source } from "./source.ts";

/** Every format, in the order its hooks run. */
const formats: readonly Source[] = [registry, harness, plugins, claude, copilot, components];

/** The format that goes by a name. */
export const sourceNamed = (name: string): Source | undefined =>
  formats.find((format) => format.name === name);

const maxFile = 1024 * 1024;

export interface LoadedHooks extends Loaded {
  /** Every file and folder that was looked at. */
  readonly looked: readonly string[];
}

/** All definitions of the workspace's files, in the order they run, whether their source is on or not. */
export function loadHooks(
  root: string,
  settings: SourceSettings,
  only?: ReadonlySet<SourceName>,
  limits: Limits = plainLimits,
): LoadedHooks {
  const end = limits.clock() + allMs;
  const definitions: HookDefinition[] = [];
  const problems: HookProblem[] = [];
  const looked: string[] = [];
  for (const format of formats) {
    if (only && !only.has(format.name)) continue;
    for (const file of filesOf(format, root, settings, looked)) {
      const left = Math.min(fileMs, end - limits.clock());
      const loaded = left > 0 ? loadFile(format, file, root, left, limits) : tooLong(file);
      problems.push(...loaded.problems);
      definitions.push(...loaded.definitions);
    }
  }
  return { definitions: unique(definitions, problems), problems, looked };
}

/** The sources that are on, as a set to load by. */
export const switchedOn = (settings: SourceSettings): Set<SourceName> =>
  new Set(formats.map(({ name }) => name).filter((name) => settings[name as FileSource] !== "off"));

function loadFile(format: Source, file: string, root: string, ms: number, limits: Limits): Loaded {
  const path = resolve(root, file);
  try {
    const text = readText(path, maxFile);
    // A link that leads nowhere is a hook somebody believes to be there.
    if (text === undefined)
      return { definitions: [], problems: lookAt(path) === "link" ? [notRead(file, "ENOENT")] : [] };
    const found: HookFile = { file, path, text, root };
    // To watch costs more than to read what is small.
    return text.length < small ? format.load(found) : limits.within(ms, () => format.load(found));
  } catch (error) {
    if (error instanceof TimeoutError) return tooLong(file);
    return { definitions: [], problems: [notRead(file, errorCode(error))] };
  }
}

/** Nobody has trusted these files yet, and an agent that waits too long for its answer goes ahead. */
const fileMs = 1000;
const allMs = 3000;
const small = 16 * 1024;

const tooLong = (file: string): Loaded => ({
  definitions: [],
  problems: [
    {
      file,
      line: 1,
      level: "error",
      text: "not read: it takes too long",
      hint: "Make the hook files smaller; until then none of this one's hooks run.",
      code: "HL_HOOK_TOO_LONG",
    },
  ],
});

const notRead = (file: string, code: string): HookProblem => ({
  file,
  line: 1,
  level: "error",
  text: `cannot be read (${code})`,
  hint: "Make it a readable plain file, or remove it.",
  code: "HL_HOOK_UNREADABLE",
});

function filesOf(format: Source, root: string, settings: SourceSettings, looked: string[]): string[] {
  const named = format.name === "harness" ? settings.harnessSettings : undefined;
  const patterns = named === undefined ? format.files : [named];
  const found = patterns.flatMap((pattern) => expand(pattern, root, looked));
  // Of two places for one file the first counts.
  return format.firstOnly ? found.slice(0, 1) : found.toSorted();
}

/** A pattern with `*` for one name as the files there are. */
function expand(pattern: string, root: string, looked: string[]): string[] {
  let found = [""];
  for (const part of pattern.split("/")) {
    found = found.flatMap((folder) => {
      if (!part.includes("*")) return [folder === "" ? part : `${folder}/${part}`];
      looked.push(join(root, folder));
      const fits = new Bun.Glob(part);
      return namesIn(join(root, folder))
        .filter((name) => fits.match(name))
        .map((name) => (folder === "" ? name : `${folder}/${name}`));
    });
  }
  looked.push(...found.map((file) => resolve(root, file)));
  return found.filter((file) => lookAt(resolve(root, file)) !== "missing");
}

function namesIn(folder: string): string[] {
  try {
    return nodeFs().readdirSync(folder).toSorted();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Within a source an id is one hook's; the first keeps it. */
function unique(definitions: readonly HookDefinition[], problems: HookProblem[]): HookDefinition[] {
  const first = new Map<string, HookDefinition>();
  return definitions.filter((definition) => {
    const key = `${definition.source} ${definition.id}`;
    const before = first.get(key);
    if (!before) {
      first.set(key, definition);
      return true;
    }
    problems.push({
      file: definition.file,
      line: definition.line,
      level: "error",
      text: `the id "${definition.id}" is taken by ${before.file}:${before.line}`,
      hint: "Give it an id of its own; until then it does not run.",
      code: "HL_HOOK_DUPLICATE",
      hook: definition.id,
    });
    return false;
  });
}
