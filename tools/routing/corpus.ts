// The labelled prompts the matcher is fitted and measured on: corpus/routing.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parse, stringify } from "yaml";
import { liveWorld } from "../../src/platform/live-world.ts";
import type { Ability } from "../../src/routing/ability.ts";
import { loadAbilities } from "../../src/routing/load-abilities.ts";

const folder = join(import.meta.dir, "../../corpus/routing");

export interface Prompt {
  readonly text: string;
  /** Any of these is right; empty: nothing is. */
  readonly right: readonly string[];
  readonly split: Split;
  /** In whose voice it is written, where that decides the split. */
  readonly by?: string;
}

/**
 * The matcher is worked on with `training`, and how sure it may be of itself is read off `calibration`. On `evaluation` nothing is
 * fitted, nor are its misses looked at; those of `fresh` were written when the matcher was done.
 */
export type Split = "training" | "calibration" | "evaluation" | "fresh";

export const promptsOf = (split: Split): Prompt[] =>
  split === "fresh"
    ? promptsIn("fresh.jsonl").map((prompt) => ({ ...prompt, split }))
    : promptsIn("prompts.jsonl").filter((prompt) => prompt.split === split);

/** Where the prompts of the look go: the registry of the corpus and two small ones, of trades it knows nothing of. */
export const lookRegistries = {
  company: "abilities.yaml",
  firmware: "look/firmware.yaml",
  models: "look/models.yaml",
};

/** A prompt that somebody who had not seen the matcher wrote to see how it does, and the registry it goes to. */
export interface LookPrompt extends Prompt {
  readonly registry: keyof typeof lookRegistries;
}

export const lookPrompts = (): LookPrompt[] => promptsIn<LookPrompt>("look/prompts.jsonl");

const promptsIn = <T = Prompt>(file: string): T[] =>
  readFileSync(join(folder, file), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);

interface Described {
  readonly id: string;
  readonly level?: "low";
  readonly kind: string;
  readonly scope: string;
  readonly use: string;
  readonly keywords?: readonly string[];
  readonly negative?: readonly string[];
  readonly synonyms?: object;
  readonly environments?: readonly string[];
}

/** The files of a registry with all abilities of the corpus, or of another file, and as many made-up ones as wanted besides. */
export function registryFiles(more = 0, from = "abilities.yaml"): Record<string, string> {
  const described = parse(readFileSync(join(folder, from), "utf8")) as Described[];
  const all = [...described, ...Array.from({ length: more }, (_, at) => madeUp(at))];
  const rows = (level: "low" | undefined): string =>
    all
      .filter((each) => each.level === level)
      .map(({ id, kind, scope, use }) => `| ${id} | ${kind} | ${scope} | ${use} | ${fileOf(id, level)} |\n`)
      .join("");
  const rule = "|---|---|---|---|---|\n";
  const files: Record<string, string> = {
    "ABILITY.md":
      `# Abilities\n\n| Id | Type | Scope | When to use | Registry path |\n${rule}${rows(undefined)}\n` +
      `| Operation key | Kind | Scope | Summary | Registry path |\n${rule}${rows("low")}`,
  };
  for (const { id, level, kind, use, keywords, negative, synonyms, environments } of all)
    files[fileOf(id, level)] = stringify({
      ...(level === "low" ? { operation_key: id, kind } : { id, type: kind }),
      version: "1",
      summary: use,
      ...(environments ? { scope: { environments } } : {}),
      routing_hints: {
        keywords: keywords ?? [],
        ...(negative ? { negative_keywords: negative } : {}),
        ...(synonyms ? { synonyms } : {}),
      },
    });
  return files;
}

const fileOf = (id: string, level: "low" | undefined): string =>
  `.system/registry/${level === "low" ? "low" : "high"}-level/${id}.yaml`;

const syllables = ["ba", "co", "di", "fu", "ge", "ha", "ki", "lo", "mu", "ne", "po", "ra", "si", "to", "vu"];

/** An ability about something nobody in the corpus talks of, in words of its own and some that many have. */
function madeUp(at: number): Described {
  const word = (salt: number): string => {
    let rest = at * 7919 + salt * 104_729 + 13;
    let text = "";
    for (let length = 0; length < 4; length++) {
      text += syllables[rest % syllables.length];
      rest = Math.floor(rest / syllables.length) + salt * 31 + at;
    }
    return text;
  };
  const common = ["report", "check", "update", "service", "customer", "data"][at % 6] ?? "report";
  return {
    id: `${word(1)}_${word(2)}_${at}`,
    kind: "workflow",
    scope: word(3),
    use: `Handle the ${word(1)} ${word(2)} ${common} of ${word(4)}`,
    keywords: [word(5), `${word(6)} ${word(7)}`],
  };
}

/** Writes files below a throw-away folder for as long as the work takes. */
export async function inFolder<T>(
  files: Readonly<Record<string, string>>,
  work: (root: string) => T | Promise<T>,
): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), "hookline-routing-"));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    return await work(liveWorld({}).realPath(root));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** The abilities of the corpus, or of another file of it, read from files like any others. */
export const corpusAbilities = (from?: string): Promise<readonly Ability[]> =>
  inFolder(registryFiles(0, from), (root) => {
    const { abilities, problems } = loadAbilities(root, liveWorld({}));
    if (problems.length > 0) throw new Error(JSON.stringify(problems[0]));
    return abilities;
  });
