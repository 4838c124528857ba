import { suggest, usualLimits } from "../../src/routing/suggest.ts";
import type { Trial } from "./trials.ts";

export interface Band {
  /** Confidences from here … */
  readonly from: number;
  /** … to below this; the last band has its end in it. */
  readonly to: number;
  readonly count: number;
  /** What was said on average, and how often it was right. */
  readonly stated: number;
  readonly right: number;
  /** Between which shares the true one lies, 19 times in 20. */
  readonly interval: readonly [number, number];
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
  /** Of the prompts without a right ability, how many had nothing suggested with more than 0.75. */
  readonly quieter: number;
  /** Whatever the confidence, of the prompts with a right ability: how many had one in first place, or among three. */
  readonly hitAt1: number;
  readonly hitAt3: number;
  /** Of first places, and of all three. */
  readonly calibration: { readonly first: Calibration; readonly all: Calibration };
}

export interface Calibration {
  readonly bands: readonly Band[];
  /** Those around 0.8. */
  readonly aroundEight: Band;
  /** The expected calibration error: how far what was said is from what was right, on average. */
  readonly ece: number;
}

interface Said {
  readonly confidence: number;
  readonly right: boolean;
}

/** How good suggestions for labelled prompts are. */
export function measure(trials: readonly Trial[]): Quality {
  const ranked = trials.map(({ text, right, index }) =>
    suggest(text, index, {}, { least: 0, most: 3 }).map(({ id, confidence }): Said => ({
      confidence,
      right: right.includes(id),
    })),
  );
  const used = ranked.map((all) => all.filter(({ confidence }) => confidence >= usualLimits.least));
  const hasRight = (at: number): boolean => (trials[at]?.right.length ?? 0) > 0;
  const withRight = ranked.filter((_, at) => hasRight(at));
  const firsts = used.flatMap((all) => all.slice(0, 1));
  const anyRight = (all: readonly Said[]): boolean => all.some(({ right }) => right);
  return {
    prompts: trials.length,
    withRight: withRight.length,
    used: {
      precisionAt1: share(firsts.filter(({ right }) => right).length, firsts.length),
      precisionAt3: share(used.flat().filter(({ right }) => right).length, used.flat().length),
      recall: share(used.filter((all, at) => hasRight(at) && anyRight(all)).length, withRight.length),
      quiet: share(
        used.filter((all, at) => !hasRight(at) && all.length === 0).length,
        trials.length - withRight.length,
      ),
    },
    quieter: share(
      ranked.filter((all, at) => !hasRight(at) && (all[0]?.confidence ?? 0) < 0.75).length,
      trials.length - withRight.length,
    ),
    hitAt1: share(withRight.filter((all) => all[0]?.right).length, withRight.length),
    hitAt3: share(withRight.filter(anyRight).length, withRight.length),
    calibration: {
      first: calibrate(ranked.flatMap((all) => all.slice(0, 1))),
      all: calibrate(ranked.flat()),
    },
  };
}

const share = (some: number, all: number): number => (all === 0 ? 0 : some / all);

function calibrate(said: readonly Said[]): Calibration {
  const bands = Array.from({ length: 10 }, (_, at) => bandOf(said, at / 10, (at + 1) / 10)).filter(
    ({ count }) => count > 0,
  );
  const off = bands.reduce((sum, { count, stated, right }) => sum + count * Math.abs(stated - right), 0);
  return { bands, aroundEight: bandOf(said, 0.75, 0.85), ece: share(off, said.length) };
}

function bandOf(said: readonly Said[], from: number, to: number): Band {
  // Confidences have two digits: whole hundredths are compared.
  const hundredths = (of: number): number => Math.round(of * 100);
  const inside = said.filter(({ confidence }) => {
    const own = hundredths(confidence);
    return own >= hundredths(from) && (own < hundredths(to) || (to === 1 && own === 100));
  });
  const count = inside.length;
  const right = share(inside.filter((each) => each.right).length, count);
  const stated = share(
    inside.reduce((sum, { confidence }) => sum + confidence, 0),
    count,
  );
  return { from, to, count, stated, right, interval: wilson(right, count) };
}

/** Wilson's interval of a share, which also holds for few and for shares near 0 and 1. */
function wilson(right: number, count: number): readonly [number, number] {
  if (count === 0) return [0, 1];
  const z = 1.96;
  const middle = (right + (z * z) / (2 * count)) / (1 + (z * z) / count);
  const half =
    (z / (1 + (z * z) / count)) * Math.sqrt((right * (1 - right)) / count + (z * z) / (4 * count * count));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}
