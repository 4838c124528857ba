import { telling, type AbilityIndex, type IndexedAbility } from "./ability-index.ts";
import { rarityOf } from "./everyday.ts";
import { contains, isInEnvironment, isInScope } from "./filter.ts";
import { mannerOf, type Manner } from "./manner.ts";
import type { Usage } from "./usage.ts";
import { termsOf, type Way } from "./_terms.ts";
import { everyStemIn } from "./words.ts";

/** What a search is about, besides the words. */
export interface Wanted {
  readonly scope?: string;
  readonly environment?: string;
  readonly usage?: Readonly<Record<string, Usage>>;
}

/** An ability that shares words with a prompt. */
export interface Candidate {
  readonly ability: IndexedAbility;
  readonly score: number;
  /** Words of the prompt it has, as they stand there. */
  readonly words: readonly string[];
  /** Those of them it has in another form: mistyped, in part, or another word for the same. */
  readonly taken: ReadonlySet<string>;
  /** The prompt has its very name. */
  readonly named: boolean;
  readonly usage?: Usage;
  readonly traits: Traits;
}

/** What tells how far a candidate can be believed, each from 0 to about 1. */
export interface Traits extends Manner {
  readonly strength: number;
  /** How far ahead of the next it is; below zero, how far behind the first. */
  readonly lead: number;
  /** How much of what the prompt says it explains. */
  readonly explained: number;
  readonly breadth: number;
  /** How much the best of the words it has is for one matter alone. */
  readonly keen: number;
  /** How many of the words of the prompt no ability has. */
  readonly unknown: number;
  readonly named: number;
  /** It is the best there is. */
  readonly first: number;
  /** It has the first word that counts, which mostly says what is to be done. */
  readonly leads: number;
  /** How few abilities there are. */
  readonly few: number;
  /** How little is said of it. */
  readonly terse: number;
}

/** Best first. What is ruled out, by a negative keyword, scope or environment, is not among them. */
export function match(prompt: string, index: AbilityIndex, wanted: Wanted = {}, most = 5): Candidate[] {
  const { found, said, unknown } = weigh(prompt, index);
  const plain = everyStemIn(prompt);
  const text = prompt.slice(0, longest).toLowerCase();
  const ranked: Ranked[] = [];
  for (const [at, seen] of found) {
    const ability = index.abilities[at];
    if (!ability || !isAllowed(ability, plain, wanted)) continue;
    const named = isNamed(ability.id.toLowerCase(), text);
    const usage = wanted.usage && own(wanted.usage, ability.id);
    const weight = seen.score + furtherWord * (seen.words.size - 1);
    const score = weight * levelShare(ability) * usageShare(usage) * (named ? namedShare : 1);
    ranked.push({ ability, seen, score, named, ...(usage ? { usage } : {}) });
  }
  ranked.sort((a, b) => b.score - a.score || (a.ability.id < b.ability.id ? -1 : 1));
  const about = { ...mannerOf(prompt), few: 1 / Math.log2(1 + index.abilities.length), unknown };
  return ranked.slice(0, most).map((each, at) => toCandidate(each, at, ranked, said, about));
}

/** What an ability shares with a prompt. */
interface Found {
  score: number;
  /** How much the words it has tell. */
  told: number;
  keen: number;
  /** It has the first of the words. */
  leads: boolean;
  readonly words: Set<string>;
  readonly taken: Set<string>;
}

interface Weighed {
  readonly found: ReadonlyMap<number, Found>;
  /** How much all words of the prompt tell. */
  readonly said: number;
  /** How many of its words nobody has, from 0 to 1. */
  readonly unknown: number;
}

/** Each word counts once for an ability, in whichever way it fits best. */
function weigh(prompt: string, { abilities, postings }: AbilityIndex): Weighed {
  const { words, pairs } = termsOf(prompt, postings);
  const found = new Map<number, Found>();
  const foundAt = (ability: number): Found => {
    const seen = found.get(ability) ?? {
      score: 0,
      told: 0,
      keen: 0,
      leads: false,
      words: new Set(),
      taken: new Set(),
    };
    found.set(ability, seen);
    return seen;
  };
  let said = 0;
  let unknown = 0;
  for (const [place, { word, key, ways }] of words.entries()) {
    const best = new Map<number, { weight: number; tells: number; way: Way }>();
    let most = 0;
    for (const way of ways) {
      const posted = own(postings, way.key) ?? [];
      const tells = telling(way.key, posted.length / 2, abilities.length) * way.share;
      most = Math.max(most, tells);
      for (let at = 0; at < posted.length; at += 2) {
        const ability = posted[at] ?? 0;
        const weight = (posted[at + 1] ?? 0) * way.share;
        if (weight > (best.get(ability)?.weight ?? 0)) best.set(ability, { weight, tells, way });
      }
    }
    if (ways.length === 0) unknown++;
    said += ways.length === 0 ? telling(key, 1, abilities.length) * unknownShare : most;
    for (const [ability, { weight, tells, way }] of best) {
      const seen = foundAt(ability);
      seen.score += weight;
      seen.told += tells;
      seen.keen = Math.max(seen.keen, rarityOf(way.key) * way.share);
      seen.words.add(word);
      if (way.how !== "itself") seen.taken.add(word);
      if (place === 0) seen.leads = true;
    }
  }
  for (const pair of pairs) {
    const posted = own(postings, pair) ?? [];
    for (let at = 0; at < posted.length; at += 2) foundAt(posted[at] ?? 0).score += posted[at + 1] ?? 0;
  }
  return { found, said, unknown: words.length === 0 ? 0 : unknown / words.length };
}

interface Ranked {
  readonly ability: IndexedAbility;
  readonly seen: Found;
  readonly score: number;
  readonly named: boolean;
  readonly usage?: Usage;
}

/** A word no ability has tells that the prompt may be about something else, and often nothing at all. */
const unknownShare = 0.6;
/** To be alone with one weak word is no lead. */
const doubt = 2;
const namedShare = 1.5;
/** Each further word of the prompt speaks for it, however weak. */
const furtherWord = 0.3;
const longest = 20_000;

/** Its very name stands there, and not as part of another; a name of one plain word is a word like any other. */
function isNamed(id: string, text: string): boolean {
  if (!/[_.-]/.test(id)) return false;
  for (let at = text.indexOf(id); at !== -1; at = text.indexOf(id, at + 1)) {
    const [before, after] = [text[at - 1] ?? " ", text[at + id.length] ?? " "];
    if (!/[\w-]/.test(before) && !/[\w-]/.test(after)) return true;
  }
  return false;
}

/** High-level abilities are looked at first: one that fits as well as an operation is preferred. */
const levelShare = ({ level }: IndexedAbility): number => (level === "high" ? 1.05 : 1);

/** What is called often, and works, was wanted often. Enough to decide between equals, and no more. */
function usageShare(usage: Usage | undefined): number {
  if (!usage || usage.calls === 0) return 1;
  const works = 1 - Math.min(1, usage.failures / usage.calls);
  return 1 + 0.1 * works * Math.min(1, Math.log2(1 + usage.calls) / 6);
}

function toCandidate(
  { ability, seen, score, named, usage }: Ranked,
  at: number,
  ranked: readonly Ranked[],
  said: number,
  about: Manner & Pick<Traits, "unknown" | "few">,
): Candidate {
  const best = ranked[0]?.score ?? score;
  const next = ranked[1]?.score ?? 0;
  return {
    ability,
    score,
    words: [...seen.words],
    taken: seen.taken,
    named,
    ...(usage ? { usage } : {}),
    traits: {
      strength: Math.log1p(score) / 3,
      lead: at === 0 ? (score - next) / (score + doubt) : (score - best) / (best + doubt),
      explained: said === 0 ? 0 : Math.min(1, seen.told / said),
      breadth: Math.min(seen.words.size, 4) / 4,
      keen: seen.keen,
      named: named ? 1 : 0,
      first: at === 0 ? 1 : 0,
      leads: seen.leads ? 1 : 0,
      terse: 1 / (1 + ability.whole / 10),
      ...about,
    },
  };
}

function isAllowed(
  { negative, scopes, environments }: IndexedAbility,
  stems: readonly string[],
  { scope, environment }: Wanted,
): boolean {
  if (!isInScope(scopes, scope) || !isInEnvironment(environments, environment)) return false;
  return !negative.some((each) => contains(stems, each));
}

const own = <T>(from: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(from, key) ? from[key] : undefined;
