import { dirname, join, resolve } from "node:path";
import { isObject } from "../core/json.ts";
import { isInside } from "../core/paths.ts";
import { sha256 } from "../platform/digest.ts";
import { errorCode, followLinks, lookAt, nodeFs, readText } from "../platform/files.ts";
import { cacheFolder, policyPaths, type Env } from "../platform/places.ts";
import { version } from "../platform/version.ts";
import defaults from "./default.generated.json";
import type { Layer, LayerName, Policy, Problem, Registry } from "./policy.ts";
import type { Include } from "./read-layer.ts";

export interface LoadedPolicy {
  readonly policy: Policy;
  readonly digest: string;
  /** `last-good` and `fallback` stand in for a policy that has problems. */
  readonly origin: "default" | "cache" | "compiled" | "last-good" | "fallback";
  readonly problems: readonly Problem[];
  readonly files: readonly string[];
}

interface Source {
  readonly layer: LayerName;
  readonly file: string;
  readonly text?: string;
  readonly trouble?: string;
}

/**
 * The policy of a workspace. YAML is parsed only when a file has changed: what was compiled lies in the
 * user's cache, because a cache inside the repository could come with the repository. `brought` are presets that the caller
 * wants besides.
 */
export async function loadPolicy(
  root: string,
  env: Env,
  registry: () => Promise<Registry>,
  brought: readonly string[] = [],
): Promise<LoadedPolicy> {
  const found = readSources(root, env);
  const sources = brought.length === 0 ? found : [broughtBy(brought), ...found];
  if (sources.length === 0) return { ...standard, origin: "default", problems: [], files: [] };
  const files = found.map((source) => source.file);
  const keyOf = (included: readonly string[] = []): string =>
    sha256(JSON.stringify([version, shape, sources, ...included.map(textOf)]));
  const place = sha256([root, ...brought].join("\0")).slice(0, 32);
  const cacheFile = join(cacheFolder(env), "policies", `${place}.json`);
  const cached = readCache(cacheFile);
  if (cached && cached.key === keyOf(cached.included))
    return { policy: cached.policy, digest: cached.digest, origin: "cache", problems: [], files };

  // A broken policy is as expensive to read as a good one, so what came of it is remembered, too.
  const brokenFile = cacheFile.replace(/json$/, "broken.json");
  const broken = readCache(brokenFile);
  if (broken?.problems && broken.key === keyOf(broken.included)) {
    const { policy, digest, problems } = broken;
    return { policy, digest, origin: cached ? "last-good" : "fallback", problems, files };
  }
  const { policy, problems, included } = await compileSources(sources, root, registry, cached?.policy);
  const digest = digestOf(policy);
  const more = included.length === 0 ? {} : { included };
  const key = keyOf(included);
  if (problems.length === 0) {
    writeCache(cacheFile, { key, digest, policy, ...more });
    return { policy, digest, origin: "compiled", problems, files };
  }
  writeCache(brokenFile, { key, digest, policy, problems, ...more });
  return { policy, digest, origin: cached ? "last-good" : "fallback", problems, files };
}

const broughtBy = (presets: readonly string[]): Source => ({
  layer: "caller",
  file: "the caller",
  text: `extends: ${JSON.stringify(presets)}\n`,
});

/** Changes with what a compiled policy contains, so that an older one is compiled again. */
const shape = 8;

/** What holds without any policy file, compiled by `npm run generate`. */
const standard = defaults as { policy: Policy; digest: string };

/**
 * The policy of these files. If one of them is broken, the last good policy stands in, or else the recommended
 * preset in that file's place; what a sound managed file locks holds in any case.
 */
async function compileSources(
  sources: readonly Source[],
  root: string,
  registry: () => Promise<Registry>,
  lastGood: Policy | undefined,
): Promise<{ policy: Policy; problems: Problem[]; included: readonly string[] }> {
  const [{ readLayer }, { compile }] = await Promise.all([import("./read-layer.ts"), import("./compile.ts")]);
  const known = await registry();
  const problems: Problem[] = [];
  const included = new Set<string>();
  const sound: Layer[] = [];
  const standing: Layer[] = [];
  for (const source of sources) {
    const read =
      source.text === undefined
        ? unreadable(source)
        : readLayer(source.layer, source.file, source.text, known, (path) => {
            const file = resolve(dirname(source.file), path);
            included.add(file);
            return readIncluded(file, source.layer === "repository" ? root : undefined);
          });
    problems.push(...read.problems);
    const layer = read.problems.length === 0 ? read.layer : undefined;
    if (layer) sound.push(layer);
    standing.push(layer ?? recommendedFor(source));
  }
  const files = [...included];
  if (problems.length === 0) return { policy: compile(sound, known), problems, included: files };
  const managed = sound.filter((layer) => layer.name === "managed");
  const standIn = lastGood ?? compile(standing, known);
  const policy = managed.length === 0 ? standIn : withLocks(standIn, compile(managed, known));
  return { policy, problems, included: files };
}

/** What a workflow's file says. A repository's own must lie in it, links followed. */
function readIncluded(file: string, root: string | undefined): ReturnType<Include> {
  try {
    const real = followLinks(file);
    if (root !== undefined && !isInside(followLinks(root), real))
      return { trouble: "it leads out of the workspace" };
    const text = readText(real, maxIncluded);
    return text === undefined ? { trouble: "ENOENT" } : { file: real, text };
  } catch (error) {
    return { trouble: errorCode(error) };
  }
}

/** For the key of a cache: a file that cannot be read now may be readable then. */
function textOf(file: string): string | null {
  try {
    return readText(file, maxIncluded) ?? null;
  } catch (error) {
    return errorCode(error);
  }
}

const maxIncluded = 4 * 1024 * 1024;

/** What weaker layers have switched off the broken one might have switched on. */
const recommendedFor = ({ layer: name, file }: Source): Layer => ({
  name,
  file,
  extends: ["recommended"],
  mode: "enforce",
  rules: {},
});

function unreadable({ file, trouble }: Source): { layer?: Layer; problems: Problem[] } {
  const hint = "Make it a readable plain file, or remove it.";
  const text = `cannot be read (${trouble ?? "unknown"})`;
  return { problems: [{ file, line: 0, column: 0, key: "", text, hint, code: "HL_UNREADABLE" }] };
}

/** A policy with the rules that another one locks put in their place. */
function withLocks(policy: Policy, managed: Policy): Policy {
  const locked = managed.rules.filter((rule) => rule.locked);
  const rest = policy.rules.filter((rule) => !locked.some(({ id }) => id === rule.id));
  return locked.length === 0 ? policy : { ...policy, rules: [...rest, ...locked] };
}

/** The policy files that exist, weakest layer first. */
function readSources(root: string, env: Env): Source[] {
  const { user, managed } = policyPaths(env);
  const managedFile = isThere(managed) ? managed : env["HOOKLINE_MANAGED_POLICY"];
  const named: [LayerName, string | undefined][] = [
    ["user", user],
    ["repository", join(root, "hookline.yaml")],
    ["managed", managedFile],
  ];
  const found: Source[] = [];
  for (const [layer, file] of named) if (file) found.push(...readSource(layer, file));
  const isFound = !managedFile || managedFile === managed || found.some(({ file }) => file === managedFile);
  // One that is named has to be there.
  return isFound ? found : [...found, { layer: "managed", file: managedFile, trouble: "ENOENT" }];
}

/** Anything in its place counts, also what cannot be read. */
function isThere(file: string): boolean {
  try {
    return lookAt(file) !== "missing";
  } catch {
    return true;
  }
}

const maxPolicy = 256 * 1024;

function readSource(layer: LayerName, file: string): Source[] {
  try {
    const text = readText(file, maxPolicy);
    return text === undefined ? [] : [{ layer, file, text }];
  } catch (error) {
    return [{ layer, file, trouble: errorCode(error) }];
  }
}

const digestOf = (policy: Policy): string => sha256(JSON.stringify(policy));

interface Cached {
  readonly key: string;
  readonly digest: string;
  readonly policy: Policy;
  /** Files that policy files have named. */
  readonly included?: readonly string[];
  /** What was wrong with the files this stands in for. */
  readonly problems?: readonly Problem[];
}

/** Workflows make a policy large; what is larger than this is compiled anew at every event. */
const maxCached = 32 * 1024 * 1024;

/** Only a policy whose digest still fits counts: half a file, or one somebody changed, does not. */
function readCache(file: string): Cached | undefined {
  try {
    const cached: unknown = JSON.parse(readText(file, maxCached) ?? "");
    if (!isObject(cached) || !isObject(cached["policy"])) return undefined;
    const entry = cached as unknown as Cached;
    return digestOf(entry.policy) === entry.digest ? entry : undefined;
  } catch {
    return undefined;
  }
}

function writeCache(file: string, entry: Cached): void {
  const temporary = `${file}.${process.pid}`;
  const { mkdirSync, renameSync, unlinkSync, writeFileSync } = nodeFs();
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, JSON.stringify(entry), { mode: 0o600 });
    renameSync(temporary, file);
  } catch {
    // Without a cache every call compiles; slower, never wrong.
    try {
      unlinkSync(temporary);
    } catch {
      // It was never written.
    }
  }
}
