import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { claude, workspace, type Ran, type Workspace } from "./support/hookline.ts";

const policy = "sources:\n  components: always\n";

async function team(files: Record<string, string>): Promise<Workspace> {
  const w = workspace({ "hookline.yaml": policy, "a.txt": "a", ...files });
  for (const [name, text] of Object.entries(files)) if (text.startsWith("#!")) chmodSync(w.path(name), 0o755);
  const { exitCode, stderr } = await w.run(["trust", "--yes"]);
  if (exitCode !== 0) throw new Error(stderr);
  return w;
}

const agent = (agent_type: string): object => ({ agent_id: "a1", agent_type });

const tool = (w: Workspace, name: string, input: object, more: object, env = {}): Promise<Ran> =>
  w.run(["run"], { ...claude(w.root, name, input), ...more }, env);

const bash = (w: Workspace, command: string, by: string): Promise<Ran> =>
  tool(w, "Bash", { command }, agent(by));

const reason = ({ stdout }: Ran): string =>
  stdout === "" ? "" : (JSON.parse(stdout).hookSpecificOutput?.permissionDecisionReason ?? "");

const statuses = (w: Workspace): string[] =>
  (w.records().at(-1)?.["hooks"] ?? []).map(({ hook, status }: any) => `${hook.id} ${status}`);

/** A page with one command hook before a tool. */
const hooking = (head: string, command: string, matcher = ".*"): string =>
  `---\n${head}hooks:\n  PreToolUse:\n    - matcher: "${matcher}"\n      hooks:\n` +
  `        - { type: command, command: ${JSON.stringify(command)}, timeout: 20 }\n---\nx\n`;

describe("S4-R23 S4-C8 a page that is hard to read limits its component all the same", () => {
  const only = (head: string): string => `---\n${head}---\n\nText.\n`;
  const pages: Record<string, string> = {
    "a description that is no YAML": only("name: x\ndescription: Use when: a: b\ntools: Read, Grep\n"),
    "no YAML, with a list in brackets": only('name: "x"\ndescription: a: b\ntools: [Read, "Grep"] # few\n'),
    "no YAML, with a list over several lines": only("name: x\ndescription: a: b\ntools: [Read,\n  Grep]\n"),
    "no YAML, with dashes": only("name: x\ndescription: a: b\ntools:\n  - Read\n  - Grep\n"),
    "a key given twice, of which the stricter holds": only("name: x\ntools: [Read]\ntools: [Read, Bash]\n"),
    "line ends and a mark of another system": `\uFEFF${only("name: x\ntools: [Read]\n").replaceAll("\n", "\r\n")}`,
    "a name written with escapes": only('name: "\\u0078"\ntools: [Read]\n'),
    "a list that is none": only("name: x\ntools:\n  Read: true\n"),
    "a long text below it": `${only("name: x\ntools: [Read]\n")}${"x".repeat(1_200_000)}`,
    "a long head": only(`name: x\ntools: [Read]\ndescription: "${"y".repeat(600_000)}"\n`),
    "a head that never ends": "---\nname: x\ntools: Read\n\nText: and: more\n",
    "a mode that is none": only("name: x\npermissionMode: [plan]\n"),
    "no YAML, with a key in quotes": only('name: x\n"tools": [Read]\ndescription: a: b\n'),
    "no YAML, further in": only(
      "  name: x\n  tools: [Read]\n  description: a: b\n  hooks:\n    tools: [Bash]\n",
    ),
    "a list that comes from elsewhere in the head": only(
      "some: &some { tools: [Read] }\n<<: *some\nname: x\n",
    ),
    "a name with a blank behind it": only('name: "x "\ntools: [Read]\n'),
    "empty lines before it": `\n\n${only("name: x\ntools: [Read]\n")}`,
  };
  for (const [what, text] of Object.entries(pages))
    test(what, async () => {
      using w = workspace({ "hookline.yaml": policy, ".claude/agents/page.md": text });
      expect(reason(await bash(w, "ls", "x"))).toContain("Blocked by hooks/agent/x");
      expect(reason(await bash(w, "ls", "other"))).toBe("");
    });

  test("what stands below a text is no head, though it looks like one", async () => {
    using w = await team({
      ".claude/agents/x.md": `# An agent\n\nIts head could be:\n\n${hooking("name: x\ntools: [Read]\n", "exit 2")}`,
    });
    expect((await w.run(["hooks", "list"])).stdout).not.toContain("agent/x");
    expect(reason(await bash(w, "ls", "x"))).toBe("");
  });

  test("a page deeper in its folder, or called by the name of its file", async () => {
    using w = await team({
      ".claude/agents/team/x.md": only("name: x\ntools: [Read]\n"),
      ".claude/commands/a/b/c.md": only("allowed-tools: [Read]\n"),
      ".github/agents/file.agent.md": only("name: Some title\ntools: [Read]\n"),
      ".claude/skills/folder/SKILL.md": only("name: title\nallowed-tools: [Read]\n"),
    });
    for (const name of ["x", "file", "Some title"])
      expect([name, reason(await bash(w, "ls", name))]).toEqual([
        name,
        expect.stringContaining("none of its tools"),
      ]);
    for (const prompt of ["/b:c", "/folder", "/title"]) {
      await w.run(["run"], { ...claude(w.root, "", {}, "UserPromptSubmit"), prompt });
      const { stdout } = await tool(w, "Bash", { command: "ls" }, {});
      expect([prompt, stdout]).toEqual([prompt, expect.stringContaining("none of its tools")]);
    }
  });

  test("a page that is a link, in a folder that is a link", async () => {
    using w = workspace({
      "hookline.yaml": policy,
      "pages/x.md": "---\nname: x\ntools: [Read, Write]\n---\n",
      "agents/y.md": "---\nname: y\ntools: [Read]\n---\n",
    });
    mkdirSync(w.path(".claude/agents"), { recursive: true });
    mkdirSync(w.path(".github"));
    symlinkSync("../../pages/x.md", w.path(".claude/agents/x.md"));
    symlinkSync("../agents", w.path(".github/agents"));
    for (const name of ["x", "y"]) expect(reason(await bash(w, "ls", name))).toContain("none of its tools");
    const real = { file_path: w.path("pages/x.md"), content: "free" };
    expect(reason(await tool(w, "Write", real, agent("x")))).toContain("its own page");
  });

  test("a page nobody can read allows nothing", async () => {
    using w = workspace({ "hookline.yaml": policy });
    mkdirSync(w.path(".claude/agents/x.md"), { recursive: true });
    expect(reason(await bash(w, "ls", "x"))).toContain("nobody can tell what it may do");
  });

  test("a mode written in another way is the same mode", async () => {
    using w = workspace({
      "hookline.yaml": policy,
      ".claude/agents/x.md": '---\nname: x\npermissionMode: "Plan "\n---\n',
    });
    expect(reason(await bash(w, "touch b", "x"))).toContain("plan mode");
  });

  test("no YAML is only a mistake where there are hooks to be missed", async () => {
    using w = workspace({
      "hookline.yaml": policy,
      ".claude/agents/x.md": "---\nname: x\ndescription: a: b\n---\n",
    });
    expect((await w.run(["hooks", "validate"])).exitCode).toBe(0);
    w.write(".claude/agents/x.md", "---\nname: x\ndescription: a: b\nhooks: {}\n---\n");
    expect((await w.run(["hooks", "validate"])).stdout).toContain(".claude/agents/x.md:3");
  });
});

describe("S4-F4 S4-C8 an entry with arguments names no more than it says", () => {
  const head = "---\nname: x\ntools: Bash(git add:*), Bash(git status:*), Bash(git diff:*)\n---\n";
  const stopped = [
    "git status > out.txt",
    "git diff >> .bashrc",
    "GIT_EXTERNAL_DIFF=./e.sh git diff",
    "export GIT_PAGER=./e.sh; git diff",
    "PATH=.:$PATH git add .",
    "git status | sh",
    "git add .\nrm x",
    "git -c core.pager=x diff",
    "./git add .",
    "git addx",
    "git add . && npm ci",
    "git status | cat a.txt",
  ];
  test("neither files written beside it nor variables that steer it", async () => {
    using w = workspace({ "hookline.yaml": policy, ".claude/agents/x.md": head });
    for (const command of stopped)
      expect([command, reason(await bash(w, command, "x"))]).toEqual([
        command,
        expect.stringContaining("none of its tools"),
      ]);
    for (const command of ["git add .", "git status", "git status > /dev/null", "git add 'a=b'"])
      expect([command, reason(await bash(w, command, "x"))]).toEqual([command, ""]);
  });

  test("who may write may also write so", async () => {
    using w = workspace({
      "hookline.yaml": policy,
      ".claude/agents/x.md": "---\nname: x\ntools: Bash(git status:*), Write\n---\n",
      ".claude/agents/y.md": "---\nname: y\ntools: Bash\ndisallowed-tools: Write\n---\n",
    });
    expect(reason(await bash(w, "git status > out.txt", "x"))).toBe("");
    expect(reason(await bash(w, "git status > out.txt", "y"))).toContain("may not use");
    expect(reason(await bash(w, "git status", "y"))).toBe("");
  });
});

describe("S4-R24 S4-C8 plan mode only reads", () => {
  const page = {
    "hookline.yaml": policy,
    ".claude/agents/x.md": "---\nname: x\npermissionMode: plan\n---\n",
  };
  test("commands that change something without a file being named, and what cannot be followed", async () => {
    using w = workspace(page);
    const stopped = [
      "git commit -am x",
      "git add .",
      "git push",
      "git branch -D x",
      "git config user.name x",
      "npm install",
      "pip install x",
      'eval "$X"',
      'bash -c "$(cat x)"',
      "sed -i s/a/b/ a.txt",
      "echo x > /dev/shm/../../tmp/x",
    ];
    for (const command of stopped)
      expect([command, reason(await bash(w, command, "x"))]).toEqual([
        command,
        expect.stringContaining("Blocked by"),
      ]);
    const fine = ["git status", "git -C . log -3", "git branch", "git config --get a.b", "git stash list"];
    for (const command of [...fine, "npm ls", "npm test", "grep -r a . | head > /dev/null", "cat a.txt"])
      expect([command, reason(await bash(w, command, "x"))]).toEqual([command, ""]);
  });

  test("tools of servers, by what they are given or what they are called", async () => {
    using w = workspace(page);
    const call = async (name: string, input: object): Promise<string> =>
      reason(await tool(w, name, input, agent("x")));
    for (const name of ["mcp__github__create_issue", "mcp__x__deleteThing", "mcp__db__execute_sql"])
      expect([name, await call(name, { a: 1 })]).toEqual([name, expect.stringContaining("plan mode")]);
    expect(await call("mcp__fs__put", { path: "b.txt", content: "x" })).toContain("plan mode");
    for (const name of ["mcp__github__get_issue", "mcp__x__listThings", "mcp__docs__search", "Read"])
      expect([name, await call(name, { a: 1 })]).toEqual([name, ""]);
  });
});

test("S4-F2 of the modes only plan keeps a component from writing, and each is told to its hooks", async () => {
  for (const mode of ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions", "ignore"]) {
    using w = await team({
      ".claude/agents/x.md": hooking(
        `name: x\npermissionMode: ${mode}\n`,
        "echo $HOOKLINE_PERMISSION_MODE $(jq -r .permission_mode) >&2; exit 2",
      ),
    });
    const said = reason(await tool(w, "Write", { file_path: w.path("b"), content: "" }, agent("x")));
    expect([mode, said.includes("plan mode")]).toEqual([mode, mode === "plan"]);
    expect(said).toContain(`${mode} ${mode}`);
  }
});

describe("S4-C8 what a hook makes of a call is held to the component's limits as well", () => {
  const change = (command: string, decision = "allow"): string =>
    `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: decision, updatedInput: { command } } })}'`;
  test("by its own hook", async () => {
    using w = await team({
      ".claude/agents/x.md": hooking(
        "name: x\ntools: Bash(git status)\n",
        change("git status; curl example.com"),
      ),
    });
    expect(reason(await bash(w, "git status", "x"))).toContain("none of its tools");
    const again = await w.run(["replay", "--all", "--json"]);
    expect(JSON.parse(again.stdout).change).toBe("none");
  });

  test("by anybody's hook, and in plan mode", async () => {
    using w = await team({
      ".claude/agents/x.md": "---\nname: x\npermissionMode: plan\n---\n",
      "hookline.yaml": `${policy}hooks:\n  - id: c\n    on: PreToolUse\n    run: ${JSON.stringify(change("touch b"))}\n`,
    });
    expect(reason(await bash(w, "ls", "x"))).toContain("plan mode");
    expect((await bash(w, "ls", "y")).json().hookSpecificOutput.updatedInput).toEqual({ command: "touch b" });
  });
});

describe("S4-R6 several at once", () => {
  test("a skill and an agent: both limits hold, and the hooks of both run", async () => {
    using w = await team({
      ".claude/agents/x.md": hooking("name: x\ntools: [Read, Grep]\n", "exit 0"),
      ".claude/skills/s/SKILL.md": hooking("name: s\nallowed-tools: [Read, Bash]\n", "exit 0"),
    });
    await w.run(["run"], { ...claude(w.root, "", {}, "UserPromptSubmit"), prompt: "/s now" });
    expect(reason(await tool(w, "Read", { file_path: w.path("a.txt") }, agent("x")))).toBe("");
    expect(statuses(w)).toEqual(["agent/x/PreToolUse.1.1 ok", "skill/s/PreToolUse.1.1 ok"]);
    expect(reason(await tool(w, "Grep", { pattern: "x" }, agent("x")))).toContain("hooks/skill/s");
    expect(reason(await bash(w, "ls", "x"))).toContain("hooks/agent/x");
  });

  test("one name in three kinds is three components", async () => {
    using w = await team({
      ".claude/agents/n.md": hooking("name: n\n", "exit 0"),
      ".claude/skills/n/SKILL.md": hooking("name: n\n", "exit 0"),
      ".claude/commands/n.md": hooking("description: n\n", "exit 0"),
    });
    await tool(w, "Read", { file_path: w.path("a.txt") }, agent("n"));
    expect(statuses(w)).toEqual(["agent/n/PreToolUse.1.1 ok"]);
    await w.run(["run"], { ...claude(w.root, "", {}, "UserPromptSubmit"), prompt: "/n" });
    await tool(w, "Read", { file_path: w.path("a.txt") }, {});
    // Whether a slash means the command or the skill nobody says.
    expect(statuses(w)).toEqual(["command/n/PreToolUse.1.1 ok", "skill/n/PreToolUse.1.1 ok"]);
  });

  // VS Code names a subagent at its start and stop only.
  const vscode = (w: Workspace, event: string, more: object = {}): Promise<Ran> =>
    w.run(["run", "--host", "copilot"], {
      session_id: "v1",
      transcript_path: "/x/GitHub.copilot-chat/transcripts/v1.jsonl",
      cwd: w.root,
      timestamp: "2026-01-01T00:00:00.000Z",
      hook_event_name: event,
      ...more,
    });
  const runs = (w: Workspace): Promise<Ran> =>
    vscode(w, "PreToolUse", {
      tool_name: "run_in_terminal",
      tool_input: { command: "ls" },
      tool_use_id: "t",
    });
  const start = (w: Workspace, id: string, type: string): Promise<Ran> =>
    vscode(w, "SubagentStart", { agent_id: id, agent_type: type });
  const refused = async (w: Workspace): Promise<boolean> => /"deny"/.test((await runs(w)).stdout);

  test("agents that start at the same moment are all known", async () => {
    const names = Array.from({ length: 12 }, (_, at) => `agent-${at}`);
    using w = await team(
      Object.fromEntries(
        names.map((name) => [`.claude/agents/${name}.md`, `---\nname: ${name}\ntools: [Read]\n---\n`]),
      ),
    );
    await Promise.all(names.map((name) => start(w, name, name)));
    await runs(w);
    const rules = new Set(
      w
        .records()
        .at(-1)
        ?.["findings"].map(({ rule }: any) => rule),
    );
    expect(names.filter((name) => !rules.has(`hooks/agent/${name}`))).toEqual([]);
  });

  test("also while the account of a long session is written anew", async () => {
    const names = Array.from({ length: 32 }, (_, at) => `agent-${at}`);
    using w = await team(
      Object.fromEntries(
        names.map((name) => [`.claude/agents/${name}.md`, `---\nname: ${name}\ntools: [Read]\n---\n`]),
      ),
    );
    await start(w, "first", "other");
    const folder = join(w.home, ".local/state/hookline/components");
    const [file = ""] = readdirSync(folder);
    const pair = `${JSON.stringify({ begins: { kind: "agent", name: "y", id: "z" } })}\n${JSON.stringify({ ends: { id: "z" } })}\n`;
    writeFileSync(join(folder, file), pair.repeat(500));
    await Promise.all(names.map((name) => start(w, name, name)));
    await runs(w);
    const rules = w
      .records()
      .at(-1)
      ?.["findings"].map(({ rule }: any) => rule);
    expect(names.filter((name) => !rules?.includes(`hooks/agent/${name}`))).toEqual([]);
  });

  test("two of one name end one by one, and one inside another does not lift its limits", async () => {
    using w = await team({ ".claude/agents/x.md": "---\nname: x\ntools: [Read]\n---\n" });
    await start(w, "1", "x");
    await start(w, "2", "x");
    await start(w, "3", "free");
    expect(await refused(w)).toBe(true);
    await vscode(w, "SubagentStop", { agent_id: "1", agent_type: "x" });
    expect(await refused(w)).toBe(true);
    await vscode(w, "SubagentStop", { agent_id: "2", agent_type: "x" });
    expect(await refused(w)).toBe(false);
  });

  test("one whose stop never came is over at the next prompt", async () => {
    using w = await team({ ".claude/agents/x.md": "---\nname: x\ntools: [Read]\n---\n" });
    await start(w, "1", "x");
    expect(await refused(w)).toBe(true);
    await vscode(w, "UserPromptSubmit", { prompt: "go on" });
    expect(await refused(w)).toBe(false);
  });

  test("a state that was left half written is no end of what was known", async () => {
    using w = await team({ ".claude/agents/x.md": "---\nname: x\ntools: [Read]\n---\n" });
    await start(w, "1", "x");
    const folder = join(w.home, ".local/state/hookline/components");
    const [file = ""] = readdirSync(folder);
    writeFileSync(join(folder, file), `${readFileSync(join(folder, file), "utf8")}{"begins": {"ki`);
    await start(w, "2", "y");
    expect(await refused(w)).toBe(true);
  });

  test("a long session keeps what is at work and forgets what is over", async () => {
    using w = await team({
      ".claude/agents/x.md": "---\nname: x\ntools: [Read]\n---\n",
      ".claude/commands/c.md": "---\nallowed-tools: [Read]\n---\n",
    });
    await start(w, "keep", "x");
    const folder = join(w.home, ".local/state/hookline/components");
    const [file = ""] = readdirSync(folder);
    const begun = readFileSync(join(folder, file), "utf8");
    const pair = `${JSON.stringify({ begins: { kind: "agent", name: "y", id: "z" } })}\n${JSON.stringify({ ends: { id: "z" } })}\n`;
    writeFileSync(join(folder, file), begun + pair.repeat(500));
    await start(w, "2", "y");
    expect(readFileSync(join(folder, file), "utf8").length).toBeLessThan(1000);
    expect(await refused(w)).toBe(true);
  });
});

describe("S4-R6 names", () => {
  test("of commands with letters of any language", async () => {
    using w = await team({ ".claude/commands/prüfen+.md": "---\nallowed-tools: [Read]\n---\n" });
    await w.run(["run"], { ...claude(w.root, "", {}, "UserPromptSubmit"), prompt: "/prüfen+ alles" });
    expect(reason(await tool(w, "Bash", { command: "ls" }, {}))).toContain("hooks/command/prüfen+");
  });

  test("that would move the cursor or turn a text around are shown plainly, also what they run", async () => {
    using w = workspace({
      "hookline.yaml": policy,
      ".claude/agents/t.md": `---\nname: "t\\e[2K\\rnice"\ntools: [Read]\nhooks:\n  PreToolUse:\n    - hooks:\n        - { type: command, command: "rm x # \\u202e" }\n---\n`,
    });
    for (const args of [["trust", "--yes"], ["hooks", "list"], ["hooks", "validate"], ["lint"]]) {
      const { stdout, stderr } = await w.run(args);
      // oxlint-disable-next-line no-control-regex -- that is what must not be there
      expect([args, /[\u001b\r\u202e]/.test(stdout + stderr)]).toEqual([args, false]);
    }
    const payload = { ...claude(w.root, "Bash", { command: "ls" }), ...agent("t\u001b[2K\rnice") };
    expect(reason(await w.run(["run"], payload))).toContain("Blocked by hooks/agent/t\ufffd[2K\ufffdnice");
    // oxlint-disable-next-line no-control-regex -- that is what must not be there
    expect(/[\u001b\r\u202e]/.test((await w.run(["log"])).stdout)).toBe(false);
  });
});

describe("S4-C8 a page at work does not go away", () => {
  test("with the folder it is in", async () => {
    using w = await team({ ".claude/agents/x.md": "---\nname: x\ntools: [Bash]\n---\n" });
    for (const command of ["rm -r .claude/agents", "mv .claude/agents old", "rm .claude/agents/*.md"])
      expect([command, reason(await bash(w, command, "x"))]).toEqual([
        command,
        expect.stringContaining("its own page"),
      ]);
    expect(reason(await bash(w, "rm -r .claude/skills", "x"))).toBe("");
  });

  test("a hook whose page has changed since it was trusted does not run, and its limits are those of today", async () => {
    using w = await team({ ".claude/agents/x.md": hooking("name: x\ntools: [Read]\n", "touch ran") });
    w.write(".claude/agents/x.md", hooking("name: x\ntools: [Read, Bash]\n", "touch ran"));
    expect(reason(await bash(w, "ls", "x"))).toBe("");
    expect(statuses(w)).toEqual(["agent/x/PreToolUse.1.1 inert"]);
    expect(existsSync(w.path(".claude/agents/ran"))).toBe(false);
  });
});

describe("S4-C8 bubblewrap", () => {
  const plan = hooking("name: x\npermissionMode: plan\n", "touch ran; echo $? > /dev/null; exit 0");
  const sandbox = (w: Workspace): unknown => w.records().at(-1)?.["hooks"][0]?.sandbox;

  test("a program of that name that came with the workspace is not it", async () => {
    using w = await team({
      ".claude/agents/x.md": plan,
      "bin/bwrap": "#!/bin/sh\ntouch pwned; shift 99; exit 0\n",
    });
    const payload = { ...claude(w.root, "Read", { file_path: w.path("a.txt") }), ...agent("x") };
    const links = mkdtempSync(join(w.home, "links-"));
    symlinkSync(w.path("bin"), join(links, "folder"));
    mkdirSync(join(links, "file"));
    symlinkSync(w.path("bin/bwrap"), join(links, "file/bwrap"));
    const places = [w.path("bin"), "./bin", join(links, "folder"), join(links, "file"), "/usr/bin", "/bin"];
    await w.run(["run"], payload, { PATH: places.join(":") });
    expect(existsSync(w.path("pwned"))).toBe(false);
    expect(sandbox(w)).not.toBeUndefined();
  });

  test("one that fails is said to have failed, and the hook still runs", async () => {
    using w = await team({ ".claude/agents/x.md": plan });
    const broken = mkdtempSync(join(w.home, "bin-"));
    writeFileSync(join(broken, "bwrap"), "#!/bin/sh\nexit 1\n");
    chmodSync(join(broken, "bwrap"), 0o755);
    const payload = { ...claude(w.root, "Read", { file_path: w.path("a.txt") }), ...agent("x") };
    await w.run(["run"], payload, { PATH: `${broken}:/usr/bin:/bin` });
    expect(sandbox(w)).toBe("not read-only: bubblewrap may not do its work on this machine");
    expect(existsSync(w.path(".claude/agents/ran"))).toBe(true);
  });

  test("also by the mode of whoever called, where the page has none", async () => {
    using w = await team({ ".claude/agents/x.md": hooking("name: x\n", "touch ran; exit 0") });
    const payload = { ...claude(w.root, "Read", { file_path: w.path("a.txt") }), ...agent("x") };
    await w.run(["run"], { ...payload, permission_mode: "plan" });
    expect([sandbox(w), existsSync(w.path(".claude/agents/ran"))]).toEqual(
      Bun.which("bwrap")
        ? ["read-only by bubblewrap", false]
        : [expect.stringContaining("not read-only"), true],
    );
    await w.run(["run"], payload);
    expect([sandbox(w), existsSync(w.path(".claude/agents/ran"))]).toEqual([undefined, true]);
  });

  test("from within, no process outside can be reached", async () => {
    using w = await team({
      ".claude/agents/x.md": hooking(
        "name: x\npermissionMode: plan\n",
        "ls /proc | grep -c '^[0-9]'; exit 0",
      ),
    });
    const payload = { ...claude(w.root, "Read", { file_path: w.path("a.txt") }), ...agent("x") };
    await w.run(["run"], payload);
    const [run] = w.records().at(-1)?.["hooks"] ?? [];
    if (run.sandbox === "read-only by bubblewrap") expect(Number(run.raw.stdout)).toBeLessThan(8);
    else expect(run.sandbox).toContain("not read-only");
  });
});

describe("S4-F4 S4-C8 what an entry of a list means", () => {
  const cases: [list: string, tool: string, input: object, fine: boolean][] = [
    ["tools: Agent(worker, scout), Read", "Agent", { subagent_type: "scout", prompt: "p" }, true],
    ["tools: Agent(worker, scout), Read", "Agent", { subagent_type: "other", prompt: "p" }, false],
    ["tools: Task(worker)", "Agent", { subagent_type: "worker", prompt: "p" }, true],
    ["disallowedTools: Agent(worker)", "Agent", { subagent_type: "worker", prompt: "p" }, false],
    ["disallowedTools: Agent(worker)", "Agent", { subagent_type: "scout", prompt: "p" }, true],
    ["tools: Skill(sort)", "Skill", { skill: "sort" }, true],
    ["tools: Skill(sort)", "Skill", { skill: "deploy" }, false],
    ["tools: WebFetch(domain:example.com)", "WebFetch", { url: "https://example.com/a" }, true],
    ["tools: WebFetch(domain:example.com)", "WebFetch", { url: "https://example.com.evil.test/" }, false],
    ["disallowedTools: WebFetch(domain:*.test)", "WebFetch", { url: "https://evil.test/" }, false],
    ["tools: Read(./src/**)", "Read", { file_path: "src/a/b.ts" }, true],
    ["tools: Read(./src/**)", "Read", { file_path: "src/../a.txt" }, false],
    ["tools: Read(/src/**)", "Read", { file_path: "src/a.ts" }, true],
    ["tools: Read(*.ts)", "Read", { file_path: "src/a/b.ts" }, true],
    ["tools: Read(src)", "Read", { file_path: "src/a/b.ts" }, true],
    ["tools: Read(//etc/**)", "Read", { file_path: "/etc/hostname" }, true],
    ["tools: Read(~/notes/**)", "Read", { file_path: "/etc/hostname" }, false],
    [
      "disallowedTools: Edit(/src/**)",
      "Edit",
      { file_path: "src/a.ts", old_string: "a", new_string: "b" },
      false,
    ],
    ["disallowedTools: Read(~/.ssh/**)", "Read", { file_path: "/home/ada/.ssh/config" }, false],
    ["disallowedTools: Read(~/.ssh/**)", "Read", { file_path: "a.txt" }, true],
    ["disallowedTools: Bash(curl *)", "Bash", { command: 'eval "$X"' }, false],
    ["disallowedTools: '*'", "Read", { file_path: "a.txt" }, false],
    ["tools: ['*']", "Bash", { command: "ls" }, true],
    ["tools: Read Grep Bash(git diff *)", "Bash", { command: "git diff a.txt" }, true],
    ["tools: Read Grep Bash(git diff *)", "Bash", { command: "git push" }, false],
    ["tools: Read Grep", "Grep", { pattern: "x" }, true],
    ["tools: [edit]", "mcp__files__write_file", { path: "a.txt", content: "x" }, false],
    ["tools: [files/write_file]", "mcp__files__write_file", { path: "a.txt", content: "x" }, true],
    ["tools: [files/*]", "mcp__other__read", { path: "a.txt" }, false],
  ];
  for (const [list, name, input, fine] of cases)
    test(`${list}: ${name} ${JSON.stringify(input)} is ${fine ? "fine" : "refused"}`, async () => {
      using w = workspace({ "hookline.yaml": policy, ".claude/agents/x.md": `---\nname: x\n${list}\n---\n` });
      const said = reason(await tool(w, name, input, agent("x")));
      expect(said).toEqual(fine ? "" : expect.stringContaining("Blocked by hooks/agent/x"));
    });

  // https://docs.github.com/en/copilot/reference/custom-agents-configuration, "Tool aliases"
  const copilot: [list: string, tool: string, args: object, fine: boolean][] = [
    ["[read, search]", "view", { path: "a.txt" }, true],
    ["[read, search]", "grep", { pattern: "a" }, true],
    ["[search]", "view", { path: "a.txt" }, false],
    ["[read, search]", "bash", { command: "ls" }, false],
    ["[Execute]", "bash", { command: "ls" }, true],
    ["[shell]", "bash", { command: "ls" }, true],
    ["[execute/runInTerminal]", "bash", { command: "ls" }, true],
    ["[edit]", "create", { path: "b.txt", file_text: "x" }, true],
    ["[Edit]", "create", { path: "b.txt", file_text: "x" }, true],
    ["[edit]", "apply_patch", { patch: "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch" }, true],
    ["[edit]", "bash", { command: "rm a.txt" }, false],
    ["[web]", "web_fetch", { url: "https://example.com" }, true],
    ["[agent]", "task", { prompt: "x", agent_type: "y" }, true],
    ["['*']", "bash", { command: "ls" }, true],
    ["[]", "view", { path: "a.txt" }, false],
    ["[view]", "view", { path: "a.txt" }, true],
    ["['github/*']", "github-list_issues", {}, true],
    ["['github/list_issues']", "github-close_issue", {}, false],
  ];
  for (const [list, toolName, toolArgs, fine] of copilot)
    test(`to Copilot, tools: ${list}: ${toolName} ${JSON.stringify(toolArgs)} is ${fine ? "fine" : "refused"}`, async () => {
      using w = workspace({
        "hookline.yaml": policy,
        "a.txt": "a",
        ".github/agents/x.agent.md": `---\ndescription: d\ntools: ${list}\n---\n`,
      });
      const { stdout } = await w.run(["run", "--host", "copilot", "--event", "preToolUse"], {
        sessionId: "s1",
        timestamp: 1,
        cwd: w.root,
        toolName,
        toolArgs,
        agentId: "a1",
        agentType: "x",
      });
      expect(stdout).toEqual(fine ? "" : expect.stringContaining("Blocked by hooks/agent/x"));
    });
});

describe("S4-C8 the mode of whoever called", () => {
  const answer = (output: object): string =>
    hooking(
      "name: x\n",
      `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...output } })}'`,
    );
  const planned = { ...agent("x"), permission_mode: "plan" };

  test("a hook approves no write there, and changes none", async () => {
    using w = await team({
      ".claude/agents/x.md": answer({
        permissionDecision: "allow",
        updatedInput: { file_path: "c", content: "x" },
      }),
    });
    const write = { file_path: w.path("b"), content: "" };
    expect((await tool(w, "Write", write, planned)).stdout).not.toMatch(/allow|updatedInput/);
    expect((await tool(w, "Write", write, agent("x"))).stdout).toContain('"allow"');
  });

  test("nor makes it a write of what only reads", async () => {
    using w = await team({ ".claude/agents/x.md": answer({ updatedInput: { command: "rm a.txt" } }) });
    expect(reason(await tool(w, "Bash", { command: "ls" }, planned))).toContain("plan mode");
    expect(reason(await tool(w, "Bash", { command: "ls" }, agent("x")))).not.toContain("plan mode");
  });
});
