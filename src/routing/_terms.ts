import { pairOf, type AbilityIndex } from "./ability-index.ts";
import { isSlip } from "./_slip.ts";
import { stem } from "./_stem.ts";
import { kinOf } from "./thesaurus.ts";
import { stemsIn, wordsIn } from "./words.ts";

/** How a word of a prompt may be meant, as a key of the index. */
export interface Way {
  readonly key: string;
  readonly share: number;
  /** `slip`: as another word that was mistyped; `kin`: as another word for the same; `part`: as part of a longer one. */
  readonly how: "itself" | "slip" | "kin" | "part";
}

/** A word of a prompt, with all the index knows it by. */
export interface Term {
  readonly word: string;
  readonly key: string;
  /** Only such as the index has; none where nobody uses the word. */
  readonly ways: readonly Way[];
}

export interface Terms {
  readonly words: readonly Term[];
  /** Two neighbours as one key. */
  readonly pairs: readonly string[];
}

const slipShare = 0.7;
const kinShare = 0.6;
const partShare = 0.6;
const mostSlips = 12;
const leastPart = 4;
/** Longer ones are no words. */
const mostLetters = 60;

type Postings = AbilityIndex["postings"];

/** Each word of a prompt that counts, once. */
export function termsOf(prompt: string, postings: Postings): Terms {
  const found = new Map<string, Term>();
  const { text, names } = namesApart(prompt);
  const words = wordsIn(text);
  const stems: string[] = [];
  let unknown = 0;
  for (const [at, word] of words.entries()) {
    const next = words[at + 1];
    const together = next === undefined ? "" : stem(word + next);
    if (together !== "" && has(postings, together))
      found.set(together, {
        word: `${word} ${next}`,
        key: together,
        ways: [{ key: together, share: 1, how: "itself" }],
      });
    for (const key of stemsIn(word)) {
      const known = found.get(key) ?? {
        word,
        key,
        ways: waysOf(key, postings, () => ++unknown <= mostSlips),
      };
      found.set(key, known);
      stems.push(known.ways.find(({ how }) => how === "itself" || how === "slip")?.key ?? key);
    }
  }
  for (const word of wordsIn(names))
    for (const key of stemsIn(word)) {
      if (found.has(key) || !has(postings, key)) continue;
      found.set(key, { word, key, ways: [{ key, share: nameShare, how: "itself" }] });
    }
  const pairs = new Set<string>();
  for (const [at, key] of stems.entries()) {
    const next = stems[at + 1];
    if (next !== undefined && next !== key) pairs.add(pairOf(key, next));
  }
  return { words: [...found.values()], pairs: [...pairs] };
}

/** What something is called says little of what is wanted with it. */
function namesApart(prompt: string): { readonly text: string; readonly names: string } {
  const names: string[] = [];
  const text = prompt.slice(0, longest).replace(/\S+/g, (each) => {
    if (each.length > longestName || !isName(each)) return each;
    names.push(each);
    return " ";
  });
  return { text, names: names.join(" ") };
}

/** `docs.example.org`, `src/parser.ts`, `a@b.org`, `OrderService`. The patterns are for single words: in a text they would start anew at every letter. */
function isName(word: string): boolean {
  const bare = word.replace(/^[^\w/@]+|[^\w/]+$/g, "");
  return (
    /^(?:https?:\/\/|[\w.+-]+@[\w-])/.test(bare) ||
    /^[\w./-]*[\w-]\.[a-z]{2,5}(?:\/.*)?$/.test(bare) ||
    /^(?:[a-z]+|[A-Z][a-z]+)(?:[A-Z][a-z]+)+$/.test(bare)
  );
}

const longest = 20_000;
const longestName = 200;
const nameShare = 0.4;

function waysOf(key: string, postings: Postings, mayTry: () => boolean): Way[] {
  const kin = [...kinOf(key)].filter((other) => has(postings, other));
  const ways: Way[] = kin.map((other) => ({ key: other, share: kinShare, how: "kin" }));
  if (has(postings, key)) return [{ key, share: 1, how: "itself" }, ...ways];
  if (ways.length > 0 || key.length < leastPart || key.length > mostLetters || /\d/.test(key) || !mayTry())
    return ways;
  const slip = Object.keys(postings).find((other) => !other.includes(" ") && isSlip(other, key));
  if (slip !== undefined) return [{ key: slip, share: slipShare, how: "slip" }];
  return partsOf(key, postings);
}

/** Words that are written together, as German does: what one begins and what it ends with. */
function partsOf(key: string, postings: Postings): Way[] {
  const parts: Way[] = [];
  const put = (part: string): boolean => {
    if (!has(postings, part)) return false;
    parts.push({ key: part, share: partShare, how: "part" });
    return true;
  };
  for (let end = key.length - 2; end >= leastPart; end--)
    if ((key.length - end > 2 || end > 5) && put(stem(key.slice(0, end)))) break;
  for (let start = 3; start <= key.length - leastPart; start++) if (put(stem(key.slice(start)))) break;
  return parts;
}

const has = (postings: Postings, key: string): boolean => Object.hasOwn(postings, key);
