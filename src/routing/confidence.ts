import fitted from "./confidence.generated.json";
import type { Traits } from "./match.ts";

/** What was learned from labelled prompts; see corpus/routing. */
export interface Fitted {
  readonly bias: number;
  readonly weights: Readonly<Record<keyof Traits, number>>;
  /** How often it came true, by what was predicted; rising. */
  readonly table: readonly (readonly number[])[];
}

/** How sure one can be of a candidate, from 0 to 1: of those with 0.8, about eight in ten are right. */
export function confidenceOf(traits: Traits, { bias, weights, table }: Fitted = fitted): number {
  let sum = bias;
  for (const name in weights) sum += weights[name as keyof Traits] * traits[name as keyof Traits];
  return Math.round(read(1 / (1 + Math.exp(-sum)), table) * 100) / 100;
}

/** Between two entries, a line; beyond the ends, the end. */
function read(chance: number, table: Fitted["table"]): number {
  let before = table[0] ?? [0, chance];
  for (const entry of table) {
    const [from = 0, to = 0] = entry;
    const [last = 0, value = 0] = before;
    if (chance <= from) {
      if (from === last) return to;
      return value + ((to - value) * Math.max(0, chance - last)) / (from - last);
    }
    before = entry;
  }
  return before[1] ?? chance;
}
