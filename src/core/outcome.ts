/** From silence to refusal. The strictest wins, whatever the order of rules. */
export const outcomes = ["pass", "allow", "warn", "ask", "block"] as const;

export type Outcome = (typeof outcomes)[number];

const rank = (outcome: Outcome): number => outcomes.indexOf(outcome);

export const isOutcome = (value: unknown): value is Outcome => outcomes.includes(value as Outcome);

export const isStricter = (a: Outcome, b: Outcome): boolean => rank(a) > rank(b);

/** Of findings, say. */
export function strictest(all: readonly { readonly outcome: Outcome }[]): Outcome {
  let worst: Outcome = "pass";
  for (const { outcome } of all) if (isStricter(outcome, worst)) worst = outcome;
  return worst;
}

export const mildest = (a: Outcome, b: Outcome): Outcome => (isStricter(a, b) ? b : a);
