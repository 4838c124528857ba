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
    'grep -rn "export default" src | head -20',
    "npm test -- --grep 'a b' 2>&1 | tail -5",
    "git status; git diff --stat",
    'git log --format="%h %s" -5',
    "cd packages/a && npm test 2>/dev/null",
    "sed -n '10,40p' src/a.ts",
    "find . -name '*.ts' -not -path './dist/*' -mtime -2",
    "python3 -m pytest -q -k 'a and not b'",
    'echo "done; rm -rf / was not run" && ls\n',
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
    'cat ".e"nv',
    'cat "/srv/x"',
    'sort "-o" a b',
    'echo "$X"',
    'echo "`id`"',
    "echo 'a' > x",
    "ls 2>/dev/nullx",
    "ls >'x'",
    "ls >&x",
    "ls 2>&1x",
    "ls & rm x",
    "ls |& sh",
    "echo 'rm -rf /' | id",
    "cat a | python3 -m pytest",
    "'ls pwd'",
    'make "CC=rm -rf /"',
    "make test 'CC=rm -rf /'",
    "sed -n '1w x' a",
    "sed -n 1e a",
    "sed -n 1p -i a",
    "sed -n 1p -e 1e a",
    "sed -n 1p -e w../x a",
    "sed -n 1p --in-place a",
    "sed -i s/a/b/p a",
    "find . -name x -delete",
    "find . -name x -exec rm {} +",
    "find . -fprint x",
    "find / -name x",
    "python3 -m http.server",
    "python3 -c 'print(1)'",
    'git remote add x "ext::sh -c x"',
    "git fetch --upload-pack='rm -rf /' .",
    "git fetch --upload-pack=./x .",
    "git fetch --up 'rm -rf ~' .",
    "date -s 12:00",
    "hostname x",
    "sort --compress-program=./x a",
    "echo 'a",
    "",
    " ; ",
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
