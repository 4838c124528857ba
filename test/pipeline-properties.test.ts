import { afterAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cpSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { claude, workspace } from "./support/hookline.ts";
import { spec, state } from "./support/pipeline.ts";

const base = workspace({ "hookline.yaml": "extends: pipeline\n" });
const env = { HOME: base.home, PATH: "/usr/bin:/bin", GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: "true" };
const git = (...args: string[]) => Bun.spawnSync(["git", ...args], { cwd: base.root, env });

// A repository with branches that differ, made once and copied for every sequence.
git("init", "-q", "-b", "main");
git("config", "user.name", "A");
git("config", "user.email", "a@b.c");
git("config", "alias.go", "checkout");
git("config", "alias.home", "!git switch main");
for (const [branch, text] of [
  ["main", "main"],
  ["develop", "develop"],
  ["feature/cart", "cart"],
] as const) {
  if (branch !== "main") git("switch", "-q", "-c", branch);
  base.write("src/a.go", `package ${text}\n`);
  base.write("src/b/c.go", `package ${text}\n`);
  base.write(".gitignore", ".hookline/\n.specs/\n");
  git("add", ".");
  git("commit", "-qm", text);
}
git("branch", "master", "main");
// The remote is the repository itself.
git("config", "remote.origin.url", ".");
git("config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*");
git("fetch", "-q");

/** One process that judges line after line, each by a fresh look at the disk. */
const judge = Bun.spawn([join(import.meta.dir, "../dist/hookline"), "eval", "--jsonl"], {
  cwd: base.root,
  env,
  stdin: "pipe",
  stdout: "pipe",
});
const lines = judge.stdout.pipeThrough(new TextDecoderStream()).getReader();
let rest = "";
async function outcomeOf(payload: object): Promise<string> {
  await judge.stdin.write(`${JSON.stringify(payload)}\n`);
  await judge.stdin.flush();
  while (!rest.includes("\n")) rest += (await lines.read()).value ?? "";
  const [line = "", ...more] = rest.split("\n");
  rest = more.join("\n");
  return JSON.parse(line).outcome;
}

afterAll(async () => {
  await judge.stdin.end();
  await judge.exited;
  base[Symbol.dispose]();
});

let made = 0;

/** Puts each command to the guard and runs what it lets through; `check` looks at the place after every one. */
async function follow(
  phase: string,
  commands: readonly string[],
  check: (place: string, ran: readonly string[]) => void,
  uncommitted: Readonly<Record<string, string>> = {},
): Promise<void> {
  const place = join(base.root, "..", `place-${made++}`);
  cpSync(base.root, place, { recursive: true });
  const ran: string[] = [];
  try {
    await Bun.write(join(place, spec, "state.json"), state(phase));
    for (const [path, text] of Object.entries(uncommitted)) await Bun.write(join(place, path), text);
    for (const command of commands) {
      const outcome = await outcomeOf(claude(place, "Bash", { command }));
      if (outcome === "block" || outcome === "ask") continue;
      Bun.spawnSync(["bash", "-c", command], { cwd: place, env, timeout: 10_000 });
      ran.push(command);
      check(place, ran);
    }
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Every file of the sources with its text, and nothing of git's, the pipeline's and the guard's own. */
function sources(folder: string, below = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(folder, below))) {
    if (below === "" && [".git", ".specs", ".hookline"].includes(name)) continue;
    const path = join(below, name);
    if (statSync(join(folder, path)).isDirectory()) Object.assign(found, sources(folder, path));
    else found[path] = readFileSync(join(folder, path), "utf8");
  }
  return found;
}

const file = fc.constantFrom(
  "src/a.go",
  "src/b/c.go",
  "src/new.go",
  "./src/../src/a.go",
  `${spec}/analysis.md`,
  `${spec}/deep/notes.md`,
  `${spec}/link/a.go`,
  `${spec}/a.go`,
  `${spec}/../../src/a.go`,
  ".specs-old/x.md",
  ".specs/other/x.md",
);
const branch = fc.constantFrom(
  "main",
  "master",
  "develop",
  "feature/cart",
  "feature/main",
  "fresh",
  "-",
  "@{-1}",
  "@{-2}",
  "@{-3}",
  "@{u}",
  "develop@{upstream}",
  "origin/main",
  "refs/heads/main",
  "HEAD",
  "main~0",
);

const changing = fc.oneof(
  file.map((path) => `echo x > ${path}`),
  file.map((path) => `sed -i s/package/x/ ${path}`),
  file.map((path) => `echo x | tee -a ${path} >/dev/null`),
  file.map((path) => `rm -rf ${path}`),
  file.map((path) => `truncate -s 0 ${path}`),
  file.map((path) => `dd if=/dev/null of=${path}`),
  file.map((path) => `mkdir -p $(dirname ${path})`),
  file.map((path) => `bash -c 'printf y > "${path}"'`),
  file.map((path) => `f() { echo x > "$1"; }; f ${path}`),
  file.map((path) => `python3 -c "open('${path}','w').write('x')"`),
  file.map((path) => `cd src && echo x > ../${path}`),
  file.map((path) => `perl -pi -e s/package/x/ ${path}`),
  fc.tuple(file, file).map(([from, to]) => `cp ${from} ${to}`),
  fc.tuple(file, file).map(([from, to]) => `mv ${from} ${to}`),
  fc.tuple(file, file).map(([from, to]) => `ln -f ${from} ${to}`),
  fc.constant(`ln -sfn ../../src ${spec}/link`),
  fc.constant("git reset -q --hard develop"),
  fc.constant("git stash -q"),
  fc.constant("git clean -fdq"),
  file.map((path) => `git checkout develop -- ${path}`),
  file.map((path) => `git checkout HEAD ${path}`),
  file.map((path) => `git checkout -q -f -- ${path}`),
  file.map((path) => `echo ${path} | git checkout --pathspec-from-file=-`),
  file.map((path) => `git rm -q --cached ${path}; git clean -q --forc`),
  file.map((path) => `echo ${path} > ${spec}/list; xargs -a ${spec}/list rm -f`),
  file.map((path) => `printf 'all:\\n\\techo x > ../../${path}\\n' > ${spec}/Makefile`),
  fc.constantFrom(`make -C ${spec}`, `make -f ${spec}/Makefile`, `cd ${spec} && make`),
  file.map((path) => `echo 'echo x > ${path}' > ${spec}/run.sh`),
  fc.constantFrom(
    `bash ${spec}/run.sh`,
    `. ${spec}/run.sh`,
    `bash < ${spec}/run.sh`,
    `cat ${spec}/run.sh | sh`,
  ),
  fc.constantFrom(
    "git checkout -q -f",
    "git switch -q --discard-changes -c fresh",
    "yes | git restore -q -p",
  ),
  fc.constantFrom("git stash -q -u", "git stash -q; git stash pop -q", "git merge -q -m --abort develop"),
  fc.constantFrom(
    "git add -A",
    "git commit -qam x",
    "git reset -q",
    "git reset -q --merge",
    "git restore --staged .",
  ),
  fc.constantFrom("git read-tree -um HEAD develop", "git checkout-index -fa", "git archive develop | tar x"),
  file.map((path) => `git restore --source=develop ${path}`),
  fc.constant("git diff feature/cart develop | git apply"),
);

const moving = fc.oneof(
  fc.constantFrom("main", "master", "develop").map((name) => `echo "ref: refs/heads/${name}" > .git/HEAD`),
  branch.map((name) => `git checkout -q ${name}`),
  branch.map((name) => `git switch -q ${name}`),
  branch.map((name) => `git checkout -q '${name}' --`),
  branch.map((name) => `git -C . switch --detach ${name}`),
  branch.map((name) => `git go ${name}`),
  fc.constant("git home"),
  branch.map((name) => `git -c alias.z=switch z ${name}`),
  branch.map((name) => `git checkout -q -b ${name} develop`),
  branch.map((name) => `git switch -q -C ${name}`),
  branch.map((name) => `git branch -M ${name}`),
  fc.tuple(branch, branch).map(([from, to]) => `git branch -M ${from} ${to}`),
  fc.tuple(branch, branch).map(([onto, name]) => `git rebase -q ${onto} ${name}`),
  branch.map((name) => `git symbolic-ref HEAD refs/heads/${name.replace("refs/heads/", "")}`),
  branch.map((name) => `B=${name}; git checkout -q $B`),
  branch.map((name) => `git checkout -q develop && git checkout -q ${name}`),
  branch.map((name) => `git merge -q ${name}`),
  fc
    .tuple(branch, branch)
    .map(([onto, name]) => `git rebase -q --whitespace fix --onto ${onto} ${onto} ${name}`),
  branch.map((name) => `git rebase -q --root ${name}`),
  branch.map((name) => `git rebase -q -x false HEAD~1 ${name}`),
  fc.constantFrom("abort", "continue", "skip", "quit").map((how) => `git rebase --${how}`),
  branch.map((name) => `git checkout -q - ; git checkout -q ${name}`),
  fc.tuple(branch, branch).map(([from, to]) => `git checkout -q ${from} && git branch -M ${from} ${to}`),
  branch.map((name) => `git branch -q -D ${name}`),
  branch.map((name) => `git branch -q -u ${name}`),
  branch.map((name) => `git branch --mov ${name}`),
  branch.map((name) => `git switch -q --force-c ${name}`),
  branch.map((name) => `git switch -q -- ${name}`),
  branch.map((name) => `git checkout -q -t ${name}`),
  branch.map((name) => `git checkout -q -l -f -m ${name} --`),
  branch.map((name) => `git bisect reset ${name}`),
  branch.map((name) => `git bisect start ${name} HEAD~1`),
  fc.constant("git bisect reset"),
  branch.map((name) => `git update-ref --no-der HEAD ${name}`),
  branch.map((name) => `git stash -q; git stash branch ${name}`),
  branch.map((name) => `git worktree add -q --force ./tree ${name}`),
  branch.map((name) => `git cherry-pick ${name}; git cherry-pick --abort`),
  branch.map((name) => `git pull -q --rebase . ${name}`),
  branch.map((name) => `git fetch -q -u . ${name}:feature/cart`),
  branch.map((name) => `git config alias.there "checkout -q ${name}"`),
  fc.constant("git there"),
  branch.map((name) => `echo ${name} | xargs git switch -q`),
  branch.map((name) => `git rebase -q -x "git checkout -q ${name}" HEAD~1`),
  fc.constant("git commit -q --allow-empty -m x"),
  fc.constant("echo x >> src/a.go && git stash -q && git stash branch main"),
);

const runs = Number(process.env["HOOKLINE_PROPERTY_RUNS"] ?? 15);
const sequence = (each: fc.Arbitrary<string>) => fc.array(each, { minLength: 1, maxLength: 6 });
const most = 600_000;

describe("whatever is tried", () => {
  test(
    "S3-R4 no sequence of allowed commands leaves phase 1 or 2 with a changed source file",
    async () => {
      const before = sources(base.root);
      const property = fc.asyncProperty(
        fc.constantFrom("phase-1", "phase-2"),
        sequence(fc.oneof(changing, moving)),
        fc.constantFrom({}, { "src/b/c.go": "package uncommitted\n", "src/loose.go": "package loose\n" }),
        (phase, commands, uncommitted) =>
          follow(
            phase,
            commands,
            (place, ran) =>
              expect({ ran, files: sources(place) }).toEqual({
                ran: [...ran],
                files: { ...before, ...uncommitted },
              }),
            uncommitted,
          ),
      );
      await fc.assert(property, { numRuns: runs });
    },
    most,
  );

  test(
    "S3-R6 no sequence of allowed commands ends on a protected branch while a pipeline is active",
    async () => {
      const property = fc.asyncProperty(sequence(moving), (commands) =>
        follow("phase-5", commands, (place, ran) => {
          const head = readFileSync(join(place, ".git/HEAD"), "utf8").trim();
          expect({ ran, head }).toEqual({
            ran: [...ran],
            head: expect.not.stringMatching(/\/heads\/(?:main|master)$/),
          });
        }),
      );
      await fc.assert(property, { numRuns: runs });
    },
    most,
  );

  test(
    "S3-R4 S3-C1 an artifact in the workspace of the pipeline is never blocked, in any phase and by any tool",
    async () => {
      const name = fc
        .stringMatching(/^[\w .-]{1,12}$/)
        .filter((text) => !/^\.+ *$/.test(text) && text.trim() === text && text !== "");
      const property = fc.asyncProperty(
        fc.constantFrom("phase-1", "phase-2", "phase-5", "final-summary"),
        fc.constantFrom("pending", "in_progress", "failed", "awaiting_human"),
        fc.array(name, { minLength: 1, maxLength: 3 }),
        fc.nat(4),
        async (phase, status, names, how) => {
          await Bun.write(join(base.root, spec, "state.json"), state(phase, status));
          const path = `${spec}/${names.join("/")}`;
          const calls = [
            claude(base.root, "Write", { file_path: join(base.root, path), content: "x" }),
            claude(base.root, "Edit", { file_path: path, old_string: "a", new_string: "b" }),
            claude(base.root, "Bash", { command: `echo x > '${path}'` }),
            claude(base.root, "Bash", { command: `cat src/a.go | tee -a '${base.root}/${path}'` }),
            claude(base.root, "Bash", { command: `rm -f -- '${path}'` }),
          ];
          expect([path, how, await outcomeOf(calls[how] ?? {})]).toEqual([path, how, "pass"]);
        },
      );
      await fc.assert(property, { numRuns: runs * 4 });
      rmSync(join(base.root, ".specs"), { recursive: true });
    },
    most,
  );
});
