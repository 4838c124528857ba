import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isPlain } from "./plain.ts";

test("daily commands that only look are plain", () => {
  for (const text of [
    "ls",
    "ls -la src",
    "npm test",
    "git status",
    "cd src && ls -la | head -20",
    "cat README.md",
    "grep -rn TODO src | wc -l",
    "cargo build",
  ]) {
    expect([text, isPlain(text)]).toEqual([text, true]);
  }
});

test("what could hide, write, show a secret or start something else is not", () => {
  for (const text of [
    "ls&rm -r .",
    "cat id_rsa",
    "cat .npmrc",
    "cat ~/x",
    "head /srv/x",
    "uniq a ../b",
    "sort -o a b",
    "echo $X",
    "ls > x",
    "cat a; rm b",
    "npm install https://e.test/a.tgz",
    "git branch -D x",
    "tree -o x",
    "cat .git/config",
  ]) {
    expect([text, isPlain(text)]).toEqual([text, false]);
  }
});

test("no dangerous command of the corpus is plain", () => {
  const corpus = join(import.meta.dir, "../../corpus");
  const lines = readdirSync(corpus)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(join(corpus, name), "utf8").trim().split("\n"));
  const dangerous = lines.map((line) => JSON.parse(line)).filter((line) => line.expect !== "pass");
  expect(dangerous.map((line) => line.command).filter((command: string) => isPlain(command))).toEqual([]);
});
