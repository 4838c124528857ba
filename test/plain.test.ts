import { expect, test } from "bun:test";
import fc from "fast-check";
import { isPlain } from "../src/shell/plain.ts";
import { claude, workspace } from "./support/hookline.ts";

const words = [
  "src a.ts . .. ./x ../x /srv/x / ~ .env .npmrc x/../.. HEAD main test -n -r -f -o -i -w -s -e -m -D -x --all --output=x --set=1 --fix",
  "-name -exec -delete -fprint -type pytest http.server 1,4p 1e $d s/a/b/e 2>&1 2>/dev/null >/dev/null >x >>x 2>x <x $X * {a,b}",
  "`id` $(id) # ! ext::sh a:b +HEAD:main CC=x https://example.com/a id_rsa tests/a.py::b",
].flatMap((line) => line.split(" "));
const word = fc.constantFrom(...words, "rm -rf /", "--upload-pack=rm -rf /", "1w x", "a b");
const written = fc
  .tuple(word, fc.constantFrom("", "'", '"'))
  .map(([text, quote]) => quote + text.replaceAll(quote || "\0", "") + quote);
const programs = [
  "ls pwd cd echo cat head tail grep rg sort uniq wc date hostname ps tree id which type find sed python3 python make",
  "git npm pnpm yarn cargo go ruff tsc eslint prettier jest pytest rm sh sudo tee xargs curl dd",
].flatMap((line) => line.split(" "));
const beginnings =
  "git status,git log,git diff,git show,git branch,git fetch,git remote add,git add,npm run,npm test,npm install,sed -n,find .,python3 -m";
const program = fc.constantFrom(...programs, ...beginnings.split(","), "make test", "go test", "cargo run");
const command = fc
  .tuple(program, fc.array(written, { maxLength: 4 }))
  .map(([name, words]) => [name, ...words].join(" "));
const line = fc
  .tuple(
    command,
    fc.array(fc.tuple(fc.constantFrom(" | ", " && ", " || ", "; ", " & ", "\n", "|", ";"), command), {
      maxLength: 2,
    }),
  )
  .map(([first, rest]) => first + rest.flat().join(""));

test("a command line that is not looked into is one that nothing would have been said to", async () => {
  using ws = workspace({ "src/a.ts": "" });
  const plain = [...new Set(fc.sample(line, 100_000).filter((text) => isPlain(text)))];
  expect(plain.length).toBeGreaterThan(1000);
  // A variable behind it does nothing, and makes it worth a look.
  const lines = plain.map((text) => JSON.stringify(claude(ws.root, "Bash", { command: `${text}\n: $X` })));
  const answers = (await ws.run(["eval", "--jsonl"], lines.join("\n"))).stdout.trim().split("\n");
  expect(answers.length).toBe(plain.length);
  const stopped = plain.filter((_, at) => JSON.parse(answers[at] ?? "").outcome !== "pass");
  expect(stopped).toEqual([]);
}, 120_000);
