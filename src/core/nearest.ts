// Longer words are not slips of the finger, and comparing them would cost time at the mercy of the input.
const longest = 100;

/**
 * The candidate a misspelt word was probably meant to be: `nearest("PreToolUes", events)` is
 * `"PreToolUse"`. A word without a slash is compared with what follows a candidate's last slash, so that
 * `"no-force-push"` finds `"git/no-force-push"`.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word === "" || word.length > longest) return undefined;
  const wanted = word.toLowerCase();
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  let best: { candidate: string; distance: number; prefix: number } | undefined;
  for (const candidate of candidates) {
    if (candidate.length > longest) continue;
    const full = candidate.toLowerCase();
    const comparable = wanted.includes("/") ? full : full.slice(full.lastIndexOf("/") + 1);
    const distance = editDistance(wanted, comparable, limit);
    if (distance > limit) continue;
    const prefix = commonPrefix(wanted, comparable);
    if (
      best === undefined ||
      distance < best.distance ||
      (distance === best.distance && prefix > best.prefix)
    ) {
      best = { candidate, distance, prefix };
    }
  }
  return best?.candidate;
}

function commonPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

// Damerau-Levenshtein in the optimal string alignment form: a swap of neighbours counts as one slip.
// Anything above the limit is only known to be above it.
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(
        cell(previous, j) + 1,
        cell(row, j - 1) + 1,
        cell(previous, j - 1) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, cell(before, j - 2) + 1);
      }
      row.push(cost);
    }
    before = previous;
    previous = row;
  }
  return cell(previous, b.length);
}

const cell = (row: readonly number[], at: number): number => row[at] ?? Infinity;
