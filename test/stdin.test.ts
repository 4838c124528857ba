// How payloads come in when the host is careless about the pipe.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { claude, workspace, type Workspace } from "./support/hookline.ts";

const executable = join(import.meta.dir, "../dist/hookline");

/** Runs with a standard input that stays open for as long as the executable runs. */
async function neverClosed(ws: Workspace, pieces: readonly string[], ...args: string[]) {
  const child = Bun.spawn([executable, ...args], {
    cwd: ws.root,
    env: { HOME: ws.home, PATH: "/usr/bin:/bin" },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  for (const piece of pieces) {
    void child.stdin.write(piece);
    void child.stdin.flush();
    await Bun.sleep(60);
  }
  const [stdout, stderr, exitCode] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ]);
  return { stdout, stderr, exitCode };
}

const write = (ws: Workspace) =>
  JSON.stringify(claude(ws.root, "Write", { file_path: "/etc/hosts", content: "}" }));

test.concurrent("a payload is judged although its pipe is never closed", async () => {
  using ws = workspace();
  const text = write(ws);
  const cut = text.indexOf('}"') + 1;
  for (const pieces of [[text], [`${text}\n`], [text.slice(0, cut), text.slice(cut)]]) {
    const ran = await neverClosed(ws, pieces, "run");
    expect(JSON.parse(ran.stdout)).toMatchObject({ permissionDecision: "deny" });
    expect(ran.stdout).toContain("safety/workspace-boundary");
    expect(ran.exitCode).toBe(0);
  }
  expect(ws.records()).toHaveLength(3);
}, 30_000);

test.concurrent("a pipe that brings nothing, and is never closed, is a payload that cannot be read", async () => {
  using ws = workspace();
  const ran = await neverClosed(ws, [], "run", "--host", "copilot", "--event", "preToolUse");
  expect(JSON.parse(ran.stdout)).toMatchObject({ permissionDecision: "deny" });
  expect(ws.records()[0]).toMatchObject({ failure: { kind: "payload" } });
}, 30_000);

test.concurrent("so is one that brings half a payload", async () => {
  using ws = workspace();
  const ran = await neverClosed(ws, [write(ws).slice(0, -1)], "run");
  expect(JSON.parse(ran.stdout)).toMatchObject({ permissionDecision: "deny" });
  expect(ran.stdout).toContain("the payload is not JSON");
  expect(ws.records()[0]).toMatchObject({ failure: { kind: "payload" } });
}, 30_000);
