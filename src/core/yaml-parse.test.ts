import { expect, test } from "bun:test";
import { LineCounter } from "yaml";
import { parseYaml } from "./yaml-parse.ts";

const mistakes = (text: string): string[] => {
  const lines = new LineCounter();
  return parseYaml(text, lines).errors.map(({ code, pos }) => `${lines.linePos(pos[0]).line} ${code}`);
};

test("a key that its mapping has already is a mistake, wherever the mapping stands, and others of its name are not", () => {
  expect(mistakes("a: 1\nb: 2\na: 3\n")).toEqual(["3 DUPLICATE_KEY"]);
  expect(mistakes("x:\n  - {a: 1, b: {c: 1, c: 2}}\n  - a: 1\n    'a': 2\n")).toEqual([
    "2 DUPLICATE_KEY",
    "4 DUPLICATE_KEY",
  ]);
  expect(mistakes("a: {a: {a: 1}}\nb: [{a: 1}, {a: 2}]\n")).toEqual([]);
  expect(mistakes("a: 1\na: 2\nb: [\n")[0]).toBe("2 DUPLICATE_KEY");
});
