import { expect, test } from "bun:test";
import fc from "fast-check";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Run } from "./model.ts";
import { codeReader, windowsReader, withReaders } from "./readers.ts";
import { unfold } from "./unfold.ts";

await withReaders(windowsReader);
await withReaders(codeReader);

const place = { cwd: "/ws", home: "/home/u", root: "/ws" };
const folder = join(import.meta.dir, "../../corpus");
const commands = readdirSync(folder)
  .filter((name) => name.endsWith(".jsonl"))
  .flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"))
  .map((line) => JSON.parse(line) as { command: string; shell?: string })
  .filter(({ shell }) => shell === undefined)
  .map(({ command }) => command);

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
const wordsOf = (run: Run): string[] => [run.called, ...run.args.map((arg) => arg.text)];
// A pattern is only itself without quotes, what is only known when it runs has no text to write down, and a
// builtin such as `pushd` is a command for the sake of its redirections only.
const canBeWritten = (run: Run): boolean =>
  run.called !== "" &&
  run.redirects.length === 0 &&
  run.args.every((arg) => arg.known && !arg.glob && !arg.text.includes("\0"));

/** The normal form of a command: its own words, each in quotes. */
const normal = (run: Run): string => wordsOf(run).map(quote).join(" ");

const unfolded = (text: string): string[][] => unfold(text, place).runs.map(wordsOf);

test("a command written out in its normal form unfolds to itself, and again to itself: the corpus", () => {
  let tried = 0;
  for (const command of commands) {
    for (const run of unfold(command, place).runs.filter(canBeWritten)) {
      const text = normal(run);
      const once = unfold(text, place).runs;
      const same = once.filter((each) => normal(each) === text);
      // Some programs run what their words say (`git -c alias…`): that comes behind, the command itself stays.
      expect([command, same.length]).toEqual([command, 1]);
      const twice = once
        .filter(canBeWritten)
        .flatMap((each) => unfold(normal(each), place).runs.map(wordsOf));
      for (const words of twice) expect(once.map(wordsOf)).toContainEqual(words);
      tried++;
    }
  }
  expect(tried).toBeGreaterThan(3000);
});

test("a command written out in its normal form unfolds to itself: any words", () => {
  const word = fc.stringMatching(/^[ -~]{1,12}$/);
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{3,9}x$/), fc.array(word, { maxLength: 5 }), (program, args) => {
      const text = [program, ...args].map(quote).join(" ");
      expect(unfolded(text)).toEqual([[program, ...args]]);
    }),
  );
});
