import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { repository, type Repository } from "./support/git.ts";
import { claude, type Ran, type Workspace } from "./support/hookline.ts";
import { spec, state } from "./support/pipeline.ts";

/** A feature branch with a commit of its own, pushed; the pipeline is about to make its final commit. */
function onFeature(phase = "final-commit", status = "pending", more: object = {}): Repository {
  const ws = repository({ "a.go": "package a\n" });
  ws.git("switch", "-q", "-c", "feature/cart", "--track", "origin/main");
  ws.write("b.go", "package b\n");
  ws.write(`${spec}/state.json`, state("pr-creation"));
  ws.git("add", ".");
  ws.git("commit", "-qm", "feat: cart");
  ws.git("push", "-q", "origin", "feature/cart");
  ws.write(`${spec}/summary.md`, "# Summary\n\nPull request #7.\n");
  ws.write(`${spec}/state.json`, state(phase, status, { completedPhases: ["post-to-source"], ...more }));
  return ws;
}

const finalize = (ws: Workspace): Promise<Ran> => ws.run(["pipeline", "finalize", "--json"]);
const onRemote = (ws: Repository, branch = "feature/cart"): string =>
  Bun.spawnSync(["git", "--git-dir", ws.remote, "rev-parse", branch]).stdout.toString().trim();

describe("S3-R8 S3-F17 hookline pipeline finalize", () => {
  test("S3-R8 S3-R9 amends summary and state into the last commit and pushes it; again, it does nothing", async () => {
    using ws = onFeature();
    const before = { main: onRemote(ws, "main"), count: ws.git("rev-list", "--count", "HEAD") };
    ws.write("a.go", "package changed\n");
    ws.write("staged.go", "package staged\n");
    ws.git("add", "staged.go");
    const ran = await finalize(ws);
    expect(ran.json()).toMatchObject({
      done: true,
      amended: ["summary.md", "state.json"],
      pushed: true,
      branch: "feature/cart",
    });
    expect(ran.exitCode).toBe(0);
    expect(onRemote(ws)).toBe(ws.git("rev-parse", "HEAD"));
    expect(onRemote(ws, "main")).toBe(before.main);
    expect(ws.git("rev-list", "--count", "HEAD")).toBe(before.count);
    expect(ws.git("log", "-1", "--format=%s")).toBe("feat: cart");
    // The state in the commit is the one that stays, and other work is left alone.
    expect(JSON.parse(ws.git("show", `HEAD:${spec}/state.json`))).toMatchObject({
      currentPhase: "completed",
      currentPhaseStatus: "completed",
    });
    expect(ws.git("show", "--stat", "--format=", "HEAD")).not.toContain("staged.go");
    expect(ws.git("status", "--porcelain")).toBe("M a.go\nA  staged.go");
    const head = ws.git("rev-parse", "HEAD");
    const again = await finalize(ws);
    expect(again.json()).toMatchObject({ done: true, amended: [], pushed: false });
    expect(ws.git("rev-parse", "HEAD")).toBe(head);
  });

  test("S3-R8 a workspace whose name git would quote is committed like any other", async () => {
    for (const name of ["20260115-käse", "20260115-two words"]) {
      using ws = onFeature("completed", "completed");
      const folder = `.specs/${name}`;
      ws.write(`${folder}/summary.md`, "# Summary\n");
      ws.write(`${folder}/state.json`, state("final-commit", "pending"));
      const ran = await ws.run(["pipeline", "finalize", "--json", "--workspace", name]);
      expect(ran.json()).toMatchObject({ done: true, amended: ["summary.md", "state.json"], pushed: true });
      expect(ws.git("show", `HEAD:${folder}/summary.md`)).toBe("# Summary");
    }
  });

  test("S3-C9 never on main or master, not without a branch, not on another branch than the pipeline's", async () => {
    for (const [prepare, text] of [
      [(ws: Repository) => ws.git("branch", "-M", "feature/cart", "master"), "master is never amended"],
      [(ws: Repository) => ws.git("checkout", "-q", "--detach"), "no branch is checked out"],
      [(ws: Repository) => ws.git("switch", "-q", "-c", "other"), "the pipeline's branch is feature/cart"],
      [(ws: Repository) => ws.git("reset", "-q", "--soft", "main"), "the branch has none of its own"],
    ] as const) {
      using ws = onFeature("final-commit", "pending", {
        branch: text.includes("pipeline's") ? "feature/cart" : "",
      });
      prepare(ws);
      const head = ws.git("rev-parse", "HEAD");
      const remote = onRemote(ws);
      expect(await finalize(ws)).toMatchObject({ exitCode: 1, stdout: expect.stringContaining(text) });
      expect([ws.git("rev-parse", "HEAD"), onRemote(ws)]).toEqual([head, remote]);
    }
  });

  test("S3-F17 not before its time, not without a summary or a pull request", async () => {
    using early = onFeature("phase-5", "in_progress");
    expect((await finalize(early)).json()).toMatchObject({
      done: false,
      trouble: expect.stringContaining("comes after post-to-source"),
    });
    using skipped = onFeature("completed", "completed", { skippedPhases: ["pr-creation"] });
    expect((await finalize(skipped)).json().trouble).toContain("no pull request");
    using gone = onFeature("final-commit", "abandoned");
    expect((await finalize(gone)).json().trouble).toContain("abandoned");
    using bare = onFeature();
    bare.write(`${spec}/summary.md`, "");
    const before = readFileSync(bare.path(`${spec}/state.json`), "utf8");
    expect((await finalize(bare)).json().trouble).toContain("summary.md is missing or empty");
    expect(readFileSync(bare.path(`${spec}/state.json`), "utf8")).toBe(before);
  });

  test("S3-F17 S3-C9 a remote that has moved on is not overwritten, whether that was fetched or not", async () => {
    for (const fetched of [false, true]) {
      using ws = onFeature();
      // Somebody else pushes to the branch.
      const other = join(ws.home, "other");
      const there = (...args: string[]) =>
        Bun.spawnSync(["git", "-c", "user.name=B", "-c", "user.email=b@b.c", ...args], { cwd: other });
      Bun.spawnSync(["git", "clone", "-q", "-b", "feature/cart", ws.remote, other]);
      there("commit", "-q", "--allow-empty", "-m", "theirs");
      there("push", "-q");
      if (fetched) ws.git("fetch", "-q");
      const theirs = onRemote(ws);
      const ran = await finalize(ws);
      expect(ran.json()).toMatchObject({ done: false, step: "push", amended: ["summary.md", "state.json"] });
      expect(ran.json().trouble).toContain("rejected");
      expect(ran.exitCode).toBe(1);
      expect(onRemote(ws)).toBe(theirs);
      expect(ws.git("show", `HEAD:${spec}/summary.md`)).toContain("#7");
    }
  });

  test("S3-F17 ignored files stay out; with all of them ignored there is nothing to amend", async () => {
    using ws = onFeature();
    ws.write(".git/info/exclude", "summary.md\n");
    const ran = (await finalize(ws)).json();
    expect(ran).toMatchObject({ done: true, amended: ["state.json"], pushed: true });
    expect(ran.notes).toEqual(["summary.md is ignored by git and stays out of the commit"]);
    using all = onFeature();
    all.git("rm", "-q", "--cached", `${spec}/state.json`);
    all.git("commit", "-q", "--amend", "--no-edit");
    all.git("push", "-q", "--force", "origin", "feature/cart");
    all.write(".git/info/exclude", ".specs/\n");
    const head = all.git("rev-parse", "HEAD");
    expect((await finalize(all)).json()).toMatchObject({ done: true, amended: [], pushed: false });
    expect(all.git("rev-parse", "HEAD")).toBe(head);
  });

  test("killed between amend and push, it is finished by calling it again", async () => {
    using ws = onFeature();
    ws.write(
      ".git/hooks/pre-push",
      "#!/bin/sh\ntouch pushing\nwhile [ ! -e go ]; do sleep 0.05; done\nexit 1\n",
    );
    chmodSync(ws.path(".git/hooks/pre-push"), 0o755);
    const before = onRemote(ws);
    const child = Bun.spawn([join(import.meta.dir, "../dist/hookline"), "pipeline", "finalize"], {
      cwd: ws.root,
      env: { HOME: ws.home, PATH: "/usr/bin:/bin" },
      stdout: "ignore",
      stderr: "ignore",
    });
    while (!existsSync(ws.path("pushing"))) await Bun.sleep(10);
    child.kill("SIGKILL");
    await child.exited;
    ws.write("go", "");
    expect(onRemote(ws)).toBe(before);
    expect(ws.git("show", `HEAD:${spec}/summary.md`)).toContain("#7");
    const amended = ws.git("rev-parse", "HEAD");
    ws.write(".git/hooks/pre-push", "#!/bin/sh\nexit 0\n");
    expect((await finalize(ws)).json()).toMatchObject({ done: true, amended: [], pushed: true });
    expect([ws.git("rev-parse", "HEAD"), onRemote(ws)]).toEqual([amended, amended]);
  });

  test("a workspace that leads into another repository is not committed there", async () => {
    using ws = onFeature();
    using other = onFeature("completed", "completed");
    const before = other.git("rev-parse", "HEAD");
    ws.git("rm", "-rq", "--cached", spec);
    rmSync(ws.path(spec), { recursive: true });
    symlinkSync(other.path(spec), ws.path(spec));
    const { exitCode, stdout } = await finalize(ws);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("leads out of");
    expect([other.git("rev-parse", "HEAD"), onRemote(other)]).toEqual([before, before]);
  });

  test("variables of git's own, as in one of its hooks, do not lead it to another repository", async () => {
    using ws = onFeature();
    using other = onFeature();
    const before = other.git("rev-parse", "HEAD");
    const env = {
      GIT_DIR: other.path(".git"),
      GIT_WORK_TREE: other.root,
      GIT_INDEX_FILE: other.path(".git/index"),
    };
    const done = await ws.run(["pipeline", "finalize", "--json"], "", env);
    expect(done.json()).toMatchObject({ done: true, pushed: true });
    expect(ws.git("show", `HEAD:${spec}/summary.md`)).toContain("#7");
    expect([other.git("rev-parse", "HEAD"), onRemote(other)]).toEqual([before, before]);
  });

  test("called several times at once, one commit has both files and is pushed", async () => {
    using ws = onFeature();
    const count = ws.git("rev-list", "--count", "HEAD");
    const all = await Promise.all(Array.from({ length: 6 }, () => finalize(ws)));
    expect(all.some(({ exitCode }) => exitCode === 0)).toBe(true);
    expect(all.every(({ exitCode }) => exitCode === 0 || exitCode === 1 || exitCode === 2)).toBe(true);
    expect((await finalize(ws)).json()).toMatchObject({ done: true });
    expect(ws.git("rev-list", "--count", "HEAD")).toBe(count);
    expect(onRemote(ws)).toBe(ws.git("rev-parse", "HEAD"));
    expect(JSON.parse(ws.git("show", `HEAD:${spec}/state.json`))).toMatchObject({
      currentPhase: "completed",
    });
    expect(ws.git("status", "--porcelain", "--", spec)).toBe("");
  }, 30_000);

  test("an amend that a hook of the repository refuses, and a repository without a remote, are said", async () => {
    using ws = onFeature();
    ws.write(".git/hooks/pre-commit", "#!/bin/sh\necho not today >&2\nexit 1\n");
    chmodSync(ws.path(".git/hooks/pre-commit"), 0o755);
    const head = ws.git("rev-parse", "HEAD");
    expect((await finalize(ws)).json()).toMatchObject({
      done: false,
      step: "amend",
      trouble: expect.stringContaining("not today"),
    });
    expect([ws.git("rev-parse", "HEAD"), onRemote(ws)]).toEqual([head, head]);
    using alone = onFeature();
    alone.git("remote", "remove", "origin");
    expect((await finalize(alone)).json()).toMatchObject({
      done: false,
      step: "push",
      trouble: "there is no remote to push to",
    });
  });

  test("a branch nobody has pushed is pushed without force", async () => {
    using ws = onFeature();
    ws.git("branch", "-m", "feature/new");
    expect((await finalize(ws)).json()).toMatchObject({ done: true, pushed: true });
    expect(onRemote(ws, "feature/new")).toBe(ws.git("rev-parse", "HEAD"));
  });
});

describe("S3-R9 S3-F16 hookline pipeline finalize --hook", () => {
  const hook = (ws: Workspace, command: string, tool = "Bash"): Promise<Ran> =>
    ws.run(
      ["pipeline", "finalize", "--hook"],
      { tool_name: tool, tool_input: { command } },
      { CLAUDE_PROJECT_DIR: ws.root },
    );
  const told = (ran: Ran): string =>
    ran.stdout === "" ? "" : ran.json().hookSpecificOutput.additionalContext;
  const done = `bash scripts/state-manager.sh phase-complete ${spec} post-to-source`;

  test("S3-R9 S3-R2 commits and pushes after post-to-source was completed, and says so; exit 0 and a record in any case", async () => {
    using ws = onFeature("completed", "completed");
    const ran = await hook(ws, done);
    expect(ran.exitCode).toBe(0);
    expect(told(ran)).toBe(
      "summary.md and state.json amended into the last commit, which was pushed to feature/cart.",
    );
    expect(onRemote(ws)).toBe(ws.git("rev-parse", "HEAD"));
    expect(ws.git("show", `HEAD:${spec}/summary.md`)).toContain("#7");
    expect(ws.records().at(-1)?.["event"]?.name).toBe("PostToolUse");
  });

  test("S3-F16 says when the push or the amend has failed, and still exits 0", async () => {
    using ws = onFeature("completed", "completed");
    ws.git("remote", "set-url", "origin", "/nowhere.git");
    const ran = await hook(ws, done);
    expect(ran.exitCode).toBe(0);
    expect(told(ran)).toContain("WARNING: the commit is amended, and the push to feature/cart failed");
    using main = onFeature("completed", "completed");
    main.git("branch", "-M", "feature/cart", "master");
    expect(told(await hook(main, done))).toContain("WARNING: master is never amended");
  });

  test("S3-F16 touches nothing after other commands, of investigations, without a summary, and of folders elsewhere", async () => {
    for (const [command, tool, more, summary] of [
      [done, "Edit", {}, "x"],
      ["ls -la", "Bash", {}, "x"],
      [`echo phase-complete ${spec} post-to-source`, "Bash", {}, "x"],
      [done.replace("post-to-source", "final-summary"), "Bash", {}, "x"],
      [done.replace(spec, "/elsewhere"), "Bash", {}, "x"],
      [done, "Bash", { taskType: "investigation" }, "x"],
      [done, "Bash", {}, ""],
    ] as const) {
      using ws = onFeature("completed", "completed", more);
      ws.write(`${spec}/summary.md`, summary);
      const head = ws.git("rev-parse", "HEAD");
      expect(await hook(ws, command, tool)).toMatchObject({ exitCode: 0, stdout: "" });
      expect([ws.git("rev-parse", "HEAD"), onRemote(ws)]).toEqual([head, head]);
    }
  });

  test("S3-R9 as a hook of the policy, once it is trusted", async () => {
    using ws = onFeature("completed", "completed");
    const executable = join(import.meta.dir, "../dist/hookline");
    const run = JSON.stringify([executable, "pipeline", "finalize", "--hook"]);
    ws.write(
      "hookline.yaml",
      `extends: pipeline\nhooks:\n  - id: final-commit\n    on: PostToolUse\n    match: { tool: Bash }\n    run: ${run}\n`,
    );
    const event = {
      ...claude(ws.root, "Bash", { command: done }, "PostToolUse"),
      tool_response: { stdout: "" },
    };
    const before = onRemote(ws);
    await ws.run(["run"], event);
    expect(onRemote(ws)).toBe(before);
    expect((await ws.run(["trust", "--yes"])).exitCode).toBe(0);
    const ran = await ws.run(["run"], event);
    expect(ran.json().hookSpecificOutput.additionalContext).toContain(
      "amended into the last commit, which was pushed to feature/cart",
    );
    expect(onRemote(ws)).toBe(ws.git("rev-parse", "HEAD"));
    expect(onRemote(ws)).not.toBe(before);
  });
});
