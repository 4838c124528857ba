import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { workspace, type Workspace } from "./support/hookline.ts";
import { codexTrust } from "./support/watched.ts";

const signs = {
  "CLAUDE.md": "",
  ".github/copilot-instructions.md": "",
  ".cursorrules": "",
  "GEMINI.md": "",
  "opencode.json": "",
  "QWEN.md": "",
  ".windsurfrules": "",
  ".codex/prompts/x.md": "",
};

function repository(files: Record<string, string> = signs): Workspace {
  const ws = workspace(files);
  expect(Bun.spawnSync(["git", "init", "-q", ws.root]).exitCode).toBe(0);
  return ws;
}

/** Puts a file into the home. */
function put(ws: Workspace, name: string, text: string): void {
  mkdirSync(dirname(join(ws.home, name)), { recursive: true });
  writeFileSync(join(ws.home, name), text);
}

/** Agrees to everything the agents ask. */
async function trustAll(ws: Workspace): Promise<void> {
  const root = realpathSync(ws.root);
  put(ws, ".claude.json", JSON.stringify({ projects: { [root]: { hasTrustDialogAccepted: true } } }));
  put(ws, ".copilot/config.json", JSON.stringify({ trustedFolders: [root] }));
  put(ws, ".gemini/trustedFolders.json", JSON.stringify({ [root]: "TRUST_FOLDER" }));
  put(ws, ".codex/config.toml", `[projects."${root}"]\ntrust_level = "trusted"\n${codexTrust(ws)}`);
}

const doctor = async (ws: Workspace, env: Record<string, string> = {}, ...args: string[]) => {
  const ran = await ws.run(["doctor", "--json", ...args], "", env);
  const { ok, findings, notes } = ran.json();
  expect([ran.exitCode, ok]).toEqual(findings.length === 0 ? [0, true] : [1, false]);
  return {
    findings: findings.map(({ check, text }: any) => `${check}: ${text}`) as string[],
    notes: notes.map(({ text }: any) => text) as string[],
  };
};

async function installed(files?: Record<string, string>): Promise<Workspace> {
  const ws = repository(files);
  expect((await ws.run(["init", "--yes"])).exitCode).toBe(0);
  if (existsSync(ws.path(".codex/hooks.json"))) await trustAll(ws);
  return ws;
}

const edit = (ws: Workspace, name: string, change: (text: string) => string) =>
  writeFileSync(ws.path(name), change(readFileSync(ws.path(name), "utf8")));

describe("hookline doctor, agent by agent", () => {
  test("finds nothing after init where every agent trusts us, leaves no trace, and says what hooks never see", async () => {
    using ws = await installed();
    const left = readdirSync(tmpdir()).filter((name) => name.startsWith("hookline-canary-"));
    const { findings, notes } = await doctor(ws);
    expect(findings).toEqual([]);
    expect(notes.join("\n")).toContain("Codex CLI: its hooks do not see web_search");
    expect(notes).toContain(
      "Claude Code: it refuses a call when Hookline crashes or gives no answer in time",
    );
    expect(notes).toContain(
      "GitHub Copilot: it refuses a call when Hookline crashes, and makes a call when it gives no answer in time",
    );
    expect(ws.records()).toEqual([]);
    expect(existsSync(ws.ledger)).toBe(false);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith("hookline-canary-"))).toEqual(left);
    expect((await ws.run(["doctor"])).stdout).toContain("✓ Through each agent's own command line");
  });

  test("Codex starts no login shell, so that a profile that sets another PATH is no trouble", async () => {
    using ws = repository({ ".codex/config.toml": "" });
    const env = { PATH: `${join(import.meta.dir, "../dist")}:/usr/bin:/bin`, SHELL: "/bin/bash" };
    expect((await ws.run(["init", "--yes", "--host", "codex"], "", env)).exitCode).toBe(0);
    await trustAll(ws);
    put(ws, ".bash_profile", "PATH=/usr/bin:/bin\n");
    expect((await doctor(ws, env)).findings.filter((each) => each.includes("Codex"))).toEqual([]);
  });

  test("agents in use that do not call Hookline; --fix makes them", async () => {
    using ws = repository({ "CLAUDE.md": "" });
    const found =
      "agents-call: Claude Code is in use (CLAUDE.md in the repository) and does not call Hookline";
    expect((await doctor(ws)).findings).toEqual([found]);
    expect((await doctor(ws, {}, "--fix")).findings).toEqual([]);
    expect(existsSync(ws.path(".claude/settings.json"))).toBe(true);
  });

  test("entries of another version are mended by --fix, which keeps what was there", async () => {
    const text = JSON.stringify({
      model: "opus",
      hooks: {
        PreToolUse: [
          {
            matcher: "Bash",
            hooks: [{ type: "command", command: "/gone/hookline run --host claude-code", timeout: 5 }],
          },
        ],
      },
    });
    using ws = repository({ ".claude/settings.json": text });
    const { findings } = await doctor(ws);
    const all = findings.join("\n");
    expect(all).toContain(
      "agents-configured: Claude Code: it does not call Hookline at SessionStart, UserPromptSubmit",
    );
    expect(all).toContain('the entry at PreToolUse is another: matcher is "Bash", expected "*"');
    expect(all).toContain("agents-reach-us: /gone/hookline is not there");
    expect(all).toContain("agents-canary: Claude Code: `rm -rf /` was not refused");
    const mended = await ws.run(["doctor", "--fix"]);
    expect(mended.exitCode).toBe(0);
    const backup = /what was there is (\S+)/.exec(mended.stdout)?.[1] ?? "";
    expect(readFileSync(backup, "utf8")).toBe(text);
    expect((await doctor(ws)).findings).toEqual([]);
  });

  test("a limit in the wrong unit, an event at which nobody calls, an event twice", async () => {
    using ws = await installed({ "GEMINI.md": "", "QWEN.md": "" });
    put(ws, ".gemini/settings.json", '{"security":{"folderTrust":{"enabled":false}}}');
    edit(ws, ".gemini/settings.json", (text) => text.replace('"timeout": 20000', '"timeout": 20'));
    edit(ws, ".qwen/settings.json", (text) => {
      const { hooks, ...rest } = JSON.parse(text);
      return JSON.stringify({
        ...rest,
        hooks: { ...hooks, Stop: [], SessionStart: [...hooks.SessionStart, ...hooks.SessionStart] },
      });
    });
    expect((await doctor(ws)).findings).toEqual([
      "agents-configured: Gemini CLI: the entry at SessionStart is another: hooks.timeout is 20, expected 20000",
      "agents-configured: Qwen Code: it does not call Hookline at Stop",
      "agents-configured: Qwen Code: it calls Hookline more than once at SessionStart",
    ]);
  });

  test("a file that cannot be read", async () => {
    using ws = await installed({ "CLAUDE.md": "" });
    edit(ws, ".claude/settings.json", () => '{"hooks": ');
    expect((await doctor(ws)).findings).toContain(
      "agents-configured: Claude Code: this file is no valid JSON: ValueExpected at line 1, column 11",
    );
  });

  const comment = (text: string): string => `// ours\n${text}`;
  const comma = (text: string): string => text.replace(/\}\s*$/, ",}\n");
  const mark = (text: string): string => `\uFEFF${text}`;
  const having =
    (more: object) =>
    (text: string): string =>
      JSON.stringify({ ...(JSON.parse(text) as object), ...more });

  // Seen with real agents: all of these run on without a hook, but for Gemini CLI, which does not start.
  test.each([
    [".claude/settings.json", comment, "Claude Code: this file holds comments, which its host does not read"],
    [
      ".claude/settings.json",
      comma,
      "Claude Code: this file holds trailing commas, which its host does not read",
    ],
    [
      ".claude/settings.json",
      having({ permissions: { defaultMode: "free" } }),
      "Claude Code: this file holds a value of the wrong kind at `permissions.defaultMode`, for which Claude Code leaves the whole file out",
    ],
    [
      ".claude/settings.json",
      having({ cleanupPeriodDays: 0 }),
      "Claude Code: this file holds a value of the wrong kind at `cleanupPeriodDays`, for which Claude Code leaves the whole file out",
    ],
    [
      ".github/hooks/hookline.json",
      comment,
      "GitHub Copilot: this file holds comments, which its host does not read",
    ],
    [
      ".github/hooks/hookline.json",
      mark,
      "GitHub Copilot: this file holds a byte order mark, which its host does not read",
    ],
    [".codex/hooks.json", comment, "Codex CLI: this file holds comments, which its host does not read"],
    [
      ".codex/hooks.json",
      having({ $schema: "x" }),
      "Codex CLI: this file holds the key `$schema`, for which Codex drops the whole file",
    ],
    [
      ".codex/hooks.json",
      (text: string) => text.replace('"timeout": 20', '"timeout": "20"'),
      "Codex CLI: this file holds something at `hooks.SessionStart` for which Codex drops the whole file",
    ],
    [
      ".gemini/settings.json",
      comma,
      "Gemini CLI: this file holds trailing commas, which its host does not read",
    ],
    [
      ".gemini/settings.json",
      mark,
      "Gemini CLI: this file holds a byte order mark, which its host does not read",
    ],
    [
      ".qwen/settings.json",
      comma,
      "Qwen Code: this file holds trailing commas, which its host does not read",
    ],
  ])("what makes a host drop %s, hooks and all", async (file, change, said) => {
    using ws = await installed();
    edit(ws, file, change);
    expect((await doctor(ws)).findings).toContain(`agents-configured: ${said}`);
  });

  test.each([
    [".claude/settings.json", mark],
    [
      ".claude/settings.json",
      having({ whatever: 1, env: { A: 1 }, permissions: { defaultMode: "plan", allow: [] } }),
    ],
    [".gemini/settings.json", comment],
    [".qwen/settings.json", comment],
    [".qwen/settings.json", mark],
  ])("what its host puts up with in %s is nothing wrong", async (file, change) => {
    using ws = await installed();
    edit(ws, file, change);
    expect((await doctor(ws)).findings).toEqual([]);
  });

  test("init says which file its agent will ignore", async () => {
    using ws = repository({ ".claude/settings.json": '{\n  // mine\n  "model": "opus"\n}\n' });
    const { stdout } = await ws.run(["init", "--yes", "--host", "claude-code"]);
    expect(stdout).toContain(
      "settings.json holds comments, which its host does not read: mend it, or Claude Code",
    );
    expect(readFileSync(ws.path(".claude/settings.json"), "utf8")).toContain("// mine");
  });

  test("what is no plain file, or far too large, in whole sentences", async () => {
    using ws = repository();
    await ws.run(["init", "--yes"]);
    rmSync(ws.path(".cursor/hooks.json"));
    mkdirSync(ws.path(".cursor/hooks.json"));
    writeFileSync(ws.path(".gemini/settings.json"), " ".repeat(33 * 1024 * 1024));
    const { findings } = await doctor(ws);
    expect(findings).toContain("agents-configured: Cursor: this file cannot be read: not a plain file");
    expect(findings).toContain(
      `agents-configured: Gemini CLI: this file cannot be read: larger than ${32 * 1024 * 1024} bytes`,
    );
  });

  test("a plugin file of ours that is garbled is written anew, with an executable that is there", async () => {
    using ws = repository({ "opencode.json": "{}" });
    await ws.run(["init", "--yes"]);
    const path = ws.path(".opencode/plugin/hookline.js");
    const right = readFileSync(path, "utf8");
    writeFileSync(path, `${right.split("\n")[0]}\nthrow 1;\n`);
    expect((await doctor(ws)).findings).toEqual([
      "agents-configured: OpenCode: the file is not as this version would write it",
    ]);
    expect((await ws.run(["doctor", "--fix"])).exitCode).toBe(0);
    expect(readFileSync(path, "utf8")).toBe(right);
  });

  test("another version, and none at all, behind the name that agents call", async () => {
    using ws = repository({ "CLAUDE.md": "" });
    const bin = join(ws.home, "bin");
    mkdirSync(bin);
    const env = { PATH: `${bin}:/usr/bin:/bin` };
    symlinkSync(join(import.meta.dir, "../dist/hookline"), join(bin, "hookline"));
    await ws.run(["init", "--yes"], "", env);
    expect((await doctor(ws, env)).findings).toEqual([]);
    expect((await doctor(ws)).findings).toContain(
      "agents-reach-us: `hookline` is not on your PATH, so agents cannot start it",
    );
    Bun.spawnSync(["rm", join(bin, "hookline")]);
    writeFileSync(join(bin, "hookline"), '#!/bin/sh\n[ "$1" = --version ] && echo 0.0.1\n');
    chmodSync(join(bin, "hookline"), 0o755);
    const { findings } = await doctor(ws, env);
    expect(findings[0]).toContain("agents-canary: Claude Code: `rm -rf /` was not refused");
    expect(findings[1]).toContain("/hookline is 0.0.1, and this is ");
  });

  test("a guard that answers, but not as its host reads it, and one that refuses everything or never answers", async () => {
    using ws = repository({ "CLAUDE.md": "" });
    const fake = join(ws.home, "hookline");
    const say = (script: string) => {
      writeFileSync(fake, `#!/bin/sh\ncat > /dev/null\n${script}\n`, { mode: 0o755 });
      return doctor(ws).then(({ findings }) => findings.filter((text) => text.startsWith("agents-canary")));
    };
    writeFileSync(fake, "", { mode: 0o755 });
    await ws.run(["init", "--yes", "--executable", fake]);
    expect(await say(`echo '{"permissionDecision":"deny"}'`)).toEqual([
      "agents-canary: Claude Code: `rm -rf /` was not refused, so the agent would run it",
    ]);
    expect(await say("exit 1")).toHaveLength(1);
    expect(await say("echo no >&2; exit 2")).toEqual([
      "agents-canary: Claude Code: `ls` was refused, so the agent can do nothing",
    ]);
  });

  test("the canary goes by the policy: in observe mode nothing is refused, and nothing is wrong", async () => {
    using ws = await installed({ "CLAUDE.md": "" });
    edit(ws, "hookline.yaml", (text) => text.replace("mode: enforce", "mode: observe"));
    expect((await doctor(ws)).findings).toEqual([]);
  });

  test.each([
    [
      ".claude/settings.local.json",
      '{"disableAllHooks": true}',
      "Claude Code: `disableAllHooks` switches every hook off",
    ],
    [
      ".github/copilot/settings.json",
      '{"disableAllHooks": true}',
      "GitHub Copilot: `disableAllHooks` switches hooks off",
    ],
    [
      ".vscode/settings.json",
      '{"chat.useHooks": false,}',
      "GitHub Copilot: VS Code's hooks are switched off here",
    ],
    [
      "~/.gemini/settings.json",
      '{"hooksConfig": {"enabled": false}}',
      "Gemini CLI: `hooksConfig.enabled` switches every hook off",
    ],
    [
      "~/.gemini/settings.json",
      '{"hooksConfig": {"disabled": ["hookline"]}}',
      "Gemini CLI: `hooksConfig.disabled` names ours",
    ],
    [
      "~/.qwen/settings.json",
      '{"disableAllHooks": true}',
      "Qwen Code: `disableAllHooks` switches every hook off",
    ],
    [
      ".codex/config.toml",
      "[features]\nhooks = false\n",
      "Codex CLI: `[features] hooks` switches every hook off",
    ],
  ])("hooks switched off in %s", async (file, text, said) => {
    using ws = await installed();
    if (file.startsWith("~/")) put(ws, file.slice(2), text);
    else ws.write(file, text);
    expect((await doctor(ws)).findings).toEqual([`agents-switched-on: ${said}`]);
  });

  test("OpenCode without plugins by a variable", async () => {
    using ws = await installed();
    expect((await doctor(ws, { OPENCODE_PURE: "1" })).findings).toEqual([
      "agents-switched-on: OpenCode: OPENCODE_PURE is set, and OpenCode loads no plugin file of ours",
    ]);
  });

  test("what no agent has been told to trust", async () => {
    using ws = repository();
    await ws.run(["init", "--yes"]);
    const { findings, notes } = await doctor(ws);
    expect(findings.map((text) => text.slice(0, 60))).toEqual([
      expect.stringContaining("agents-trust-us: Codex CLI: this project is not trusted"),
      expect.stringContaining("agents-trust-us: Codex CLI: Codex skips hooks that are"),
      expect.stringContaining("agents-trust-us: GitHub Copilot: this folder is not trusted"),
      expect.stringContaining("agents-trust-us: Gemini CLI: this folder is not trusted"),
    ]);
    expect(notes.join("\n")).toContain("Claude Code: you have not said yet that you trust this folder");
    put(ws, ".qwen/settings.json", '{"security":{"folderTrust":{"enabled":true}}}');
    expect((await doctor(ws)).findings).toContain(
      "agents-trust-us: Qwen Code: this folder is not trusted, and no hook runs in it",
    );
    await trustAll(ws);
    put(
      ws,
      ".qwen/trustedFolders.json",
      JSON.stringify({ [dirname(realpathSync(ws.root))]: "TRUST_FOLDER" }),
    );
    expect((await doctor(ws)).findings).toEqual([]);
    edit(ws, ".codex/hooks.json", (text) => text.replace('"timeout": 3', '"timeout": 2'));
    expect((await doctor(ws)).findings.join("\n")).toContain("without a word: SessionEnd");
  });

  test("Qwen Code's last word is somebody else's", async () => {
    using ws = await installed({ "QWEN.md": "" });
    edit(ws, ".qwen/settings.json", (text) => {
      const { hooks } = JSON.parse(text);
      return JSON.stringify(
        {
          hooks: {
            ...hooks,
            PreToolUse: [...hooks.PreToolUse, { hooks: [{ type: "command", command: "./late.sh" }] }],
          },
        },
        null,
        2,
      );
    });
    expect((await doctor(ws)).findings).toEqual([
      expect.stringContaining("Qwen Code: a hook at PreToolUse stands behind ours"),
    ]);
  });

  test("installed twice, in two scopes or by a line around ours", async () => {
    using ws = await installed({ "CLAUDE.md": "" });
    await ws.run(["init", "--yes", "--scope", "user"]);
    expect((await doctor(ws)).findings).toEqual([
      "agents-call-once: Claude Code is configured in repo and user, so every event is judged and recorded 2 times",
    ]);
    await ws.run(["uninstall", "--yes", "--scope", "user"]);
    edit(ws, ".claude/settings.json", (text) => {
      const { hooks } = JSON.parse(text);
      return JSON.stringify({
        hooks: {
          ...hooks,
          Stop: [...hooks.Stop, { hooks: [{ type: "command", command: "cd /tmp && hookline run" }] }],
        },
      });
    });
    expect((await doctor(ws)).findings).toEqual([
      "agents-call-once: Claude Code: another entry at Stop calls Hookline too",
    ]);
  });

  test("our plugin counts as well, once", async () => {
    using ws = repository({ "CLAUDE.md": "", "GEMINI.md": "" });
    put(ws, ".claude/settings.json", '{"enabledPlugins": {"hookline@hookline": true}}');
    put(ws, ".gemini/extensions/hookline/gemini-extension.json", '{"name": "hookline"}');
    expect((await doctor(ws)).findings).toEqual([]);
    // Claude Code reads nothing of such a file.
    put(ws, ".claude/settings.json", '{"enabledPlugins": {"hookline@hookline": true}} // mine');
    expect((await doctor(ws)).findings).toContainEqual(
      expect.stringContaining("agents-call: Claude Code is in use"),
    );
    put(ws, ".claude/settings.json", '{"enabledPlugins": {"hookline@hookline": true}}');
    ws.write(".claude/settings.json", '{"enabledPlugins": {"hookline@hookline": false}}');
    expect((await doctor(ws)).findings).toEqual([
      expect.stringContaining("agents-call: Claude Code is in use"),
    ]);
    ws.write(".claude/settings.json", "{}");
    await ws.run(["init", "--yes", "--host", "claude-code"]);
    expect((await doctor(ws)).findings).toEqual([
      expect.stringContaining("Claude Code is configured in repo and plugin"),
    ]);
  });

  test("an agent too old for what Hookline relies on, by its package", async () => {
    using ws = await installed({ "CLAUDE.md": "" });
    const modules = join(ws.home, "lib/node_modules/@anthropic-ai/claude-code");
    mkdirSync(join(modules, "bin"), { recursive: true });
    mkdirSync(join(ws.home, "bin"));
    writeFileSync(join(modules, "bin/claude"), "#!/bin/sh\nexit 9\n", { mode: 0o755 });
    symlinkSync(join(modules, "bin/claude"), join(ws.home, "bin/claude"));
    const env = { PATH: `${ws.home}/bin:/usr/bin:/bin` };
    const version = (text: string) =>
      writeFileSync(join(modules, "package.json"), JSON.stringify({ version: text }));
    version("2.1.197");
    expect((await doctor(ws, env)).findings).toEqual([
      expect.stringContaining("agents-known: Claude Code 2.1.197 is older than 2.1.295"),
    ]);
    version("2.1.325");
    const { findings, notes } = await doctor(ws, env);
    expect(findings).toEqual([]);
    expect(notes).toContain("Claude Code is 2.1.325");
  });

  test("a policy that lets hooks take longer than agents wait", async () => {
    using ws = await installed({ "CLAUDE.md": "" });
    edit(ws, "hookline.yaml", (text) => `${text}handlers:\n  deadlineMs: 58000\n`);
    expect((await doctor(ws)).findings).toEqual([
      expect.stringContaining("agents-configured: the policy waits 58000 ms for hooks"),
    ]);
  });

  test("a hook of the workspace that is a danger itself", async () => {
    using ws = workspace({
      ".claude/settings.json": JSON.stringify({
        hooks: { Stop: [{ hooks: [{ type: "command", command: "rm -rf ~", timeout: 5 }] }] },
      }),
    });
    const { findings } = await doctor(ws);
    expect(findings.filter((text) => text.startsWith("hooks-safe"))).toHaveLength(1);
  });
});
