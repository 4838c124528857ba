// Labelled prompts put to registries of several sizes, with hints and without: most repositories have a handful of abilities.
import { createHash } from "node:crypto";
import type { Ability } from "../../src/routing/ability.ts";
import { indexAbilities, type AbilityIndex } from "../../src/routing/ability-index.ts";
import type { LookPrompt, Prompt } from "./corpus.ts";

/** One prompt put to one registry. */
export interface Trial {
  readonly text: string;
  /** Those of the right abilities that are there. */
  readonly right: readonly string[];
  readonly index: AbilityIndex;
  readonly size: Size;
  /** Registry files with keywords and the like, or nothing but the rows of `ABILITY.md`. */
  readonly hints: boolean;
  /** Which prompt it is, by its place. */
  readonly prompt: number;
}

/** Prompts put to the registries they were written for, as they stand. */
export const lookTrials = (
  prompts: readonly LookPrompt[],
  registries: Readonly<Record<string, AbilityIndex>>,
): Trial[] =>
  prompts.flatMap(({ text, right, registry }, prompt) => {
    const index = registries[registry];
    return index ? [{ text, right, index, size: "all", hints: true, prompt }] : [];
  });

export const sizes = [3, 5, 10, 20, "all"] as const;
export type Size = (typeof sizes)[number];

/** So many prompts with a right ability are also put to a registry that lacks it: together with those about nothing, one in two. */
const absent = 0.6;

/**
 * For each size the abilities are dealt into registries, so that each is in exactly one. A prompt is put to the one that has a right
 * ability, and three in five also to another; one that nothing is right for to any of them. What is dealt goes by digests.
 */
export function trialsOf(prompts: readonly Prompt[], abilities: readonly Ability[]): Trial[] {
  return [true, false].flatMap((hints) =>
    sizes.flatMap((size) => {
      const dealt = deal(abilities, size);
      const registries = dealt.map((some) => ({
        ids: new Set(some.map(({ id }) => id)),
        index: indexAbilities(hints ? some : some.map(bare)),
      }));
      return prompts.flatMap(({ text, right }, prompt): Trial[] => {
        const put = (at: number): Trial[] => {
          const registry = registries[at];
          if (!registry) return [];
          const there = right.filter((id) => registry.ids.has(id));
          return [{ text, right: there, index: registry.index, size, hints, prompt }];
        };
        const number = digestOf(`${size} ${text}`);
        const others = registries.flatMap(({ ids }, at) => (right.some((id) => ids.has(id)) ? [] : [at]));
        const any = others[Math.floor(number * others.length)];
        if (right.length === 0) return put(any ?? 0);
        const own = registries.findIndex(({ ids }) => ids.has(right[0] ?? ""));
        const without = digestOf(`absent ${size} ${text}`) < absent && any !== undefined ? put(any) : [];
        return [...put(own), ...without];
      });
    }),
  );
}

function deal(abilities: readonly Ability[], size: Size): (readonly Ability[])[] {
  if (size === "all") return [abilities];
  const shuffled = abilities.toSorted((a, b) => digestOf(`${size} ${a.id}`) - digestOf(`${size} ${b.id}`));
  const whole = Math.floor(shuffled.length / size);
  return Array.from({ length: whole }, (_, at) => {
    // What is left over goes to the last one.
    const end = at === whole - 1 ? shuffled.length : (at + 1) * size;
    return shuffled.slice(at * size, end);
  });
}

const bare = ({ entry: _entry, ...row }: Ability): Ability => row;

/** From 0 to 1, the same for the same text. */
const digestOf = (text: string): number =>
  createHash("sha256").update(text).digest().readUInt32BE(0) / 0x1_0000_0000;
