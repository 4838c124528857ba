import { resolve } from "node:path";
import { isObject } from "../../core/json.ts";
import { isOneOf } from "../../core/one-of.ts";
import type { World } from "../../core/world.ts";
import { hasFlag, plainWords } from "./_runs.ts";

/** What a package manager would put in the place of the guard or of an agent: `ask` where that cannot be told. */
export function replacesProgram(
  program: string,
  words: readonly string[],
  cwd: string,
  world: World,
): "ask" | "block" | undefined {
  if (!isOneOf(program, "npm pnpm yarn bun")) return undefined;
  const plain = plainWords(words);
  const [first = "", second = ""] = plain;
  const isLink = first === "link" || first === "ln";
  const isGlobally = hasFlag(words, "-g", "--global", "--location") || first === "global" || isLink;
  const verb = first === "global" ? second : first;
  if (!isLink && !isOneOf(verb, "install i in add isntall update up upgrade")) return undefined;
  const given = plain.slice(first === "global" ? 2 : 1);
  const specs = isLink && given.length === 0 ? ["."] : given;
  let found: "ask" | undefined;
  for (const spec of specs) {
    const outcome = isFile(spec)
      ? byPackage(resolve(cwd, spec.replace(/^(?:file|link):/, "")), isGlobally, world)
      : byName(spec, isGlobally, words);
    if (outcome === "block") return outcome;
    found ??= outcome;
  }
  return found;
}

const isFile = (spec: string): boolean => /^(?:\.{0,2}\/|~|\.{1,2}$|file:|link:)|\.t(?:ar\.)?gz$/.test(spec);

/** A package of the registry: others cannot take a program's place that belongs to another, unless they are told to. */
function byName(spec: string, isGlobally: boolean, words: readonly string[]): "ask" | undefined {
  const [, name = "", version] = /^((?:@[^/@]+\/)?[^@]+)(?:@(.*))?$/.exec(spec) ?? [];
  if (/^(?:@hookline\/[\w-]+|hookline)$/.test(name)) return version === undefined ? undefined : "ask";
  if (!isGlobally) return undefined;
  if (hasFlag(words, "--force")) return "ask";
  return isAgentPackage(name) && isPinned(version) ? "ask" : undefined;
}

/** Older versions know fewer hooks, or none. */
export const isPinned = (version: string | undefined): boolean =>
  version !== undefined && !/^(?:latest|stable|next|preview|nightly|beta)?$/.test(version);

const isAgentPackage = (name: string): boolean =>
  /^(?:@anthropic-ai\/claude-code|@openai\/codex|@github\/copilot|@google\/gemini-cli|@qwen-code\/qwen-code|opencode-ai)$/.test(
    name,
  );

/** A folder by the programs its `package.json` names; what is packed cannot be seen. */
function byPackage(folder: string, isGlobally: boolean, world: World): "ask" | "block" | undefined {
  const unknown = isGlobally ? "ask" : undefined;
  let made: unknown;
  try {
    made = JSON.parse(world.read(resolve(folder, "package.json")) ?? "");
  } catch {
    return unknown;
  }
  if (!isObject(made)) return unknown;
  const { name, bin, directories } = made;
  if (isObject(directories) && directories["bin"] !== undefined) return unknown;
  const own = typeof name === "string" ? name.replace(/^@[^/]*\//, "") : "";
  const programs = typeof bin === "string" ? [own] : isObject(bin) ? Object.keys(bin) : [];
  const stands = programs.some((each) =>
    isOneOf(
      each,
      "hookline hookline-warm claude codex copilot gemini qwen opencode cursor-agent node npm npx bun sh bash git env",
    ),
  );
  return stands ? "block" : undefined;
}
