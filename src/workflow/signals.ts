import type { Event } from "../core/event.ts";
import type { World } from "../core/world.ts";

/** What the agent said last: the payload has it, or else its transcript. Empty when it only used tools. */
export const lastWords = (event: Event, world: World): string | undefined =>
  event.said ?? (event.transcript === undefined ? undefined : world.said(event.transcript));

/** Is it a subagent whose event this is? The main agent may have a type, but no id of its own. */
export const isSubagents = ({ agent }: Event): boolean => agent?.id !== undefined;

/** How often in a row the agent was kept from stopping before this. Whoever always asks for more holds it for ever. */
export function holdsBefore({ heldBefore, session }: Event, world: World): number {
  if (heldBefore === false) return 0;
  const known = session === undefined ? 0 : world.holds(session);
  return heldBefore === true ? Math.max(1, known) : known;
}

/** Is it a name that can stand in `<name>…</name>`? */
export const isTag = (name: string): boolean => /^[A-Za-z][\w.-]*$/.test(name);

/**
 * The values of a tag in the order they stand in a text: from an opening tag to the next closing one, over lines,
 * with white space trimmed and collapsed. Letter case counts.
 *
 * @example
 * extract("All done. <score>85</score>", "score"); // ["85"]
 */
export function extract(text: string, tag: string): string[] {
  const values: string[] = [];
  const open = `<${tag}>`;
  const close = `</${tag}>`;
  for (let at = text.indexOf(open); at !== -1; at = text.indexOf(open, at)) {
    const from = at + open.length;
    const end = text.indexOf(close, from);
    if (end === -1) break;
    values.push(text.slice(from, end).trim().replace(/\s+/g, " "));
    at = end + close.length;
  }
  return values;
}

/** What a value has to be to be good enough. */
export interface Limits {
  /** None means any. */
  readonly values: readonly string[];
  readonly min: number | null;
  readonly max: number | null;
}

export function isGoodEnough(value: string, { values, min, max }: Limits): boolean {
  const number = numberIn(value);
  return (
    (values.length === 0 || values.includes(value)) &&
    (min === null || (number !== undefined && number >= min)) &&
    (max === null || (number !== undefined && number <= max))
  );
}

/** A value as a number, when it is nothing but one. */
export function numberIn(value: string): number | undefined {
  const number = value === "" ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : undefined;
}
