import { expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { claude, workspace } from "./support/hookline.ts";

const executable = join(import.meta.dir, "../dist/hookline");

test("eval --jsonl: who waits for an answer is judged by the world as it is then", async () => {
  using ws = workspace({ "src/a.ts": "" });
  const child = Bun.spawn([executable, "eval", "--jsonl"], {
    cwd: ws.root,
    env: { HOME: join(ws.root, "../home"), PATH: "/usr/bin:/bin" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const answers = linesOf(child.stdout);
  const ask = async (input: Record<string, unknown>): Promise<string> => {
    void child.stdin.write(`${JSON.stringify(input)}\n`);
    await child.stdin.flush();
    return JSON.parse((await answers.next()).value ?? "{}").outcome;
  };
  const write = claude(ws.root, "Write", { file_path: ws.path("out/motd"), content: "" });
  const shell = claude(ws.root, "Bash", { command: "echo hello > out/motd" });
  expect([await ask(write), await ask(shell)]).toEqual(["pass", "pass"]);
  symlinkSync("/etc", ws.path("out"));
  expect([await ask(write), await ask(shell)]).toEqual(["block", "block"]);
  await child.stdin.end();
  expect(await child.exited).toBe(0);
});

test("eval --jsonl: payloads that differ in anything but the id of the call are judged each by itself", async () => {
  using ws = workspace();
  const payload = (at: number, command: string, more: object = {}) => ({
    ...claude(ws.root, "Bash", { command }),
    tool_use_id: `toolu_${String(at).padStart(20, "0")}`,
    ...more,
  });
  const fine = "cat > src/a.ts <<< hello";
  const lines = [
    payload(1, fine),
    payload(2, fine, { cwd: "/etc" }),
    payload(3, "rm -rf ~"),
    payload(4, fine),
    payload(5, "rm -rf ~"),
    payload(6, fine, { hook_event_name: "PostToolUse" }),
    payload(7, fine, { session_id: "another" }),
  ];
  const env = { CLAUDE_PROJECT_DIR: ws.root };
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  const out = (await ws.run(["eval", "--jsonl"], text, env)).stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(out.map(({ outcome, event }) => [outcome, event])).toEqual([
    ["pass", "PreToolUse"],
    ["block", "PreToolUse"],
    ["block", "PreToolUse"],
    ["pass", "PreToolUse"],
    ["block", "PreToolUse"],
    ["pass", "PostToolUse"],
    ["pass", "PreToolUse"],
  ]);
  // One by one they are told the same.
  for (const [at, line] of lines.entries())
    expect((await ws.run(["eval"], line, env)).json()).toEqual(out[at]);
});

test("eval --jsonl: what only looks like the id of a call tells payloads apart", async () => {
  using ws = workspace();
  const { tool_input: _none, ...rest } = claude(ws.root, "Unheard-of", {});
  const head = JSON.stringify(rest).slice(0, -1);
  // A tool nobody knows: whatever stands in its arguments under a name like a path's is one.
  const inside = (id: string, path: string, own: string) =>
    `${head},"tool_input":{"tool_use_id":"${id}","file_path":"${path}","content":""},"tool_use_id":"${own}"}`;
  const doubled = (first: string, last: string, event: string) =>
    `${head},"tool_input":{"command":"rm -rf ~"},"tool_use_id":"${first}","hook_event_name":"${event}","tool_use_id":"${last}"}`;
  const lines = [
    inside("a", "a", "a"),
    inside("/etc/motd", "a", "a"),
    inside("a", "/etc/motd", "a"),
    inside("b", "/etc/motd", "a"),
    inside("", "b", ""),
    inside("", "b", "b"),
    doubled("a", "b", "PreToolUse"),
    doubled("b", "b", "PreToolUse"),
    doubled("", "b", "PostToolUse"),
    doubled("b", "", "PreToolUse"),
    `${head},"tool_input":{"command":"rm -rf ~"},"tool_use_id":"`,
    `${head},"tool_input":{"command":"rm -rf ~"},"tool_use_id":"c"}`,
  ];
  const env = { CLAUDE_PROJECT_DIR: ws.root };
  const twice = [...lines, ...lines];
  const out = (await ws.run(["eval", "--jsonl"], twice.join("\n"), env)).stdout.trimEnd().split("\n");
  const alone: string[] = [];
  for (const line of lines) alone.push((await ws.run(["eval"], line, env)).stdout.trimEnd());
  expect(out).toEqual([...alone, ...alone]);
  expect(new Set(out.map((line) => JSON.parse(line).outcome)).size).toBeGreaterThan(1);
});

test("eval --jsonl: a mark of the byte order may stand before any line", async () => {
  using ws = workspace();
  const line = JSON.stringify(claude(ws.root, "Bash", { command: "ls" }));
  const out = (await ws.run(["eval", "--jsonl"], `\uFEFF${line}\n${line}\n\uFEFF${line}`)).stdout;
  expect(
    out
      .trimEnd()
      .split("\n")
      .map((said) => JSON.parse(said).outcome),
  ).toEqual(["pass", "pass", "pass"]);
});

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  return undefined;
}
