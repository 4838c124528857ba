// What an attacker found once, and must not find again.
import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claude, workspace, type Workspace } from "./support/hookline.ts";

const id = "260215-173319";
const outcome = async (ws: Workspace, payload: object, env = {}): Promise<string> =>
  (await ws.run(["eval"], payload, env)).json().outcome;
const write = (ws: Workspace, path: string, content = "") =>
  claude(ws.root, "Write", { file_path: path, content });
const shell = (ws: Workspace, command: string) => claude(ws.root, "Bash", { command });
const camel = (ws: Workspace, toolName: string, toolArgs: unknown) => ({
  sessionId: "s",
  timestamp: 1,
  cwd: ws.root,
  toolName,
  toolArgs,
});

describe("nothing that comes in takes more than a moment", () => {
  const cases: [string, (ws: Workspace) => object][] = [
    [
      "a long run of dashes behind a protected name",
      (ws) => shell(ws, `frobnicate hookline.yaml # ${"-".repeat(50_000)}`),
    ],
    [
      "a task line of blanks",
      (ws) => write(ws, `.ralph-sessions/${id}/progress.md`, `- ${" ".repeat(200_000)}x`),
    ],
    [
      "edits that double a text again and again",
      (ws) =>
        claude(ws.root, "MultiEdit", {
          file_path: ws.path(`.ralph-sessions/${id}/progress.md`),
          edits: Array.from({ length: 30 }, () => ({ old_string: "a", new_string: "aa", replace_all: true })),
        }),
    ],
    [
      "a prompt of nothing but keys",
      (ws) =>
        claude(ws.root, "Task", {
          subagent_type: "Ralph-v2-Planner",
          prompt: "MODE:\n- `MODE: ".repeat(50_000),
        }),
    ],
    [
      "200,000 lines about one task",
      (ws) => write(ws, `.ralph-sessions/${id}/progress.md`, "- [ ] task-1\n".repeat(200_000)),
    ],
    ["10,000 openers", (ws) => shell(ws, "$(".repeat(10_000))],
    ["10,000 braces", (ws) => shell(ws, "{a,".repeat(10_000))],
    ["60 KB of words", (ws) => shell(ws, "rm a b ".repeat(9000))],
  ];
  for (const [name, payload] of cases) {
    test(name, async () => {
      using ws = workspace({
        "hookline.yaml": "extends: [recommended, ralph/p0]\n",
        [`.ralph-sessions/${id}/progress.md`]: "a".repeat(1000),
        [`.ralph-sessions/${id}.instructions.md`]: `## Target Files\n${"\n".repeat(100_000)}`,
      });
      const ran = await ws.run(["run"], payload(ws));
      expect(ran.exitCode).toBe(0);
      expect(ws.records()).toHaveLength(1);
    });
  }

  test("a policy that never ends, or is full of mistakes", async () => {
    using ws = workspace();
    symlinkSync("/dev/zero", ws.path("hookline.yaml"));
    expect((await ws.run(["run"], write(ws, "/etc/hosts"))).json().systemMessage).toContain("HL_UNREADABLE");
    using other = workspace({
      "hookline.yaml": `rules:\n${Array.from({ length: 5000 }, (_, at) => `  safety/x${at}: off\n`).join("")}`,
    });
    expect((await other.run(["run"], write(other, "/etc/hosts"))).json().systemMessage).toContain(
      "HL_UNKNOWN_RULE",
    );
  });

  test("a pipe in the place of the ledger", async () => {
    using ws = workspace();
    mkdirSync(ws.path(".hookline/ledger"), { recursive: true });
    Bun.spawnSync(["mkfifo", ws.path(".hookline/ledger/current.jsonl")]);
    const ran = await ws.run(["run"], write(ws, "/etc/hosts"));
    expect(ran.json().permissionDecision).toBe("deny");
    expect(ran.stderr).toContain("the record went to");
  });
});

describe("the boundary does not open by being overrun", () => {
  test("a patch of 300 files outside is denied", async () => {
    using ws = workspace();
    const files = Array.from({ length: 300 }, (_, at) => `*** Add File: ../x/${at}\n+a`).join("\n");
    expect(await outcome(ws, camel(ws, "apply_patch", `*** Begin Patch\n${files}\n*** End Patch`))).toBe(
      "block",
    );
  });

  test("a repository that cannot be read makes nothing a worktree", async () => {
    using ws = workspace();
    ws.write("sub/.git", `gitdir: ${"a".repeat(5000)}`);
    const payload = { ...write(ws, "/etc/hosts"), cwd: ws.path("sub") };
    expect(await outcome(ws, payload, { CLAUDE_PROJECT_DIR: ws.root })).toBe("block");
  });

  test("an address and the path it looks like are both judged", async () => {
    using ws = workspace();
    expect(await outcome(ws, write(ws, "file:///tmp/q?/../../../hookline.yaml"))).toBe("block");
    expect(await outcome(ws, write(ws, "file:///etc/hosts"))).toBe("block");
  });
});

describe("arguments that mean different things to different readers", () => {
  test("a patch in any argument counts, and so does new text beside a command that looks", async () => {
    using ws = workspace();
    const evil = "*** Begin Patch\n*** Delete File: hookline.yaml\n*** End Patch";
    const good = "*** Begin Patch\n*** Add File: a.ts\n+x\n*** End Patch";
    expect(await outcome(ws, camel(ws, "apply_patch", { patch: good, input: evil }))).toBe("block");
    expect(
      await outcome(
        ws,
        camel(ws, "edit", { command: "view", path: "hookline.yaml", old_str: "a", new_str: "b" }),
      ),
    ).toBe("block");
    expect(
      await outcome(ws, camel(ws, "edit", { path: "a.ts", old_str: "a", new_str: "b", input: evil })),
    ).toBe("block");
  });

  test("a line of context that looks like a heading hides nothing", async () => {
    using ws = workspace({ "src/a.ts": "x\n" });
    const patch =
      "*** Begin Patch\n*** Update File: src/a.ts\n*** Move to: ../other/pwn\n@@\n *** Move to: src/ok\n-x\n+y\n*** End Patch";
    expect(await outcome(ws, camel(ws, "apply_patch", patch))).toBe("block");
    expect(
      await outcome(
        ws,
        camel(
          ws,
          "apply_patch",
          "*** Begin Patch\n*** Add File: a\u2028*** Delete File: hookline.yaml\n+x\n*** End Patch",
        ),
      ),
    ).toBe("block");
  });

  test("a call that does not name its event is judged as one that can be stopped", async () => {
    using ws = workspace();
    const { hook_event_name: _, ...payload } = write(ws, "/etc/hosts");
    expect(await outcome(ws, payload)).toBe("block");
  });
});

describe("a managed lock holds although the repository's policy is broken", () => {
  const env = (ws: Workspace, text: string) => {
    writeFileSync(join(ws.home, "managed.yaml"), text);
    return { HOOKLINE_MANAGED_POLICY: join(ws.home, "managed.yaml") };
  };
  const lock = "extends: []\nrules:\n  safety/workspace-boundary: { outcome: block, locked: true }\n";

  test("with and without a last good policy", async () => {
    using ws = workspace({ "hookline.yaml": "extends: []\nmode: {{\n" });
    expect(await outcome(ws, write(ws, "/etc/hosts"), env(ws, lock))).toBe("block");
    ws.write("hookline.yaml", "extends: []\nrules:\n  safety/workspace-boundary: off\n");
    expect(await outcome(ws, write(ws, "/etc/hosts"))).toBe("pass");
    ws.write("hookline.yaml", "extends: {{\n");
    expect(await outcome(ws, write(ws, "/etc/hosts"))).toBe("pass");
    expect(await outcome(ws, write(ws, "/etc/hosts"), env(ws, lock))).toBe("block");
  });

  test("and takes no options from a preset the repository chose", async () => {
    using ws = workspace({ "hookline.yaml": "extends: [recommended]\n" });
    const managed = env(ws, "extends: [ralph/p0]\nrules:\n  ralph/ssot-write-guard: { locked: true }\n");
    expect(await outcome(ws, write(ws, ws.path("progress.md"), "- [Z] task-1"), managed)).toBe("block");
  });
});

test("an allowed name is the file of that name, not what a link of that name leads to", async () => {
  using ws = workspace({
    "hookline.yaml":
      "rules:\n  safety/self-protection: { options: { allow: [.claude/settings.local.json] } }\n",
    ".claude/settings.json": "{}",
  });
  expect(await outcome(ws, write(ws, ws.path(".claude/settings.local.json")))).toBe("pass");
  symlinkSync("settings.json", ws.path(".claude/settings.local.json"));
  expect(await outcome(ws, write(ws, ws.path(".claude/settings.local.json")))).toBe("block");
  expect(await outcome(ws, write(ws, ws.path(".claude/settings.json")))).toBe("block");
});

test("eval --jsonl gives a line for every line, whatever one of them holds", async () => {
  using ws = workspace();
  ws.write("loop/.git", "");
  const lines = [
    write(ws, "/etc/hosts"),
    { ...write(ws, "x"), cwd: "/a\u0000b" },
    write(ws, ws.path("a")),
  ].map((each) => JSON.stringify(each));
  const out = (await ws.run(["eval", "--jsonl"], lines.join("\n"))).stdout.trim().split("\n");
  expect(out.map((line) => JSON.parse(line).outcome)).toEqual(["block", expect.any(String), "pass"]);
});

describe("the ledger", () => {
  test("is not made through a link of the repository's", async () => {
    using ws = workspace();
    mkdirSync(join(ws.root, "../other"));
    symlinkSync("../other", ws.path(".hookline"));
    await ws.run(["run"], write(ws, ws.path("a")));
    expect(Bun.spawnSync(["ls", join(ws.root, "../other")]).stdout.toString()).toBe("");
    expect(ws.records()).toHaveLength(1);
  });

  test("keeps no part of a secret from a payload that could not be read", async () => {
    using ws = workspace();
    const token = `ghp_${"a1B2".repeat(9)}`;
    await ws.run(["run"], `${" ".repeat(470)}{"tool_input":"${token}`);
    expect(JSON.stringify(ws.records())).not.toContain(token.slice(0, 12));
  });

  test("has a record of the verdict even when the event is too strange to be written down", async () => {
    using ws = workspace();
    const payload = JSON.stringify(write(ws, "/etc/hosts")).replace(
      '"content":""',
      `"content":"","x":${"[".repeat(60_000)}${"]".repeat(60_000)}`,
    );
    await ws.run(["run"], payload);
    expect(ws.records()).toHaveLength(1);
    expect(readFileSync(ws.path(".hookline/ledger/current.jsonl"), "utf8").length).toBeLessThan(400_000);
  });
});

describe("special files and loops of links do not hold it up", () => {
  test("a pipe in the place of the policy is reported, and the recommended rules hold", async () => {
    using ws = workspace();
    Bun.spawnSync(["mkfifo", ws.path("hookline.yaml")]);
    const answer = (await ws.run(["run"], write(ws, "/etc/hosts"))).json();
    expect(answer.permissionDecision).toBe("deny");
    expect(answer.systemMessage).toContain("HL_UNREADABLE");
    expect(ws.records()[0]?.["policy"].trouble.join()).toContain("HL_UNREADABLE");
  });

  test("so is one in the place of the user's policy", async () => {
    using ws = workspace();
    mkdirSync(join(ws.home, ".config/hookline"), { recursive: true });
    Bun.spawnSync(["mkfifo", join(ws.home, ".config/hookline/hookline.yaml")]);
    const answer = (await ws.run(["run"], write(ws, "/etc/hosts"))).json();
    expect(answer.permissionDecision).toBe("deny");
    expect(answer.systemMessage).toContain("HL_UNREADABLE");
  });

  test("a pipe in the place of .git/HEAD", async () => {
    using ws = workspace();
    rmSync(ws.path(".git/HEAD"));
    Bun.spawnSync(["mkfifo", ws.path(".git/HEAD")]);
    expect((await ws.run(["run"], write(ws, "/etc/hosts"))).json().permissionDecision).toBe("deny");
    expect(await outcome(ws, shell(ws, "git push --force-with-lease"))).not.toBe("allow");
    expect(await outcome(ws, shell(ws, "git reset --hard"))).toBe("block");
    expect(await outcome(ws, shell(ws, "git status -sb | cat"))).toBe("pass");
  });

  test("a home, a temp folder and a project folder that are links to themselves", async () => {
    using ws = workspace();
    const loop = join(ws.root, "../loop");
    symlinkSync("loop", loop);
    for (const name of ["HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "CLAUDE_PROJECT_DIR"]) {
      const env = { [name]: loop };
      const said = async (payload: object) => [name, await outcome(ws, payload, env)];
      expect(await said(write(ws, "/etc/hosts"))).toEqual([name, "block"]);
      expect(await said(write(ws, ws.path("hookline.yaml")))).toEqual([name, "block"]);
      expect(await said(shell(ws, "rm -rf ~/"))).toEqual([name, "block"]);
      expect((await ws.run(["run"], write(ws, "/etc/hosts"), env)).json().permissionDecision).toBe("deny");
    }
  });
});

describe("patches and edits as the tools read them", () => {
  const patchOf = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

  test("`*** End of File` ends a hunk, and no more than that", async () => {
    using ws = workspace({ "a.ts": "x\ny\nx\n", ".vscode/settings.json": '{\n  "a": 1\n}\n' });
    const after = (...lines: string[]) =>
      outcome(ws, camel(ws, "apply_patch", patchOf("*** Update File: a.ts", "@@", "-x", "+z", ...lines)));
    expect(await after("*** End of File")).toBe("pass");
    expect(await after("*** End of File", "*** Delete File: hookline.yaml")).toBe("block");
    expect(await after("*** End of File", "@@", "-y", "+w", "*** Add File: ../out", "+x")).toBe("block");
    const settings = patchOf(
      "*** Update File: .vscode/settings.json",
      "@@",
      '-  "a": 1',
      '+  "chat.useHooks": false',
      " }",
      "*** End of File",
    );
    expect(await outcome(ws, camel(ws, "apply_patch", settings))).toBe("block");
  });

  test("an edit that quotes otherwise than the file is still applied", async () => {
    using ws = workspace({
      ".vscode/settings.json": '{\n  \u201ca\u201d: \u2018b\u2019,\n  "chat.useHooks": true\n}\n',
    });
    const edit = (old_string: string, new_string: string) =>
      outcome(
        ws,
        claude(ws.root, "Edit", { file_path: ws.path(".vscode/settings.json"), old_string, new_string }),
      );
    expect(await edit('"a": \'b\',\n  "chat.useHooks": true', '"c": 1')).toBe("block");
    expect(await edit("\u201cchat.useHooks\u201d: true", '"chat.useHooks": false')).toBe("block");
  });

  test("quotes that a shell does not know are part of the name", async () => {
    using ws = workspace({ "hookline.yaml": "", "\u201chookline.yaml\u201d": "" });
    expect(await outcome(ws, shell(ws, "rm \u201chookline.yaml\u201d"))).toBe("pass");
    expect(await outcome(ws, shell(ws, 'rm "hookline.yaml"'))).toBe("block");
    expect(await outcome(ws, write(ws, "\u201c/etc/hosts\u201d"))).toBe("pass");
  });
});

describe("tools nobody has described, by the names of their arguments", () => {
  const mcp = (ws: Workspace, tool: string, input: object) =>
    outcome(ws, claude(ws.root, `mcp__x__${tool}`, input));

  test("a path and a content are a write", async () => {
    using ws = workspace();
    for (const key of ["file_path", "filePath", "path", "notebook_path", "target_file", "filename", "uri"])
      for (const content of [
        "content",
        "contents",
        "file_text",
        "new_string",
        "new_str",
        "newString",
        "text",
        "data",
      ])
        expect([key, content, await mcp(ws, "do_it", { [key]: "hookline.yaml", [content]: "x" })]).toEqual([
          key,
          content,
          "block",
        ]);
    expect(await mcp(ws, "do_it", { uri: `file://${ws.path("hookline.yaml")}`, content: "x" })).toBe("block");
    expect(
      await mcp(ws, "write_files", { files: [{ path: "a" }, { path: "hookline.yaml", content: "x" }] }),
    ).toBe("block");
  });

  test("verbs in the name of the tool count", async () => {
    using ws = workspace({ "hookline.yaml": "" });
    const path = "hookline.yaml";
    for (const [tool, input] of Object.entries({
      edit_file: { path, edits: [{ oldText: "a", newText: "b" }] },
      delete_file: { path },
      removeFiles: { paths: ["a", path] },
      move_file: { source: "a", destination: path },
      rename: { path, to: "b" },
      copy_file: { source: "a", dest: path },
      move_files: { moves: [{ source: "a", destination: path }] },
    }))
      expect([tool, await mcp(ws, tool, input)]).toEqual([tool, "block"]);
    for (const tool of ["read_file", "get_file_info", "search_files", "list"])
      expect([tool, await mcp(ws, tool, { path })]).toEqual([tool, "pass"]);
  });

  test("and so do commands", async () => {
    using ws = workspace();
    for (const input of [
      { command: "rm -rf /" },
      { cmd: "rm -rf /" },
      { script: "rm -rf /" },
      { commandLine: "rm -rf /" },
      { command_line: "rm -rf /" },
      { command: "rm", args: ["-rf", "/"] },
      { command: ["rm", "-rf", "/"] },
      { commands: ["ls", "rm -rf /"] },
    ])
      for (const tool of ["run_command", "execute", "bash", "shell_exec", "terminal"])
        expect([tool, input, await mcp(ws, tool, input)]).toEqual([tool, input, "block"]);
    expect(await mcp(ws, "run_command", { command: "echo", args: ["rm -rf /; x"] })).toBe("pass");
  });
});

describe("an answer that cannot be given", () => {
  const executable = join(import.meta.dir, "../dist/hookline");
  const into = async (ws: Workspace, line: string, payload: object) => {
    const child = Bun.spawn(["bash", "-c", line.replace("run", `'${executable}' run`)], {
      cwd: ws.root,
      env: { HOME: ws.home, PATH: "/usr/bin:/bin" },
      stdin: new TextEncoder().encode(JSON.stringify(payload)),
      stderr: "pipe",
    });
    return { stderr: await child.stderr.text(), exitCode: await child.exited };
  };
  const places: [string, string][] = [
    ["a full disk", "run > /dev/full"],
    ["a closed output", "run >&-"],
    ["a reader that is gone", "{ sleep 0.2; run; echo $? > rc; } | true; sleep 0.6; exit $(cat rc)"],
  ];
  for (const [name, line] of places) {
    test(`${name}: a refusal is told by the exit code, and the reason on stderr`, async () => {
      using ws = workspace();
      for (const payload of [
        write(ws, "/etc/hosts"),
        camel(ws, "create", { path: "/etc/hosts", file_text: "x" }),
        shell(ws, "npm publish"),
      ]) {
        const { exitCode, stderr } = await into(ws, line, payload);
        expect(exitCode).toBe(2);
        expect(stderr).toMatch(/safety\/(?:workspace-boundary|publish)/);
      }
      const failures = ws.records().filter((record) => record["failure"]);
      expect(failures).toHaveLength(3);
      expect(failures[0]).toMatchObject({ failure: { kind: "answer" }, verdict: { outcome: "block" } });
    });
  }

  test("so is one about a payload that cannot be read", async () => {
    using ws = workspace();
    const { exitCode, stderr } = await into(ws, "run --host claude-code --event PreToolUse > /dev/full", []);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("Blocked by hookline");
  });

  test("what is no refusal stops nothing", async () => {
    using ws = workspace();
    expect(await into(ws, "run > /dev/full", write(ws, ws.path("a.ts")))).toMatchObject({ exitCode: 0 });
    expect(await into(ws, "run > /dev/null", write(ws, ws.path("a.ts")))).toMatchObject({ exitCode: 0 });
  });
});

test("daily commands at the root are not taken for attempts on the guard", async () => {
  using ws = workspace({ "hookline.yaml": "", ".claude/settings.json": "{}", "a.log": "", "src/a.ts": "" });
  await ws.run(["run"], write(ws, ws.path("a.ts")));
  const daily = [
    "rm *.log",
    "rm -f ./*.o",
    "mv src/a.ts .",
    "mv *.md docs/",
    "mv build/* .",
    "rm -rf **/node_modules",
    "sed -n 1,20p hookline.yaml",
    "cp hookline.yaml /tmp/x",
    "git -C . diff hookline.yaml",
    "sha512sum hookline.yaml",
    "prettier --check hookline.yaml",
    "cat .claude/settings.json | jq .",
  ];
  for (const command of daily)
    expect([command, await outcome(ws, shell(ws, command))]).toEqual([command, "pass"]);
});

describe("a call in words we do not know", () => {
  test("a gate at which no tool is named does not open", async () => {
    using ws = workspace();
    const bare = { session_id: "s", cwd: ws.root, hook_event_name: "PreToolUse" };
    const cases: [string[], object][] = [
      [["run"], bare],
      [["run"], { ...bare, tool_name: 5, tool_input: { file_path: "/etc/hosts", content: "x" } }],
      [["run"], { ...bare, toolname: "Write", input: {} }],
      [["run", "--host", "copilot", "--event", "preToolUse"], {}],
      [["run", "--host", "copilot", "--event", "preToolUse"], { sessionId: "s", tool: "create" }],
    ];
    for (const [args, payload] of cases) {
      const answer = (await ws.run(args, payload)).json();
      expect(answer.permissionDecision).toBe("deny");
      expect(answer.permissionDecisionReason).toContain("names no tool");
    }
    expect(ws.records().map((record) => record["failure"]?.kind)).toEqual(cases.map(() => "payload"));
  });

  test("a tool that changes files does not change one nobody knows", async () => {
    using ws = workspace();
    for (const [input, wanted] of [
      [{ where: "/etc/hosts", what: "x" }, "ask"],
      // A list of paths is understood.
      [{ file_path: ["/etc/hosts"], content: "x" }, "block"],
      [{ file_path: [{ at: "/etc/hosts" }], content: "x" }, "ask"],
    ] as const) {
      for (const tool of ["Write", "Edit", "NotebookEdit"])
        expect([tool, input, await outcome(ws, claude(ws.root, tool, input))]).toEqual([tool, input, wanted]);
      expect(await outcome(ws, camel(ws, "create", input))).toBe(wanted);
    }
    // The same in other words, and a call the tool itself refuses.
    expect(await outcome(ws, claude(ws.root, "Write", { path: "/etc/hosts", text: "x" }))).toBe("block");
    expect(await outcome(ws, claude(ws.root, "Write", {}))).toBe("pass");
  });
});
