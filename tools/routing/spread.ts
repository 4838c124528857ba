import { stemsIn } from "../../src/routing/words.ts";
import { promptsOf } from "./corpus.ts";

/** By a stem, in prompts of the training split about how many different abilities it stands; each prompt about none is a matter of its own. */
export function spreadOfWords(): Record<string, number> {
  const matters = new Map<string, Set<string>>();
  for (const { text, right } of promptsOf("training"))
    for (const stem of stemsIn(text)) {
      const seen = matters.get(stem) ?? new Set();
      matters.set(stem, seen.add(right[0] ?? text));
    }
  const several = [...matters]
    .map(([stem, { size }]) => [stem, size] as const)
    .filter(([, size]) => size > 1);
  return Object.fromEntries(several.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
