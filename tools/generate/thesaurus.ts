import { stem } from "../../src/routing/_stem.ts";
import { wordsIn } from "../../src/routing/words.ts";

/** Lines of words as one text of lines of stems, each with a blank before and behind it. `sign-up` is one word. */
export function thesaurusModule(text: string): string {
  const lines = text.split("\n").filter(Boolean);
  const stems = lines.map((line) => new Set(line.split(" ").map((word) => stem(wordsIn(word).join("")))));
  const small = Object.entries(stems).flatMap(([at, { size }]) => (size < 2 ? [lines[Number(at)]] : []));
  if (small.length > 0) throw new Error(`thesaurus.txt: nothing but one word in "${small.join('", "')}"`);
  const shown = stems.map((line) => `  " ${[...line].join(" ")} \\n",\n`).join("");
  return `// Written by tools/generate.ts from thesaurus.txt; do not edit.\nexport default [\n${shown}].join("");\n`;
}
