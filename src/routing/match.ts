import { pairOf, telling, type AbilityIndex, type IndexedAbility } from "./ability-index.ts";
import { contains, isInEnvironment, isInScope } from "./filter.ts";
import type { Usage } from "./usage.ts";
import { stem } from "./_stem.ts";
import { everyStemIn, isCommon, stemsIn, wordsIn } from "./words.ts";

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
  /** Words that were taken for others, because of a slip. */
  readonly slips: readonly string[];
  /** The prompt has its very name. */
  readonly named: boolean;
  readonly usage?: Usage;
  readonly traits: Traits;
}

/** What tells how far a candidate can be believed, each from 0 to about 1. */
export interface Traits {
  readonly strength: number;
  /** How far ahead of the next it is; below zero, how far behind the first. */
  readonly lead: number;
  /** How much of what the prompt says it explains. */
  readonly explained: number;
  /** How much of what it says of itself the prompt has. */
  readonly fulfilled: number;
  readonly breadth: number;
  /** How many of its neighbouring words are neighbours in the prompt. */
  readonly pairs: number;
  /** How many of the words it shares everybody uses for everything. */
  readonly weak: number;
  /** How many words of the prompt no ability has. */
  readonly unknown: number;
  readonly named: number;
  /** It is the best there is. */
  readonly first: number;
  /** The prompt asks what something is, or how it works. */
  readonly asks: number;
  /** The prompt is about writing code. */
  readonly codes: number;
}

/** Best first. What is ruled out, by a negative keyword, scope or environment, is not among them. */
export function match(prompt: string, index: AbilityIndex, wanted: Wanted = {}, most = 5): Candidate[] {
  const terms = termsOf(prompt, index);
  const found = new Map<number, Found>();
  let said = 0;
  let unknown = 0;
  for (const term of terms.values()) {
    const postings = own(index.postings, term.key) ?? [];
    if (!term.key.includes(" ")) {
      if (postings.length === 0) unknown++;
      said +=
        telling(term.key, Math.max(1, postings.length / 2), index.abilities.length) *
        (postings.length === 0 ? unknownShare : 1);
    }
    for (let at = 0; at < postings.length; at += 2) {
      const ability = postings[at] ?? 0;
      const weight = (postings[at + 1] ?? 0) * term.share;
      const seen = found.get(ability) ?? {
        score: 0,
        words: new Set(),
        slips: new Set(),
        rare: 0,
        own: 0,
        pairs: 0,
        weak: 0,
      };
      found.set(ability, seen);
      seen.score += weight;
      if (term.key.includes(" ")) {
        seen.pairs++;
        continue;
      }
      if (isCommon(term.key)) seen.weak++;
      seen.words.add(term.word);
      if (term.share < 1) seen.slips.add(term.word);
      seen.rare += telling(term.key, postings.length / 2, index.abilities.length) * term.share;
      seen.own += weight;
    }
  }
  const plain = everyStemIn(prompt);
  const text = prompt.slice(0, longest).toLowerCase();
  const ranked: Ranked[] = [];
  for (const [at, seen] of found) {
    const ability = index.abilities[at];
    if (!ability || !isAllowed(ability, plain, wanted)) continue;
    const named = isNamed(ability.id.toLowerCase(), text);
    const usage = wanted.usage && own(wanted.usage, ability.id);
    const score = seen.score * levelShare(ability) * usageShare(usage) * (named ? namedShare : 1);
    ranked.push({ ability, seen, score, named, ...(usage ? { usage } : {}) });
  }
  ranked.sort((a, b) => b.score - a.score || (a.ability.id < b.ability.id ? -1 : 1));
  const manner = mannerOf(prompt);
  // What the rarest of words weighs goes by how many abilities there are; how far one can be believed must not.
  const scale = usualTop / telling("", 1, Math.max(2, index.abilities.length));
  const about = { ...manner, unknown: Math.min(unknown, 6) / 6 };
  return ranked.slice(0, most).map((each, at) => toCandidate(each, at, ranked, scale, said, about));
}

interface Found {
  score: number;
  readonly words: Set<string>;
  readonly slips: Set<string>;
  rare: number;
  own: number;
  pairs: number;
  weak: number;
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
const slipShare = 0.7;
/** To be alone with one weak word is no lead. */
const doubt = 2;
const namedShare = 1.5;

/** The rarest word among the abilities of the corpus. */
const usualTop = 3.73;
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
  scale: number,
  said: number,
  manner: Pick<Traits, "asks" | "codes" | "unknown">,
): Candidate {
  const best = (ranked[0]?.score ?? score) * scale;
  const next = (ranked[1]?.score ?? 0) * scale;
  const own = score * scale;
  return {
    ability,
    score,
    words: [...seen.words],
    slips: [...seen.slips],
    named,
    ...(usage ? { usage } : {}),
    traits: {
      strength: Math.log1p(own) / 3,
      lead: at === 0 ? (own - next) / (own + doubt) : (own - best) / (best + doubt),
      explained: said === 0 ? 0 : Math.min(1, seen.rare / said),
      fulfilled: ability.whole === 0 ? 0 : Math.min(1, seen.own / ability.whole),
      breadth: Math.min(seen.words.size, 4) / 4,
      pairs: Math.min(seen.pairs, 3) / 3,
      weak: seen.words.size === 0 ? 0 : seen.weak / seen.words.size,
      named: named ? 1 : 0,
      first: at === 0 ? 1 : 0,
      ...manner,
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

/** A word of the prompt as the index may know it. */
interface Term {
  readonly key: string;
  readonly word: string;
  readonly share: number;
}

const mostSlips = 12;

/** Each stem once, pairs of neighbours, words written apart that the index has in one, and words with one slip in them. */
function termsOf(prompt: string, { postings }: AbilityIndex): ReadonlyMap<string, Term> {
  const terms = new Map<string, Term>();
  const put = (key: string, word: string, share: number): void => {
    const before = terms.get(key);
    if (!before || before.share < share) terms.set(key, { key, word, share });
  };
  const words = wordsIn(prompt);
  const stems: string[] = [];
  let unknown = 0;
  for (const [at, word] of words.entries()) {
    const together = at + 1 < words.length ? stem(word + (words[at + 1] ?? "")) : "";
    if (together !== "" && Object.hasOwn(postings, together)) put(together, `${word} ${words[at + 1]}`, 1);
    for (const key of stemsIn(word)) {
      const known = Object.hasOwn(postings, key);
      const meant =
        known || key.length < 5 || /\d/.test(key) || ++unknown > mostSlips
          ? undefined
          : slipOf(key, postings);
      if (meant === undefined) put(key, word, 1);
      else put(meant, word, slipShare);
      stems.push(meant ?? key);
    }
  }
  for (const [at, key] of stems.entries()) {
    const next = stems[at + 1];
    if (next !== undefined && next !== key) put(pairOf(key, next), `${key} ${next}`, 1);
  }
  return terms;
}

/** The stem of the index that differs by one slip of the finger; nothing when there is none. */
function slipOf(word: string, postings: AbilityIndex["postings"]): string | undefined {
  for (const key of Object.keys(postings)) {
    if (Math.abs(key.length - word.length) > 1 || key[0] !== word[0]) continue;
    if (key.includes(" ")) continue;
    if (isOneSlip(key, word)) return key;
  }
  return undefined;
}

/** One letter more, less, or another, or two neighbours exchanged. */
function isOneSlip(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  if (restA.slice(1) === restB || restA === restB.slice(1) || restA.slice(1) === restB.slice(1)) return true;
  return (
    restA.length === restB.length &&
    restA[0] === restB[1] &&
    restA[1] === restB[0] &&
    restA.slice(2) === restB.slice(2)
  );
}

const asking =
  /^\s*(?:(?:can|could) you )?(?:please )?(?:explain\b(?! plan)|define\b|describe\b|what(?:'s| is) (?:an?|the (?:difference|meaning|point))\b|what (?:does|do|are)\b.*\b(?:mean|stand for|pros|difference)|how (?:do|does|would|should|could) (?:i|you|we|one|our|the|this)\b|why do we\b|where in\b|tell me about\b|was (?:ist|bedeutet)\b)/i;
const coding =
  /\b(?:implement|components?|buttons?|variables?|enums?|regex|loops?|callbacks?|cookies?|snippets?|spinner|(?:write|create|add) (?:an?|the|some) (?:new )?(?:\w+ )?(?:function|class|interface|script|type|hook|field|component|readme|endpoint|method|page)|make the \w+(?: \w+)? (?:configurable|sortable|optional|bigger|smaller|blue|red)|schreib)\b/i;

const mannerOf = (prompt: string): Pick<Traits, "asks" | "codes"> => {
  const start = prompt.slice(0, 2000);
  return { asks: asking.test(start) ? 1 : 0, codes: coding.test(start) ? 1 : 0 };
};

const own = <T>(from: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(from, key) ? from[key] : undefined;
