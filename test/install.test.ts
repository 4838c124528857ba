import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { claude, workspace, type Workspace } from "./support/hookline.ts";

/** A real repository with agents in use, by the files that tell of them. */
function repository(files: Record<string, string> = { "CLAUDE.md": "# Us\n" }, program?: string): Workspace {
  const ws = program === undefined ? workspace(files) : workspace(files, program);
  const made = Bun.spawnSync(["git", "init", "-q", ws.root], {
    env: { PATH: "/usr/bin:/bin", HOME: ws.home },
  });
  expect(made.exitCode).toBe(0);
  return ws;
}

/** Every file of the workspace and its home but git's and ours, with what is in it. */
function snapshot(folder: string, below = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const name = join(below, entry.name);
    if ([".git", ".local", ".hookline"].includes(name)) continue;
    if (entry.isDirectory()) Object.assign(found, { [`${name}/`]: "" }, snapshot(folder, name));
    else if (entry.isSymbolicLink()) found[name] = "link";
    else found[name] = readFileSync(join(folder, name), "latin1");
  }
  return found;
}

const init = (ws: Workspace, ...args: string[]) => ws.run(["init", "--yes", ...args]);
const settings = ".claude/settings.json";
const json = (ws: Workspace, name: string) =>
  JSON.parse(readFileSync(ws.path(name), "utf8").replace("\uFEFF", "").replace(",\r\n}", "}"));

describe("hookline init", () => {
  test("finds the agents in use, writes their configuration, a policy and ignore rules, and says what is next", async () => {
    using ws = repository({ "CLAUDE.md": "", ".github/copilot-instructions.md": "" });
    const { stdout, exitCode } = await init(ws);
    expect(exitCode).toBe(0);
    for (const name of [settings, ".github/hooks/hookline.json", "hookline.yaml", ".gitignore"]) {
      expect(stdout).toContain(name);
      expect(existsSync(ws.path(name))).toBe(true);
    }
    expect(stdout).toContain("Next:");
    expect(readFileSync(ws.path("hookline.yaml"), "utf8")).toContain("extends: [recommended]");
    const status = Bun.spawnSync(["git", "-C", ws.root, "status", "--short"]).stdout.toString();
    expect(
      (await ws.run(["run", "--host", "claude-code"], claude(ws.root, "Bash", { command: "ls" }))).exitCode,
    ).toBe(0);
    expect(existsSync(ws.ledger)).toBe(true);
    expect(Bun.spawnSync(["git", "-C", ws.root, "status", "--short"]).stdout.toString()).toBe(status);
    mkdirSync(ws.path(".hookline/rules"));
    writeFileSync(ws.path(".hookline/rules/ours.ts"), "");
    expect(Bun.spawnSync(["git", "-C", ws.root, "status", "--short"]).stdout.toString()).toContain(
      ".hookline/",
    );
  });

  test("a second run changes not a byte, and says so", async () => {
    using ws = repository({ "CLAUDE.md": "", ".github/copilot-instructions.md": "" });
    await init(ws);
    const before = snapshot(ws.root);
    const again = await ws.run(["init"]);
    expect(again.stderr).toBe("");
    expect(again.exitCode).toBe(0);
    expect(again.stdout).toContain("there is nothing to do");
    expect(snapshot(ws.root)).toEqual(before);
  });

  test("--dry-run shows a diff and writes nothing; without anybody to ask neither does init", async () => {
    using ws = repository({ [settings]: '{\n  "model": "opus"\n}\n' });
    const before = [snapshot(ws.root), snapshot(ws.home)];
    const dry = await ws.run(["init", "--dry-run"]);
    expect(dry.exitCode).toBe(0);
    expect(dry.stdout).toContain(`--- ${settings}\n+++ ${settings}\n`);
    expect(dry.stdout).toContain('+    "PreToolUse": [');
    expect(dry.stdout).toContain("--- /dev/null\n+++ hookline.yaml\n");
    const asked = await ws.run(["init"]);
    expect(asked.exitCode).toBe(2);
    expect(asked.stderr).toContain("nobody to ask");
    expect([snapshot(ws.root), snapshot(ws.home)]).toEqual(before);
  });

  test("keeps foreign entries, comments and the order of keys", async () => {
    const text = `{\n    // ours\n    "model": "opus", // the big one\n    "hooks": {\n        "PreToolUse": [\n            { "matcher": "Bash", "hooks": [{ "type": "command", "command": "./guard.sh" }] } // first\n        ],\n    },\n    "env": {}\n}\n`;
    using ws = repository({ [settings]: text });
    await init(ws);
    const after = readFileSync(ws.path(settings), "utf8");
    const added = after.split("\n").filter((line) => !text.split("\n").includes(line));
    expect(added.filter((line) => /guard|first|big one|ours|env/.test(line))).toEqual([
      '            { "matcher": "Bash", "hooks": [{ "type": "command", "command": "./guard.sh" }] }, // first',
    ]);
    await ws.run(["uninstall", "--yes"]);
    expect(readFileSync(ws.path(settings), "utf8")).toBe(text);
  });

  test.each([
    [
      { ".ralph-sessions/260215-173319/metadata.yaml": "x: 1\n" },
      "extends: [recommended, ralph]",
      "Ralph sessions",
    ],
    [{ ".specs/cart/state.json": "{}" }, "extends: [recommended, pipeline]", "pipelines in .specs"],
    [{ ".specs/readme.md": "" }, "extends: [recommended]", "what every team wants"],
  ])("picks a preset by what the repository is: %j", async (files, extend, why) => {
    using ws = repository({ "CLAUDE.md": "", ...files });
    const { stdout } = await init(ws);
    expect(stdout).toContain(why);
    expect(readFileSync(ws.path("hookline.yaml"), "utf8")).toContain(extend);
    const doctor = (await ws.run(["doctor", "--json"])).json();
    expect(doctor.findings.filter(({ check }: any) => check === "policy-valid")).toEqual([]);
  });

  test("of several --host all are meant; of two scopes nobody knows which", async () => {
    using ws = repository();
    const { exitCode } = await init(ws, "--host", "codex", "--host", "gemini-cli,cursor");
    expect(exitCode).toBe(0);
    for (const name of [".codex/hooks.json", ".gemini/settings.json", ".cursor/hooks.json"])
      expect(existsSync(ws.path(name))).toBe(true);
    expect(existsSync(ws.path(settings))).toBe(false);
    const twice = await init(ws, "--scope", "repo", "--scope", "user");
    expect([twice.exitCode, twice.stderr]).toEqual([2, expect.stringContaining("--scope is given 2 times")]);
  });

  test("leaves a policy that is there alone", async () => {
    using ws = repository({ "CLAUDE.md": "", "hookline.yaml": "extends: [strict]\n" });
    await init(ws);
    expect(readFileSync(ws.path("hookline.yaml"), "utf8")).toBe("extends: [strict]\n");
  });

  test("where no agent is found it says which there are", async () => {
    using ws = repository({});
    const { exitCode, stderr } = await init(ws);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("no agent was found");
    expect(stderr).toContain("claude-code");
    expect((await init(ws, "--host", "nobody")).stderr).toContain('"nobody" cannot be installed');
    expect((await init(ws, "--scope", "team")).stderr).toContain(
      'unknown scope "team"; expected repo, user, managed',
    );
    expect(snapshot(ws.root)).toEqual({});
  });

  test("an agent in the home counts, and one on the PATH", async () => {
    using ws = repository({});
    mkdirSync(join(ws.home, ".copilot"));
    writeFileSync(join(ws.home, "claude"), "#!/bin/sh\n", { mode: 0o755 });
    const env = { PATH: `${ws.home}:/usr/bin:/bin` };
    const { hosts } = (await ws.run(["init", "--yes", "--json"], "", env)).json();
    expect(hosts.map(({ id, sign }: any) => [id, sign])).toEqual([
      ["claude-code", "`claude` on the PATH"],
      ["copilot", join(ws.home, ".copilot")],
    ]);
  });

  test("the user's scope is the home's, and takes nothing in the repository; managed is the machine's", async () => {
    using ws = repository();
    await init(ws, "--scope", "user");
    expect(snapshot(ws.root)).toEqual({ "CLAUDE.md": "# Us\n" });
    const text = readFileSync(join(ws.home, settings), "utf8");
    expect(text).toContain("dist/hookline run --host claude-code");
    const prefix = join(ws.home, "image");
    await init(ws, "--scope", "managed", "--prefix", prefix);
    expect(readFileSync(join(prefix, "etc/claude-code/managed-settings.d/hookline.json"), "utf8")).toContain(
      "run --host claude-code",
    );
    await ws.run(["uninstall", "--yes", "--scope", "managed", "--prefix", prefix]);
    expect(existsSync(prefix)).toBe(false);
    await ws.run(["uninstall", "--yes", "--scope", "user"]);
    expect(Object.keys(snapshot(ws.home))).toEqual([]);
  });
});

describe("what agents call", () => {
  test("is the bare name in a shared repository where it is on the PATH, the file itself elsewhere", async () => {
    using ws = repository();
    const command = (scope: string, env: Record<string, string>) =>
      ws.run(["init", "--yes", "--scope", scope], "", env).then(({ stdout }) => {
        const path = scope === "repo" ? ws.path(settings) : join(ws.home, settings);
        return [JSON.parse(readFileSync(path, "utf8")).hooks.PreToolUse[0].hooks[0].command, stdout];
      });
    const [absolute, note] = await command("repo", {});
    expect(absolute).toMatch(/^\/.*\/dist\/hookline run --host claude-code$/);
    expect(note).toContain("this machine's");
    symlinkSync(absolute.split(" ")[0], join(ws.home, "hookline"));
    const env = { PATH: `${ws.home}:/usr/bin:/bin` };
    expect((await command("repo", env))[0]).toBe("hookline run --host claude-code");
    // Who has it elsewhere does not undo what a team-mate has shared.
    const [kept, warned] = await command("repo", {});
    expect(kept).toBe("hookline run --host claude-code");
    expect(warned).toContain("not on your PATH");
    expect((await command("user", env))[0]).toBe(absolute);
  });

  test.each(["with blanks", "it's", 'qu"ote', "ünïcödé", "$(touch pwned)", "a;b&c", "back\\slash"])(
    "works from a folder called %s, and is known again",
    async (name) => {
      using ws = repository();
      const folder = join(ws.home, name);
      mkdirSync(folder);
      const program = join(folder, "hookline");
      symlinkSync(join(import.meta.dir, "../dist/hookline"), program);
      await init(ws, "--executable", program);
      const { command } = json(ws, settings).hooks.PreToolUse[0].hooks[0];
      for (const shell of ["sh", "bash", "zsh", "fish"].filter((each) => Bun.which(each) !== null)) {
        const child = Bun.spawnSync([shell, "-c", command], {
          cwd: ws.home,
          env: { HOME: ws.home, PATH: "/usr/bin:/bin" },
          stdin: new TextEncoder().encode(JSON.stringify(claude(ws.root, "Bash", { command: "rm -rf /" }))),
        });
        expect([shell, child.stdout.toString()]).toEqual([
          shell,
          expect.stringContaining('"permissionDecision":"deny"'),
        ]);
      }
      expect((await init(ws, "--executable", program)).stdout).toContain("nothing to do");
      expect((await ws.run(["uninstall", "--yes"])).exitCode).toBe(0);
      expect(snapshot(ws.root)).toEqual({ "CLAUDE.md": "# Us\n" });
    },
  );

  test("is refused where it could not be known again or be found", async () => {
    using ws = repository();
    for (const [path, why] of [
      ["./hookline", "neither `hookline` nor an absolute path"],
      ["/opt/guard", "must be called hookline"],
      ["/opt/a\nb/hookline", "control character"],
    ] as const)
      expect((await init(ws, "--executable", path)).stderr).toContain(why);
    const cache = join(ws.home, ".npm/_npx/1/bin");
    mkdirSync(cache, { recursive: true });
    copyFileSync(join(import.meta.dir, "../dist/hookline"), join(cache, "hookline"));
    using other = repository(undefined, join(cache, "hookline"));
    expect((await init(other)).stderr).toContain("npx's cache");
    expect(snapshot(ws.root)).toEqual({ "CLAUDE.md": "# Us\n" });
  });
});

describe("hookline init --warm", () => {
  test("names the client beside the executable, which stays until somebody says otherwise, and leaves no server behind", async () => {
    using ws = repository({ "CLAUDE.md": "", "opencode.json": "", ".windsurfrules": "" });
    expect((await init(ws, "--warm")).exitCode).toBe(0);
    const line = json(ws, settings).hooks.PreToolUse[0].hooks[0].command;
    expect(line).toMatch(/\/dist\/hookline-warm run --host claude-code$/);
    expect(json(ws, ".windsurf/hooks.json").hooks.pre_run_command[0].powershell).toStartWith("hookline run");
    expect(readFileSync(ws.path(".opencode/plugin/hookline.js"), "utf8")).toContain('/dist/hookline-warm"];');
    expect((await ws.run(["init"])).stdout).toContain("nothing to do");
    expect((await ws.run(["doctor", "--json"])).json().findings).toEqual([]);
    expect((await ws.run(["serve", "--hooks", "--stop"])).stdout).toContain("no server is running");
    const child = Bun.spawnSync(["sh", "-c", line], {
      cwd: ws.root,
      env: { HOME: ws.home, PATH: "/usr/bin:/bin", XDG_STATE_HOME: "/dev/null/x" },
      stdin: new TextEncoder().encode(JSON.stringify(claude(ws.root, "Bash", { command: "rm -rf /" }))),
    });
    expect(child.stdout.toString()).toContain('"permissionDecision":"deny"');
    await init(ws, "--executable", join(realpathSync(join(import.meta.dir, "..")), "dist/hookline"));
    expect(json(ws, settings).hooks.PreToolUse[0].hooks[0].command).not.toContain("warm");
    await ws.run(["uninstall", "--yes"]);
    expect(Object.keys(snapshot(ws.root)).toSorted()).toEqual([
      ".windsurfrules",
      "CLAUDE.md",
      "opencode.json",
    ]);
  });

  test("is refused where there is no client, and goes on cold where there is none any more", async () => {
    using place = workspace();
    const program = join(place.home, "hookline");
    copyFileSync(join(import.meta.dir, "../dist/hookline"), program);
    using ws = repository(undefined, program);
    expect((await init(ws, "--warm")).stderr).toContain("there is no hookline-warm beside");
    expect((await init(ws, "--warm", "--executable", program)).stderr).toContain("leave one out");
    expect(snapshot(ws.root)).toEqual({ "CLAUDE.md": "# Us\n" });
    await init(ws, "--executable", "/gone/hookline-warm");
    await ws.run(["update", "--yes"]);
    expect(json(ws, settings).hooks.PreToolUse[0].hooks[0].command).toBe(`${program} run --host claude-code`);
  });
});

/** What tells of each agent, and the file it gets. */
const agents: Record<string, [sign: string, file: string]> = {
  "claude-code": [".claude/CLAUDE.md", ".claude/settings.json"],
  codex: [".codex/prompts/x.md", ".codex/hooks.json"],
  copilot: [".github/copilot-instructions.md", ".github/hooks/hookline.json"],
  cursor: [".cursorrules", ".cursor/hooks.json"],
  "gemini-cli": ["GEMINI.md", ".gemini/settings.json"],
  opencode: ["opencode.json", ".opencode/plugin/hookline.js"],
  "qwen-code": ["QWEN.md", ".qwen/settings.json"],
  windsurf: [".windsurfrules", ".windsurf/hooks.json"],
};
const all = Object.fromEntries(Object.values(agents).map(([sign]) => [sign, ""]));

describe("every agent", () => {
  test("is found, gets its file, is left alone the second time and leaves nothing behind", async () => {
    using ws = repository(all);
    const before = snapshot(ws.root);
    const { hosts, changes } = (await init(ws, "--json")).json();
    expect(hosts.map(({ id }: any) => id)).toEqual(Object.keys(agents));
    for (const [, file] of Object.values(agents))
      expect(changes.map(({ path }: any) => path)).toContain(join(realpathSync(ws.root), file));
    expect((await ws.run(["init"])).stdout).toContain("nothing to do");
    expect((await ws.run(["update"])).stdout).toContain("as this version would write it");
    await ws.run(["uninstall", "--yes"]);
    expect(snapshot(ws.root)).toEqual(before);
  });

  test("has a user's file, and the managed one where the host has any", async () => {
    using ws = repository(all);
    const user = (await init(ws, "--scope", "user", "--json")).json();
    expect(user.changes).toHaveLength(Object.keys(agents).length);
    const prefix = join(ws.home, "image");
    const { changes, notes } = (await init(ws, "--scope", "managed", "--prefix", prefix, "--json")).json();
    expect(changes.map(({ path }: any) => path.slice(prefix.length))).toEqual([
      "/etc/claude-code/managed-settings.d/hookline.json",
      "/etc/github-copilot/policy.d/hookline.json",
      "/etc/cursor/hooks.json",
      "/etc/gemini-cli/settings.json",
      "/etc/qwen-code/settings.json",
      "/etc/windsurf/hooks.json",
    ]);
    expect(notes).toContain("OpenCode has no configuration of scope managed.");
    for (const args of [["user"], ["managed", "--prefix", prefix]])
      await ws.run(["uninstall", "--yes", "--scope", ...args]);
    expect(Object.keys(snapshot(ws.home))).toEqual([]);
  });

  test("waits long enough, in its own unit", async () => {
    using ws = repository(all);
    await init(ws);
    const limits = (file: string, key = "timeout") =>
      new Set(
        [...readFileSync(ws.path(file), "utf8").matchAll(new RegExp(`"${key}": (\\d+)`, "g"))].map(
          ([, limit]) => Number(limit),
        ),
      );
    expect(limits(".claude/settings.json")).toEqual(new Set([20]));
    expect(limits(".github/hooks/hookline.json", "timeoutSec")).toEqual(new Set([20]));
    // Codex gives the end of a session three at most.
    expect(limits(".codex/hooks.json")).toEqual(new Set([20, 3]));
    expect(limits(".cursor/hooks.json")).toEqual(new Set([20]));
    expect(limits(".gemini/settings.json")).toEqual(new Set([20_000]));
    expect(limits(".qwen/settings.json")).toEqual(new Set([20_000]));
    expect(readFileSync(ws.path(".opencode/plugin/hookline.js"), "utf8")).toContain("const limitMs = 20000;");
  });

  test("is refused by whoever can only be refused by exit code when Hookline is gone", async () => {
    using ws = repository(all);
    await init(ws, "--executable", "/nowhere/hookline");
    const lines: [string, string][] = [
      [".github/hooks/hookline.json", "preToolUse"],
      [".codex/hooks.json", "PreToolUse"],
      [".gemini/settings.json", "BeforeTool"],
      [".qwen/settings.json", "PreToolUse"],
      [".windsurf/hooks.json", "pre_run_command"],
    ];
    for (const [file, event] of lines) {
      const [entry] = json(ws, file).hooks[event];
      const { command, bash } = entry.hooks?.[0] ?? entry;
      const shells = file.includes("codex") ? ["sh", "bash", "zsh", "fish"] : ["bash"];
      for (const shell of shells.filter((each) => Bun.which(each) !== null)) {
        const { exitCode, stderr, stdout } = Bun.spawnSync([shell, "-c", command ?? bash], {
          env: { PATH: "/usr/bin:/bin" },
        });
        expect([file, shell, exitCode, stdout.toString()]).toEqual([file, shell, 2, ""]);
        expect(stderr.toString()).toContain("Hookline did not answer");
      }
    }
    // Claude Code and Cursor have a word for it.
    const closed = Object.entries(json(ws, ".cursor/hooks.json").hooks).filter(
      ([, [entry]]: any) => entry.failClosed,
    );
    expect(closed.map(([event]) => event)).toEqual([
      "beforeSubmitPrompt",
      "preToolUse",
      "beforeShellExecution",
      "beforeMCPExecution",
      "beforeReadFile",
      "beforeTabFileRead",
      "subagentStart",
    ]);
    const gates = Object.entries(json(ws, ".claude/settings.json").hooks).filter(
      ([, [entry]]: any) => entry.hooks[0].onFailure === "block",
    );
    expect(gates.map(([event]) => event)).toEqual([
      "UserPromptSubmit",
      "PreToolUse",
      "PermissionRequest",
      "ConfigChange",
    ]);
  });

  test("a plugin file of somebody else's is not written over", async () => {
    using ws = repository({
      "opencode.json": "{}",
      ".opencode/plugin/hookline.js": "export const Mine = async () => ({});\n",
    });
    const { exitCode, stderr } = await init(ws);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("is there already, and is not ours");
    expect(existsSync(ws.path("hookline.yaml"))).toBe(false);
  });
});

describe("hookline uninstall", () => {
  const texts: Record<string, string | undefined> = {
    "no file": undefined,
    "an empty file": "",
    blanks: " \n\n",
    braces: "{\n}\n",
    "empty lists": '{"hooks": {"PreToolUse": [], "Stop": [ ]} }',
    "no line end": '{"model":"opus"}',
    "a mark and CRLF": '\uFEFF{\r\n\t"model": "opus",\r\n}\r\n',
    "a key twice": '{"hooks":{},"hooks":{"Stop":[]}}',
  };
  test.each(Object.entries(texts))("gives back, byte for byte: %s", async (_, text) => {
    using ws = repository({
      "CLAUDE.md": "",
      ".gitignore": "node_modules",
      ...(text === undefined ? {} : { [settings]: text }),
    });
    const before = snapshot(ws.root);
    await init(ws);
    expect(json(ws, settings).hooks.PreToolUse).toHaveLength(1);
    await init(ws);
    const { exitCode } = await ws.run(["uninstall", "--yes"]);
    expect(exitCode).toBe(0);
    expect(snapshot(ws.root)).toEqual(before);
    expect((await ws.run(["uninstall"])).stdout).toContain("nothing of Hookline's");
  });

  test("takes out only what is ours where somebody has edited since, also on another machine", async () => {
    using ws = repository({ "CLAUDE.md": "", [settings]: '{\n  "model": "opus"\n}\n' });
    await init(ws);
    const edit = (name: string, from: string, to: string) =>
      writeFileSync(ws.path(name), readFileSync(ws.path(name), "utf8").replace(from, to));
    edit(settings, '"opus"', '"sonnet"');
    edit("hookline.yaml", "enforce", "observe");
    edit(".gitignore", "", "dist/\n");
    const out = await ws.run(["uninstall", "--yes"]);
    expect(out.stdout).toContain("hookline.yaml stays");
    expect(readFileSync(ws.path(settings), "utf8")).toBe('{\n  "model": "sonnet"\n}\n');
    expect(readFileSync(ws.path("hookline.yaml"), "utf8")).toContain("mode: observe");
    expect(readFileSync(ws.path(".gitignore"), "utf8")).toBe("dist/\n");
    await init(ws);
    await ws.run(["uninstall", "--yes"], "", { XDG_STATE_HOME: join(ws.home, "elsewhere") });
    expect(readFileSync(ws.path(settings), "utf8")).toBe('{\n  "model": "sonnet"\n}\n');
  });

  test("one agent of two leaves the policy and the other", async () => {
    using ws = repository({ "CLAUDE.md": "", ".github/copilot-instructions.md": "" });
    await init(ws);
    await ws.run(["uninstall", "--yes", "--host", "copilot"]);
    expect(existsSync(ws.path(".github/hooks"))).toBe(false);
    expect(existsSync(ws.path("hookline.yaml"))).toBe(true);
    expect(json(ws, settings).hooks.PreToolUse).toHaveLength(1);
    await ws.run(["uninstall", "--yes", "--host", "claude-code"]);
    expect(snapshot(ws.root)).toEqual({
      "CLAUDE.md": "",
      ".github/": "",
      ".github/copilot-instructions.md": "",
    });
  });
});

describe("hookline update", () => {
  test("mends an older command line, a moved executable, old limits and missing events; others' entries stay", async () => {
    const foreign = { matcher: "Bash", hooks: [{ type: "command", command: "./guard.sh" }] };
    const old = {
      matcher: "Bash",
      hooks: [{ type: "command", command: "/gone/hookline run", timeout: 10000 }],
    };
    using ws = repository({
      [settings]: JSON.stringify({ hooks: { PreToolUse: [foreign, old], Elicitation: [old] } }),
    });
    const { exitCode } = await ws.run(["update", "--yes"]);
    expect(exitCode).toBe(0);
    const { hooks } = json(ws, settings);
    expect(hooks.PreToolUse[0]).toEqual(foreign);
    expect(hooks.PreToolUse[1]).toMatchObject({ matcher: "*", hooks: [{ timeout: 20, onFailure: "block" }] });
    expect(hooks.PreToolUse).toHaveLength(2);
    expect(hooks.Elicitation).toBeUndefined();
    expect(hooks.SessionStart).toHaveLength(1);
    expect(existsSync(ws.path("hookline.yaml"))).toBe(false);
    expect((await ws.run(["update"])).stdout).toContain("as this version would write it");
    // What it was before is what it would be without us.
    await ws.run(["uninstall", "--yes"]);
    expect(json(ws, settings)).toEqual({ hooks: { PreToolUse: [foreign] } });
  });

  test("looks at nobody who does not call Hookline", async () => {
    using ws = repository();
    expect((await ws.run(["update"])).stdout).toContain("as this version would write it");
    expect(snapshot(ws.root)).toEqual({ "CLAUDE.md": "# Us\n" });
  });
});

describe("nothing is written at all", () => {
  const refused = async (ws: Workspace, ...said: string[]) => {
    const before = [snapshot(ws.root), snapshot(ws.home)];
    const { exitCode, stderr } = await init(ws);
    for (const part of said) expect(stderr).toContain(part);
    expect(exitCode).toBe(2);
    expect([snapshot(ws.root), snapshot(ws.home)]).toEqual(before);
  };
  const both = (text: string) => ({ [settings]: text, ".github/copilot-instructions.md": "" });

  test.each([
    ["[1]", "holds an array where an object was expected"],
    ["null", "holds null where an object was expected"],
    ['{"hooks": 1}', "holds a number as `hooks` (line 1, column 11)"],
    ["{", "is no valid JSON"],
    ["\u0000", "is no valid JSON"],
  ])("when one file is %j", async (text, said) => {
    using ws = repository(both(text));
    await refused(ws, join(realpathSync(ws.root), settings), said);
  });

  test("when a file is not text, a folder, or nobody's to write", async () => {
    using ws = repository(both(""));
    writeFileSync(ws.path(settings), Uint8Array.of(0x7b, 0xff, 0x7d));
    await refused(ws, "is not UTF-8 text");
    using folder = repository({ [`${settings}/x`]: "", ".github/copilot-instructions.md": "" });
    await refused(folder, "is not a plain file");
    using fixed = repository(both("{}"));
    chmodSync(fixed.path(settings), 0o444);
    await refused(fixed, "is read-only");
    using shut = repository({ "CLAUDE.md": "", ".github/hooks/x.json": "{}" });
    chmodSync(shut.path(".github/hooks"), 0o555);
    try {
      await refused(shut, ".github/hooks", "read-only");
    } finally {
      chmodSync(shut.path(".github/hooks"), 0o755);
    }
  });

  test("when a link leads out of the repository; one within is followed and stays", async () => {
    using ws = repository({ "CLAUDE.md": "", "conf/settings.json": '{ "a": 1 }\n' });
    mkdirSync(ws.path(".claude"));
    symlinkSync("../conf/settings.json", ws.path(settings));
    await init(ws);
    expect(lstatSync(ws.path(settings)).isSymbolicLink()).toBe(true);
    expect(json(ws, "conf/settings.json").hooks.PreToolUse).toHaveLength(1);
    await ws.run(["uninstall", "--yes"]);
    expect(readFileSync(ws.path("conf/settings.json"), "utf8")).toBe('{ "a": 1 }\n');

    using out = repository({ "CLAUDE.md": "" });
    mkdirSync(join(out.home, "dot"));
    symlinkSync(join(out.home, "dot"), out.path(".claude"));
    await refused(out, "a link that leads out of", "dot/settings.json");
    using nowhere = repository({ "CLAUDE.md": "" });
    mkdirSync(nowhere.path(".claude"));
    symlinkSync("gone.json", nowhere.path(settings));
    await refused(nowhere, "a link that leads nowhere");
  });

  test("but what need not be written may be as it likes: read-only, elsewhere, broken and nobody's business", async () => {
    using ws = repository({ "CLAUDE.md": "", "hookline.yaml": "extends: [strict]\n" });
    await init(ws);
    for (const name of [settings, "hookline.yaml", ".gitignore"]) chmodSync(ws.path(name), 0o444);
    expect((await ws.run(["init"])).stdout).toContain("nothing to do");

    // As a home that is made by a tool has it: a link to a store that is nobody's to write to.
    using store = repository({ [settings]: "{}" });
    await init(store);
    renameSync(store.path(settings), join(store.home, "stored.json"));
    symlinkSync(join(store.home, "stored.json"), store.path(settings));
    chmodSync(join(store.home, "stored.json"), 0o444);
    expect((await store.run(["init"])).stdout).toContain("nothing to do");
    expect((await store.run(["uninstall", "--yes"])).stderr).toContain("a link that leads out of");

    using other = repository({ "CLAUDE.md": "", ".gitignore": "x\n" });
    writeFileSync(other.path(".gitignore"), Uint8Array.of(0xff, 0x0a));
    const { exitCode, stdout } = await init(other);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("no ignore rules were added: .gitignore is not UTF-8 text");
    await other.run(["uninstall", "--yes"]);
    expect(Object.keys(snapshot(other.root)).toSorted()).toEqual([".gitignore", "CLAUDE.md"]);
  });

  test("when a file to be looked at by uninstall or update is broken, by its name", async () => {
    using ws = repository({ "CLAUDE.md": "", "GEMINI.md": "" });
    await init(ws);
    writeFileSync(ws.path(".gemini/settings.json"), "{");
    for (const command of ["uninstall", "update", "init"]) {
      const { exitCode, stderr } = await ws.run([command, "--yes"]);
      expect([exitCode, stderr]).toEqual([
        2,
        expect.stringContaining(".gemini/settings.json is no valid JSON"),
      ]);
    }
    expect((await ws.run(["uninstall", "--yes", "--host", "claude-code"])).exitCode).toBe(0);
    expect(existsSync(ws.path(settings))).toBe(false);
  });

  test("when no backup can be kept", async () => {
    using ws = repository();
    writeFileSync(join(ws.home, ".local"), "");
    await refused(ws, "no backup can be kept");
    const { exitCode, stderr } = await ws.run(["uninstall", "--yes"]);
    expect([exitCode, stderr]).toEqual([0, ""]);
  });

  test.if(process.getuid?.() === 0)(
    "when a file belongs to somebody else; root gives it back to its owner",
    async () => {
      using ws = repository({ [settings]: "{}" });
      Bun.spawnSync(["chown", "-R", "12345:12345", dirname(ws.root)]);
      chmodSync(dirname(ws.root), 0o755);
      Bun.spawnSync(["chown", "0:0", ws.path(settings)]);
      const other = Bun.spawnSync(
        [
          "setpriv",
          "--reuid=12345",
          "--regid=12345",
          "--clear-groups",
          join(import.meta.dir, "../dist/hookline"),
          "init",
          "--yes",
        ],
        {
          cwd: ws.root,
          env: { HOME: ws.home, PATH: "/usr/bin:/bin" },
        },
      );
      expect(other.stderr.toString()).toContain("belongs to another user (0)");
      expect(readFileSync(ws.path(settings), "utf8")).toBe("{}");
      Bun.spawnSync(["chown", "12345:12345", ws.path(settings)]);
      await init(ws);
      expect(statSync(ws.path(settings)).uid).toBe(12345);
    },
  );
});

describe("who may read what is written", () => {
  const shell = (ws: Workspace, line: string) =>
    Bun.spawnSync(["sh", "-c", line], {
      cwd: ws.root,
      env: { HOME: ws.home, PATH: "/usr/bin:/bin", H: join(import.meta.dir, "../dist/hookline") },
    });
  const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

  test("a file keeps its mode, backups are the user's alone, and all users read what is managed, whatever the umask", async () => {
    using ws = repository({ [settings]: "{}" });
    chmodSync(ws.path(settings), 0o664);
    const prefix = join(ws.home, "image");
    expect(
      shell(ws, `umask 077; "$H" init --yes && "$H" init --yes --scope managed --prefix ${prefix}`).exitCode,
    ).toBe(0);
    expect(mode(ws.path(settings))).toBe("664");
    const managed = join(prefix, "etc/claude-code/managed-settings.d/hookline.json");
    expect([managed, dirname(managed), join(prefix, "etc")].map(mode)).toEqual(["644", "755", "755"]);
    const kept = join(ws.home, ".local/state/hookline/installed");
    for (const name of readdirSync(kept, { recursive: true }).map(String))
      expect([name, statSync(join(kept, name)).mode & 0o077]).toEqual([name, 0]);
  });

  test("a home that is a repository has one configuration, not two", async () => {
    using ws = repository({ "CLAUDE.md": "" });
    const env = { HOME: ws.root };
    await ws.run(["init", "--yes", "--host", "claude-code,claude-code"], "", env);
    const { findings } = (await ws.run(["doctor", "--json"], "", env)).json();
    expect(findings).toEqual([]);
  });
});

describe("at once, and in the middle", () => {
  test.if(process.getuid?.() === 0 && Bun.which("unshare") !== null)(
    "on a full disk, or where one file cannot be replaced, all is as it was",
    async () => {
      using ws = repository({ "CLAUDE.md": "", "QWEN.md": "" });
      const line = [
        `mount -t tmpfs -o size=64k none ${ws.root}`,
        `cd ${ws.root}`,
        "mkdir .git .claude .qwen && echo '{}' > .claude/settings.json && echo '{\"a\": 1}' > .qwen/settings.json",
        "head -c 200000 /dev/zero > filler",
        `! ${join(import.meta.dir, "../dist/hookline")} init --yes`,
        "cat .claude/settings.json .qwen/settings.json",
        "find . -name '*.hookline-part' -o -name hookline.yaml",
      ].join("; ");
      const child = Bun.spawnSync(["unshare", "-m", "sh", "-c", line], {
        env: { HOME: ws.home, PATH: "/usr/bin:/bin:/usr/sbin:/sbin" },
      });
      expect(child.stderr.toString()).toContain("ENOSPC");
      expect(child.stdout.toString()).toEndWith('.\n{}\n{"a": 1}\n');
      // A file that something is mounted on cannot be replaced, and the one before it is put back.
      ws.write(".claude/settings.json", "{}\n");
      ws.write(".qwen/settings.json", "{}\n");
      const before = snapshot(ws.root);
      const mounted = Bun.spawnSync(
        [
          "unshare",
          "-m",
          "sh",
          "-c",
          `mount --bind .qwen/settings.json .qwen/settings.json && ${join(import.meta.dir, "../dist/hookline")} init --yes`,
        ],
        { cwd: ws.root, env: { HOME: ws.home, PATH: "/usr/bin:/bin:/usr/sbin:/sbin" } },
      );
      expect(mounted.stderr.toString()).toContain("EBUSY");
      expect(mounted.exitCode).toBe(2);
      expect(snapshot(ws.root)).toEqual(before);
    },
  );

  test("of many at once one writes, and all say that it is done", async () => {
    using ws = repository({ "CLAUDE.md": "", ".github/copilot-instructions.md": "" });
    const all = await Promise.all(Array.from({ length: 8 }, () => init(ws)));
    expect(all.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(all.map(() => [0, ""]));
    expect((await ws.run(["init"])).stdout).toContain("nothing to do");
    await ws.run(["uninstall", "--yes"]);
    expect(snapshot(ws.root)).toEqual({
      "CLAUDE.md": "",
      ".github/": "",
      ".github/copilot-instructions.md": "",
    });
  });

  test("a lock that cannot be had keeps nobody from finding that there is nothing to do", async () => {
    const inTheWay: [string, (lock: string) => void][] = [
      ["a folder", (lock) => mkdirSync(lock)],
      ["a link that leads nowhere", (lock) => symlinkSync("made-by-us", lock)],
      ["a link", (lock) => symlinkSync("/etc/hostname", lock)],
      ["a pipe", (lock) => void Bun.spawnSync(["mkfifo", lock])],
    ];
    for (const [what, make] of inTheWay) {
      using ws = repository();
      const folder = join(ws.home, ".local/state/hookline/installed");
      mkdirSync(folder, { recursive: true });
      make(join(folder, "lock"));
      const undone = await ws.run(["uninstall", "--yes"]);
      expect([what, undone.exitCode, undone.stderr]).toEqual([what, 0, ""]);
      const done = await init(ws);
      expect([what, done.exitCode, done.stderr]).toEqual([
        what,
        2,
        expect.stringContaining("no backup can be kept"),
      ]);
      expect([what, existsSync(join(folder, "made-by-us"))]).toEqual([what, false]);
      expect((await ws.run(["doctor", "--fix"])).stdout).toContain("no backup can be kept");
    }
  });

  test("while another is at work nobody says that there is nothing to do", async () => {
    using ws = repository();
    const folder = join(ws.home, ".local/state/hookline/installed");
    mkdirSync(folder, { recursive: true });
    const held = Bun.spawn(["flock", "--no-fork", join(folder, "lock"), "sleep", "60"]);
    await Bun.sleep(300);
    const started = Date.now();
    const all = await Promise.all([
      ws.run(["uninstall", "--yes"]),
      init(ws),
      ws.run(["doctor", "--fix"]).then(({ stdout, exitCode }) => ({ exitCode, stderr: stdout })),
    ]);
    held.kill("SIGKILL");
    await held.exited;
    for (const { exitCode, stderr } of all) {
      expect(stderr).toContain("another hookline is changing the configuration");
      expect(exitCode).not.toBe(0);
    }
    expect(Date.now() - started).toBeLessThan(30_000);
    expect((await init(ws)).exitCode).toBe(0);
  }, 60_000);

  test("an install that fails on top of another keeps the way back to the first text", async () => {
    const original = '{"model":   "opus", "hooks": {}   }\n\n\n';
    using ws = repository({ [settings]: original });
    await init(ws);
    mkdirSync(ws.path(`${settings}.hookline-part/x`), { recursive: true });
    const failed = await ws.run(["init", "--yes", "--executable", "/opt/x/hookline"]);
    expect(failed.exitCode).not.toBe(0);
    rmSync(ws.path(`${settings}.hookline-part`), { recursive: true });
    await ws.run(["uninstall", "--yes"]);
    expect(readFileSync(ws.path(settings), "utf8")).toBe(original);
  });

  test("a link that leads out and comes while the user is asked is not followed", async () => {
    using ws = repository({ "CLAUDE.md": "" });
    const outside = join(ws.home, "outside");
    mkdirSync(outside);
    const hookline = join(import.meta.dir, "../dist/hookline");
    const asked = Bun.spawn(["script", "-qec", `${hookline} init --host claude-code`, "/dev/null"], {
      cwd: ws.root,
      env: { HOME: ws.home, PATH: "/usr/bin:/bin", TERM: "dumb" },
      stdin: "pipe",
      stdout: "pipe",
    });
    const reader = asked.stdout.getReader();
    const said = async (what: string): Promise<string> => {
      let text = "";
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        text += Buffer.from(piece.value).toString();
        if (text.includes(what)) break;
      }
      return text;
    };
    expect(await said("[y/N]")).toContain(settings);
    symlinkSync(outside, ws.path(".claude"));
    void asked.stdin.write("y\n");
    await asked.stdin.flush();
    expect(await said("meantime")).toContain("has changed in the meantime; nothing was written");
    expect(await asked.exited).toBe(2);
    expect(readdirSync(outside)).toEqual([]);
  });

  test("those that install and those that uninstall at once wait for each other", async () => {
    const files = { "CLAUDE.md": "", ".github/": "", ".github/copilot-instructions.md": "" };
    using ws = repository({ "CLAUDE.md": "", ".github/copilot-instructions.md": "" });
    const again = async (command: string) => {
      for (let round = 0; round < 20; round++) {
        const { exitCode, stderr } = await ws.run([command, "--yes"]);
        expect([command, exitCode, stderr]).toEqual([command, 0, ""]);
      }
    };
    await Promise.all(["init", "uninstall", "init", "uninstall"].map(again));
    await ws.run(["uninstall", "--yes"]);
    expect(snapshot(ws.root)).toEqual(files);
  });

  test("killed at any moment no file is torn, and the next run sets it right", async () => {
    using ws = repository({
      "CLAUDE.md": "",
      ".github/copilot-instructions.md": "",
      [settings]: '{\n  "model": "opus"\n}\n',
    });
    const before = snapshot(ws.root);
    for (let ms = 0; ms < 40; ms += 1) {
      const child = Bun.spawn(
        [join(import.meta.dir, "../dist/hookline"), ms % 2 === 0 ? "init" : "uninstall", "--yes"],
        {
          cwd: ws.root,
          env: { HOME: ws.home, PATH: "/usr/bin:/bin" },
          stdio: ["ignore", "ignore", "ignore"],
        },
      );
      await Bun.sleep(ms / 2);
      child.kill("SIGKILL");
      await child.exited;
      for (const name of [settings, ".github/hooks/hookline.json"])
        if (existsSync(ws.path(name))) expect(json(ws, name)).toBeObject();
    }
    expect((await init(ws)).exitCode).toBe(0);
    expect((await ws.run(["uninstall", "--yes"])).exitCode).toBe(0);
    expect(snapshot(ws.root)).toEqual(before);
  });

  test("settings of five megabytes are changed in their place", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 50_000 }, (_, at) => [`key-${at}`, { value: "x".repeat(60), at }]),
    );
    const text = JSON.stringify({ many, hooks: { Stop: [] } }, null, 2);
    expect(text.length).toBeGreaterThan(5_000_000);
    using ws = repository({ [settings]: text });
    expect((await init(ws)).exitCode).toBe(0);
    expect(json(ws, settings).many).toEqual(many);
    expect((await ws.run(["uninstall", "--yes"])).exitCode).toBe(0);
    expect(readFileSync(ws.path(settings), "utf8")).toBe(text);
  });
});
