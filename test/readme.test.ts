// The hook commands docs/install.md tells people to use, run as agents run them.
import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { claude, workspace } from "./support/hookline.ts";

const executable = join(import.meta.dir, "../dist/hookline");
const page = readFileSync(join(import.meta.dir, "../docs/install.md"), "utf8");
const settings = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, text]) => JSON.parse(text ?? ""));
const [claudeHook] = settings[0].hooks.PreToolUse[0].hooks;
const [copilotHook] = settings[1].hooks.preToolUse;

const shells = ["sh", "bash"];
const start = (shell: string, command: string, cwd: string, home: string, payload: object, guard = "") => {
  const line = guard + command.replace("/opt/hookline/hookline", executable);
  const ran = Bun.spawnSync([shell, "-c", line], {
    cwd,
    env: { HOME: home, PATH: "/usr/bin:/bin" },
    stdin: new TextEncoder().encode(JSON.stringify(payload)),
  });
  return { exitCode: ran.exitCode, stdout: ran.stdout.toString() };
};

describe.each(shells)("under %s", (shell) => {
  test("they deny", () => {
    using ws = workspace();
    const write = claude(ws.root, "Write", { file_path: "/etc/hosts", content: "" });
    const create = { sessionId: "s", cwd: ws.root, toolName: "create", toolArgs: { path: "/etc/hosts" } };
    for (const [command, payload] of [
      [claudeHook.command, write],
      [copilotHook.bash, create],
    ]) {
      const { exitCode, stdout } = start(shell, command, ws.root, ws.home, payload);
      expect([exitCode, JSON.parse(stdout).permissionDecision]).toEqual([0, "deny"]);
    }
  });

  test("where the executable cannot start, the one for hosts that would go ahead refuses", () => {
    using ws = workspace();
    mkdirSync(ws.path("gone"));
    const gone = start(shell, copilotHook.bash, ws.path("gone"), ws.home, {}, "rmdir ../gone; ");
    const missing = start(shell, copilotHook.bash.replace("/opt", "/nowhere"), ws.root, ws.home, {});
    expect(gone).toEqual({ exitCode: 2, stdout: "" });
    expect(missing).toEqual({ exitCode: 2, stdout: "" });
    // Claude Code has a setting for it.
    expect(claudeHook.onFailure).toBe("block");
  });
});
