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

const keyOf = ({ source, id }: HookDefinition): string => `${source} ${id}`;

const fileOf = (definition: HookDefinition, root: string, env: Env): string =>
  join(folderOf(root, env), `${pinName(definition)}.json`);

export function trustOf(definition: HookDefinition, root: string, env: Env): Trust {
  const pin = readPin(fileOf(definition, root, env));
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

/** Writes down that a hook may run as it is now. */
export function pin(definition: HookDefinition, root: string, env: Env): void {
  const files = Object.fromEntries(
    filesNamed(definition, root).flatMap((file) => {
      const digest = fileDigest(file);
      return digest === undefined ? [] : [[file, digest]];
    }),
  );
  const agreed: Pin = {
    hook: keyOf(definition),
    definition: definitionDigest(definition),
    files,
    time: new Date().toISOString(),
  };
  writeNew(fileOf(definition, root, env), `${JSON.stringify(agreed)}\n`);
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
  const { once, background, profile, enabled, component } = definition;
  return sha256(
    JSON.stringify([
      [id, source, profile, events, match, handler, timeoutMs],
      [blocking, failMode, environments, once, background, enabled, component],
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
    isInside(root, path) || (pluginRoot !== undefined && isInside(pluginRoot, path));
  const known: Readonly<Record<string, string>> = {
    CLAUDE_PLUGIN_ROOT: pluginRoot ?? "",
    CLAUDE_PROJECT_DIR: root,
    PLUGIN_ROOT: pluginRoot ?? "",
    PWD: cwd,
  };
  const words = [
    ...splitWords(shell.replace(/(?<!\d)\d*>>?\s*\S+/g, " ").replace(/[;|&()<>`]/g, " ; ")),
    ...args,
  ].map((word) =>
    word.replace(/\$\{(\w+)\}|\$(\w+)/g, (whole, a?: string, b?: string) => known[a ?? b ?? ""] ?? whole),
  );
  const paths = words.flatMap((word, at) => {
    const path = resolve(cwd, word);
    const runs = at === 0 || runners.test(words[at - 1] ?? "") || isScript(path);
    return word !== ";" && runs && isTheirs(path) && isFile(path) ? [path] : [];
  });
  const named = script === undefined ? paths : [script, ...paths];
  return [...new Set(named.flatMap(withImports))];
}

/** What stands before a word that is run: the end of a command, an interpreter, or a flag of one. */
const runners =
  /^(?:;|\.|source|exec|env|-\w*|(?:.*\/)?(?:ba|da|z|k)?sh|(?:.*\/)?(?:python|ruby|perl|php|node|bun|deno|pwsh)[\d.]*)$/;

/** By its name or its mode. */
const isScript = (path: string): boolean =>
  /\.(?:sh|bash|zsh|py|rb|pl|php|[cm]?[jt]sx?|ps1|awk|sed|jq|lua)$/i.test(path) ||
  kindOf(path)?.executable === true;

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

/** By pattern rather than by parser: one file too many is no harm, one too few would be. */
const relativeImport = /(?:\bfrom|\bimport|\brequire)\s*(?:\(\s*)?["'`](\.[^"'`\n]*)["'`]/g;

function importsOf(file: string): string[] {
  if (!endings.some((ending) => file.endsWith(`.${ending}`)) || !isFile(file)) return [];
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
