/** Endings with how much of the word must be left. */
const endings: readonly (readonly [ending: string, least: number])[] = [
  ["ment", 4],
  ["ing", 3],
  ["ion", 4],
  ["age", 4],
  ["ure", 4],
  ["er", 4],
  ["or", 4],
  ["ed", 3],
  ["ly", 4],
  ["al", 4],
];

/** A word without what inflection and derivation put behind it: `migrations`, `migrate` and `migrating` are one. */
export function stem(word: string): string {
  if (whole.has(word)) return word;
  let left = singular(word);
  const found = endings.find(
    ([ending, least]) => left.endsWith(ending) && left.length - ending.length >= least,
  );
  if (found) left = left.slice(0, -found[0].length);
  if (left.length > 3 && left.endsWith("e")) left = left.slice(0, -1);
  if (left.length > 3 && /([b-df-hj-np-rt-vz])\1$/.test(left)) left = left.slice(0, -1);
  return left.length > 3 && left.endsWith("y") ? `${left.slice(0, -1)}i` : left;
}

/** What they would become is another word. */
const whole = new Set(["production"]);

function singular(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  return word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}
