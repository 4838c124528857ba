// The labelled prompts, and what was learned from them.
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import fitted from "../src/routing/confidence.generated.json";
import { corpusIndex, promptsOf } from "../tools/routing/corpus.ts";
import { fitConfidence } from "../tools/routing/fit.ts";
import { measure } from "../tools/routing/measure.ts";

const training = promptsOf("training");
const evaluation = promptsOf("evaluation");
const fresh = promptsOf("fresh");

describe("corpus/routing", () => {
  test("300 prompts and more over 60 abilities and more, each once, each with abilities that are there", async () => {
    const { abilities } = await corpusIndex();
    const ids = new Set(abilities.map(({ id }) => id));
    const all = [...training, ...evaluation];
    expect(abilities.length).toBeGreaterThanOrEqual(60);
    expect(all.length).toBeGreaterThanOrEqual(300);
    expect(new Set(all.map(({ text }) => text.toLowerCase())).size).toBe(all.length);
    expect(all.flatMap(({ right }) => right).filter((id) => !ids.has(id))).toEqual([]);
    expect(new Set(all.flatMap(({ right }) => right)).size).toBe(ids.size);
    expect(evaluation.length).toBeGreaterThan(150);
    expect(evaluation.filter(({ right }) => right.length === 0).length).toBeGreaterThan(20);
  });

  test("no prompt that something is measured on is one it was fitted on in other words", () => {
    const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[a-z0-9]+/g) ?? []);
    const likeness = (a: Set<string>, b: Set<string>): number => {
      const shared = [...a].filter((word) => b.has(word)).length;
      return shared / (a.size + b.size - shared);
    };
    const fittedOn = training.map(({ text }) => wordsOf(text));
    const near = [...evaluation, ...fresh].filter(({ text }) =>
      fittedOn.some((words) => likeness(words, wordsOf(text)) > 0.75),
    );
    expect(near.map(({ text }) => text)).toEqual([]);
  });

  test("fresh prompts have abilities that are there, and none of them stands elsewhere", async () => {
    const ids = new Set((await corpusIndex()).abilities.map(({ id }) => id));
    expect(fresh.length).toBeGreaterThan(140);
    expect(fresh.flatMap(({ right }) => right).filter((id) => !ids.has(id))).toEqual([]);
    const others = new Set([...training, ...evaluation].map(({ text }) => text.toLowerCase()));
    expect(fresh.filter(({ text }) => others.has(text.toLowerCase()))).toEqual([]);
  });

  test("the split goes by the digest of a prompt, so nobody has chosen it", () => {
    const odd = (text: string): boolean => (createHash("sha256").update(text).digest()[0] ?? 0) % 2 === 1;
    expect(training.filter(({ text }) => odd(text))).toEqual([]);
    expect(evaluation.filter(({ text }) => !odd(text))).toEqual([]);
  });
});

describe("confidence", () => {
  test("what is in the source is what the training split gives, and nothing else", async () => {
    expect(await fitConfidence()).toEqual(fitted);
  });

  test("more predicted never means less said", () => {
    const said = fitted.table.map(([, to]) => to);
    expect(said).toEqual(said.toSorted((a, b) => (a ?? 0) - (b ?? 0)));
  });

  test("S1-R28 S1-R41 on prompts it was not fitted on, it is about as often right as it says", async () => {
    const { calibration, used } = measure(evaluation, await corpusIndex());
    expect(calibration.first.ece).toBeLessThan(0.1);
    expect(used.precisionAt1).toBeGreaterThan(0.8);
    expect(used.recall).toBeGreaterThan(0.75);
  });
});
