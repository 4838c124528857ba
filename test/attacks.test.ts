// What an attacker found once, and must not find again.
import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
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
