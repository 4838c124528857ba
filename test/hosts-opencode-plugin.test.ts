import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isObject } from "../src/core/json.ts";
import { pluginText, type PluginOptions } from "../src/hosts/opencode/plugin.ts";
import { workspace, type Workspace } from "./support/hookline.ts";

const executable = join(import.meta.dir, "../dist/hookline");
const scratch = mkdtempSync(join(tmpdir(), "hookline-opencode-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

type Hook = (input: object, output?: object) => Promise<void>;
type Hooks = Record<
  | "event"
  | "chat.message"
  | "tool.execute.before"
  | "tool.execute.after"
  | "experimental.chat.system.transform"
  | "experimental.session.compacting"
  | "experimental.text.complete",
  Hook
>;

let count = 0;

/** Loads the plugin file as OpenCode does: every export is a plugin. */
async function load(options: PluginOptions, directory: string, logged: string[] = []): Promise<Hooks> {
  const file = join(scratch, `plugin-${count++}.js`);
  writeFileSync(file, pluginText(options));
  const exports = Object.values((await import(file)) as Record<string, (context: object) => Promise<Hooks>>);
  expect(exports).toHaveLength(1);
  const log = ({ body }: { body: { message: string } }) => {
    logged.push(body.message);
    return Promise.resolve();
  };
  return (exports[0] as (context: object) => Promise<Hooks>)({
    client: { app: { log } },
    directory,
    worktree: directory,
  });
}

const real = (ws: Workspace): Promise<Hooks> =>
  load({ command: ["/usr/bin/env", `HOME=${ws.home}`, executable] }, ws.root);

/** A program that stands in the place of the executable. */
function program(text: string, folder = scratch): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `program-${count++}`);
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
}

const answering = (answer: object): string =>
  program(`cat > /dev/null; printf '%s' '${JSON.stringify(answer)}'`);

const bash = { tool: "bash", sessionID: "ses_1", callID: "call_1" };
const calling = (hooks: Hooks, args: object) => hooks["tool.execute.before"](bash, { args });
const created = (id: string, parentID?: string) => ({
  event: { type: "session.created", properties: { info: { id, parentID, version: "1.18.33" } } },
});

describe("with the real executable", () => {
  test("a dangerous command is refused with the reason, a safe one is left as it is", async () => {
    using ws = workspace();
    const hooks = await real(ws);
    expect(calling(hooks, { command: "rm -rf /" })).rejects.toThrow("safety/");
    const args = { command: "ls", description: "List" };
    await calling(hooks, args);
    expect(args).toEqual({ command: "ls", description: "List" });
  });

  test("a write outside the workspace is refused whichever tool makes it", async () => {
    using ws = workspace();
    const hooks = await real(ws);
    const calls: readonly [tool: string, args: object][] = [
      ["write", { filePath: "/etc/hosts", content: "x" }],
      ["edit", { filePath: "/etc/hosts", oldString: "a", newString: "b" }],
      ["apply_patch", { patchText: "*** Begin Patch\n*** Add File: /etc/x\n+x\n*** End Patch" }],
      ["bash", { command: "echo x > x", workdir: "/etc" }],
      ["files_write_file", { path: "/etc/hosts", content: "x" }],
    ];
    for (const [tool, args] of calls) {
      const refused = hooks["tool.execute.before"]({ ...bash, tool }, { args });
      expect(refused).rejects.toThrow("safety/workspace-boundary");
    }
    await hooks["tool.execute.before"](
      { ...bash, tool: "write" },
      { args: { filePath: "a.txt", content: "" } },
    );
  });

  test("events are on record with the session a person opened, the subagent and the client's version", async () => {
    using ws = workspace();
    const hooks = await real(ws);
    await hooks.event(created("ses_1"));
    await hooks.event(created("ses_2", "ses_1"));
    await hooks.event(created("ses_3", "ses_2"));
    await hooks["chat.message"](
      { sessionID: "ses_1" },
      { message: { agent: "build" }, parts: [{ type: "text", text: "Go" }] },
    );
    await hooks["chat.message"]({ sessionID: "ses_3", agent: "general" }, { message: {}, parts: [] });
    await hooks["tool.execute.before"]({ ...bash, sessionID: "ses_3" }, { args: { command: "ls" } });
    await hooks["experimental.text.complete"]({ sessionID: "ses_1" }, { text: "All done." });
    await hooks.event({ event: { type: "session.idle", properties: { sessionID: "ses_1" } } });
    const seen = ws
      .records()
      .map(({ host, event }) => ({
        version: host.version,
        name: event.name,
        session: event.session,
        agent: event.agent,
      }))
      .filter(({ name }) => name !== "SessionStart" && name !== "SubagentStart" && name !== "Other");
    const common = { version: "1.18.33", session: "ses_1" };
    expect(seen).toEqual([
      { ...common, name: "UserPromptSubmit", agent: undefined },
      { ...common, name: "PreToolUse", agent: { id: "ses_3", type: "general" } },
      { ...common, name: "Stop", agent: undefined },
    ]);
  });
});

describe("before a tool everything that goes wrong is a refusal", () => {
  const faults: Record<string, readonly string[]> = {
    "no such program": [join(scratch, "nowhere")],
    "no program at all": [""],
    "a program that may not be run": [scratch],
    "a program that crashes": [program("exit 1")],
    "a program that is killed": [program("kill -9 $$")],
    "a program that says nothing": [program("cat > /dev/null")],
    "an answer that is no JSON": [program("echo allowed")],
    "an answer that is cut short": [program(`printf '{"decision":"go"'`)],
    "an answer without a decision": [answering({})],
    "an answer that is null": [program("echo null")],
    "an unknown decision": [answering({ decision: "allow" })],
    "a refusal without a reason": [answering({ decision: "block" })],
    "a good answer with a bad exit code": [program(`echo '{"decision":"go"}'; exit 2`)],
    "a program that never ends": [program("exec sleep 600")],
    "arguments that are no object": [answering({ decision: "go", args: "rm -rf /" })],
  };
  for (const [what, command] of Object.entries(faults)) {
    test(what, async () => {
      const hooks = await load({ command, limitMs: 1000 }, scratch);
      expect(calling(hooks, { command: "ls" })).rejects.toThrow("Blocked: Hookline");
    });
  }

  test("what the program says on its way out is the reason", async () => {
    const hooks = await load({ command: [program("echo 'out of paper' >&2; exit 2")] }, scratch);
    expect(calling(hooks, { command: "ls" })).rejects.toThrow("out of paper");
  });

  test("arguments that cannot be written down are refused", async () => {
    const hooks = await load({ command: [answering({ decision: "go" })] }, scratch);
    expect(calling(hooks, { command: 1n })).rejects.toThrow("Blocked: Hookline");
  });
});

test("elsewhere the agent goes on, and the trouble is in its log", async () => {
  const logged: string[] = [];
  const hooks = await load({ command: [program("echo 'out of paper' >&2; exit 1")] }, scratch, logged);
  const output = { title: "", output: "42 passing", metadata: {} };
  const parts: unknown[] = [];
  await hooks.event(created("ses_1"));
  await hooks.event({ event: { type: "session.error", properties: { sessionID: "ses_1" } } });
  await hooks.event({ event: { type: "constructor" } });
  await hooks.event({});
  await hooks["chat.message"]({ sessionID: "ses_1" }, { message: {}, parts });
  await hooks["tool.execute.after"]({ ...bash, args: {} }, output);
  await hooks["experimental.chat.system.transform"]({ sessionID: "ses_1" }, { system: [] });
  expect({ parts, output: output.output }).toEqual({ parts: [], output: "42 passing" });
  expect(new Set(logged)).toEqual(new Set(["out of paper"]));
});

describe("what an answer changes", () => {
  test("arguments are changed in place, and nothing of the old ones is left", async () => {
    const hooks = await load(
      { command: [answering({ decision: "go", args: { command: "npm ci" } })] },
      scratch,
    );
    const output = { args: { command: "npm i", workdir: "/etc" } };
    const { args } = output;
    await hooks["tool.execute.before"](bash, output);
    expect(args).toEqual({ command: "npm ci" } as never);
  });

  test("output is replaced, context is added to it, also for tools of a server", async () => {
    const hooks = await load(
      { command: [answering({ decision: "go", output: "[redacted]", context: ["look", "twice"] })] },
      scratch,
    );
    const text = { output: "secret", title: "", metadata: {} };
    const served = { content: [{ type: "text", text: "secret" }] };
    await hooks["tool.execute.after"]({ ...bash, args: {} }, text);
    await hooks["tool.execute.after"]({ ...bash, args: {} }, served);
    expect(text.output).toBe("[redacted]\n\nlook\n\ntwice");
    expect(served.content.map((part) => part.text)).toEqual(["[redacted]", "look\n\ntwice"]);
  });

  test("a refusal after the tool is its result; one of a prompt stops it", async () => {
    const hooks = await load({ command: [answering({ decision: "block", reason: "not so" })] }, scratch);
    const output = { output: "secret", title: "", metadata: {} };
    expect(hooks["tool.execute.after"]({ ...bash, args: {} }, output)).rejects.toThrow("not so");
    expect(hooks["chat.message"]({ sessionID: "ses_1" }, { message: {}, parts: [] })).rejects.toThrow(
      "not so",
    );
  });

  test("context goes to the system prompt of its session, to the prompt and to the summary", async () => {
    const hooks = await load({ command: [answering({ decision: "go", context: ["use pnpm"] })] }, scratch);
    await hooks.event(created("ses_1"));
    const [first, other]: [string[], string[]] = [["You are"], ["You are"]];
    await hooks["experimental.chat.system.transform"]({ sessionID: "ses_1" }, { system: first });
    await hooks["experimental.chat.system.transform"]({ sessionID: "ses_9" }, { system: other });
    const summary: string[] = [];
    await hooks["experimental.session.compacting"]({ sessionID: "ses_1" }, { context: summary });
    const parts: Record<string, unknown>[] = [{ type: "text", text: "Go" }];
    await hooks["chat.message"](
      { sessionID: "ses_1" },
      { message: { id: "msg_1", sessionID: "ses_1" }, parts },
    );
    expect({ first, other, summary }).toEqual({
      first: ["You are", "use pnpm"],
      other: ["You are"],
      summary: ["use pnpm"],
    });
    expect(parts[1]).toEqual({
      id: expect.stringMatching(/^prt_\w+$/),
      messageID: "msg_1",
      sessionID: "ses_1",
      type: "text",
      text: "use pnpm",
      synthetic: true,
    });
  });
});

test("what an agent tells on its way out is on record, though it is gone before anybody answers", async () => {
  using ws = workspace();
  const plugin = join(scratch, `plugin-${count++}.js`);
  writeFileSync(plugin, pluginText({ command: ["/usr/bin/env", `HOME=${ws.home}`, executable] }));
  const ending = `const { Hookline } = await import(${JSON.stringify(plugin)});
const { event } = await Hookline({ client: {}, directory: ${JSON.stringify(ws.root)}, worktree: ${JSON.stringify(ws.root)} });
const info = { id: "ses_1", title: "x".repeat(200_000) };
for (const type of ["session.idle", "session.error"])
  event({ event: { type, properties: { sessionID: "ses_1", error: { name: "UnknownError", data: { message: info.title } } } } });
event({ event: { type: "session.deleted", properties: { info } } });
process.exit(0);`;
  expect(await Bun.spawn([process.execPath, "-e", ending]).exited).toBe(0);
  const names = (): string[] =>
    ws
      .records()
      .map(({ event, failure }) => (isObject(event) ? String(event["name"]) : Bun.inspect(failure)));
  for (let at = 0; at < 100 && names().length < 3; at++) await Bun.sleep(50);
  await Bun.sleep(200);
  expect(names().toSorted()).toEqual(["ErrorOccurred", "SessionEnd", "Stop"]);
});

test("a call that was refused is not reported as one that failed", async () => {
  using ws = workspace();
  const hooks = await real(ws);
  const part = (callID: string) => ({
    type: "tool",
    sessionID: "ses_1",
    callID,
    tool: "bash",
    state: { status: "error", input: { command: "rm -rf /" }, error: "boom" },
  });
  expect(calling(hooks, { command: "rm -rf /" })).rejects.toThrow();
  for (const id of ["call_1", "call_2"])
    await hooks.event({ event: { type: "message.part.updated", properties: { part: part(id) } } });
  const failed = ws.records().filter(({ event }) => event.name === "PostToolUseFailure");
  expect(failed.map(({ event }) => event.payload.callID)).toEqual(["call_2"]);
});

test("a path is data, whatever is in it", async () => {
  const folder = join(scratch, "a'b\"c`d${e}\\f\n]; throw 1; //\u2028");
  const file = program(`cat > /dev/null; printf '%s' '{"decision":"go"}'`, folder);
  const hooks = await load({ command: [file] }, scratch);
  await calling(hooks, { command: "ls" });
});

test("a large call and a program that does not read it keep nobody waiting", async () => {
  const args = { command: "ls", description: "x".repeat(5_000_000) };
  const deaf = await load({ command: [program(`echo '{"decision":"go"}'`)] }, scratch);
  await calling(deaf, args);
  using ws = workspace();
  await calling(await real(ws), args);
});
