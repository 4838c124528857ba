import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Ran, Workspace } from "./support/hookline.ts";
import { found, installed, occasions, put, send, settingsOf } from "./support/watched.ts";

const rule = "hookline/switched-off";

const said = ({ stdout, stderr }: Ran): string => stdout + stderr;
describe.each(Object.keys(settingsOf))("what was done behind our back to %s", (host) => {
  const [start = "", after = "", prompt = "", stop = ""] = occasions[host] ?? [];
  const file = settingsOf[host] ?? "";

  test.each([
    ["emptied", (ws: Workspace) => writeFileSync(ws.path(file), "")],
    ["removed", (ws: Workspace) => rmSync(ws.path(file))],
    ["removed with its folder", (ws: Workspace) => rmSync(dirname(ws.path(file)), { recursive: true })],
    [
      "kept from calling us",
      (ws: Workspace) =>
        writeFileSync(
          ws.path(file),
          readFileSync(ws.path(file), "utf8").replaceAll(/[^"' ]*hookline"? run|"[^"]*hookline"\]/g, "true"),
        ),
    ],
  ] as const)("its settings were %s: the next event says so, and so does the record", async (_, change) => {
    using ws = await installed(host);
    await send(ws, host, start);
    for (const each of [prompt, after, stop]) expect(said(await send(ws, host, each))).not.toContain(rule);
    expect(found(ws)).toEqual([]);
    change(ws);
    await send(ws, host, after);
    expect(found(ws)).toEqual([expect.stringContaining(file)]);
    // Told once after a tool, and again whenever the agent pauses.
    await send(ws, host, after);
    expect(found(ws)).toHaveLength(1);
    await send(ws, host, prompt);
    await send(ws, host, stop);
    expect(found(ws)).toHaveLength(3);
  });

  test("what init, update and uninstall do is no such thing", async () => {
    using ws = await installed(host);
    await send(ws, host, start);
    expect((await ws.run(["init", "--yes", "--host", host, "--executable", "hookline"])).exitCode).toBe(0);
    await send(ws, host, after);
    expect((await ws.run(["uninstall", "--yes"])).exitCode).toBe(0);
    await send(ws, host, after);
    await send(ws, host, prompt);
    expect(found(ws)).toEqual([]);
  });
});

describe("a switch behind our back is said at the next event", () => {
  test.each([
    ["claude-code", ".claude/settings.local.json", '{"disableAllHooks": true}'],
    ["claude-code", "~/.claude/settings.json", '{"disableAllHooks": true}'],
    ["copilot", ".github/copilot/settings.json", '{"disableAllHooks": true}'],
    ["copilot", ".vscode/settings.json", '{"chat.useHooks": false}'],
    ["copilot", "~/.copilot/settings.json", '{"disableAllHooks": true}'],
    ["codex", ".codex/config.toml", "[features]\nhooks = false\n"],
    ["codex", "~/.codex/config.toml", "[features]\nhooks = false\n"],
    ["gemini-cli", "~/.gemini/settings.json", '{"hooksConfig": {"enabled": false}}'],
    ["qwen-code", "~/.qwen/settings.json", '{"disableAllHooks": true}'],
  ])("%s: %s", async (host, name, text) => {
    using ws = await installed(host);
    const [start = "", after = ""] = occasions[host] ?? [];
    await send(ws, host, start);
    put(ws, name, text);
    expect(said(await send(ws, host, after))).toContain(name.replace("~/", ""));
    expect(found(ws)).toHaveLength(1);
  });

  test.each([
    [
      "copilot",
      "~/.copilot/config.json",
      (root: string) => JSON.stringify({ trustedFolders: [root] }),
      '{"trustedFolders":[]}',
    ],
    [
      "gemini-cli",
      "~/.gemini/trustedFolders.json",
      (root: string) => JSON.stringify({ [root]: "TRUST_FOLDER" }),
      "{}",
    ],
  ] as const)("%s: trust that is taken back", async (host, name, trust, distrust) => {
    using ws = await installed(host);
    const [start = "", after = ""] = occasions[host] ?? [];
    put(ws, name, trust(realpathSync(ws.root)));
    await send(ws, host, start);
    await send(ws, host, after);
    expect(found(ws)).toEqual([]);
    put(ws, name, distrust);
    await send(ws, host, after);
    expect(found(ws)).toEqual([expect.stringContaining("not trusted")]);
  });

  test("one agent's hooks, by way of another that is at work", async () => {
    using ws = await installed("claude-code", "codex");
    await send(ws, "claude-code", "SessionStart");
    writeFileSync(ws.path(".codex/hooks.json"), '{"hooks":{}}');
    expect(said(await send(ws, "claude-code", "PostToolUse"))).toContain(".codex/hooks.json");
  });

  test("an entry that is narrowed, and one that is missing among others", async () => {
    using ws = await installed("claude-code");
    await send(ws, "claude-code", "SessionStart");
    const text = readFileSync(ws.path(".claude/settings.json"), "utf8");
    const config = JSON.parse(text);
    config.hooks.PreToolUse[0].matcher = "Glob";
    delete config.hooks.UserPromptSubmit;
    writeFileSync(ws.path(".claude/settings.json"), JSON.stringify(config));
    const told = said(await send(ws, "claude-code", "PostToolUse"));
    expect(told).toContain("UserPromptSubmit");
    expect(told).toContain("PreToolUse");
    // Put right again, it is forgotten.
    writeFileSync(ws.path(".claude/settings.json"), text);
    await send(ws, "claude-code", "UserPromptSubmit");
    expect(found(ws)).toHaveLength(2);
  });
});

test.each([
  ["git checkout -q other", "git checkout -q main"],
  ["git switch -q other", "git switch -q main"],
  ["git stash -q -u", "git stash pop -q"],
  ["git sparse-checkout set src", "git sparse-checkout disable"],
  ["git revert --no-edit HEAD", "git revert --no-edit HEAD"],
  ["git archive other | tar x", "git checkout -q main -- ."],
  ["rm -rf .claude .cursor", "git checkout -q main -- ."],
])(
  "what git or a script does (%s) is told after the call, and forgotten when it is undone",
  async (away, back) => {
    using ws = await installed("claude-code", "cursor");
    put(ws, ".claude/settings.local.json", "{}");
    const isStash = away.includes("stash");
    const git = (line: string) => {
      const env = { HOME: ws.home, PATH: "/usr/bin:/bin", GIT_CONFIG_GLOBAL: "/dev/null" };
      const as = "git -c user.name=a -c user.email=a@b -c advice.detachedHead=false";
      const ran = Bun.spawnSync(["sh", "-c", line.replace(/^git/, as)], {
        cwd: ws.root,
        env,
        stderr: "pipe",
      });
      expect([line, ran.exitCode, ran.exitCode === 0 ? "" : ran.stderr.toString()]).toEqual([line, 0, ""]);
    };
    rmSync(ws.path(".git"), { recursive: true });
    for (const line of [
      "git init -q -b main",
      "git add README .gitignore",
      "git commit -qm first",
      "git branch other",
    ]) {
      put(ws, "README", "x");
      git(line);
    }
    if (away.includes("archive")) {
      git("git checkout -q other");
      put(ws, ".claude/settings.json", "{}");
      put(ws, ".cursor/hooks.json", "{}");
      git("git add -f .claude .cursor");
      git("git commit -qm without");
      git("git checkout -q main");
      expect((await ws.run(["init", "--yes", "--host", "claude-code,cursor"])).exitCode).toBe(0);
    }
    if (!isStash) {
      git("git add -f .");
      git("git commit -qm settings");
    }
    await send(ws, "claude-code", "SessionStart");
    git(away);
    await send(ws, "claude-code", "PostToolUse");
    expect(found(ws)).toEqual([
      expect.stringContaining(".claude/settings.json"),
      expect.stringContaining(".cursor/hooks.json"),
    ]);
    git(back);
    await send(ws, "claude-code", "UserPromptSubmit");
    expect(found(ws)).toHaveLength(2);
  },
);

describe("what was changed between two sessions", () => {
  test("is said when the next one starts, once", async () => {
    using ws = await installed("claude-code");
    await send(ws, "claude-code", "SessionStart");
    const config = JSON.parse(readFileSync(ws.path(".claude/settings.json"), "utf8"));
    delete config.hooks.PreToolUse;
    writeFileSync(ws.path(".claude/settings.json"), JSON.stringify(config));
    expect(said(await send(ws, "claude-code", "SessionStart", "s2"))).toContain("PreToolUse");
    await send(ws, "claude-code", "UserPromptSubmit", "s2");
    await send(ws, "claude-code", "SessionStart", "s3");
    expect(found(ws)).toHaveLength(1);
  });
});

describe("ConfigChange of Claude Code", () => {
  const change = (ws: Workspace, source = "project_settings", file_path = ".claude/settings.json") =>
    ws.run(["run", "--host", "claude-code"], {
      session_id: "s1",
      transcript_path: "/x/s1.jsonl",
      cwd: ws.root,
      hook_event_name: "ConfigChange",
      source,
      file_path: ws.path(file_path),
    });

  test.each([
    ["emptied", ".claude/settings.json", "{}"],
    ["with `disableAllHooks`", ".claude/settings.local.json", '{"disableAllHooks":true}'],
  ])(
    "settings %s are not taken over, whether a session has been seen to start or not",
    async (_, name, text) => {
      for (const isSeen of [true, false]) {
        using ws = await installed("claude-code");
        if (isSeen) await send(ws, "claude-code", "SessionStart");
        put(ws, name, text);
        const ran = await change(ws);
        expect(JSON.parse(ran.stdout)).toMatchObject({ decision: "block" });
        expect(ran.stdout).toContain(name);
        expect(ws.records().at(-1)?.["verdict"]).toMatchObject({ outcome: "block", told: "block" });
      }
    },
  );

  const handler = { type: "command", command: "hookline run --host claude-code", timeout: 20 };
  const calling = (more: object = {}, line = handler.command): string =>
    JSON.stringify({
      hooks: { PreToolUse: [{ matcher: "*", hooks: [{ ...handler, command: line }] }] },
      ...more,
    });

  test.each([
    ["a word in a place nobody reads", { ".claude/settings.json": '{"note": "hookline run"}' }],
    ["a call whose answer is thrown away", { ".claude/settings.json": calling({}, "hookline run || true") }],
    ["another agent's call", { ".claude/settings.json": "{}", ".qwen/settings.json": calling() }],
    ["what is no JSON", { ".claude/settings.json": `${calling()}}` }],
    [
      "our plugin, switched off",
      { ".claude/settings.json": '{"enabledPlugins":{"hookline@hookline":false}}' },
    ],
    [
      "a switch beside hooks that are all there",
      { ".claude/settings.json": calling({ disableAllHooks: true }) },
    ],
  ])("%s does not make anybody ask", async (_, after) => {
    for (const isSeen of [true, false]) {
      using ws = await installed("claude-code");
      if (isSeen) await send(ws, "claude-code", "SessionStart");
      for (const [name, text] of Object.entries(after)) put(ws, name, text);
      expect(JSON.parse((await change(ws)).stdout)).toMatchObject({ decision: "block" });
    }
  });

  test("a skill's page, our plugin in the place of our hooks, and our hooks for the user are as good", async () => {
    using ws = await installed("claude-code");
    const { PreToolUse } = JSON.parse(readFileSync(ws.path(".claude/settings.json"), "utf8")).hooks;
    put(ws, "~/.claude/settings.json", JSON.stringify({ hooks: { PreToolUse } }));
    put(ws, ".claude/settings.json", "{}");
    expect((await change(ws)).stdout).toBe("");
    put(ws, ".claude/settings.json", '{"enabledPlugins":{"hookline@hookline":true}}');
    put(ws, "~/.claude/settings.json", "{}");
    expect((await change(ws)).stdout).toBe("");
    put(ws, ".claude/settings.json", "{}");
    expect((await change(ws, "skills", ".claude/skills/x/SKILL.md")).stdout).toBe("");
  });

  test("also where the policy only observes, or is emptied", async () => {
    for (const policy of ["mode: observe\n", "extends: []\n"]) {
      using ws = await installed("claude-code");
      writeFileSync(ws.path("hookline.yaml"), policy);
      writeFileSync(ws.path(".claude/settings.json"), "{}");
      expect(JSON.parse((await change(ws)).stdout)).toMatchObject({ decision: "block" });
    }
  });

  test("others are, and those of somebody who has uninstalled Hookline", async () => {
    using ws = await installed("claude-code", "codex");
    await send(ws, "claude-code", "SessionStart");
    const config = JSON.parse(readFileSync(ws.path(".claude/settings.json"), "utf8"));
    writeFileSync(ws.path(".claude/settings.json"), JSON.stringify({ model: "opus", ...config }));
    expect((await change(ws)).stdout).toBe("");
    // Somebody else's hooks are not Claude Code's to keep.
    writeFileSync(ws.path(".codex/hooks.json"), "{}");
    expect((await change(ws)).stdout).not.toContain('"decision"');
    expect((await ws.run(["uninstall", "--yes"])).exitCode).toBe(0);
    expect((await change(ws)).stdout).toBe("");
  });
});

test("nobody is kept from working where nothing can be remembered", async () => {
  using ws = await installed("claude-code");
  mkdirSync(join(ws.home, ".local/state/hookline"), { recursive: true });
  writeFileSync(join(ws.home, ".local/state/hookline/standing"), "");
  chmodSync(join(ws.home, ".local/state/hookline/standing"), 0o444);
  for (const each of occasions["claude-code"] ?? [])
    expect((await send(ws, "claude-code", each)).exitCode).toBe(0);
  expect(found(ws)).toEqual([]);
});

test("a memory that was tampered with or cut short is begun anew", async () => {
  using ws = await installed("claude-code");
  await send(ws, "claude-code", "SessionStart");
  const folder = join(ws.home, ".local/state/hookline/standing");
  for (const text of ["", "{", "[]", '{"asks":7}', "null"]) {
    for (const name of new Bun.Glob("*").scanSync(folder)) writeFileSync(join(folder, name), text);
    expect((await send(ws, "claude-code", "UserPromptSubmit")).exitCode).toBe(0);
  }
  expect(found(ws)).toEqual([]);
  writeFileSync(ws.path(".claude/settings.json"), "{}");
  await send(ws, "claude-code", "UserPromptSubmit");
  expect(found(ws)).toHaveLength(1);
});
