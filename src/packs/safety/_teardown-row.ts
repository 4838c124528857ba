import type { Outcome } from "../../core/outcome.ts";

export interface Teardown {
  readonly what: string;
  readonly outcome: Outcome;
}

export type Row = (words: readonly string[], plain: readonly string[]) => Teardown | undefined;

/** `--dry-run`, `--dryrun`, `--dry-run=client`, and none of the words that switch it off again. */
export const isTrial = (word: string): boolean => /^-{1,2}dry-?run(?:=(?!none|false|0).*)?$/.test(word);

export const stop = (what: string): Teardown => ({ what, outcome: "block" });

export const ask = (what: string): Teardown => ({ what, outcome: "ask" });

export const gone = "removes running resources";

export const data = "removes data";

export const backups = "removes backups";

/** A list of all there is, not narrowed down by a filter. */
export const isEverything = (word: string): boolean =>
  (/\$\(|^\$|ps -a?q/.test(word) && !/filter|-f\b|status=|name=/.test(word)) || word === "(input)";

export const verbs =
  (pattern: RegExp, outcome: Outcome = "block"): Row =>
  (words, plain) =>
    plain.slice(0, 4).some((word) => pattern.test(word)) && !words.some(isTrial)
      ? { what: gone, outcome }
      : undefined;
