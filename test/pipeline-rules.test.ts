import { describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { claude, workspace, type Workspace } from "./support/hookline.ts";
import { at, byRun, spec, state, tasks } from "./support/pipeline.ts";

const policy = { "hookline.yaml": "extends: pipeline\n" };
const bash = (command: string): object => ({ tool_name: "Bash", tool_input: { command } });
const write = (path: string): object => ({
  tool_name: "Write",
  tool_input: { file_path: path, content: "x" },
});
const pre = async (ws: Workspace, payload: object): Promise<number> =>
  (await byRun(ws, "pre-tool-hook", payload)).exitCode;

describe("which pipeline counts", () => {
  const other = (phase: string, updated: string, status = "in_progress") => ({
    [`.specs/another/state.json`]: state(phase, status, { timestamps: { lastUpdated: updated } }),
  });

  test("S3-R11 S3-F8 of two active ones the one written last, by comparing texts; the first on ties", async () => {
    using older = at("phase-1", "in_progress", {}, other("phase-5", "2025-12-31T23:59:59Z"));
    expect(await pre(older, write("/src/a.go"))).toBe(2);
    using newer = at("phase-1", "in_progress", {}, other("phase-5", "2026-01-15T10:00:01Z"));
    expect(await pre(newer, write("/src/a.go"))).toBe(0);
    // Texts, not numbers: "9" is later than "2026".
    using text = at("phase-1", "in_progress", {}, other("phase-5", "9"));
    expect(await pre(text, write("/src/a.go"))).toBe(0);
    using tie = at("phase-5", "in_progress", {}, other("phase-1", "2026-01-15T10:00:00Z"));
    expect(await pre(tie, write("/src/a.go"))).toBe(2);
  });

  test("S3-F8 S3-R6 pending, failed and waiting pipelines are active; completed and abandoned ones are not", async () => {
    for (const [status, exit] of [
      ["pending", 2],
      ["in_progress", 2],
      ["failed", 2],
      ["awaiting_human", 2],
      ["completed", 0],
      ["abandoned", 0],
      ["", 0],
    ] as const) {
      using ws = at("phase-5", status);
      expect([status, await pre(ws, bash("git checkout main"))]).toEqual([status, exit]);
    }
  });

  test("S3-R7 S3-R11 an agent's answer is judged by a pipeline in progress alone, also beside a newer one that waits", async () => {
    const answer = { tool_name: "Agent", tool_response: "" };
    using waiting = at("phase-3b", "awaiting_human");
    expect((await byRun(waiting, "post-agent-hook", answer)).stdout).toBe("");
    using both = at("phase-2", "in_progress", {}, other("checkpoint-a", "2026-02-01", "awaiting_human"));
    const ran = await byRun(both, "post-agent-hook", answer);
    expect(ran.json().hookSpecificOutput.additionalContext).toContain(
      "Agent output for phase-2 appears empty",
    );
    // The other hooks look at the newer one, which is not reading.
    expect(await pre(both, write("/src/a.go"))).toBe(0);
  });

  test("S3-F8 a mark that an editor has put in front of the state does not hide it", async () => {
    using ws = at("phase-1");
    ws.write(`${spec}/state.json`, `\uFEFF${state("phase-1")}`);
    expect(await pre(ws, write("/src/a.go"))).toBe(2);
  });

  test("S3-F9 what cannot be read is no error to the agent", async () => {
    for (const text of [
      "",
      "{",
      "[]",
      "null",
      '{"currentPhase":7,"currentPhaseStatus":{}}',
      "\u0000",
      "x".repeat(70_000_000),
    ]) {
      using ws = workspace({ [`${spec}/state.json`]: text });
      for (const script of ["pre-tool-hook", "stop-hook"] as const) {
        const ran = await byRun(ws, script, write("/src/a.go"));
        expect([text.slice(0, 50), ran.exitCode, ran.stderr]).toEqual([text.slice(0, 50), 0, ""]);
      }
    }
    using ws = at("phase-1");
    for (const payload of ["", "no JSON", "[]", "{}", '{"tool_name":7}', '{"tool_name":"Edit"}'])
      expect([payload, (await byRun(ws, "pre-tool-hook", payload)).exitCode]).toEqual([payload, 0]);
    // A state file that is a folder, a pipe nobody writes to, a link to nowhere.
    using odd = workspace({ ".specs/folder/state.json/x": "", ".specs/file": "" });
    Bun.spawnSync(["mkfifo", odd.path(".specs/pipe")]);
    symlinkSync("/nowhere", odd.path(".specs/link"));
    expect(await pre(odd, write("/src/a.go"))).toBe(0);
  });
});

describe("S3-R4 the read-only guard", () => {
  const verdict = async (payload: object, files: Record<string, string> = {}): Promise<number> => {
    using ws = at("phase-1", "in_progress", {}, { "src/main.go": "package main\n", ...files });
    symlinkSync("../../src", ws.path(`${spec}/link`));
    return await pre(ws, payload);
  };

  test("S3-C1 S3-F11 real paths are compared, with their ends", async () => {
    const inWorkspace = async (path: string, exit: number) =>
      expect([path, await verdict({ ...write(path) })]).toEqual([path, exit]);
    await inWorkspace(`${spec}/analysis.md`, 0);
    await inWorkspace(`./${spec}/notes/deep/a.md`, 0);
    await inWorkspace(".specs/other/notes.md", 0);
    await inWorkspace(`${spec}/../../src/main.go`, 2);
    await inWorkspace(`${spec}/link/main.go`, 2);
    await inWorkspace(`${spec}-old/x.md`, 0);
    await inWorkspace(".specs-old/x.md", 2);
    await inWorkspace("src/main.go", 2);
  });

  test("S3-C1 another active pipeline's state is not ours to write; a finished one's is", async () => {
    const foreign = (status: string) => ({
      ".specs/other/state.json": state("phase-3", status, { timestamps: {} }),
    });
    const target = write(".specs/other/state.json");
    expect(await verdict(target, foreign("pending"))).toBe(2);
    expect(await verdict(bash("rm -r .specs/other"), foreign("pending"))).toBe(2);
    expect(await verdict(target, foreign("completed"))).toBe(0);
  });

  test.each([
    ["awk -i inplace '{print 1}' src/main.go", 2],
    ["sed -i s/a/b/ src/main.go", 2],
    ["cat > src/new.go <<'X'\npackage x\nX", 2],
    ["echo x | tee -a src/main.go", 2],
    ["cp /etc/hostname src/x", 2],
    ["mv src/main.go src/other.go", 2],
    ["rm src/main.go", 2],
    ["python3 -c \"open('src/main.go','w').write('')\"", 2],
    ["bash -c 'echo x > src/main.go'", 2],
    ["echo x > $OUT", 2],
    ["git apply fix.patch", 2],
    ["git checkout -- src/main.go", 2],
    ["git stash", 2],
    ["git merge -m --abort develop", 2],
    ["git merge -m --dry-run develop", 2],
    ["git merge --abort", 2],
    ["git checkout HEAD Makefile", 2],
    ["git checkout -qf", 2],
    ["git checkout --forc", 2],
    ["git switch --discard-changes -c fresh", 2],
    ["yes | git restore -p", 2],
    ["git restore --pathspec-from-file=list", 2],
    ["git apply --exclude --check x.patch", 2],
    ["git -c clean.requireForce=false clean -d", 2],
    ["git clean --forc -en", 2],
    ["git clean -nd", 0],
    ["git merge --help", 0],
    ["git restore --staged src/main.go", 0],
    ["git format-patch --subject-prefix --stdout HEAD~1", 2],
    ["git format-patch --stdout HEAD~1", 0],
    ["gofmt -w src", 2],
    ["npx prettier --write src", 2],
    ["cargo fmt", 2],
    ["go fmt ./...", 2],
    ["black .", 2],
    ["ruff format src", 2],
    ["eslint --fix src", 2],
    ["python3 -m black src", 2],
    ["oxfmt src", 2],
    ["rubocop -A", 2],
    ["deno fmt", 2],
    ["deno fmt --check", 0],
    ["dart format --output=none .", 0],
    ["npm pkg set name=x", 2],
    ["npm version patch", 2],
    ["npm init -y", 2],
    ["npm install left-pad", 2],
    ["npm install", 0],
    ["npm ci", 0],
    ["npm --version", 0],
    ["go mod tidy", 2],
    ["go test ./...", 0],
    ["cargo add serde", 2],
    ["cargo build", 0],
    ["sqlite3 app.db 'select 1'", 0],
    [
      'python3 -c \'import os; os.symlink("../../src", "' +
        spec +
        '/way"); open("' +
        spec +
        '/way/main.go", "w")\'',
      2,
    ],
    ["gofmt -l src", 0],
    ["black --check .", 0],
    ["ruff check src", 0],
    ["cargo fmt -- --check", 0],
    ["prettier --check src && eslint src", 0],
    ["git pull", 2],
    ["git cherry-pick abc", 2],
    ["git switch feature/other", 2],
    // Commands of git that put other files into the worktree, or take some out of it.
    ["git switch -cx feature/other", 2],
    ["git checkout -bx feature/other", 2],
    ["git switch --create=x feature/other", 2],
    ["git switch --orphan x", 2],
    ["git checkout --orphan x", 0],
    ["git checkout --orphan x feature/other", 2],
    ["git checkout -B x", 0],
    ["git switch -c x HEAD", 0],
    ["git read-tree -u --reset feature/other", 2],
    ["git read-tree feature/other", 0],
    ["git checkout-index -f -a", 2],
    ["git bisect start HEAD HEAD~9", 2],
    ["git bisect good", 2],
    ["git bisect log", 0],
    ["git sparse-checkout set src", 2],
    ["git sparse-checkout list", 0],
    ["git submodule update --init", 2],
    ["git submodule status", 0],
    ["git subtree add --prefix=lib x", 2],
    ["git filter-branch --tree-filter true HEAD", 2],
    ["git merge-file src/main.go a b", 2],
    ["git merge-file -p src/main.go a b", 0],
    ["git merge-tree main HEAD", 0],
    ["git mergetool", 2],
    ["git rerere", 2],
    ["git unpack-file HEAD:src/main.go", 2],
    ["git format-patch -1", 2],
    ["git format-patch -1 --stdout", 0],
    [`git format-patch -1 -o ${spec}`, 0],
    ["git mailsplit -osrc mbox", 2],
    ["git lfs pull", 2],
    ["git lfs ls-files", 0],
    ["git apply --stat --apply fix.patch", 2],
    ["git apply --check fix.patch", 0],
    ["git apply --cached fix.patch", 0],
    ["git town sync", 2],
    ["git worktree add lib feature/other", 2],
    ["gh pr checkout 7", 2],
    [`ln src/main.go ${spec}/main.go`, 2],
    [`cp -l src/main.go ${spec}/main.go`, 2],
    [`ln -s ../../src ${spec}/again`, 0],
    [`cp src/main.go ${spec}/main.go.txt`, 0],
    [`grep -rn main src 2>/dev/null | tee ${spec}/uses.txt`, 0],
    ["go test ./... > /tmp/out.txt 2>&1", 0],
    ["git switch -c feature/x", 0],
    ["git log --oneline && git diff HEAD~1 -- src", 0],
    ["git add . && git commit -m wip", 0],
  ] as const)("S3-R4 by a command: %s", async (command, exit) => {
    expect(await verdict(bash(command))).toBe(exit);
  });

  test("every tool that edits is an edit, and a phase that is not under way allows it", async () => {
    for (const [tool, key] of [
      ["Edit", "file_path"],
      ["MultiEdit", "file_path"],
      ["NotebookEdit", "notebook_path"],
      ["mcp__fs__write_file", "path"],
    ] as const)
      expect([
        tool,
        await verdict({ tool_name: tool, tool_input: { [key]: "src/main.go", content: "" } }),
      ]).toEqual([tool, 2]);
    for (const status of ["pending", "awaiting_human", "failed"]) {
      using ws = at("phase-1", status);
      expect(await pre(ws, write("src/main.go"))).toBe(0);
    }
  });
});

describe("S3-R4 what lies in files is judged by where it runs", () => {
  test.each([
    ["make -C .specs/test-pipeline", 2],
    ["make --directory=.specs/test-pipeline look", 0],
    ["npm --prefix .specs/test-pipeline run gen", 2],
    ["xargs -a .specs/test-pipeline/list rm", 2],
    ["xargs --arg-file=.specs/test-pipeline/lines -I{} sh -c '{}'", 2],
    ["xargs -a .specs/test-pipeline/list cat", 0],
    ["ENV=.specs/test-pipeline/lines sh -i -c true", 2],
  ] as const)("S3-F11 %s", async (command, exit) => {
    using ws = at(
      "phase-1",
      "in_progress",
      {},
      {
        "src/main.go": "package main\n",
        [`${spec}/Makefile`]: "all:\n\techo x > ../../src/main.go\nlook:\n\tcat ../../src/main.go > seen\n",
        [`${spec}/package.json`]: '{"scripts":{"gen":"echo x > ../../src/main.go"}}',
        [`${spec}/list`]: "src/main.go\n",
        [`${spec}/lines`]: "echo x > src/main.go\n",
      },
    );
    expect(await pre(ws, bash(command))).toBe(exit);
  });
});

describe("S3-R5 the parallel commit block", () => {
  test.each([
    ["git commit --amend --no-edit", 2],
    ["git -C app commit -m x", 2],
    ["cd app && git add . && git commit -qm x", 2],
    ["sh -c 'git commit -m x'", 2],
    ["git ci -m x", 2],
    ["git done", 2],
    ["git config alias.z commit && git z -m x", 2],
    ["GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.z GIT_CONFIG_VALUE_0=commit git z -m x", 2],
    ["git-commit -m x", 2],
    ["hub commit -m x", 2],
    ["git log --grep commit", 0],
    ["git lfs status", 0],
    ["gh pr create --title commit", 0],
    ["echo git commit", 0],
    ["git commit --dry-run", 0],
    ["git commit -m --dry-run", 2],
    ["git commit --mess --help", 2],
    ["git commit -m x -- --dry-run", 2],
    ["git commit-tree HEAD^{tree}", 0],
    ["git cherry-pick abc", 0],
  ] as const)("S3-F12 S3-C6 %s", async (command, exit) => {
    using ws = at("phase-5", "in_progress", tasks("parallel"), {
      ".git/config": '[alias]\n\tci = commit\n\tdone = "!git add -A && git commit"\n',
    });
    expect(await pre(ws, bash(command))).toBe(exit);
  });

  test("S3-F12 one parallel task among others is enough; a finished one, or another phase, is not", async () => {
    const mixed = {
      tasks: { ...tasks("sequential", 2).tasks, 3: { executionMode: "parallel", implStatus: "in_progress" } },
    };
    using ws = at("phase-5", "in_progress", mixed);
    expect(await pre(ws, bash("git commit -m x"))).toBe(2);
    const done = { tasks: { 1: { executionMode: "parallel", implStatus: "completed" } } };
    using finished = at("phase-5", "in_progress", done);
    expect(await pre(finished, bash("git commit -m x"))).toBe(0);
    using later = at("phase-6", "in_progress", mixed);
    expect(await pre(later, bash("git commit -m x"))).toBe(0);
    for (const status of ["pending", "failed", "awaiting_human"]) {
      using waiting = at("phase-5", status, mixed);
      expect([status, await pre(waiting, bash("git commit -m x"))]).toEqual([status, 0]);
    }
  });
});

describe("S3-R6 the protected branches", () => {
  test.each([
    ['git checkout "main"', 2],
    ["git checkout 'mas'ter", 2],
    ["git switch --detach main", 2],
    ["B=main; git checkout $B", 2],
    ["cd /x && git switch -q main", 2],
    ["git co main", 2],
    ["git home", 2],
    ["git -c alias.x='switch' x main", 2],
    ["git checkout -b main", 2],
    ["git checkout -B master origin/x", 2],
    ["git switch -Cmain", 2],
    ["git checkout --orphan main", 2],
    ["git checkout -t origin/main", 2],
    ["git checkout fork/main", 2],
    ["git checkout refs/heads/main", 2],
    ["git checkout main~2", 2],
    ["git checkout main --", 2],
    ["git symbolic-ref HEAD refs/heads/main", 2],
    ["git branch -M main", 2],
    ["git branch -m feature/cart main", 2],
    ["git rebase develop main", 2],
    ["git rebase -q - main", 2],
    ["git rebase develop -", 2],
    ["git rebase --whitespace fix --empty drop develop main", 2],
    ["git rebase --onto - develop main", 2],
    ["git rebase -X ours --root main", 2],
    ["git rebase - feature/cart", 0],
    ["git checkout @{u}", 2],
    ["git switch feature/cart@{upstream}", 2],
    ["git rebase @{u}", 0],
    ["git checkout develop && git checkout @{-2}", 2],
    ["git checkout develop && git checkout -", 2],
    ["git checkout develop && git branch -M develop main", 2],
    ["git branch -M @{-1} main", 0],
    ["git branch --mov main", 2],
    ["git switch --creat main", 2],
    ["git switch --force -- main", 2],
    ["git checkout --track=direct other/main", 2],
    ["git checkout {main,}", 2],
    ["git switch mai?", 2],
    ["git checkout src/*.go", 0],
    ["git bisect reset", 2],
    ["git bisect start HEAD HEAD~2", 2],
    ["git rebase --cont", 2],
    ["git rebase --abort", 2],
    ["git rebase --quit", 0],
    ["gh pr merge 7 --squash --delete-branch", 2],
    ["gh pr close 7 -d", 2],
    ["gh pr merge 7 --squash", 0],
    ["git stash branch main", 2],
    ["git checkout -", 2],
    ["git switch @{-1}", 2],
    ["git checkout $(cat branch)", 2],
    ["git checkout -- src/main.go", 0],
    ["git checkout -- main", 0],
    ["git checkout main -- src/a.go", 0],
    ["git checkout main src/a.go", 0],
    ["git checkout feature/main-fix", 0],
    ["git checkout feature/main", 0],
    ["git checkout -b feat/x main", 0],
    ["git switch -c maintenance", 0],
    ["git checkout mainline", 0],
    ["git push origin HEAD:main", 0],
    ["git checkout @{-2}", 0],
    ["git branch -m other main", 0],
    ["git rebase main", 0],
    ["git merge main", 0],
    ["git diff main && git log master", 0],
    ["echo git checkout main", 0],
    ["git commit -m 'git checkout main'", 0],
    ["git worktree add ../x main", 0],
    ["echo 'ref: refs/heads/main' > .git/HEAD", 2],
    ["printf 'ref:refs/heads/master' > .git/HEAD", 2],
    ["sed -i s,feature/cart,main, .git/HEAD", 2],
    ["cp $FILE .git/HEAD", 2],
    ["git branch -qM main", 2],
    ["git config alias.z checkout && git z main", 2],
    ["git config alias.z '!git checkout' && git z main", 2],
    ["git symbolic-ref refs/heads/feature/cart refs/heads/main", 2],
    ["git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main", 0],
    ["git update-ref --no-deref HEAD main", 2],
    ["git update-ref --no-deref HEAD $(git rev-parse main)", 2],
    ["printf 'symref-update HEAD refs/heads/main' | git update-ref --stdin", 2],
    ["git update-ref HEAD main", 0],
    ["git update-ref -d refs/heads/old", 0],
    // Aliases that nobody can look up: from a variable, from a file that is included, from another home.
    ["GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.z GIT_CONFIG_VALUE_0='checkout main' git z", 2],
    ["git -c include.path=/x/aliases z", 2],
    ["HOME=/x git z", 2],
    ["git town sync", 2],
    ["git lfs pull", 0],
    ["git long", 2],
    ["git GO main", 2],
    ["git --attr-source HEAD checkout main", 2],
    ["gh pr checkout 7", 2],
    ["gh pr checkout 7 --branch feature/seven", 0],
    ["gh pr checkout 7 -b main", 2],
    ["gh co 7", 2],
    ["hub checkout main", 2],
    ["glab mr checkout 7", 2],
    ["gh pr view 7", 0],
    ["git for-each-ref --format='git checkout %(refname)' | sh", 2],
    ["echo 'ref: refs/heads/main' > .git/refs/heads/feature/cart", 2],
    ["printf 'ref: refs/heads//main' > .git/HEAD", 2],
    ["printf 'ref: refs/remotes/../heads/main' > .git/HEAD", 2],
    ["git rev-parse main > .git/HEAD", 2],
    ["rm .git/HEAD", 2],
    ["rm -rf .git && git init -b main", 2],
    ["cp -r ../clone/.git .", 2],
    ["mv .git ../elsewhere", 2],
    ["rm .git/index.lock", 0],
    ["printf '#!/bin/sh\\ngit checkout main\\n' > .git/hooks/post-commit", 2],
    ["echo main > .git/BISECT_START; git bisect reset", 2],
    ["echo refs/heads/main > .git/rebase-merge/head-name", 2],
    ["echo 'exec git checkout main' >> .git/rebase-merge/git-rebase-todo", 2],
    ["printf '[alias]\\nst = checkout main' >> .git/config && git st", 2],
    ["git -c core.hooksPath=hooks commit -m x", 2],
    ["git config core.hooksPath hooks", 2],
    ["git config include.path ../aliases && git st", 2],
    ["git -c core.hooksPath=/dev/null commit -m x", 0],
    ["git config core.hooksPath", 0],
    ["git included", 2],
    ["git sometimes", 2],
    ["cat .git/hooks/pre-commit", 0],
    ["rm -rf .github", 0],
    ["echo 'ref: refs/heads/feature/x' > .git/HEAD", 0],
    ["echo 'ref: refs/heads/main' > HEAD", 0],
  ] as const)("S3-F13 S3-C6 %s", async (command, exit) => {
    const move = (from: string, to: string) =>
      `0 0 A <a@b.c> 1 +0000\tcheckout: moving from ${from} to ${to}\n`;
    using ws = at(
      "phase-5",
      "in_progress",
      {},
      {
        ".git/HEAD": "ref: refs/heads/feature/cart\n",
        ".git/config":
          '[remote "fork"]\n\turl = x\n[alias]\n\tincluded = status\n[alias]\n\tco = checkout\n\thome = !git switch main\n\tlong = checkout \\\n  main\n\tgo = checkout\n[include]\n\tpath = more\n[includeIf "onbranch:x"]\n\tpath = other\n',
        ".git/logs/HEAD": move("develop", "main") + move("main", "feature/cart"),
        ".git/BISECT_START": "main\n",
        ".git/more": "[alias]\n\tincluded = switch main\n\tsometimes = status\n",
        ".git/other": "[alias]\n\tsometimes = switch main\n",
        ".git/rebase-merge/head-name": "refs/heads/main\n",
      },
    );
    expect(await pre(ws, bash(command))).toBe(exit);
  });

  test("other branches can be protected", async () => {
    const files = {
      "hookline.yaml":
        "extends: pipeline\nrules:\n  pipeline/protected-branch:\n    options: { branches: [trunk] }\n",
    };
    using ws = at("phase-5", "in_progress", {}, files);
    expect(await pre(ws, bash("git checkout trunk"))).toBe(2);
    expect(await pre(ws, bash("git checkout main"))).toBe(0);
  });
});

describe("S3-R7 what an agent answers", () => {
  const told = async (phase: string, response: unknown): Promise<string> => {
    using ws = at(phase);
    const ran = await byRun(ws, "post-agent-hook", {
      tool_name: "Agent",
      tool_input: { prompt: "x" },
      tool_response: response,
    });
    expect(ran.exitCode).toBe(0);
    return ran.stdout === "" ? "" : ran.json().hookSpecificOutput.additionalContext;
  };
  const long = "It has been looked at from every side, and what was found is written down in the review.";

  test("S3-C6 S3-C7 verdicts are words: a part of another word is none", async () => {
    expect(await told("phase-3b", `${long} I disapprove.`)).toContain(
      "APPROVE, APPROVE_WITH_NOTES, or REVISE",
    );
    expect(await told("phase-3b", `${long} approve`)).toBe("");
    expect(await told("phase-6", `${long} It was bypassed.`)).toContain("PASS or FAIL");
    expect(await told("phase-6", `${long} PASS_WITH_NOTES`)).toBe("");
    expect(await told("phase-6", `${long} FAIL`)).toBe("");
    expect(await told("phase-5", long)).toBe("");
  });

  test("S3-F15 S3-C7 fifty characters are enough, and one less is not", async () => {
    expect(await told("phase-1", "x".repeat(49))).toContain("too short (< 50 chars)");
    expect(await told("phase-1", "x".repeat(50))).toBe("");
  });

  test("S3-F15 the texts are the original's, to the letter", async () => {
    expect(await told("phase-1", "")).toBe(
      "WARNING: Agent output for phase-1 appears empty or too short (< 50 chars). Consider retrying this phase per Error Handling rules.",
    );
    expect(await told("phase-4b", long)).toBe(
      "WARNING: Review agent output for phase-4b does not contain APPROVE, APPROVE_WITH_NOTES, or REVISE verdict. The output may be malformed.",
    );
    expect(await told("phase-6", long)).toBe(
      "WARNING: Implementation review output does not contain PASS or FAIL verdict. The output may be malformed.",
    );
  });

  test("an answer in blocks is read like a text", async () => {
    expect(await told("phase-3b", { content: [{ type: "text", text: `${long} REVISE` }] })).toBe("");
    expect(await told("phase-3b", [{ type: "text", text: "ok" }])).toContain("too short");
    expect(await told("phase-3b", null)).toContain("too short");
  });
});

describe("S3-R10 the completion guard", () => {
  const stop = async (ws: Workspace, payload: object = {}) => byRun(ws, "stop-hook", payload);
  const posted = { completedPhases: ["final-summary", "post-to-source"] };
  const summary = { [`${spec}/summary.md`]: "# Summary\n" };

  test("S3-C2 lets go when post-to-source is done or skipped and summary.md is there, and not before", async () => {
    using both = at("final-commit", "in_progress", posted, summary);
    expect((await stop(both)).exitCode).toBe(0);
    using skipped = at("final-commit", "pending", { skippedPhases: ["post-to-source"] }, summary);
    expect((await stop(skipped)).exitCode).toBe(0);
    using bare = at("final-commit", "in_progress", posted);
    expect((await stop(bare)).exitCode).toBe(2);
    using early = at("post-to-source", "in_progress", { completedPhases: ["final-summary"] }, summary);
    expect((await stop(early)).exitCode).toBe(2);
    using failed = at("phase-5", "failed");
    expect((await stop(failed)).stderr).toContain("Claude-forge is still active at phase-5 (failed).");
  });

  test("S3-C2 a pipeline completed today without summary.md may end, with a warning", async () => {
    const times = { timestamps: { lastUpdated: new Date().toISOString() } };
    using ws = at("completed", "completed", times);
    expect(await stop(ws)).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining("has no summary.md"),
    });
    ws.write(`${spec}/summary.md`, "# Summary\n");
    expect(await stop(ws)).toMatchObject({ exitCode: 0, stderr: "" });
  });

  test("S3-C3 S3-F18 whoever was held once is not held again, unless the policy says so", async () => {
    using ws = at("phase-3");
    expect((await stop(ws, { stop_hook_active: false })).exitCode).toBe(2);
    expect(await stop(ws, { stop_hook_active: true })).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining("still active at phase-3"),
    });
    ws.write(
      "hookline.yaml",
      "extends: pipeline\nrules:\n  pipeline/completion-guard:\n    options: { blockAgain: true }\n",
    );
    expect((await stop(ws, { stop_hook_active: true })).exitCode).toBe(2);
  });
});

describe("S3-R1 S3-R2 under an agent that speaks its own language", () => {
  test("S3-C4 X5 Claude Code is refused in its own words, whatever the tool", async () => {
    using ws = at("phase-1", "in_progress", {}, policy);
    const denied = await ws.run(["run"], claude(ws.root, "Bash", { command: "sed -i s/a/b/ a.go" }));
    expect(denied.json().hookSpecificOutput).toMatchObject({ permissionDecision: "deny" });
    const stopped = await ws.run(["run"], {
      session_id: "5f0c",
      cwd: ws.root,
      hook_event_name: "Stop",
      stop_hook_active: false,
    });
    expect(stopped.json()).toMatchObject({
      decision: "block",
      reason: expect.stringContaining("still active at phase-1"),
    });
    const asked = await ws.run(
      ["run"],
      claude(ws.root, "mcp__forge-state__phase_start", { phase: "phase-1" }),
    );
    expect(asked.json().hookSpecificOutput.additionalContext).toContain("effort is not set");
  });

  test("S3-R1 the same event gets the same answer, from its record alone as well", async () => {
    using ws = at("phase-1", "in_progress", {}, policy);
    const payload = claude(ws.root, "Write", { file_path: ws.path("src/a.go"), content: "" });
    const answers = await Promise.all(Array.from({ length: 8 }, () => ws.run(["run"], payload)));
    expect(new Set(answers.map(({ stdout }) => stdout)).size).toBe(1);
    ws.write(`${spec}/state.json`, state("phase-5"));
    const replayed = (await ws.run(["replay", "--json"])).stdout;
    expect(replayed).toContain("pipeline/read-only-phase");
  });

  test("a workspace without .specs is left alone by every rule of the preset", async () => {
    using ws = workspace(policy);
    for (const payload of [
      claude(ws.root, "Write", { file_path: ws.path("a.go"), content: "" }),
      claude(ws.root, "Bash", { command: "git checkout main && git commit -m x" }),
      { session_id: "5f0c", cwd: ws.root, hook_event_name: "Stop" },
    ])
      expect(await ws.run(["run"], payload)).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
  });
});

test("S3-R13 the manual test works as printed", async () => {
  using ws = workspace();
  const payload = '{"tool_name":"Edit","tool_input":{"file_path":"/src/foo.go"}}';
  expect((await ws.run(["run", "--as", "pipeline"], payload)).exitCode).toBe(0);
  ws.write(`${spec}/state.json`, state("phase-1"));
  expect((await ws.run(["run", "--as", "pipeline"], payload)).exitCode).toBe(2);
});
