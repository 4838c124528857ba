import spread from "./everyday.generated.json";

/** In prompts about how many different things a stem was seen; corpus/routing has them. */
const seen: Readonly<Record<string, number>> = spread;

/** How much a stem is for one matter alone, from 0 to 1. People say `test` and `run` about anything, and `postmortem` about one thing. */
export const rarityOf = (stem: string): number =>
  5 / (4 + (Object.hasOwn(seen, stem) ? (seen[stem] ?? 1) : 1));
