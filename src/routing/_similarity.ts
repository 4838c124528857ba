import { isCommon, stemsIn, wordsIn } from "./words.ts";

export interface Similar {
  readonly score: number;
  /** Words of the question the text has. */
  readonly words: readonly string[];
}

const commonShare = 0.5;

/** How well each of a few texts fits a question: the rarer a shared word among them, the more it counts. */
export function similarity(question: string, texts: readonly string[]): Similar[] {
  const sets = texts.map((text) => new Set(stemsIn(text)));
  const asked = new Map<string, string>();
  for (const word of wordsIn(question)) for (const stem of stemsIn(word)) asked.set(stem, word);
  return sets.map((own) => {
    const words: string[] = [];
    let score = 0;
    for (const [stem, word] of asked) {
      if (!own.has(stem)) continue;
      const having = sets.filter((each) => each.has(stem)).length;
      score += Math.log(1 + (sets.length + 0.5) / having) * (isCommon(stem) ? commonShare : 1);
      words.push(word);
    }
    // A long text has many words by chance.
    return { score: score / Math.sqrt(1 + own.size / 20), words };
  });
}
