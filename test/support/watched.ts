import { expect } from "bun:test";
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readFixtures } from "../../src/testing/host-tester.ts";
import { workspace, type Ran, type Workspace } from "./hookline.ts";

/** A fixture of each host for its events: at the start, after a tool, at a prompt, when it stops. */
export const occasions: Readonly<Record<string, readonly string[]>> = {
  "claude-code": ["SessionStart", "PostToolUse", "UserPromptSubmit", "Stop"],
  codex: ["SessionStart", "PostToolUse", "UserPromptSubmit", "Stop"],
  copilot: ["cli.sessionStart", "cli.postToolUse", "cli.userPromptSubmitted", "cli.agentStop"],
  cursor: ["sessionStart", "postToolUse", "beforeSubmitPrompt", "stop"],
  "gemini-cli": ["SessionStart", "AfterTool", "BeforeAgent", "AfterAgent"],
  opencode: ["session.created", "tool.execute.after", "chat.message", "session.idle"],
  "qwen-code": ["SessionStart", "PostToolUse", "UserPromptSubmit", "Stop"],
  windsurf: ["pre_user_prompt", "post_run_command", "pre_user_prompt", "post_cascade_response"],
};

/** The file `init` writes for each host. */
export const settingsOf: Readonly<Record<string, string>> = {
  "claude-code": ".claude/settings.json",
  codex: ".codex/hooks.json",
  copilot: ".github/hooks/hookline.json",
  cursor: ".cursor/hooks.json",
  "gemini-cli": ".gemini/settings.json",
  opencode: ".opencode/plugin/hookline.js",
  "qwen-code": ".qwen/settings.json",
  windsurf: ".windsurf/hooks.json",
};

/** A workspace whose hosts call Hookline. */
export async function installed(...hosts: string[]): Promise<Workspace> {
  const ws = workspace();
  const ran = await ws.run(["init", "--yes", ...hosts.flatMap((host) => ["--host", host])]);
  expect([ran.exitCode, ran.stderr]).toEqual([0, ""]);
  return ws;
}

/** An event of a host by its fixture, as it would send it from this workspace. */
export function payloadOf(ws: Workspace, host: string, fixture: string, session = "s1") {
  const all = readFixtures(join(import.meta.dir, "../../src/hosts", host, "fixtures"));
  const one = all.find(({ name }) => name === fixture);
  if (!one) throw new Error(`${host} has no fixture ${fixture}`);
  const text = JSON.stringify(one.stdin).replaceAll("/Users/ada/code/acme-shop", realpathSync(ws.root));
  const stdin = JSON.parse(text) as Record<string, unknown>;
  for (const key of ["session_id", "sessionId", "conversation_id", "sessionID", "trajectory_id"])
    if (key in stdin) stdin[key] = session;
  return { args: ["run", "--host", host, "--event", one.event], stdin };
}

export async function send(
  ws: Workspace,
  host: string,
  fixture: string,
  session = "s1",
  env: Record<string, string> = {},
): Promise<Ran> {
  const { args, stdin } = payloadOf(ws, host, fixture, session);
  return ws.run(args, stdin, env);
}

/** What has been said of settings that were changed behind our back, by the records. */
export const found = (ws: Workspace): string[] =>
  ws
    .records()
    .flatMap(({ findings }) => findings as { rule: string; message: string }[])
    .filter((each) => each.rule === "hookline/switched-off")
    .map(({ message }) => message);

/** Puts a file where it lies, in the workspace or, by `~/`, in the home. */
export function put(ws: Workspace, name: string, text: string): void {
  const path = name.startsWith("~/") ? join(ws.home, name.slice(2)) : ws.path(name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** What `/hooks` of Codex leaves in its configuration. */
export function codexTrust(ws: Workspace): string {
  const path = join(realpathSync(ws.root), ".codex/hooks.json");
  const { hooks } = JSON.parse(readFileSync(path, "utf8"));
  return Object.entries(hooks)
    .map(([event, groups]: any) => {
      const name = event.replace(/(?<=.)[A-Z]/g, (letter: string) => `_${letter}`).toLowerCase();
      const [
        {
          matcher,
          hooks: [{ type, command, timeout }],
        },
      ] = groups;
      const hash = new Bun.CryptoHasher("sha256")
        .update(
          JSON.stringify({
            event_name: name,
            hooks: [{ async: false, command, timeout, type }],
            ...(matcher ? { matcher } : {}),
          }),
        )
        .digest("hex");
      return `[hooks.state."${path}:${name}:0:0"]\ntrusted_hash = "sha256:${hash}"\n`;
    })
    .join("");
}
