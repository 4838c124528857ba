import { resolve } from "node:path";
import { plainLimits, TimeoutError, type Limits } from "../core/engine.ts";
import type { HookDefinition, SourceName } from "../core/hook.ts";
import { errorCode, lookAt, readText } from "../platform/files.ts";
import { expand, newSearch, type Search } from "./_files.ts";
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

/**
 * All definitions of the workspace's files, in the order they run, whether their source is on or not. Files that somebody has trusted
 * are read before all others, so that these cannot use up what time and room there is.
 */
export function loadHooks(
  root: string,
  settings: SourceSettings,
  trusted: ReadonlySet<string>,
  only?: ReadonlySet<SourceName>,
  limits: Limits = plainLimits,
): LoadedHooks {
  const end = limits.clock() + allMs;
  const search = newSearch(trusted);
  const files = formats
    .filter(({ name }) => !only || only.has(name))
    .flatMap((format) => filesOf(format, root, settings, search).map((file) => ({ format, file })));
  const read = new Map<string, Loaded>();
  let left = mostHooks;
  const isFirst = ({ file }: { file: string }): boolean => trusted.has(file);
  for (const { format, file } of [...files.filter(isFirst), ...files.filter((each) => !isFirst(each))]) {
    const ms = Math.min(fileMs, end - limits.clock());
    const loaded = ms > 0 ? loadFile(format, file, root, ms, limits) : tooLong(file);
    const { definitions, problems } = loaded;
    read.set(
      `${format.name} ${file}`,
      definitions.length <= left
        ? loaded
        : { definitions: definitions.slice(0, left), problems: [...problems, tooManyHooks(file)] },
    );
    left = Math.max(left - definitions.length, 0);
  }
  const all = files.map(({ format, file }) => read.get(`${format.name} ${file}`) ?? tooLong(file));
  const problems = [
    ...[...search.beyond].map(([folder, count]) => tooManyFiles(folder, count)),
    ...all.flatMap((each) => each.problems),
  ];
  const definitions = unique(
    all.flatMap((each) => each.definitions),
    problems,
  );
  return { definitions, problems, looked: search.looked };
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
/** What is found is asked about at every event. */
const mostHooks = 5000;

const tooManyFiles = (folder: string, count: number): HookProblem => ({
  file: folder,
  line: 1,
  level: "error",
  text: `${count} files in it are not read: there are too many, or their names have line breaks`,
  hint: "Keep what is no hook elsewhere; hooks you have trusted are read in any case.",
  code: "HL_HOOK_TOO_MANY",
});

const tooManyHooks = (file: string): HookProblem => ({
  file,
  line: 1,
  level: "error",
  text: `not all of its hooks are read: there are more than ${mostHooks} in the workspace`,
  hint: "Take out what is not needed; hooks you have trusted are read first.",
  code: "HL_HOOK_TOO_MANY",
});

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

function filesOf(format: Source, root: string, settings: SourceSettings, search: Search): string[] {
  const named = format.name === "harness" ? settings.harnessSettings : undefined;
  const patterns = named === undefined ? format.files : [named];
  const found = patterns.flatMap((pattern) => expand(pattern, root, search));
  // Of two places for one file the first counts.
  return format.firstOnly ? found.slice(0, 1) : found.toSorted();
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
