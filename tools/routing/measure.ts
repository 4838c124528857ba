import type { AbilityIndex } from "../../src/routing/ability-index.ts";
import { suggest, usualLimits } from "../../src/routing/suggest.ts";
import type { Prompt } from "./corpus.ts";

export interface Bin {
  readonly from: number;
  readonly count: number;
  /** What was said on average, and how often it was right. */
  readonly stated: number;
  readonly right: number;
}

export interface Quality {
  readonly prompts: number;
  readonly withRight: number;
  /** As it is used: nothing below the usual confidence, three at most. */
  readonly used: {
    /** Of first suggestions, how many were right. */
    readonly precisionAt1: number;
    /** Of all suggestions. */
    readonly precisionAt3: number;
    /** Of the prompts with a right ability, how many had one suggested. */
    readonly recall: number;
    /** Of those without, how many had nothing suggested. */
    readonly quiet: number;
  };
  /** Whatever the confidence, of the prompts with a right ability: how many had one in first place, or among three. */
  readonly hitAt1: number;
  readonly hitAt3: number;
  /** Of first places, and of all three. */
  readonly calibration: { readonly first: Calibration; readonly all: Calibration };
}

export interface Calibration {
  readonly bins: readonly Bin[];
  /** The expected calibration error: how far what was said is from what was right, on average. */
  readonly ece: number;
}

interface Said {
  readonly confidence: number;
  readonly right: boolean;
}

/** How good suggestions for labelled prompts are. */
export function measure(prompts: readonly Prompt[], index: AbilityIndex): Quality {
  const ranked = prompts.map(({ text, right }) =>
    suggest(text, index, {}, { least: 0, most: 3 }).map(({ id, confidence }): Said => ({
      confidence,
      right: right.includes(id),
    })),
  );
  const used = ranked.map((all) => all.filter(({ confidence }) => confidence >= usualLimits.least));
  const hasRight = (at: number): boolean => (prompts[at]?.right.length ?? 0) > 0;
  const withRight = ranked.filter((_, at) => hasRight(at));
  const share = (some: number, all: number): number => (all === 0 ? 0 : some / all);
  const firsts = used.flatMap((all) => all.slice(0, 1));
  const anyRight = (all: readonly Said[]): boolean => all.some(({ right }) => right);
  return {
    prompts: prompts.length,
    withRight: withRight.length,
    used: {
      precisionAt1: share(firsts.filter(({ right }) => right).length, firsts.length),
      precisionAt3: share(used.flat().filter(({ right }) => right).length, used.flat().length),
      recall: share(used.filter((all, at) => hasRight(at) && anyRight(all)).length, withRight.length),
      quiet: share(
        used.filter((all, at) => !hasRight(at) && all.length === 0).length,
        prompts.length - withRight.length,
      ),
    },
    hitAt1: share(withRight.filter((all) => all[0]?.right).length, withRight.length),
    hitAt3: share(withRight.filter(anyRight).length, withRight.length),
    calibration: {
      first: calibrate(ranked.flatMap((all) => all.slice(0, 1))),
      all: calibrate(ranked.flat()),
    },
  };
}

function calibrate(said: readonly Said[]): Calibration {
  const bins = Array.from({ length: 10 }, (_, at): Bin => {
    const inside = said.filter(({ confidence }) => Math.min(9, Math.floor(confidence * 10 + 1e-9)) === at);
    const mean = (of: (each: Said) => number): number =>
      inside.length === 0 ? 0 : inside.reduce((sum, each) => sum + of(each), 0) / inside.length;
    return {
      from: at / 10,
      count: inside.length,
      stated: mean(({ confidence }) => confidence),
      right: mean(({ right }) => (right ? 1 : 0)),
    };
  }).filter(({ count }) => count > 0);
  const ece = bins.reduce((sum, { count, stated, right }) => sum + count * Math.abs(stated - right), 0);
  return { bins, ece: said.length === 0 ? 0 : ece / said.length };
}
