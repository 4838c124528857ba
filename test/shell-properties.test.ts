// Properties of the shell understanding, on the verdicts of the built executable.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { claude, workspace } from "./support/hookline.ts";

interface Verdict {
  readonly outcome: string;
  readonly findings: readonly { readonly rule: string; readonly message?: string }[];
}

async function judged(commands: readonly string[]): Promise<Verdict[]> {
  using ws = workspace();
  const payloads = commands.map((command) => JSON.stringify(claude(ws.root, "Bash", { command })));
  const ran = await ws.run(["eval", "--jsonl", "--host", "claude-code"], payloads.join("\n"));
  return ran.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Verdict);
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const prefix = (words: string) => (text: string) => `${words} ${text}`;
const shell = (words: string) => (text: string) => `${words} ${quoted(text)}`;

/** Wrappers that take the words of a command, and those that take it as a text. */
const wrappers =
  "sudo|sudo -n -u root|doas|env A=1|env -i PATH=/bin|nice|nice -n 5|nohup|timeout 9|timeout -s KILL 9s|time|command|exec|setsid|stdbuf -oL|ionice -c 3|busybox|strace -f|chroot /|unshare -r|flock /tmp/l|systemd-run|caffeinate -i|npx|bunx|uv run|poetry run|pipenv run|bundle exec|direnv exec .|runuser -u root --|fakeroot|xvfb-run|conda run -n base|taskset 1|prlimit"
    .split("|")
    .map(prefix);
const texts = [
  ..."bash -c|sh -lc|zsh -c|dash -c|eval|sudo sh -c|env -S|su root -c|flock /tmp/l -c|script -qc|nix-shell --run|watch|xargs sh -c|npx -c|git submodule foreach|ssh localhost"
    .split("|")
    .map(shell),
  (text: string) => `bash <<< ${quoted(text)}`,
  (text: string) => `echo ${Buffer.from(text).toString("base64")} | base64 -d | sh`,
  (text: string) => `echo ${Buffer.from(text).toString("hex")} | xxd -r -p | bash`,
  (text: string) => `( ${text} )`,
  (text: string) => `true && ${text}`,
  (text: string) => `if true; then ${text}; fi`,
  (text: string) => `f() { ${text}; }; f`,
  (text: string) => `for i in 1; do ${text}; done`,
  (text: string) => `x=$( ${text} )`,
  (text: string) => `cat <( ${text} )`,
  (text: string) => `find . -name x -exec sh -c ${quoted(text)} \\;`,
  (text: string) => `python3 -c ${quoted(`import os; os.system(${JSON.stringify(text)})`)}`,
];
const blocked = [
  "rm -rf /srv",
  "rm -rf ~",
  "git push --force origin main",
  "git reset --hard",
  "mkfs.ext4 /dev/sda1",
  "chmod -R 777 /etc",
  "terraform destroy -auto-approve",
  "shutdown -h now",
  "cat ~/.ssh/id_rsa",
  "npm publish",
  "echo x > /etc/hosts",
];

test("a stopped command stays stopped in any chain of wrappers", async () => {
  const chain = fc
    .tuple(
      fc.constantFrom(...blocked),
      fc.array(fc.constantFrom(...wrappers), { maxLength: 3 }),
      fc.array(fc.constantFrom(...texts), { maxLength: 2 }),
    )
    .map(([command, words, around]) => {
      // What a redirection belongs to changes with the words in front of it; in a text it stays.
      const plain = command.includes(">") ? command : words.reduce((inner, wrap) => wrap(inner), command);
      return around.reduce((inner, wrap) => wrap(inner), plain);
    });
  await fc.assert(
    fc.asyncProperty(fc.array(chain, { minLength: 200, maxLength: 200 }), async (commands) => {
      const verdicts = await judged(commands);
      for (const [at, command] of commands.entries())
        expect([command, verdicts[at]?.outcome]).toEqual([command, expect.stringMatching(/^(?:ask|block)$/)]);
    }),
    { numRuns: 10, endOnFailure: true },
  );
}, 60_000);

test("what is stopped of the corpus stays stopped when any shells and encodings are put around it", async () => {
  const folder = join(import.meta.dir, "../corpus");
  const dangerous = readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"))
    .map((line) => JSON.parse(line) as { command: string; expect: string; shell?: string })
    .filter((line) => line.expect !== "pass" && line.shell === undefined)
    .map((line) => line.command);
  const plain = await judged(dangerous);
  const stopped = dangerous.filter((_, at) => /^(?:ask|block)$/.test(plain[at]?.outcome ?? ""));
  const around = [
    ..."bash -c|sh -lc|zsh -c|eval|sudo sh -c|env -S|su root -c|script -qc|watch|timeout 5 sh -c|nohup bash -c|env A=1 bash -c"
      .split("|")
      .map(shell),
    ...texts.slice(texts.findIndex((wrap) => wrap("").startsWith("bash <<<"))).slice(0, 3),
    (text: string) => `(\n${text}\n)`,
    (text: string) => `f_() {\n${text}\n}; f_`,
    (text: string) => `X_=${quoted(text)}; eval "$X_"`,
    (text: string) => `python3 -c ${quoted(`import os; os.system(${JSON.stringify(text)})`)}`,
  ];
  const chain = fc
    .tuple(fc.constantFrom(...stopped), fc.array(fc.constantFrom(...around), { minLength: 1, maxLength: 3 }))
    .map(([command, wraps]) => wraps.reduce((inner, wrap) => wrap(inner), command));
  const commands = fc.sample(chain, 3000);
  const verdicts = await judged(commands);
  for (const [at, command] of commands.entries())
    expect([command, verdicts[at]?.outcome]).toEqual([command, expect.stringMatching(/^(?:ask|block)$/)]);
}, 60_000);

test("a dangerous command in quotes is a word, and words are data", async () => {
  const talking =
    "echo|printf '%s\\n'|grep -rn|rg -F|git commit -m|git log --grep|npx jest -t|pytest -k|echo hi #|logger|test -n"
      .split("|")
      .map(shell);
  const commands = blocked
    .flatMap((command) => [command, `${command}; ${command}`, `$(${command})`, `\`${command}\` | sh`])
    .flatMap((text) => talking.map((talk) => talk(text)));
  const verdicts = await judged(commands);
  for (const [at, command] of commands.entries())
    expect([command, verdicts[at]?.outcome]).toEqual([command, "pass"]);
});

test("random bytes are answered, each with a verdict, and none takes too long", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(fc.string({ maxLength: 2000, unit: "binary" }), fc.stringMatching(/^[ -~\n]{0,400}$/)),
        { minLength: 100, maxLength: 100 },
      ),
      async (commands) => {
        const verdicts = await judged(commands);
        expect(verdicts.length).toBe(commands.length);
        for (const verdict of verdicts) {
          expect(["pass", "allow", "warn", "ask", "block"]).toContain(verdict.outcome);
          expect(JSON.stringify(verdict)).not.toContain("took too long");
        }
      },
    ),
    { numRuns: 5, endOnFailure: true },
  );
}, 60_000);
