import { dirname, join } from "node:path";
import { isObject } from "../core/json.ts";
import { sha256 } from "../platform/digest.ts";
import { errorCode, lookAt, nodeFs, readText } from "../platform/files.ts";
import { cacheFolder, policyPaths, type Env } from "../platform/places.ts";
import { version } from "../platform/version.ts";
import defaults from "./default.generated.json";
import type { LayerName, Policy, Problem, Registry } from "./policy.ts";

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
 * user's cache, because a cache inside the repository could come with the repository.
 */
export async function loadPolicy(root: string, env: Env, registry: Registry): Promise<LoadedPolicy> {
  const sources = readSources(root, env);
  const files = sources.map((source) => source.file);
  if (sources.length === 0) {
    return { ...standard, origin: "default", problems: [], files };
  }
  const key = sha256(JSON.stringify([version, sources]));
  const cacheFile = join(cacheFolder(env), "policies", `${sha256(root).slice(0, 32)}.json`);
  const cached = readCache(cacheFile);
  if (cached?.key === key)
    return { policy: cached.policy, digest: cached.digest, origin: "cache", problems: [], files };

  const { policy, problems } = await compileSources(sources, registry);
  if (policy) {
    const digest = digestOf(policy);
    writeCache(cacheFile, { key, digest, policy });
    return { policy, digest, origin: "compiled", problems, files };
  }
  if (cached) return { policy: cached.policy, digest: cached.digest, origin: "last-good", problems, files };
  return { ...standard, origin: "fallback", problems, files };
}

/** What holds without any policy file, compiled by `npm run generate`. */
const standard = defaults as { policy: Policy; digest: string };

/** Compiles without cache or fallback, for commands that want to see every problem. */
async function compileSources(
  sources: readonly Source[],
  registry: Registry,
): Promise<{ policy?: Policy; problems: Problem[] }> {
  const [{ readLayer }, { compile }] = await Promise.all([import("./read-layer.ts"), import("./compile.ts")]);
  const problems: Problem[] = [];
  const layers = sources.map((source) => {
    if (source.text === undefined) {
      const hint = "Make it a readable file, or remove it.";
      const text = `cannot be read (${source.trouble ?? "unknown"})`;
      problems.push({ file: source.file, line: 0, column: 0, key: "", text, hint, code: "HL_UNREADABLE" });
      return { name: source.layer, file: source.file, rules: {} };
    }
    const read = readLayer(source.layer, source.file, source.text, registry);
    problems.push(...read.problems);
    return read.layer;
  });
  if (problems.length > 0) return { problems };
  return { policy: compile(layers, registry), problems };
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
  return named.flatMap(([layer, file]) => (file ? readSource(layer, file) : []));
}

/** Anything in its place counts, also what cannot be read. */
function isThere(file: string): boolean {
  try {
    return lookAt(file) !== "missing";
  } catch {
    return true;
  }
}

const maxPolicy = 4 * 1024 * 1024;

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
}

/** Only a policy whose digest still fits counts: half a file, or one somebody changed, does not. */
function readCache(file: string): Cached | undefined {
  try {
    const cached: unknown = JSON.parse(readText(file, maxPolicy) ?? "");
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
