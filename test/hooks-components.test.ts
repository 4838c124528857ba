import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { claude, workspace, type Ran, type Workspace } from "./support/hookline.ts";

/** A page with a head and one hook, whose script writes down what it was given. */
const page = (
  head: string,
  event = "PreToolUse",
  matcher: string | null = "Read",
  command = "./note.sh",
): string =>
  `---\n${head}hooks:\n  ${event}:\n    - ${matcher === null ? "" : `matcher: "${matcher}"\n      `}hooks:\n` +
  `        - type: command\n          command: "${command}"\n          timeout: 20\n---\n\nDo it.\n`;
const note = `#!/bin/sh
cat > "$CLAUDE_PROJECT_DIR/seen.json"
env | grep '^HOOKLINE_' > "$CLAUDE_PROJECT_DIR/seen.env"
`;
const scanner = 'name: secure-scanner\ndescription: "Secure code scanner"\n';
const restricted = `${scanner}permissionMode: plan  # Read-only mode\ntools: [Read, Grep]  # Limited tools\n`;
const policy = "sources:\n  components: always\n";

async function team(files: Record<string, string>): Promise<Workspace> {
  const w = workspace({ "hookline.yaml": policy, "a.txt": "a", ...files });
  for (const [name, text] of Object.entries(files)) if (text.startsWith("#!")) chmodSync(w.path(name), 0o755);
  const { exitCode, stderr } = await w.run(["trust", "--yes"]);
  if (exitCode !== 0) throw new Error(stderr);
  return w;
}

const payload = (w: Workspace, event: string, more: object = {}): object => ({
  session_id: "5f0c",
  transcript_path: "/nowhere/5f0c.jsonl",
  cwd: w.root,
  permission_mode: "acceptEdits",
  hook_event_name: event,
  ...more,
});
const inside = { agent_id: "a1", agent_type: "secure-scanner" };
const tool = (w: Workspace, name: string, input: object, more: object = {}): Promise<Ran> =>
  w.run(["run"], { ...claude(w.root, name, input), permission_mode: "acceptEdits", ...more });
const read = (w: Workspace, more: object = {}): Promise<Ran> =>
  tool(w, "Read", { file_path: w.path("a.txt") }, more);
const reason = ({ stdout }: Ran): string =>
  stdout === "" ? "" : (JSON.parse(stdout).hookSpecificOutput?.permissionDecisionReason ?? "");
/** The hooks of the last event, with how they fared. */
const ran = (w: Workspace): string[] =>
  (w.records().at(-1)?.["hooks"] ?? []).map(({ hook, status }: any) => `${hook.id} ${status}`);

describe("reading them", () => {
  test("S4-F1 S4-R6 S4-R12 three events, in agents, skills and commands, also of plugins; any other is a mistake", async () => {
    using w = workspace({
      ".claude/agents/scan.md": page("name: scan\n"),
      ".claude/skills/analyse/SKILL.md": page("name: analyse\n", "PostToolUse"),
      ".claude/commands/ops/deploy.md": page("description: Deploys\n", "Stop", null),
      "plugins/p/agents/helper.md": page("name: helper\n"),
      "plugins/p/skills/sort/SKILL.md": page("name: sort\n"),
      "plugins/p/commands/tidy.md": page("description: Tidies\n"),
      ".claude/agents/loud.md": page("name: loud\n", "SessionStart", "startup"),
      ".claude/agents/plain.md": "No head at all.\n",
      ".claude/agents/none.md": "---\nname: none\n---\nNo hooks.\n",
    });
    const listed = (await w.run(["hooks", "list", "--json"])).json() as { source: string; id: string }[];
    expect(
      listed
        .filter(({ source }) => source === "components")
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([
      "agent/helper/PreToolUse.1.1",
      "agent/scan/PreToolUse.1.1",
      "command/deploy/Stop.1.1",
      "command/tidy/PreToolUse.1.1",
      "skill/analyse/PostToolUse.1.1",
      "skill/sort/PreToolUse.1.1",
    ]);
    const validated = await w.run(["hooks", "validate"]);
    expect(validated.exitCode).toBe(1);
    expect(validated.stdout + validated.stderr).toContain(
      '.claude/agents/loud.md:4  hooks.SessionStart: unknown event "SessionStart"',
    );
    expect(validated.stdout + validated.stderr).toContain("Expected one of PreToolUse, PostToolUse, Stop.");
  });
});

describe("while they are at work", () => {
  test("S4-R6 an agent's hook runs for that agent's calls and nobody else's", async () => {
    using w = await team({ ".claude/agents/scan.md": page(scanner), ".claude/agents/note.sh": note });
    await read(w);
    expect(ran(w)).toEqual([]);
    await read(w, { agent_id: "a2", agent_type: "other" });
    expect(ran(w)).toEqual([]);
    await read(w, inside);
    expect(ran(w)).toEqual(["agent/secure-scanner/PreToolUse.1.1 ok"]);
    await tool(w, "Grep", { pattern: "x" }, inside);
    expect(ran(w)).toEqual([]);
    const limited = await w.run(["explain"], { ...claude(w.root, "Bash", { command: "ls" }), ...inside });
    expect(limited.stdout).not.toContain("none of its tools");
    const explained = await w.run(["explain"], {
      ...claude(w.root, "Read", { file_path: w.path("a.txt") }),
      ...inside,
    });
    expect(explained.stdout).toContain("agent/secure-scanner/PreToolUse.1.1");
  });

  test("from a subagent's start to its stop, where the host names it only then", async () => {
    using w = await team({ ".claude/agents/scan.md": page(scanner), ".claude/agents/note.sh": note });
    const base = { session_id: "v1", timestamp: "2026-11-18T02:00:00.000Z", cwd: w.root };
    const vscode = (hook_event_name: string, more: object): Promise<Ran> =>
      w.run(["run", "--host", "copilot"], { ...base, hook_event_name, transcript_path: "/x", ...more });
    const view = {
      tool_name: "read_file",
      tool_input: { filePath: w.path("a.txt"), startLine: 1, endLine: 2 },
      tool_use_id: "t1",
    };
    const agent = { agent_id: "sub-1", agent_type: "secure-scanner" };
    await vscode("PreToolUse", view);
    expect(ran(w)).toEqual([]);
    await vscode("SubagentStart", agent);
    await vscode("PreToolUse", view);
    expect(ran(w)).toEqual(["agent/secure-scanner/PreToolUse.1.1 ok"]);
    await vscode("SubagentStop", { ...agent, stop_hook_active: false });
    await vscode("PreToolUse", view);
    expect(ran(w)).toEqual([]);
  });

  test("by its id, where the host says its type only when it starts", async () => {
    using w = await team({ ".claude/agents/scan.md": page(scanner), ".claude/agents/note.sh": note });
    const common = { timestamp: "2026-11-18T02:00:00.000Z", permission_mode: "default" };
    const qwen = (event: string, more: object): Promise<Ran> =>
      w.run(["run"], { ...payload(w, event, more), ...common });
    const view = { tool_name: "read_file", tool_input: { file_path: w.path("a.txt") } };
    await qwen("SubagentStart", { agent_id: "a1", agent_type: "secure-scanner" });
    await qwen("SubagentStart", { agent_id: "a2", agent_type: "other" });
    for (const [agent, expected] of [
      [{ agent_id: "a1" }, ["agent/secure-scanner/PreToolUse.1.1 ok"]],
      [{ agent_id: "a2" }, []],
      [{}, []],
    ] as const) {
      await qwen("PreToolUse", { ...view, ...agent });
      expect(ran(w)).toEqual([...expected]);
    }
  });

  test("where every event of a subagent names it, the main agent's calls beside it are its own", async () => {
    using w = await team({
      ".claude/agents/scan.md": page(restricted),
      ".claude/agents/note.sh": "#!/bin/sh\n",
    });
    const copilot = (event: string, more: object): Promise<Ran> =>
      w.run(["run", "--host", "copilot", "--event", event], {
        timestamp: 1_794_795_200_000,
        cwd: w.root,
        ...more,
      });
    const view = { toolName: "view", toolArgs: { path: w.path("a.txt") } };
    const shell = { toolName: "bash", toolArgs: { command: "ls", description: "x" } };
    const child = { agentId: "c2", agentType: "secure-scanner", parentAgentId: "c1" };
    await copilot("subagentStart", { sessionId: "c1", agentName: "secure-scanner", ...child });
    await copilot("preToolUse", { sessionId: "c1", ...view });
    expect(ran(w)).toEqual([]);
    expect((await copilot("preToolUse", { sessionId: "c1", ...shell })).stdout).not.toContain("deny");
    await copilot("preToolUse", { sessionId: "c2", ...child, ...view });
    expect(ran(w)).toEqual(["agent/secure-scanner/PreToolUse.1.1 ok"]);
    expect((await copilot("preToolUse", { sessionId: "c2", ...child, ...shell })).stdout).toContain("deny");
  });

  test("an agent's Stop is the stop of its subagent, and can keep it going", async () => {
    using w = await team({
      ".claude/agents/scan.md": page(scanner, "Stop", null),
      ".claude/agents/note.sh": "#!/bin/sh\necho 'cite the line' >&2\nexit 2\n",
    });
    const main = await w.run(["run"], payload(w, "Stop"));
    expect(main.stdout).toBe("");
    // Copilot fires the subagent's own stop first, and then this one: once is enough.
    const own = { sessionId: "c2", agentId: "c2", agentType: "secure-scanner", parentAgentId: "c1" };
    const base = { timestamp: 1_794_795_200_000, cwd: w.root, stopReason: "end_turn" };
    const early = await w.run(["run", "--host", "copilot", "--event", "agentStop"], { ...own, ...base });
    expect(early.stdout).not.toContain("block");
    const agent = await w.run(["run"], payload(w, "Stop", { agent_type: "secure-scanner" }));
    expect(agent.json().decision).toBe("block");
    const sub = await w.run(["run"], payload(w, "SubagentStop", { ...inside, stop_hook_active: false }));
    expect(sub.json()).toMatchObject({ decision: "block", reason: expect.stringContaining("cite the line") });
  });

  test("a skill from its use to the next prompt; a session of its own has nothing of it", async () => {
    using w = await team({
      ".claude/skills/analyse/SKILL.md": page("name: analyse\n"),
      ".claude/skills/analyse/note.sh": note,
    });
    const one = ["skill/analyse/PreToolUse.1.1 ok"];
    await tool(w, "Skill", { skill: "analyse" });
    await read(w);
    expect(ran(w)).toEqual([]);
    await tool(w, "Skill", { skill: "analyse" }, { hook_event_name: "PostToolUse", tool_response: "loaded" });
    await read(w);
    expect(ran(w)).toEqual(one);
    await read(w, { session_id: "other", transcript_path: "/nowhere/other.jsonl" });
    expect(ran(w)).toEqual([]);
    await w.run(["run"], payload(w, "Stop"));
    await read(w);
    expect(ran(w)).toEqual(one);
    await w.run(["run"], payload(w, "UserPromptSubmit", { prompt: "Something else" }));
    await read(w);
    expect(ran(w)).toEqual([]);
  });

  test("a slash command for the turn it is typed in, by the prompt or by its expansion", async () => {
    using w = await team({
      ".claude/commands/deploy.md": page("description: x\n"),
      ".claude/commands/note.sh": note,
    });
    const one = ["command/deploy/PreToolUse.1.1 ok"];
    await w.run(["run"], payload(w, "UserPromptSubmit", { prompt: "/deploy now" }));
    await read(w);
    expect(ran(w)).toEqual(one);
    await w.run(["run"], payload(w, "UserPromptSubmit", { prompt: "thanks" }));
    await read(w);
    expect(ran(w)).toEqual([]);
    const turn = { prompt_id: "p2" };
    await w.run(
      ["run"],
      payload(w, "UserPromptExpansion", { ...turn, command_name: "deploy", command_args: "" }),
    );
    await w.run(["run"], payload(w, "UserPromptSubmit", { ...turn, prompt: "Deploy it." }));
    await read(w);
    expect(ran(w)).toEqual(one);
    await w.run(["run"], payload(w, "SessionEnd", { reason: "other" }));
    await read(w);
    expect(ran(w)).toEqual([]);
  });

  test("a command that the model calls by the tool for skills, or by that for commands", async () => {
    using w = await team({
      ".claude/commands/deploy.md": page("description: x\n"),
      ".claude/commands/note.sh": note,
    });
    const after = { hook_event_name: "PostToolUse", tool_response: "loaded" };
    for (const [name, input] of [
      ["Skill", { skill: "deploy", args: "now" }],
      ["SlashCommand", { command: "/deploy now" }],
    ] as const) {
      await tool(w, name, input, after);
      await read(w);
      expect([name, ran(w)]).toEqual([name, ["command/deploy/PreToolUse.1.1 ok"]]);
      await w.run(["run"], payload(w, "UserPromptSubmit", { prompt: "Something else" }));
      await read(w);
      expect([name, ran(w)]).toEqual([name, []]);
    }
  });

  test("under an agent that runs them itself they are left to it; off means off", async () => {
    for (const word of ["on", "off"]) {
      using w = await team({ ".claude/agents/scan.md": page(scanner), ".claude/agents/note.sh": note });
      w.write("hookline.yaml", `sources:\n  components: ${word}\n`);
      await read(w, inside);
      expect([word, ran(w)]).toEqual([word, []]);
    }
  });
});

describe("what they inherit", () => {
  test("S4-R23 S4-C8 S4-F3 mode and tools of the agent, in payload and environment", async () => {
    using w = await team({
      ".claude/agents/scan.md": page(`${scanner}permissionMode: default\ntools: [Read, Grep]\n`),
      ".claude/agents/note.sh": note,
    });
    await read(w, inside);
    expect(JSON.parse(readFileSync(w.path("seen.json"), "utf8"))).toMatchObject({
      permission_mode: "default",
      allowed_tools: ["Read", "Grep"],
      component: { kind: "agent", name: "secure-scanner" },
      tool_name: "Read",
    });
    const variables = readFileSync(w.path("seen.env"), "utf8").split("\n");
    expect(variables).toContain("HOOKLINE_PERMISSION_MODE=default");
    expect(variables).toContain("HOOKLINE_ALLOWED_TOOLS=Read,Grep");
    expect(variables).toContain("HOOKLINE_COMPONENT=agent/secure-scanner");
  });

  test("without a mode of its own, that of whoever called", async () => {
    using w = await team({ ".claude/agents/scan.md": page(scanner), ".claude/agents/note.sh": note });
    await read(w, inside);
    const seen = JSON.parse(readFileSync(w.path("seen.json"), "utf8"));
    expect(seen.permission_mode).toBe("acceptEdits");
    expect(seen).not.toHaveProperty("allowed_tools");
  });

  test("S4-R23 S4-C8 tools outside the agent's list are blocked, and those in it are not", async () => {
    using w = await team({
      ".claude/agents/scan.md": page(restricted),
      ".claude/agents/note.sh": "#!/bin/sh\n",
    });
    expect(reason(await read(w, inside))).toBe("");
    expect(reason(await tool(w, "Grep", { pattern: "x" }, inside))).toBe("");
    expect(reason(await tool(w, "Bash", { command: "ls" }, inside))).toContain(
      "`Bash` as it is used is none of its tools (Read, Grep)",
    );
    expect(reason(await tool(w, "Write", { file_path: w.path("b"), content: "" }, inside))).toContain(
      "none of its tools",
    );
    expect(reason(await tool(w, "Write", { file_path: w.path("b"), content: "" }))).toBe("");
    const explained = await w.run(["explain"], { ...claude(w.root, "Bash", { command: "ls" }), ...inside });
    expect(explained.stdout).toContain("none of its tools");
  });

  test("S4-R24 a skill in plan mode with one tool", async () => {
    using w = await team({
      ".claude/skills/file-analyzer/SKILL.md": page(
        'name: file-analyzer\ndescription: "Analyzes file contents"\npermissionMode: plan\nallowed-tools: [Read]\n',
        "PreToolUse",
        "Read",
        "./scan-file.sh",
      ),
      ".claude/skills/file-analyzer/scan-file.sh": "#!/bin/sh\n",
    });
    await tool(
      w,
      "Skill",
      { skill: "file-analyzer" },
      { hook_event_name: "PostToolUse", tool_response: "ok" },
    );
    expect(reason(await read(w))).toBe("");
    expect(ran(w)).toEqual(["skill/file-analyzer/PreToolUse.1.1 ok"]);
    expect(reason(await tool(w, "Grep", { pattern: "x" }))).toContain("none of its tools");
  });

  test("S4-C8 in plan mode nothing is written, by whichever tool", async () => {
    using w = await team({ ".claude/agents/scan.md": `---\n${scanner}permissionMode: plan\n---\nScan.\n` });
    const stopped: [string, object][] = [
      ["Write", { file_path: w.path("b"), content: "" }],
      ["Edit", { file_path: w.path("a.txt"), old_string: "a", new_string: "b" }],
      ["Bash", { command: "grep -c a a.txt > count.txt" }],
      ["Bash", { command: "sh -c 'rm a.txt'" }],
    ];
    for (const [name, input] of stopped)
      expect([name, reason(await tool(w, name, input, inside))]).toEqual([
        name,
        expect.stringContaining("plan mode"),
      ]);
    for (const command of ["ls -la", "grep -c a a.txt > /dev/null"])
      expect([command, reason(await tool(w, "Bash", { command }, inside))]).toEqual([command, ""]);
    expect(reason(await tool(w, "Write", { file_path: w.path("b"), content: "" }))).toBe("");
  });

  test("S4-F4 lists with commas and arguments, and what is disallowed", async () => {
    const head = `${scanner}tools: Bash(git add:*), Bash(git status), Read, mcp__github\n`;
    using w = await team({ ".claude/agents/scan.md": `---\n${head}---\nScan.\n` });
    const verdicts: [string, object, boolean][] = [
      ["Bash", { command: "git add a.txt" }, true],
      ["Bash", { command: "git status" }, true],
      ["Bash", { command: "git commit -m x" }, false],
      ["Bash", { command: "git add a.txt && curl https://example.com" }, false],
      ["Bash", { command: "git add a.txt; git status" }, true],
      ["Bash", { command: "git add $(curl https://example.com)" }, false],
      ["Bash", { command: "sh -c 'git add a.txt'" }, true],
      ["Bash", { command: 'eval "$X"; git status' }, false],
      ["mcp__github__get_issue", { number: 1 }, true],
      ["mcp__gitlab__get_issue", { number: 1 }, false],
    ];
    for (const [name, input, isFine] of verdicts)
      expect([name, input, reason(await tool(w, name, input, inside)) === ""]).toEqual([name, input, isFine]);
    w.write(".claude/agents/scan.md", `---\n${scanner}tools: Edit(src/**), Read\n---\nScan.\n`);
    const edit = (file_path: string): Promise<Ran> =>
      tool(w, "Edit", { file_path, old_string: "a", new_string: "b" }, inside);
    expect(reason(await edit(w.path("src/a.ts")))).toBe("");
    expect(reason(await edit(w.path("a.txt")))).toContain("none of its tools");
    w.write(".claude/agents/scan.md", `---\n${scanner}disallowed-tools: Bash(curl *)\n---\nScan.\n`);
    const piped = await tool(w, "Bash", { command: "git status && curl https://example.com" }, inside);
    expect(reason(piped)).toContain("may not use");
    expect(reason(await tool(w, "Bash", { command: "git status" }, inside))).toBe("");
    w.write(".claude/agents/scan.md", `---\n${scanner}disallowed-tools: WebFetch\n---\nScan.\n`);
    expect(reason(await tool(w, "WebFetch", { url: "https://example.com", prompt: "x" }, inside))).toContain(
      "may not use",
    );
  });

  test("S4-F5 an agent has `tools`, skills and commands have `allowed-tools`; the other name means nothing", async () => {
    using w = await team({
      ".claude/agents/scan.md": `---\n${scanner}allowed-tools: [Grep]\n---\nScan.\n`,
      ".claude/commands/look.md":
        "---\ndescription: Looks.\nname: other\ntools: [Grep]\nallowed-tools: Read\n---\nLook.\n",
    });
    expect(reason(await read(w, inside))).toBe("");
    await w.run(["run"], payload(w, "UserPromptSubmit", { prompt: "/look here" }));
    expect(reason(await read(w))).toBe("");
    expect(reason(await tool(w, "Grep", { pattern: "x" }))).toContain("Blocked by hooks/command/look");
  });

  test("S4-C8 a hook may refuse, but grants no more than its parent has", async () => {
    const answer = (updated: object): string =>
      `#!/bin/sh\ncat <<'EOF'\n${JSON.stringify({
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "allow",
          updatedInput: updated,
        },
      })}\nEOF\n`;
    using w = await team({
      ".claude/agents/scan.md": page(`${scanner}permissionMode: plan\n`, "PreToolUse", "Write|Read"),
      ".claude/agents/note.sh": answer({ file_path: "/elsewhere", content: "x" }),
    });
    const write = await tool(w, "Write", { file_path: w.path("b"), content: "" }, inside);
    expect(write.json().hookSpecificOutput).not.toHaveProperty("updatedInput");
    expect(write.json().hookSpecificOutput.permissionDecision).toBe("deny");
    const record = w.records().at(-1);
    expect(record?.["findings"].map(({ outcome }: any) => outcome)).not.toContain("allow");
    expect(record?.["notes"].join("\n")).toContain("its approval and its change of the input does not count");
    const fine = await read(w, inside);
    expect(fine.json().hookSpecificOutput.permissionDecision).not.toBe("deny");
    expect(fine.json().hookSpecificOutput.updatedInput).toBeDefined();
  });

  test("S4-C8 an agent at work does not rewrite its own page", async () => {
    using w = await team({
      ".claude/agents/scan.md": `---\n${scanner}tools: Read, Write, Bash\n---\nScan.\n`,
    });
    const file_path = w.path(".claude/agents/scan.md");
    expect(reason(await tool(w, "Write", { file_path, content: "free" }, inside))).toContain("its own page");
    const sed = { command: "sed -i s/Bash/WebFetch/ .claude/agents/scan.md" };
    expect(reason(await tool(w, "Bash", sed, inside))).toContain("its own page");
    expect(reason(await tool(w, "Write", { file_path, content: "free" }))).not.toContain("its own page");
  });

  test("S4-F15 S4-C8 what belongs to the plugin of a component at work is not written to", async () => {
    using w = await team({
      "plugins/p/agents/helper.md": "---\nname: helper\n---\nHelp.\n",
      "plugins/p/x.txt": "",
    });
    const helper = { agent_id: "a9", agent_type: "p:helper" };
    expect(
      reason(await tool(w, "Write", { file_path: w.path("plugins/p/x.txt"), content: "y" }, helper)),
    ).toContain("belongs to the plugin");
    expect(reason(await tool(w, "Write", { file_path: w.path("src/x.txt"), content: "y" }, helper))).toBe("");
  });
});

describe("read-only by bubblewrap", () => {
  const works =
    Bun.which("bwrap") !== null &&
    Bun.spawnSync(["bwrap", "--ro-bind", "/", "/", "/bin/true"]).exitCode === 0;
  const writes =
    '#!/bin/sh\ncat >/dev/null\necho x > "$CLAUDE_PROJECT_DIR/written.txt" && echo wrote >&2\nexit 0\n';

  test("a hook of a component in plan mode cannot write, and the record says how it was kept from it", async () => {
    using w = await team({ ".claude/agents/scan.md": page(restricted), ".claude/agents/note.sh": writes });
    await read(w, inside);
    const [run] = w.records().at(-1)?.["hooks"] ?? [];
    expect(run.raw.ended).toBe("exit");
    expect(existsSync(w.path("written.txt"))).toBe(!works);
    expect(run.sandbox).toEqual(works ? "read-only by bubblewrap" : expect.stringContaining("not read-only"));
  });

  test("a hook of any other component can", async () => {
    using w = await team({ ".claude/agents/scan.md": page(scanner), ".claude/agents/note.sh": writes });
    await read(w, inside);
    expect(existsSync(w.path("written.txt"))).toBe(true);
    expect(w.records().at(-1)?.["hooks"][0]).not.toHaveProperty("sandbox");
  });

  test("it still refuses, reads its input, and is ended at its time limit with all it started", async () => {
    using w = await team({
      ".claude/agents/scan.md": page(restricted).replace("timeout: 20", "timeout: 1"),
      ".claude/agents/note.sh":
        "#!/bin/sh\nif grep -q a.txt; then echo 'not that one' >&2; exit 2; fi\nsleep 300\n",
    });
    expect(reason(await read(w, inside))).toContain("not that one");
    w.write("b.txt", "");
    await tool(w, "Read", { file_path: w.path("b.txt") }, inside);
    expect(w.records().at(-1)?.["hooks"][0].raw.ended).toBe("timeout");
  });

  test("where bubblewrap is not installed the hook runs, and the record says so", async () => {
    using w = await team({ ".claude/agents/scan.md": page(restricted), ".claude/agents/note.sh": writes });
    mkdirSync(w.path("bin"));
    for (const name of ["sh", "cat"]) symlinkSync(`/bin/${name}`, w.path(`bin/${name}`));
    await w.run(
      ["run"],
      { ...claude(w.root, "Read", { file_path: w.path("a.txt") }), ...inside },
      { PATH: w.path("bin") },
    );
    expect(w.records().at(-1)?.["hooks"][0].sandbox).toBe("not read-only: bubblewrap is not installed");
    expect(existsSync(w.path("written.txt"))).toBe(true);
  });
});
