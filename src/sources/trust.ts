import { join, resolve } from "node:path";
import type { HookDefinition } from "../core/hook.ts";
import { isObject } from "../core/json.ts";
import { isInside, pathBelow } from "../core/paths.ts";
import { sha256 } from "../platform/digest.ts";
import { followLinks, lookAt, nodeFs, readBytes, readText } from "../platform/files.ts";
import { stateFolder, type Env } from "../platform/places.ts";
import { kindOf } from "../platform/stamps.ts";
import { writeNew } from "../platform/write-new.ts";
import { splitWords } from "./_words.ts";

/** What was agreed to: the definition and every file it names, by their digests. */
export interface Pin {
  readonly hook: string;
  readonly definition: string;
  readonly files: Readonly<Record<string, string>>;
  readonly time: string;
  /** Where the definition stood. */
  readonly from?: string;
}

/** Whether a hook may run, and if not, why. */
export interface Trust {
  readonly state: "trusted" | "new" | "changed";
  readonly why?: string;
}

const maxScript = 32 * 1024 * 1024;

/** In the user's state folder: what lies in the repository could come with the repository. */
const folderOf = (root: string, env: Env): string =>
  join(stateFolder(env), "trust", sha256(root).slice(0, 32));

/** A workspace by its real path. */
export function realRoot(root: string): string {
  try {
    return followLinks(root);
  } catch {
    return root;
  }
}

/** A user's hook and a repository's may go by one name. */
export const keyOf = ({ source, id, own, file }: HookDefinition): string =>
  own ? `${source} ${file} ${id}` : `${source} ${id}`;

const fileOf = (definition: HookDefinition, root: string, env: Env): string =>
  join(folderOf(root, env), `${pinName(definition)}.json`);

/** Names of all that was agreed to in a workspace, for whoever asks about many hooks. */
export function pinNames(root: string, env: Env): ReadonlySet<string> {
  try {
    return new Set(nodeFs().readdirSync(folderOf(root, env)));
  } catch {
    return new Set();
  }
}

/** The hook files of a workspace in which something is trusted. */
export function trustedFiles(root: string, env: Env): ReadonlySet<string> {
  const folder = folderOf(root, env);
  return new Set([...pinNames(root, env)].flatMap((name) => readPin(join(folder, name))?.from ?? []));
}

export function trustOf(
  definition: HookDefinition,
  root: string,
  env: Env,
  known?: ReadonlySet<string>,
): Trust {
  const name = `${pinName(definition)}.json`;
  const pin = known && !known.has(name) ? undefined : readPin(join(folderOf(root, env), name));
  const unknown: Trust = { state: "new", why: "nobody has trusted it yet" };
  // What nobody has vouched for is not even looked into.
  if (!pin && !definition.own) return unknown;
  const files = filesNamed(definition, root);
  if (definition.own && files.every((file) => !isInside(root, file)) && definition.handler.kind !== "module")
    return { state: "trusted" };
  if (!pin) return unknown;
  if (pin.definition !== definitionDigest(definition))
    return { state: "changed", why: "its definition has changed since it was trusted" };
  for (const file of new Set([...Object.keys(pin.files), ...files])) {
    const shown = pathBelow(root, file) ?? file;
    const now = fileDigest(file);
    // What was not there to be read then and is not now cannot run either; the handler says what is wrong.
    if (now === pin.files[file]) continue;
    if (now === undefined) return { state: "changed", why: `${shown} is gone` };
    if (pin.files[file] === undefined)
      return { state: "changed", why: `${shown} was not there when it was trusted` };
    return { state: "changed", why: `${shown} has changed since it was trusted` };
  }
  return { state: "trusted" };
}

/** Whether the files of a hook that was found to be trusted are still what they were then. */
export function isStillTrusted(definition: HookDefinition, root: string, env: Env): boolean {
  const pin = readPin(fileOf(definition, root, env));
  return !pin || Object.entries(pin.files).every(([file, digest]) => fileDigest(file) === digest);
}

/** Writes down that a hook may run as it was when it was looked at. */
export function pin(
  definition: HookDefinition,
  root: string,
  env: Env,
  seen = seenIn(definition, root),
): void {
  writeNew(fileOf(definition, root, env), `${JSON.stringify(seen)}\n`);
}

/** A hook as it is now, for somebody who may agree to it later. */
export function seenIn(definition: HookDefinition, root: string): Pin {
  const files = Object.fromEntries(
    filesNamed(definition, root).flatMap((file) => {
      const digest = fileDigest(file);
      return digest === undefined ? [] : [[file, digest]];
    }),
  );
  return {
    hook: keyOf(definition),
    definition: definitionDigest(definition),
    files,
    time: new Date().toISOString(),
    from: definition.file,
  };
}

/**
 * A hook of the user's own needs no trust, but the runtime that runs its TypeScript asks for it: what it would run now is written down
 * in its place, each time it has changed.
 */
export function pinOwn(definition: HookDefinition, root: string, env: Env): void {
  if (!definition.own) return;
  const files = filesNamed(definition, root);
  if (!files.some(isOurs)) return;
  const known = readPin(fileOf(definition, root, env))?.files;
  if (!known || files.some((file) => known[file] !== fileDigest(file))) pin(definition, root, env);
}

/** Takes trust back; whether there was any. */
export function unpin(definition: HookDefinition, root: string, env: Env): boolean {
  const file = fileOf(definition, root, env);
  const was = lookAt(file) !== "missing";
  if (was) nodeFs().rmSync(file, { force: true });
  return was;
}

/** The name of what was agreed to about a hook, by which a child of ours can find it again. */
export const pinName = (definition: HookDefinition): string => sha256(keyOf(definition)).slice(0, 32);

/** Whether a file may be run by our runtime: a hook of the workspace was trusted with it as it is now. */
export function isPinned(path: string, digest: string, root: string, name: string, env: Env): boolean {
  if (!/^[0-9a-f]{32}$/.test(name)) return false;
  return readPin(join(folderOf(root, env), `${name}.json`))?.files[path] === digest;
}

function readPin(file: string): Pin | undefined {
  try {
    const found: unknown = JSON.parse(readText(file, maxScript) ?? "");
    return isObject(found) && isObject(found["files"]) ? (found as unknown as Pin) : undefined;
  } catch {
    return undefined;
  }
}

/** All of a definition that decides what runs and when. */
function definitionDigest(definition: HookDefinition): string {
  const { id, source, events, match, handler, timeoutMs, blocking, failMode, environments } = definition;
  const { once, background, takesNotes, profile, enabled, component } = definition;
  return sha256(
    JSON.stringify([
      [id, source, profile, events, match, handler, timeoutMs],
      [blocking, failMode, environments, once, background, takesNotes, enabled, component],
    ]),
  );
}

const fileDigest = (file: string): string | undefined => {
  const bytes = readBytes(file, maxScript);
  return bytes === undefined ? undefined : sha256(bytes);
};

/**
 * The files a definition would run, in the workspace or its plugin: the script, and of a command line every word there that is
 * a program, a script, or what an interpreter is given. What a command only reads or writes changes with its work, and a
 * program of the system (`python3`) is not the repository's.
 */
export function filesNamed(definition: HookDefinition, root: string): string[] {
  const { handler, pluginRoot } = definition;
  if (handler.kind === "http") return [];
  if (handler.kind === "prompt") {
    const args = handler.evaluator?.command;
    return args ? filesNamed({ ...definition, handler: { kind: "command", args } }, root) : [];
  }
  if (handler.kind === "module") return withImports(handler.path);
  const { script, shell = "", args = [], cwd = root } = handler;
  const isTheirs = (path: string): boolean =>
    isInside(root, path) ||
    (pluginRoot !== undefined && isInside(pluginRoot, path)) ||
    (definition.own === true && isOurs(path));
  const known: Readonly<Record<string, string>> = {
    CLAUDE_PLUGIN_ROOT: pluginRoot ?? "",
    CLAUDE_PROJECT_DIR: root,
    PLUGIN_ROOT: pluginRoot ?? "",
    PWD: cwd,
  };
  const words = [
    // What comes by `<` is only read, unless it is an interpreter that reads it.
    ...splitWords(
      shell
        .replace(/(?<!\d)\d*>>?\s*\S+/g, " ")
        .replaceAll("<", " ")
        .replace(/[;|&()>`]/g, " ; "),
    ),
    ...args,
  ].map((word) =>
    word.replace(/\$\{(\w+)\}|\$(\w+)/g, (whole, a?: string, b?: string) => known[a ?? b ?? ""] ?? whole),
  );
  const paths = words.flatMap((word, at) => {
    const path = resolve(cwd, word);
    return word !== ";" && isRun(words, at, path) && isTheirs(path) && isFile(path) ? [path] : [];
  });
  const named = script === undefined ? paths : [script, ...paths];
  return [...new Set(named.flatMap(withImports))];
}

/**
 * Whether a word of a command line is run: as the program, by an interpreter, or as a script that is named for something else to run. A
 * bare word is a program of the system, or anything at all: whoever makes a file of that name must not have changed the hook.
 */
function isRun(words: readonly string[], at: number, path: string): boolean {
  const word = words[at] ?? "";
  let before = at - 1;
  while (before >= 0 && /^(?:-.*|\w+=.*)$/.test(words[before] ?? "")) before--;
  const runner = before < 0 ? ";" : (words[before] ?? ";");
  if (interpreters.test(runner) || scripts.test(word)) return true;
  return word.includes("/") && (starters.test(runner) || kindOf(path)?.executable === true);
}

/** What runs the file behind it and its flags. */
const interpreters =
  /^(?:\.|source|(?:.*\/)?(?:ba|da|z|k)?sh|(?:.*\/)?(?:python|ruby|perl|php|node|bun|deno|pwsh)[\d.]*)$/;
/** What stands before a program. */
const starters = /^(?:;|exec|command|env)$/;

const scripts = /\.(?:sh|bash|zsh|py|rb|pl|php|[cm]?[jt]sx?|ps1|awk|sed|jq|lua)$/i;

const isFile = (path: string): boolean => kindOf(path)?.type === "file";

/** A TypeScript file with all it imports by a relative path: changing one of them changes what runs. */
function withImports(path: string): string[] {
  const found = new Set<string>();
  const visit = (file: string): void => {
    if (found.has(file) || found.size > 500) return;
    found.add(file);
    for (const next of importsOf(file)) visit(next);
  };
  visit(path);
  return [...found];
}

const endings = ["ts", "mts", "cts", "tsx", "js", "mjs", "cjs", "jsx"];

/** What our own runtime runs. */
const isOurs = (file: string): boolean => endings.some((ending) => file.endsWith(`.${ending}`));

/** By pattern rather than by parser: one file too many is no harm, one too few would be. */
const relativeImport = /(?:\bfrom|\bimport|\brequire)\s*(?:\(\s*)?["'`](\.[^"'`\n]*)["'`]/g;

function importsOf(file: string): string[] {
  if (!isOurs(file) || !isFile(file)) return [];
  const text = textOf(file);
  return [...text.matchAll(relativeImport)].flatMap(([, path = ""]) => resolved(resolve(file, "..", path)));
}

/** What is too large to be read has no digest either, so that it never counts as trusted. */
function textOf(file: string): string {
  try {
    return readText(file, maxScript) ?? "";
  } catch {
    return "";
  }
}

const resolved = (path: string): string[] =>
  [path, ...endings.map((ending) => `${path}.${ending}`), join(path, "index.ts"), join(path, "index.js")]
    .filter(isFile)
    .slice(0, 1);
