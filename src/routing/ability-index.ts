import type { Ability, AbilityKind, Level } from "./ability.ts";
import { rarityOf } from "./everyday.ts";
import { everyStemIn, isCommon, stemsIn } from "./words.ts";

/** What a search needs to know of an ability besides its words. */
export interface IndexedAbility {
  readonly id: string;
  readonly level: Level;
  readonly kind: AbilityKind;
  readonly use: string;
  readonly scopes: readonly string[];
  readonly environments?: readonly string[];
  /** Stems all of which must be there, one after the other, to rule it out. */
  readonly negative: readonly (readonly string[])[];
  /** How much its own words weigh together. */
  readonly whole: number;
}

/** Everything a search reads, as plain JSON: weights are worked out once, when the registry has changed. */
export interface AbilityIndex {
  readonly abilities: readonly IndexedAbility[];
  /** By stem, or by two neighbouring stems in alphabetical order: ability, weight, ability, weight … */
  readonly postings: Readonly<Record<string, readonly number[]>>;
}

/** How much a word counts by where it stands. */
const weights = { id: 2, keyword: 2.5, use: 1.6, summary: 1, scenario: 1, scope: 0.8, notes: 0.4 } as const;
const synonymShare = 0.8;
const pairShare = 0.5;

// The usual constants of BM25: how soon more of the same stops to matter, and how far a long description counts less.
const saturation = 1.2;
const lengthShare = 0.5;

/** Only what an `ABILITY.md` names can be found. */
export function indexAbilities(all: readonly Ability[]): AbilityIndex {
  const abilities = all.filter(({ listed }) => listed);
  const counts = abilities.map(countsOf);
  const lengths = counts.map((words) => sum(words.values()));
  const usual = lengths.length === 0 ? 1 : Math.max(1, sum(lengths) / lengths.length);
  const spread = new Map<string, number>();
  for (const words of counts) for (const word of words.keys()) spread.set(word, (spread.get(word) ?? 0) + 1);
  const postings: Record<string, number[]> = {};
  const whole = counts.map((words, at) => {
    const norm = 1 - lengthShare + (lengthShare * (lengths[at] ?? 0)) / usual;
    let total = 0;
    const own = new Map<string, number>();
    const post = (key: string, weight: number): void => {
      // A word such as `constructor` is a key like any other.
      if (!Object.hasOwn(postings, key)) Object.defineProperty(postings, key, { value: [], ...plainKey });
      postings[key]?.push(at, round(weight));
    };
    for (const [word, count] of words) {
      if (word.includes(" ")) continue;
      const tf = count / norm;
      const weight = telling(word, spread.get(word) ?? 1, abilities.length) * (tf / (tf + saturation));
      own.set(word, weight);
      post(word, weight);
      total += weight;
    }
    // Two words together say more than both of them apart, and no more than the weaker of them.
    for (const pair of words.keys()) {
      const [a = "", b = ""] = pair.split(" ");
      if (b !== "") post(pair, pairShare * Math.min(own.get(a) ?? 0, own.get(b) ?? 0));
    }
    return round(total);
  });
  return { abilities: abilities.map((ability, at) => indexed(ability, whole[at] ?? 0)), postings };
}

const plainKey = { enumerable: true, configurable: true, writable: true } as const;

/**
 * How much a word tells that this many of all abilities have. A word that people use for everything tells less. A handful of abilities does not
 * tell which words are rare, so it is taken for part of a larger registry.
 */
export const telling = (stem: string, having: number, all: number): number =>
  Math.log(1 + (all + usualSize - having + 0.5) / (having + 0.5)) *
  (isCommon(stem) ? commonShare : 1) *
  (1 - everydayShare + everydayShare * rarityOf(stem));

const commonShare = 0.5;
const everydayShare = 0.6;
const usualSize = 60;

function countsOf({ id, use, scopes, entry }: Ability): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    const stems = stemsIn(text);
    for (const [at, stem] of stems.entries()) {
      counts.set(stem, (counts.get(stem) ?? 0) + weight);
      const next = stems[at + 1];
      if (next === undefined || next === stem) continue;
      const pair = pairOf(stem, next);
      counts.set(pair, 0);
    }
  };
  add(id, weights.id);
  add(use, weights.use);
  for (const scope of scopes) add(scope, weights.scope);
  if (!entry) return counts;
  for (const keyword of entry.hints.keywords) add(keyword, weights.keyword);
  if (entry.summary !== use) add(entry.summary, weights.summary);
  for (const scenario of entry.scenarios) add(scenario, weights.scenario);
  for (const scope of [...entry.modules, ...entry.hints.scopes])
    if (!scopes.includes(scope)) add(scope, weights.scope);
  add(entry.hints.notes, weights.notes);
  if (entry.operationKey !== undefined) add(entry.operationKey, weights.scope);
  for (const [word, others] of Object.entries(entry.hints.synonyms)) {
    const own = Math.max(...stemsIn(word).map((stem) => counts.get(stem) ?? 0), weights.scope);
    for (const other of others) add(other, own * synonymShare);
  }
  return counts;
}

/** Two stems as one key, in whichever order they stand. */
export const pairOf = (a: string, b: string): string => (a < b ? `${a} ${b}` : `${b} ${a}`);

const indexed = ({ id, level, kind, use, scopes, entry }: Ability, whole: number): IndexedAbility => ({
  id,
  level,
  kind,
  use,
  scopes: [...new Set([...scopes, ...(entry ? [...entry.modules, ...entry.hints.scopes] : [])])],
  ...(entry?.environments ? { environments: entry.environments } : {}),
  negative: (entry?.hints.negative ?? []).map(everyStemIn).filter((stems) => stems.length > 0),
  whole,
});

const sum = (numbers: Iterable<number>): number => {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
};

const round = (number: number): number => Math.round(number * 1000) / 1000;
