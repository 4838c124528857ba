import { describe, expect, test } from "bun:test";
import { chmodSync, cpSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentIn, agentNames, type Agent } from "./support/agents.ts";
import { emptyRepository, gitIn, repository } from "./support/git.ts";
import { workspace, type Workspace } from "./support/hookline.ts";

const gates = (...lines: readonly string[]): string =>
  ["stop:", ...lines.map((line) => `  - ${line}`), ""].join("\n");

/** Wants to stop and says why not; a prompt before, so that every question is the first of its turn. */
const asks = async (agent: Agent): Promise<string> => {
  await agent.prompt("go on");
  return (await agent.stop()).answer;
};

const last = (w: Workspace): any => w.records().at(-1);

describe.each(agentNames)("under %s", (host) => {
  test("three lines of a policy: tests green, tree clean, branch pushed; the agent may stop when all of it is so", async () => {
    using w = repository({
      "hookline.yaml": gates("tests: npm test", "tree: clean", "commits: pushed"),
      "src/a.ts": "1\n",
    });
    const agent = agentIn(w, host);
    await agent.prompt("do it");
    expect((await agent.stop()).answer).toBe("yes");

    w.write("src/a.ts", "2\n");
    await agent.wrote("src/a.ts");
    const first = await asks(agent);
    expect(first).toContain("`npm test` has not been run since files were edited");
    expect(first).toContain("not committed: src/a.ts");
    expect(first).not.toContain("pushed:");
    expect(first).toContain("(held back 1 of 3 times)");
    expect(first.startsWith("Blocked by workflow/stop: it is not time to stop")).toBe(true);

    await agent.ran("npm test", { code: 1, text: "Tests:       1 failed, 2 passed, 3 total" });
    expect(await asks(agent)).toContain("`npm test` failed the last time");
    await agent.ran("npm test", { code: 0, text: "Tests:       3 passed, 3 total" });
    expect(await asks(agent)).not.toContain("npm test");
    w.git("commit", "-qam", "second");
    expect(await asks(agent)).toContain("not pushed: 1 commit (the branch is main)");
    w.git("push", "-q");
    expect(await asks(agent)).toBe("yes");

    await agent.wrote("src/a.ts");
    expect(await asks(agent)).toContain("files were edited after `npm test` had passed");
    // What was asked of git is on record, and every event can be judged again without it.
    renameSync(w.path(".git"), w.path("gone"));
    const replayed = await w.run(["replay", "--json"]);
    expect(replayed.stdout).not.toContain('"change":"unknown"');
    expect(replayed.exitCode).toBe(0);
  }, 60_000);

  test("a list of its own that is not done holds it, where the host tells of one; an agent without one is never held", async () => {
    using w = workspace({ "hookline.yaml": gates("todos: done") });
    const agent = agentIn(w, host);
    expect(await asks(agent)).toBe("yes");
    if (!agent.todos) return;
    await agent.todos([
      ["write the parser", true],
      ["test it", false],
      ["document it", false],
    ]);
    expect(await asks(agent)).toContain("still to do: test it, document it.");
    await agent.todos([
      ["write the parser", true],
      ["test it", true],
    ]);
    expect(await asks(agent)).toBe("yes");
    await agent.todos([]);
    expect(await asks(agent)).toBe("yes");
  }, 30_000);

  test("a file that has to be updated with others, in this session or on this branch", async () => {
    using w = repository({
      "hookline.yaml": gates(
        "{ file: CHANGELOG.md, updated: session, for: src, instead: Add a line to it. }",
        "{ file: NEWS.md, updated: branch }",
      ),
      "CHANGELOG.md": "# Changes\n",
      "NEWS.md": "# News\n",
      "src/a.ts": "1\n",
    });
    const agent = agentIn(w, host);
    expect(await asks(agent)).toBe("yes");
    await agent.wrote("README.md");
    expect(await asks(agent)).toBe("yes");
    w.write("src/a.ts", "2\n");
    await agent.wrote("src/a.ts");
    const said = await asks(agent);
    expect(said).toContain("CHANGELOG.md was not updated in this session");
    expect(said).toContain("Add a line to it. (held back");
    expect(said).toMatch(/NEWS\.md was not updated, and src\/a\.ts was since origin\/(?:HEAD|main)/);
    w.write("NEWS.md", "# News\n\n* A.\n");
    expect(await asks(agent)).not.toContain("NEWS.md");
    w.git("commit", "-qam", "on the branch");
    await agent.wrote("CHANGELOG.md");
    expect(await asks(agent)).toBe("yes");
  }, 60_000);
});

describe("what git says", () => {
  const held = async (w: Workspace): Promise<string> => asks(agentIn(w, "claude-code"));

  test("before the first commit everything is uncommitted and nothing unpushed", async () => {
    using w = emptyRepository({
      "hookline.yaml": gates("tree: clean", "commits: pushed", "{ file: NEWS.md, updated: branch }"),
    });
    const said = await held(w);
    expect(said).toContain("not committed: hookline.yaml");
    expect(said).not.toContain("pushed:");
    expect(said).toContain("NEWS.md was not updated, and hookline.yaml was.");
    w.write(".gitignore", "*\n");
    expect(await held(w)).toBe("yes");
  });

  test("ignored files are nothing; new, staged, deleted and moved ones are", async () => {
    using w = repository({ "hookline.yaml": gates("tree: clean"), "a.txt": "a\n", "b.txt": "b\n" });
    w.write(".hookline/x", "");
    expect(await held(w)).toBe("yes");
    w.write("ä new\nfile.txt", "");
    expect(await held(w)).toContain("not committed: ä new file.txt.");
    w.git("add", ".");
    expect(await held(w)).toContain("ä new file.txt");
    w.git("commit", "-qm", "x");
    w.git("mv", "a.txt", "c.txt");
    w.git("rm", "-q", "b.txt");
    expect(await held(w)).toContain("not committed: a.txt, b.txt, c.txt.");
    for (let at = 0; at < 5; at++) w.write(`more/${at}.txt`, "");
    expect(await held(w)).toContain("and 5 more.");
  });

  test("no upstream: what a remote has under any name is pushed, what none has is not", async () => {
    using w = repository({ "hookline.yaml": gates("commits: pushed"), "a.txt": "a\n" });
    w.git("switch", "-q", "-c", "feature/x");
    expect(await held(w)).toBe("yes");
    w.git("commit", "-q", "--allow-empty", "-m", "one");
    w.git("commit", "-q", "--allow-empty", "-m", "two");
    expect(await held(w)).toContain("not pushed: 2 commits (the branch is feature/x)");
    w.git("push", "-q", "origin", "HEAD:refs/heads/elsewhere");
    expect(await held(w)).toBe("yes");
    w.git("checkout", "-q", "--detach");
    w.git("commit", "-q", "--allow-empty", "-m", "three");
    expect(await held(w)).toContain("not pushed: 1 commit (no branch is checked out)");
  });

  test("without a remote, without git, outside a repository and where git takes too long nobody is held, and the user is told", async () => {
    using w = repository({ "hookline.yaml": gates("tree: clean", "commits: pushed"), "a.txt": "a\n" });
    w.git("remote", "remove", "origin");
    expect(await held(w)).toBe("yes");
    expect(last(w).findings[0]).toMatchObject({ rule: "workflow/stop", outcome: "warn", id: "unknown" });
    expect(last(w).findings[0].message).toContain("there is no remote to push to");

    const slow = join(w.home, "slow");
    mkdirSync(slow);
    writeFileSync(join(slow, "git"), "#!/bin/sh\nexec sleep 30\n");
    chmodSync(join(slow, "git"), 0o755);
    const started = performance.now();
    const agent = agentIn(w, "claude-code", "7d1f", { PATH: `${slow}:/usr/bin:/bin` });
    const { answer, notice } = await agent.stop();
    expect(performance.now() - started).toBeLessThan(15_000);
    expect(answer).toBe("yes");
    expect(notice).toContain("git cannot tell whether everything is committed, or not in time");
    expect(last(w).findings.map((each: any) => [each.id, each.failure])).toEqual([
      ["unknown", undefined],
      ["unknown", undefined],
    ]);

    const none = await agentIn(w, "claude-code", "7d1f", { PATH: slow.replace("slow", "nothing") }).stop();
    expect(none.answer).toBe("yes");
    renameSync(w.path(".git"), w.path("gone"));
    expect(await held(w)).toBe("yes");
    expect(last(w).findings[0].message).toContain("there is no git repository");
  }, 30_000);

  test("a submodule counts by its commit, and is a workspace of its own; so is a worktree", async () => {
    using w = repository({ "hookline.yaml": gates("tree: clean", "commits: pushed"), "a.txt": "a\n" });
    const library = join(w.home, "library");
    mkdirSync(library);
    const other = gitIn(w, library);
    other("init", "-q", "-b", "main");
    other("-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "first");
    w.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", library, "lib");
    w.git("commit", "-qm", "lib");
    w.git("push", "-q");
    expect(await held(w)).toBe("yes");
    w.write("lib/new.txt", "x\n");
    expect(await held(w)).toBe("yes");
    const inside = gitIn(w, w.path("lib"));
    inside("add", ".");
    inside("-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", "second");
    expect(await held(w)).toContain("not committed: lib.");

    writeFileSync(w.path("lib/hookline.yaml"), gates("commits: pushed"));
    const sub: Workspace = { ...w, root: w.path("lib"), path: (name) => w.path(join("lib", name)) };
    expect(await held(sub)).toContain("not pushed: 1 commit (the branch is main)");

    w.git("worktree", "add", "-q", "-b", "side", join(w.home, "side"));
    const side: Workspace = { ...w, root: join(w.home, "side"), path: (name) => join(w.home, "side", name) };
    writeFileSync(side.path("new.txt"), "");
    expect(await held(side)).toContain("not committed: new.txt");
  }, 30_000);

  test("a workspace within a repository answers for itself alone", async () => {
    using w = repository({ "app/a.txt": "a\n", "app/hookline.yaml": gates("tree: clean") });
    const env = { CLAUDE_PROJECT_DIR: w.path("app") };
    w.write("elsewhere.txt", "");
    const agent = agentIn(w, "claude-code", "7d1f", env);
    expect((await agent.stop()).answer).toBe("yes");
    w.write("app/b.txt", "");
    expect((await agent.stop()).answer).toContain("not committed: b.txt.");
  });

  test("nothing of the repository runs, and nothing is written", async () => {
    using w = repository({
      "hookline.yaml": gates("tree: clean", "commits: pushed", "{ file: N.md, updated: branch }"),
      "a.txt": "a\n",
    });
    const trap = join(w.home, "trap.sh");
    writeFileSync(trap, `#!/bin/sh\ntouch ${join(w.home, "ran")}\n`);
    chmodSync(trap, 0o755);
    for (const hook of ["post-index-change", "fsmonitor-watchman", "reference-transaction", "pre-push"])
      cpSync(trap, w.path(`.git/hooks/${hook}`));
    for (const key of [
      "core.fsmonitor",
      "diff.external",
      "core.pager",
      "core.sshCommand",
      "alias.status",
      "alias.diff",
    ])
      w.git("config", key, key.startsWith("alias") ? `!${trap}` : trap);
    const index = Bun.file(w.path(".git/index")).lastModified;
    w.write("a.txt", "b\n");
    expect(await held(w)).toContain("a.txt");
    expect(await Bun.file(join(w.home, "ran")).exists()).toBe(false);
    expect(Bun.file(w.path(".git/index")).lastModified).toBe(index);
  });
});

describe("no git process but at a stop", () => {
  test("other events of an agent with gates ask git nothing", async () => {
    using w = repository({
      "hookline.yaml": gates("tests: npm test", "tree: clean", "commits: pushed", "todos: done"),
    });
    const agent = agentIn(w, "claude-code");
    await agent.prompt("do it");
    await agent.wrote("a.txt");
    await agent.ran("npm test");
    await agent.todos?.([["x", true]]);
    const asked = w.records().flatMap(({ world }) => world.map(({ ask }: { ask: string }) => ask));
    expect(asked).not.toContain("changed");
    expect(asked).not.toContain("unpushed");
    await agent.stop();
    expect(last(w).world.map(({ ask }: { ask: string }) => ask)).toContain("unpushed");
  });

  test("a guard asks when its step is taken, and when something it excuses is done", async () => {
    using w = repository({
      "hookline.yaml": `workflows:
  release:
    state: { file: release.yaml, key: phase }
    states:
      draft: { forbid: [{ run: npm run release, unless: [{ tree: clean }, { commits: pushed }] }] }
      done: { final: true }
    transitions: [{ from: draft, to: done, when: [{ tree: clean }] }]
`,
      "release.yaml": "phase: draft\n",
    });
    const asked = async (tool: string, input: object): Promise<{ outcome: string; git: boolean }> => {
      const { stdout } = await w.run(["eval", "--host", "claude-code"], {
        hook_event_name: "PreToolUse",
        cwd: w.root,
        tool_name: tool,
        tool_input: input,
      });
      await w.run(["run", "--host", "claude-code"], {
        hook_event_name: "PreToolUse",
        cwd: w.root,
        tool_name: tool,
        tool_input: input,
      });
      return {
        outcome: JSON.parse(stdout).outcome,
        git: JSON.stringify(last(w).world).includes('"changed"'),
      };
    };
    const step = { file_path: w.path("release.yaml"), old_string: "draft", new_string: "done" };
    expect(await asked("Write", { file_path: w.path("a.txt"), content: "" })).toEqual({
      outcome: "pass",
      git: false,
    });
    expect(await asked("Bash", { command: "npm run release" })).toEqual({ outcome: "pass", git: true });
    expect(await asked("Edit", step)).toEqual({ outcome: "pass", git: true });
    w.write("b.txt", "");
    expect((await asked("Bash", { command: "npm run release" })).outcome).toBe("block");
    expect((await asked("Edit", step)).outcome).toBe("block");
  }, 30_000);
});

describe("where nobody can be kept from stopping", () => {
  test.each([
    [
      "windsurf",
      { agent_action_name: "post_cascade_response", trajectory_id: "t1", tool_info: { response: "Done." } },
    ],
    ["opencode", { hook: "session.idle", sessionID: "s1", text: "Done." }],
  ])("under %s it stops, and the record says what is missing", async (host, payload) => {
    using w = workspace({ "hookline.yaml": gates("file: A.md") });
    const { exitCode, stdout } = await w.run(["run", "--host", host], {
      cwd: w.root,
      directory: w.root,
      ...payload,
    });
    expect(exitCode).toBe(0);
    expect(stdout).not.toContain("A.md");
    expect(last(w).event.name).toBe("Stop");
    expect(last(w).verdict).toMatchObject({ outcome: "block", told: "pass" });
  });
});

describe("the host's own limit", () => {
  const held = async (host: (typeof agentNames)[number], most: number, env: Record<string, string> = {}) => {
    using w = workspace({ "hookline.yaml": gates(`{ file: A.md, most: ${most} }`) });
    const agent = agentIn(w, host, "7d1f", env);
    await agent.prompt("do it");
    const said: { answer: string; notice: string }[] = [];
    for (let at = 0; at < 15; at++) {
      const one = await agent.stop();
      said.push(one);
      if (one.answer === "yes") break;
    }
    return { said, finding: last(w).findings[0] };
  };

  test("Claude Code gives up after 8: the user is told from the sixth on, and the ninth time it may go", async () => {
    const { said, finding } = await held("claude-code", 20);
    expect(said.map(({ answer }) => answer === "yes")).toEqual([...Array<boolean>(8).fill(false), true]);
    expect(said.map(({ notice }) => notice).slice(0, 5)).toEqual(["", "", "", "", ""]);
    expect(said[5]?.notice).toBe(
      "Hookline: the agent is kept from stopping for the 6th time in a row. After 8 times it stops whatever is missing.",
    );
    expect(said[5]?.answer).toContain(
      "(held back 6 of 20 times; after 8 in a row this agent stops by itself)",
    );
    expect(said[7]?.notice).toContain("8th time in a row. The next time it stops whatever is missing.");
    expect(finding).toMatchObject({ id: "left", outcome: "warn" });
    expect(finding.message).toContain(
      "It was kept from stopping 8 times in a row, and cannot be more often.",
    );
  }, 30_000);

  test("a variable of the user's moves it; 0 takes it away", async () => {
    const name = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP";
    expect((await held("claude-code", 20, { [name]: "3" })).said.length).toBe(4);
    const { said } = await held("claude-code", 10, { [name]: "0" });
    expect(said.length).toBe(11);
    expect(
      said
        .map(({ notice }) => notice)
        .slice(0, 10)
        .join(""),
    ).toBe("");
  }, 60_000);

  test.each([
    ["copilot", 9],
    ["qwen-code", 8],
    ["cursor", 6],
    ["codex", 11],
    ["gemini-cli", 11],
  ] as const)(
    "%s may go the %i. time",
    async (host, times) => {
      expect((await held(host, 10)).said.length).toBe(times);
    },
    60_000,
  );

  test("what others have held the agent for counts, too", async () => {
    using w = workspace({
      "hookline.yaml": `extends: pipeline\nrules: { pipeline/completion-guard: { options: { blockAgain: true } } }\n${gates("{ file: A.md, most: 2 }")}`,
      ".specs/a/state.json": JSON.stringify({
        currentPhase: "phase-3",
        currentPhaseStatus: "in_progress",
        timestamps: {},
      }),
    });
    w.write("A.md", "x\n");
    const agent = agentIn(w, "claude-code");
    await agent.prompt("do it");
    for (let at = 0; at < 6; at++) expect((await agent.stop()).answer).toContain("Claude-forge");
    w.write("A.md", "");
    expect((await agent.stop()).notice).toContain("7th time in a row");
  }, 30_000);
});

describe("S3-C3 a pipeline that is to be held again and again", () => {
  test.each(["claude-code", "gemini-cli", "codex"] as const)(
    "holds %s eight times, says when that is near, and lets it go with a warning",
    async (host) => {
      using w = workspace({
        "hookline.yaml":
          "extends: pipeline\nrules: { pipeline/completion-guard: { options: { blockAgain: true } } }\n",
        ".specs/a/state.json": '{"currentPhase":"phase-3","currentPhaseStatus":"in_progress"}',
      });
      const agent = agentIn(w, host);
      await agent.prompt("do it");
      const stops = [];
      for (let at = 0; at < 9; at++) stops.push(await agent.stop());
      expect(stops.slice(0, 8).filter(({ answer }) => answer === "yes")).toEqual([]);
      expect(stops[8]?.answer).toBe("yes");
      expect(stops.slice(0, 5).some(({ notice }) => notice.includes("in a row"))).toBe(false);
      expect(stops[5]?.notice).toContain("6th time in a row");
    },
    60_000,
  );
});

describe("tests", () => {
  test.each([
    ["npm t", 0, "", true],
    ["npm run test -- --coverage", 0, "", true],
    ["cd app && CI=1 npm test", 0, "", true],
    ["npm test && echo fine", 0, "", true],
    ["npm test | tail -3", 0, "", false],
    ["npm test | tail -3", 0, "# pass 3\n# fail 0", true],
    ["npm test | tail -3", 0, "# pass 3\n# fail 1", false],
    ["npm test || true", 0, "===== 1 failed, 2 passed in 0.12s =====", false],
    ["npm test; true", 0, "===== 2 passed in 0.12s =====", true],
    ["npm test > log", 0, "", true],
    ["npm test && echo 3 > src/a.ts", 0, "", false],
    ["echo 3 > src/a.ts && npm test", 0, "", true],
    ["echo npm test", 0, "", false],
  ])("after %j with code %i and %j: %p", async (command, code, text, isGreen) => {
    using w = workspace({ "hookline.yaml": gates("tests: npm test"), "src/a.ts": "1\n" });
    const agent = agentIn(w, "claude-code");
    await agent.wrote("src/a.ts");
    await agent.ran(command, { code, text });
    expect((await asks(agent)) === "yes").toBe(isGreen);
  });

  test("what counts as a source can be said; documents do not when nothing is", async () => {
    using w = workspace({
      "hookline.yaml": gates(
        "tests: [go test, make check]",
        "{ tests: npm test, source: web, except: '**/*.css' }",
      ),
    });
    const agent = agentIn(w, "claude-code");
    for (const file of ["README.md", "docs/a.html", "LICENSE"]) await agent.wrote(file);
    expect(await asks(agent)).toBe("yes");
    await agent.wrote("web/a.css");
    expect(await asks(agent)).not.toContain("npm test");
    await agent.ran("make check");
    expect(await asks(agent)).toBe("yes");
    await agent.wrote("web/a.js");
    expect(await asks(agent)).toContain("npm test");
    await agent.ran("go test ./...");
    await agent.ran("npm test");
    expect(await asks(agent)).toBe("yes");
  });

  test("what a subagent edits counts; what it wants to stop for does not", async () => {
    using w = workspace({ "hookline.yaml": gates("tests: npm test") });
    const say = (event: string, more: object) =>
      w.run(["run", "--host", "claude-code"], {
        session_id: "s",
        transcript_path: "/nowhere/s.jsonl",
        cwd: w.root,
        agent_id: "a1",
        agent_type: "Explore",
        hook_event_name: event,
        ...more,
      });
    await say("PostToolUse", {
      tool_name: "Write",
      tool_input: { file_path: w.path("a.ts"), content: "" },
      tool_response: {},
    });
    expect((await say("SubagentStop", { stop_hook_active: false })).stdout).not.toContain("block");
    expect((await agentIn(w, "claude-code", "s").stop()).answer).toContain("npm test");
    expect((await agentIn(w, "claude-code", "another").stop()).answer).toBe("yes");
  });
});

describe("todos", () => {
  test("Claude Code's tasks: created, renamed, ticked off by a subagent, deleted, listed", async () => {
    using w = workspace({ "hookline.yaml": gates("todos: done") });
    const agent = agentIn(w, "claude-code");
    const tool = (tool_name: string, tool_input: object, tool_response: object, more: object = {}) =>
      w.run(["run", "--host", "claude-code"], {
        session_id: "7d1f",
        transcript_path: "/nowhere/7d1f.jsonl",
        cwd: w.root,
        hook_event_name: "PostToolUse",
        tool_name,
        tool_input,
        tool_response,
        ...more,
      });
    const subagent = { agent_id: "a1", agent_type: "general-purpose" };
    const create = (id: string, subject: string) =>
      tool("TaskCreate", { subject, description: "d" }, { task: { id, subject, description: "d" } });
    await create("1", "write tests");
    await create("2", "write docs");
    expect(await asks(agent)).toContain("still to do: write tests, write docs.");
    await tool(
      "TaskUpdate",
      { taskId: "2", status: "in_progress", subject: "write the docs" },
      { success: true },
    );
    await tool("TaskUpdate", { taskId: "1", status: "completed" }, { success: true }, subagent);
    // A subagent's own list is nobody else's.
    await tool(
      "TodoWrite",
      { todos: [{ content: "look", status: "pending", activeForm: "x" }] },
      {},
      subagent,
    );
    expect(await asks(agent)).toContain("still to do: write the docs.");
    await tool("TaskUpdate", { taskId: "2", status: "deleted" }, { success: true });
    expect(await asks(agent)).toBe("yes");
    await tool(
      "TaskList",
      {},
      { tasks: [{ id: "3", subject: "made elsewhere", status: "pending", blockedBy: [] }] },
    );
    expect(await asks(agent)).toContain("still to do: made elsewhere.");
    await tool("TaskUpdate", { taskId: "9", status: "pending" }, { success: true });
    expect(await asks(agent)).toContain("made elsewhere, number 9.");
  }, 30_000);

  test("boxes of a Markdown file; blocks of code are none, and a file that is not there is done", async () => {
    using w = workspace({ "hookline.yaml": gates("todos: docs/TODO.md") });
    const agent = agentIn(w, "claude-code");
    expect(await asks(agent)).toBe("yes");
    w.write(
      "docs/TODO.md",
      "# To do\r\n\r\n- [x] one\r\n* [ ] two\r\n1. [ ] three\r\n  + [ ] four\r\n> - [ ] five\r\n\r\n```\r\n- [ ] six\r\n```\r\n- [-] seven\r\n- [ ]eight\r\n",
    );
    expect(await asks(agent)).toContain("still to do by docs/TODO.md: two, three, four and 1 more.");
    w.write("docs/TODO.md", "- [X] one\n- [x] two\n");
    expect(await asks(agent)).toBe("yes");
  });

  test("VS Code's list", async () => {
    using w = workspace({ "hookline.yaml": gates("todos: done") });
    const agent = agentIn(w, "copilot");
    const tool = (toolName: string, toolArgs: object) =>
      w.run(["run", "--host", "copilot", "--event", "postToolUse"], {
        sessionId: "7d1f",
        timestamp: 1794795200000,
        cwd: w.root,
        toolName,
        toolArgs,
        toolResult: { resultType: "success", textResultForLlm: "done" },
      });
    await tool("manage_todo_list", {
      operation: "write",
      todoList: [{ id: 1, title: "c", status: "not-started" }],
    });
    expect(await asks(agent)).toContain("still to do: c.");
    await tool("manage_todo_list", { operation: "read" });
    await tool("manage_todo_list", {
      operation: "write",
      todoList: [{ id: 1, title: "c", status: "completed" }],
    });
    expect(await asks(agent)).toBe("yes");
  });

  test("any other agent says so by an operation", async () => {
    using w = workspace({ "hookline.yaml": gates("todos: done") });
    const generic = async (payload: object) =>
      (await w.run(["run", "--host", "generic"], { session: "s", cwd: w.root, ...payload })).json();
    const list = (done: boolean) => ({
      event: "PostToolUse",
      tool: "plan",
      operations: [{ do: "todo", whole: true, items: [{ text: "a", done }] }],
    });
    await generic(list(false));
    expect(await generic({ event: "Stop" })).toMatchObject({
      decision: "block",
      reason: expect.stringContaining("still to do: a."),
    });
    await generic(list(true));
    expect((await generic({ event: "Stop" })).decision).not.toBe("block");
  });
});

describe("in a policy", () => {
  test("mistakes are named with their place, and what was expected", async () => {
    const said = async (text: string): Promise<string> => {
      using w = workspace({ "hookline.yaml": text });
      return (await w.run(["workflow", "check"])).stdout;
    };
    expect(await said("stop: { tests: npm test }\n")).toContain(
      "hookline.yaml:1:1  stop: not a list (HL_BAD_VALUE)\n  Write a line for each condition, such as `- tests: npm test`.",
    );
    expect(await said("stop:\n  - test: npm test\n")).toContain(
      'hookline.yaml:2:5  stop.0.test: unknown key "test" (HL_UNKNOWN_KEY)\n  Did you mean "tests"?',
    );
    expect(await said("stop:\n  - tree: dirty\n")).toContain(
      'stop.0.tree: "dirty" does not fit (HL_BAD_VALUE)\n  Expected "clean".',
    );
    expect(await said("stop:\n  - tests: []\n")).toContain("stop.0.tests: there is nothing to run");
    expect(await said("stop:\n  - most: 3\n")).toContain("stop.0: it says no condition (HL_BAD_VALUE)");
    expect(await said("stop:\n  - needs: []\n")).toContain("stop.0: it says no condition");
    expect(await said("stop:\n  - { tree: clean, needs: [{ commits: pushed }] }\n")).toContain(
      "stop.0: it says a condition, and others under `needs`",
    );
    expect(await said("stop:\n  - { tree: clean, commits: pushed }\n")).toContain(
      "stop.0: tree and commits are two conditions",
    );
    expect(await said("stop:\n  - { tree: clean, source: src }\n")).toContain(
      "stop.0.source: `source` means nothing without `tests`",
    );
    expect(await said("stop:\n  - { tests: npm test, most: 0 }\n")).toContain("stop.0.most");
    expect(await said("stop:\n  - { tests: npm test, most: 101 }\n")).toContain("stop.0.most");
    expect(await said("stop:\n  - { seen: tests failed }\n")).toContain(
      'stop.0.seen: "tests" is not watched',
    );
    expect(await said("stop:\n  - { file: ../x, updated: branch }\n")).toContain(
      "leads out of the workspace",
    );
    expect(await said("stop:\n  - { file: x, updated: branch, line: y }\n")).toContain(
      "`updated` and `line` are two conditions",
    );
    expect(
      await said(
        "stop:\n  - tree: clean\nworkflows: { stop: { state: { recorded: session }, states: { a: } } }\n",
      ),
    ).toContain('workflows.stop: "stop" is what the conditions of stopping are called');
    expect(
      await said("stop:\n  - tests: npm test\n  - needs: [{ tree: clean }, { not: { tree: clean } }]\n"),
    ).toContain(
      "hookline.yaml:3:5  stop.1: what a stop needs can never hold: everything is committed must hold and must not (no-stop)",
    );
    expect(
      await said("stop:\n  - tests: npm test\n  - any: [{ tree: clean }, { not: { branch: main } }]\n"),
    ).toContain("1 workflow, 1 state: nothing to find.");
    expect(await said("stop: []\n")).toContain("no workflow");
  }, 60_000);

  test("they are shown where workflows are", async () => {
    using w = repository({ "hookline.yaml": gates("tests: npm test", "tree: clean", "todos: done") });
    const agent = agentIn(w, "claude-code");
    await agent.wrote("a.ts");
    w.write("a.ts", "");
    const { stdout } = await w.run(["workflow", "status"]);
    expect(stdout).toContain("No stop   `npm test` has not been run since files were edited");
    expect(stdout).toContain("not committed: a.ts");
    const gate = "no stop before `npm test` passed after the last edit";
    expect((await w.run(["workflow", "graph", "stop"])).stdout).toContain(gate.replaceAll("`", "#96;"));
    expect((await w.run(["workflow", "graph", "--format", "svg"])).stdout).toContain(
      "everything is committed",
    );
    w.write("hookline.yaml", "stop: nothing\n");
    const broken = await w.run(["workflow", "graph", "stop"]);
    expect(broken.exitCode).toBe(2);
    expect(broken.stderr).toContain("stop: not a list");
  });

  test("the user's and the repository's hold together; of two for the same the repository says how often", async () => {
    using w = workspace({ "hookline.yaml": gates("{ file: A.md, most: 1 }") });
    mkdirSync(join(w.home, ".config/hookline"), { recursive: true });
    writeFileSync(
      join(w.home, ".config/hookline/hookline.yaml"),
      gates("{ file: B.md, most: 2 }", "{ file: A.md, most: 5 }"),
    );
    const agent = agentIn(w, "claude-code");
    await agent.prompt("x");
    const first = (await agent.stop()).answer;
    expect(first).toContain("A.md is missing");
    expect(first).toContain("of 1 times");
    expect(first).toContain("B.md is missing");
    expect((await agent.stop()).answer).not.toContain("A.md");
    expect((await agent.stop()).answer).toBe("yes");
  });

  test("switched off like any rule, and in a mode that only observes nobody is held", async () => {
    using w = workspace({ "hookline.yaml": `${gates("file: A.md")}rules: { workflow/stop: off }\n` });
    expect(await asks(agentIn(w, "claude-code"))).toBe("yes");
    w.write("hookline.yaml", `${gates("file: A.md")}mode: observe\n`);
    expect(await asks(agentIn(w, "claude-code"))).toBe("yes");
    expect(last(w).verdict).toMatchObject({ outcome: "pass", would: "block" });
  });

  test("what was seen is no file of the agent's, and one that cannot be read or is garbled says nothing", async () => {
    using w = workspace({ "hookline.yaml": gates("tests: npm test", "todos: done") });
    const agent = agentIn(w, "claude-code");
    const log = ".hookline/seen/stop/7d1f.jsonl";
    w.write(
      log,
      '{"saw":1}\nnull\n[]\n{"todos":{"items":[null,{"id":5}],"whole":true}}\n{"todos":7}\n{"held":"x"}\nhalf',
    );
    expect(await asks(agent)).toContain("still to do");
    const refused = await w.run(["run"], {
      session_id: "7d1f",
      transcript_path: "/nowhere/7d1f.jsonl",
      cwd: w.root,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: `rm ${log}` },
    });
    expect(refused.stdout).toContain("deny");
  });
});
