// Fits how far a candidate can be believed, on the training split alone: a logistic regression over its traits, and over the
// predictions of a cross validation an isotonic table that says how often what was predicted came true.
import { match, type Traits } from "../../src/routing/match.ts";
import type { Fitted } from "../../src/routing/confidence.ts";
import { corpusIndex, promptsOf } from "./corpus.ts";

interface Sample {
  readonly fold: number;
  readonly traits: readonly number[];
  readonly right: number;
}

const names = [
  "strength",
  "lead",
  "explained",
  "fulfilled",
  "breadth",
  "pairs",
  "weak",
  "unknown",
  "named",
  "first",
  "asks",
  "codes",
] as const satisfies (keyof Traits)[];

const folds = 10;
const places = 3;

export async function fitConfidence(): Promise<Fitted> {
  const index = await corpusIndex();
  const samples = promptsOf("training").flatMap((prompt, at): Sample[] =>
    match(prompt.text, index, {}, places).map(({ ability, traits }) => ({
      fold: at % folds,
      traits: names.map((name) => traits[name]),
      right: prompt.right.includes(ability.id) ? 1 : 0,
    })),
  );
  const weights = regress(samples);
  const predicted = Array.from({ length: folds }, (_, fold) => {
    const without = regress(samples.filter((sample) => sample.fold !== fold));
    return samples
      .filter((sample) => sample.fold === fold)
      .map(({ traits, right }) => ({ chance: chanceOf(without, traits), right }));
  }).flat();
  return {
    bias: round(weights[0] ?? 0),
    weights: Object.fromEntries(names.map((name, at) => [name, round(weights[at + 1] ?? 0)])) as Record<
      keyof Traits,
      number
    >,
    table: isotonic(predicted).map(([from, to]) => [round(from), round(to)]),
  };
}

const round = (number: number): number => Math.round(number * 1000) / 1000;

const chanceOf = (weights: readonly number[], traits: readonly number[]): number =>
  1 /
  (1 + Math.exp(-traits.reduce((sum, value, at) => sum + value * (weights[at + 1] ?? 0), weights[0] ?? 0)));

/** Plain gradient descent with a pull towards nought: a few hundred samples need no more. */
function regress(samples: readonly Sample[]): number[] {
  const weights = Array.from({ length: names.length + 1 }, () => 0);
  const pull = 1 / samples.length;
  for (let turn = 0; turn < 4000; turn++) {
    const slope = weights.map((weight, at) => (at === 0 ? 0 : weight * pull));
    for (const { traits, right } of samples) {
      const off = (chanceOf(weights, traits) - right) / samples.length;
      slope[0] = (slope[0] ?? 0) + off;
      for (const [at, value] of traits.entries()) slope[at + 1] = (slope[at + 1] ?? 0) + off * value;
    }
    for (const [at, each] of slope.entries()) weights[at] = (weights[at] ?? 0) - 1.5 * each;
  }
  return weights;
}

/** Pools neighbours until more predicted never means less come true, in groups that are large enough to count. */
function isotonic(
  predicted: readonly { readonly chance: number; readonly right: number }[],
): [number, number][] {
  const least = 12;
  const groups = predicted
    .toSorted((a, b) => a.chance - b.chance)
    .map(({ chance, right }) => ({ chance, right, count: 1 }));
  const rate = ({ right, count }: { right: number; count: number }): number => (right + 0.5) / (count + 1);
  for (let at = 1; at < groups.length;) {
    const [before, here] = [groups[at - 1], groups[at]];
    if (!before || !here) break;
    if (before.count < least || here.count < least ? true : rate(before) >= rate(here)) {
      const joined = {
        chance: before.chance + here.chance,
        right: before.right + here.right,
        count: before.count + here.count,
      };
      if (before.count < least || rate(before) >= rate(here)) {
        groups.splice(at - 1, 2, joined);
        at = Math.max(1, at - 1);
        continue;
      }
    }
    at++;
  }
  return groups.map((group) => [group.chance / group.count, rate(group)]);
}
