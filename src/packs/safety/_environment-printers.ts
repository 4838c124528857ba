import type { Run } from "../../core/command.ts";
import { wordsOf } from "./_runs.ts";

/**
 * All variables at once in the code of a language: not one by its name, not their names, not handed to a program. What is
 * looked back at is short, so that the time grows with the text and not faster.
 */
const whole: readonly (readonly [program: RegExp, sign: RegExp])[] = [
  [
    /^(?:python|pypy)[\d.]*$/,
    /(?<!\benv\s{0,4}=\s{0,4}(?:dict\(|\{\s{0,4}\*\*)?(?:os\.)?|["']\s{1,4}(?:not\s{1,4})?in\s{1,4}(?:os\.)?|\b(?:len|list|sorted)\((?:os\.)?|import\s{1,4})\benviron\b(?!\s*(?:\[\s*["']|\.(?:get|keys|pop|setdefault|update)\b))/,
  ],
  [
    /^(?:node|bun|deno|tsx|ts-node)$/,
    /(?<!\benv\s{0,4}:\s{0,4}|\.\.\.|\bkeys\(|["']\s{1,4}in\s{1,4})\b(?:process|Bun)\.env\b(?!\s*(?:\?\.|\.|\[\s*["']))|\bDeno\.env\.toObject\(/,
  ],
  [/^perl$/, /%(?:main::)?ENV\b/],
  [
    /^ruby$/,
    /(?<![\w.$])ENV\b(?!\s*(?:\[|\.(?:fetch|keys?|key\?|include\?|has_key\?|size|count|length|delete)(?!\w)))/,
  ],
  [/^php[\d.]*$/, /\bgetenv\(\s*\)|\$_(?:ENV|SERVER)\b(?!\s*\[\s*["'])/],
  [/^[gmn]?awk$/, /\bENVIRON\b(?!\s*\[\s*")/],
  [/^(?:go|j)?jq$|^jaq$/, /(?:^|[|(])\s*env\s*(?:$|[|)])|\$ENV\b(?!\s*[.[])/],
];

/** Options of jq that are followed by a name and a value. */
const named = /^--(?:arg|argjson|slurpfile|rawfile)$/;

/** Does the code of a one-liner print all variables of the environment? */
export function codePrintsEnvironment(run: Run): boolean {
  const sign = whole.find(([program]) => program.test(run.program))?.[1];
  if (sign === undefined) return false;
  const words = wordsOf(run);
  return (
    words.some(
      (word, at) => sign.test(word) && !named.test(words[at - 1] ?? "") && !named.test(words[at - 2] ?? ""),
    ) ||
    (run.stdin?.from === "text" && !/jq$|jaq$|awk$/.test(run.program) && sign.test(run.stdin.text))
  );
}
