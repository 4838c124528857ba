import fitted from "./confidence.generated.json";
import type { Traits } from "./match.ts";

/** In the order they were fitted in. */
export const traitNames = [
  "strength",
  "lead",
  "explained",
  "breadth",
  "keen",
  "unknown",
  "named",
  "first",
  "leads",
  "few",
  "terse",
  "asks",
  "codes",
  "makes",
  "points",
] as const satisfies (keyof Traits)[];

/** What was learned from labelled prompts; see corpus/routing. */
export interface Fitted {
  readonly bias: number;
  readonly weights: Readonly<Record<keyof Traits, number>>;
}

/** How sure one can be of a candidate, from 0 to 1: of those with 0.8, about eight in ten are right. */
export function confidenceOf(traits: Traits, { bias, weights }: Fitted = fitted): number {
  let sum = bias;
  for (const name of traitNames) sum += weights[name] * traits[name];
  // By words alone nobody is certain.
  return Math.min(99, Math.max(1, Math.round(100 / (1 + Math.exp(-sum))))) / 100;
}
