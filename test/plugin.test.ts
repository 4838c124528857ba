// What `npm run build:plugin` writes, started as the agents start it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import manifest from "../package.json";
import { claude, workspace, type Workspace } from "./support/hookline.ts";

const root = join(import.meta.dir, "..");
const scratch = mkdtempSync(join(tmpdir(), "hookline plugin-"));
const build = (...args: string[]) =>
  Bun.spawnSync([process.execPath, join(root, "tools/plugin.ts"), ...args]);
const plain = join(scratch, "plain");
const bundled = join(scratch, "bundled");
const read = (...path: string[]) => JSON.parse(readFileSync(join(...path), "utf8"));

beforeAll(() => {
  expect(build("--out", plain).exitCode).toBe(0);
  expect(build("--out", bundled, "--bundle").exitCode).toBe(0);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const start = (ws: Workspace, folder: string, command: string, payload: object, path = "/usr/bin:/bin") => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(
    ["sh", "-c", command.replace("${extensionPath}", folder)],
    {
      cwd: ws.root,
      env: { HOME: ws.home, PATH: path, CLAUDE_PLUGIN_ROOT: folder, PLUGIN_ROOT: folder },
      stdin: new TextEncoder().encode(JSON.stringify(payload)),
    },
  );
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
};

/** The first command line at the event before a tool. */
function lineOf(folder: string, hooks: string, event: string): string {
  const [entry] = read(folder, hooks).hooks[event];
  const { command, bash } = entry.hooks?.[0] ?? entry;
  return command ?? bash;
}

const agents: [host: string, hooks: string, event: string][] = [
  ["claude-code", "hooks/hooks.json", "PreToolUse"],
  ["codex", "hooks/hooks.json", "PreToolUse"],
  ["copilot", "hooks.json", "preToolUse"],
  ["gemini-cli", "hooks/hooks.json", "BeforeTool"],
];

describe.each(agents)("the plugin of %s", (host, hooks, event) => {
  test("starts the executable in it, from a folder with blanks", () => {
    using ws = workspace();
    const folder = join(bundled, host);
    const line = lineOf(folder, hooks, event);
    expect(line).toContain(`run --host ${host}`);
    const payload = { ...claude(ws.root, "Bash", { command: "rm -rf /" }), hook_event_name: event };
    expect(start(ws, folder, line, payload).stdout).toMatch(
      /"(?:permissionDecision|decision)":"(?:deny|block)"/,
    );
  });

  test("else the one on the PATH, and refuses where there is none", () => {
    using ws = workspace();
    const folder = join(plain, host);
    const line = lineOf(folder, hooks, event);
    const bin = join(ws.home, "bin");
    mkdirSync(bin);
    symlinkSync(join(root, "dist/hookline"), join(bin, "hookline"));
    const payload = { ...claude(ws.root, "Bash", { command: "rm -rf /" }), hook_event_name: event };
    expect(start(ws, folder, line, payload, `${bin}:/usr/bin:/bin`).stdout).toMatch(/"(?:deny|block)"/);
    const { exitCode, stdout, stderr } = start(ws, folder, line, payload);
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("Hookline is not installed");
  });

  test("calls at the same events as init", async () => {
    using ws = workspace();
    await ws.run(["init", "--yes", "--host", host]);
    const files: Record<string, string> = {
      "claude-code": ".claude/settings.json",
      codex: ".codex/hooks.json",
      copilot: ".github/hooks/hookline.json",
      "gemini-cli": ".gemini/settings.json",
    };
    const own = JSON.parse(readFileSync(ws.path(files[host] ?? ""), "utf8"));
    expect(Object.keys(read(plain, host, hooks).hooks)).toEqual(Object.keys(own.hooks));
  });
});

test("manifests have the names and the version; the marketplace names a folder that is there", () => {
  const market = read(plain, ".claude-plugin/marketplace.json");
  expect(market).toMatchObject({ name: "hookline", owner: { name: "Hookline" } });
  for (const { source } of market.plugins)
    expect(existsSync(join(plain, source, ".claude-plugin/plugin.json"))).toBe(true);
  for (const file of [
    "claude-code/.claude-plugin/plugin.json",
    "codex/.codex-plugin/plugin.json",
    "copilot/plugin.json",
    "gemini-cli/gemini-extension.json",
  ])
    expect(read(plain, file)).toMatchObject({ name: "hookline", version: manifest.version });
});

test("a folder that is something else is not emptied", () => {
  const folder = join(scratch, "mine");
  mkdirSync(folder);
  writeFileSync(join(folder, "x"), "");
  expect(build("--out", folder).exitCode).toBe(2);
  expect(existsSync(join(folder, "x"))).toBe(true);
});
