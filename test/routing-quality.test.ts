// The labelled prompts, and what was learned from them.
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import fitted from "../src/routing/confidence.generated.json";
import spread from "../src/routing/everyday.generated.json";
import { indexAbilities } from "../src/routing/ability-index.ts";
import { corpusAbilities, lookPrompts, lookRegistries, promptsOf } from "../tools/routing/corpus.ts";
import { fitConfidence } from "../tools/routing/fit.ts";
import { measure } from "../tools/routing/measure.ts";
import { spreadOfWords } from "../tools/routing/spread.ts";
import { lookTrials, sizes, trialsOf } from "../tools/routing/trials.ts";

const training = promptsOf("training");
const calibration = promptsOf("calibration");
const evaluation = promptsOf("evaluation");
const fresh = promptsOf("fresh");
const look = lookPrompts();
const fittedOn = [...training, ...calibration];
const abilities = await corpusAbilities();
const ids = new Set(abilities.map(({ id }) => id));

describe("corpus/routing", () => {
  test("300 prompts and more over 60 abilities and more, each once, each with abilities that are there", () => {
    const all = [...fittedOn, ...evaluation, ...fresh];
    expect(abilities.length).toBeGreaterThanOrEqual(60);
    expect(evaluation.length).toBeGreaterThanOrEqual(900);
    expect(new Set(all.map(({ text }) => text.toLowerCase())).size).toBe(all.length);
    expect(all.flatMap(({ right }) => right).filter((id) => !ids.has(id))).toEqual([]);
    expect(new Set(evaluation.flatMap(({ right }) => right)).size).toBe(ids.size);
    expect(evaluation.filter(({ right }) => right.length === 0).length).toBeGreaterThan(250);
  });

  test("no prompt that something is measured on is one it was fitted on in other words", () => {
    const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[a-z0-9]+/g) ?? []);
    const likeness = (a: Set<string>, b: Set<string>): number => {
      const shared = [...a].filter((word) => b.has(word)).length;
      return shared / (a.size + b.size - shared);
    };
    const known = fittedOn.map(({ text }) => wordsOf(text));
    const near = [...evaluation, ...fresh, ...look].filter(({ text }) =>
      known.some((words) => likeness(words, wordsOf(text)) > 0.75),
    );
    expect(near.map(({ text }) => text)).toEqual([]);
  });

  test("the look: 150 prompts and more, over registries the others know nothing of too", async () => {
    expect(look.length).toBeGreaterThanOrEqual(150);
    expect(new Set(look.map(({ text }) => text.toLowerCase())).size).toBe(look.length);
    for (const [name, file] of Object.entries(lookRegistries)) {
      const known = (await corpusAbilities(file)).map(({ id }) => id);
      const own = look.filter(({ registry }) => registry === name);
      expect(own.flatMap(({ right }) => right).filter((id) => !known.includes(id))).toEqual([]);
      expect(new Set(own.flatMap(({ right }) => right)).size).toBeGreaterThan(0.9 * known.length);
      expect(own.filter(({ right }) => right.length === 0).length).toBeGreaterThan(10);
    }
  });

  test("nobody has chosen the split: it goes by whose voice a prompt is in, or by its digest", () => {
    const odd = (text: string): boolean => (createHash("sha256").update(text).digest()[0] ?? 0) % 2 === 1;
    const byDigest = (prompts: typeof training) => prompts.filter(({ by }) => by === undefined);
    expect(byDigest(training).filter(({ text }) => odd(text))).toEqual([]);
    expect(byDigest(evaluation).filter(({ text }) => !odd(text))).toEqual([]);
    expect(byDigest(calibration)).toEqual([]);
    const voices = [training, calibration, evaluation].map(
      (prompts) => new Set(prompts.flatMap(({ by }) => by ?? [])),
    );
    const all = voices.flatMap((each) => [...each]);
    expect(all.length).toBeGreaterThan(12);
    expect(new Set(all).size).toBe(all.length);
  });

  test("every prompt is put to a registry of each size that has what is right, and some to one that has not", () => {
    const trials = trialsOf(evaluation, abilities);
    for (const size of sizes) {
      const some = trials.filter((trial) => trial.size === size && trial.hints);
      const withRight = new Set(some.filter(({ right }) => right.length > 0).map(({ prompt }) => prompt));
      expect(withRight.size).toBe(evaluation.filter(({ right }) => right.length > 0).length);
      if (size === "all") continue;
      expect(some.every(({ index }) => index.abilities.length < 2 * size)).toBe(true);
      expect(
        some.filter(({ prompt, right }) => right.length === 0 && withRight.has(prompt)).length,
      ).toBeGreaterThan(100);
    }
  });
});

describe("confidence", () => {
  test("what is in the source is what the training and calibration splits give, and nothing else", async () => {
    expect(spreadOfWords()).toEqual(spread);
    expect(await fitConfidence()).toEqual(fitted);
  });

  const trials = trialsOf(evaluation, abilities);

  test("S1-R28 S1-R41 on prompts it was not fitted on, it is about as often right as it says", () => {
    const { calibration: found, used } = measure(trials.filter(({ size, hints }) => size === "all" && hints));
    expect(found.first.ece).toBeLessThan(0.06);
    expect(found.first.aroundEight.count).toBeGreaterThan(60);
    expect(Math.abs(found.first.aroundEight.right - 0.8)).toBeLessThan(0.1);
    expect(used.precisionAt1).toBeGreaterThan(0.85);
    expect(used.recall).toBeGreaterThan(0.75);
    expect(used.quiet).toBeGreaterThan(0.8);
  });

  test("S1-R28 S1-R41 and on those of somebody who had not seen it, as far as so few can tell", async () => {
    const registries = Object.fromEntries(
      await Promise.all(
        Object.entries(lookRegistries).map(
          async ([name, file]) => [name, indexAbilities(await corpusAbilities(file))] as const,
        ),
      ),
    );
    const { used, calibration: found } = measure(lookTrials(look, registries));
    // So many that are as sure as they should be are off by up to 0.1, 19 times in 20.
    expect(found.first.ece).toBeLessThan(0.1);
    expect(used.precisionAt1).toBeGreaterThan(0.8);
    expect(used.quiet).toBeGreaterThan(0.8);
  });

  test("S1-R28 S1-R41 so it is in registries of every size, with keywords and without", () => {
    const { bands, aroundEight, ece } = measure(trials).calibration.first;
    expect(ece).toBeLessThan(0.04);
    expect(Math.abs(aroundEight.right - 0.8)).toBeLessThan(0.05);
    for (const { stated, right } of bands) expect(Math.abs(stated - right)).toBeLessThan(0.1);
    for (const size of sizes) {
      const { calibration: found } = measure(trials.filter((trial) => trial.size === size));
      expect([size, found.first.ece < 0.07]).toEqual([size, true]);
    }
  });
});
