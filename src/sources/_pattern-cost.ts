/**
 * How many ways a regular expression has to fail at most, roughly, on a name of `long` characters. Matchers come with a
 * repository and are tried before anybody has trusted it, and nothing can interrupt a regular expression: one like `(\w|\w)*!` would
 * keep the answer to a dangerous call back until the agent goes ahead without it.
 */
export function patternCost(pattern: string): number {
  let at = 0;

  const choice = (): number => {
    let cost = sequence();
    while (pattern[at] === "|") {
      at++;
      cost += sequence();
    }
    return cost;
  };

  const sequence = (): number => {
    let cost = 1;
    while (at < pattern.length && pattern[at] !== "|" && pattern[at] !== ")") cost *= repeated(atom());
    return cost;
  };

  /** A character, a class or a group. */
  const atom = (): number => {
    const first = pattern[at++];
    if (first === "(") {
      const mark = /^\?(?:[:=!]|<[=!]|<\w+>)/.exec(pattern.slice(at, at + 80))?.[0] ?? "";
      at += mark.length;
      const cost = choice();
      at++;
      return cost;
    }
    if (first === "\\") at++;
    else if (first === "[")
      for (; at < pattern.length && pattern[at - 1] !== "]"; at++) if (pattern[at] === "\\") at++;
    return 1;
  };

  const repeated = (cost: number): number => {
    const [all = "", from, comma, to] =
      /^(?:[*+?]|\{(\d+)(,)?(\d*)\})\??/.exec(pattern.slice(at, at + 40)) ?? [];
    if (all === "") return cost;
    at += all.length;
    if (all.startsWith("?")) return 1 + cost;
    const least = Number(from ?? 0);
    const most = from === undefined || (comma !== undefined && to === "") ? long : Number(comma ? to : from);
    // A choice that comes again with every repetition: as many ways as there are sequences of choices.
    return cost > 1 ? cost ** Math.min(most, long) : Math.min(most - least + 1, long);
  };

  return choice();
}

const long = 64;

/** Three things that may be of any length, and some alternatives. */
export const dearest = 2_000_000;
