import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "../src/core/json.ts";
import { claude, workspace } from "./support/hookline.ts";

const outside = "/etc/hosts";
const patch = `*** Begin Patch\n*** Add File: ${outside}\n+x\n*** End Patch\n`;
const time = "2026-11-16T02:13:20.000Z";

const camel = (cwd: string, toolName: string, toolArgs: unknown): Json => ({
  sessionId: "s1",
  timestamp: 1,
  cwd,
  toolName,
  toolArgs,
});
const pascal = (cwd: string, tool_name: string, tool_input: unknown): Json => ({
  hook_event_name: "PreToolUse",
  session_id: "s1",
  timestamp: time,
  cwd,
  tool_name,
  tool_input,
});
const vscode = (cwd: string, tool_name: string, tool_input: unknown): Json => ({
  ...pascal(cwd, tool_name, tool_input),
  tool_use_id: "1",
});
const oldVscode = (cwd: string, tool_name: string, tool_input: unknown): Json => ({
  hookEventName: "PreToolUse",
  sessionId: "s1",
  timestamp: time,
  cwd,
  tool_name,
  tool_input,
  tool_use_id: "1",
});

/** The form a dialect wants its denial in. */
type Form = Record<"flat" | "nested", unknown>;
const flat: Form = { flat: "deny", nested: undefined };
const both: Form = { flat: "deny", nested: "deny" };

describe("a write outside the workspace is denied in the caller's own form", () => {
  const content = { path: outside, file_text: "x" };
  const cases: readonly [what: string, payload: (cwd: string) => object, form: Form, recognised: string][] = [
    [
      "Claude Code",
      (cwd) => claude(cwd, "Write", { file_path: outside, content: "x" }),
      both,
      "claude-code, settings; event PreToolUse",
    ],
    [
      "Copilot CLI, camelCase",
      (cwd) => camel(cwd, "create", content),
      flat,
      "copilot, cli; event preToolUse",
    ],
    [
      "Copilot CLI, arguments as a JSON string",
      (cwd) => camel(cwd, "create", JSON.stringify(content)),
      flat,
      "copilot, cli; event preToolUse",
    ],
    [
      "Copilot CLI, a patch as a bare string",
      (cwd) => camel(cwd, "apply_patch", patch),
      flat,
      "copilot, cli; event preToolUse",
    ],
    [
      "Copilot CLI, PascalCase",
      (cwd) => pascal(cwd, "Write", content),
      both,
      "copilot, pascal; event PreToolUse",
    ],
    [
      "Copilot CLI, a patch as a bare string under Edit",
      (cwd) => pascal(cwd, "Edit", patch),
      both,
      "copilot, pascal; event PreToolUse",
    ],
    [
      "VS Code",
      (cwd) => vscode(cwd, "create_file", { filePath: outside, content: "x" }),
      both,
      "copilot, vscode; event PreToolUse",
    ],
    [
      "VS Code, a patch",
      (cwd) => vscode(cwd, "apply_patch", { input: patch, explanation: "x" }),
      both,
      "copilot, vscode; event PreToolUse",
    ],
    [
      "VS Code, older spelling",
      (cwd) => oldVscode(cwd, "create_file", { filePath: outside, content: "x" }),
      both,
      "copilot, vscode; event PreToolUse",
    ],
  ];
  const flags = [[], ["--event", "PreToolUse"], ["--event", "preToolUse"], ["--host", "claude-code"]];

  for (const [what, payload, form, recognised] of cases) {
    test(what, async () => {
      using ws = workspace();
      for (const given of flags) {
        const ran = await ws.run(["run", ...given], payload(ws.root));
        const { permissionDecision, permissionDecisionReason, hookSpecificOutput, ...rest } = ran.json();
        const nested = (hookSpecificOutput as Json | undefined)?.["permissionDecision"];
        expect({ given, form: { flat: permissionDecision, nested } }).toEqual({ given, form });
        expect(permissionDecisionReason).toContain("safety/workspace-boundary");
        expect({ exitCode: ran.exitCode, stderr: ran.stderr, rest }).toEqual({
          exitCode: 0,
          stderr: "",
          rest: {},
        });
      }
    });

    test(`${what}: --verbose says on stderr who was recognised, and stdout stays the host's`, async () => {
      using ws = workspace();
      const quiet = await ws.run(["run"], payload(ws.root));
      const verbose = await ws.run(["run", "--verbose"], payload(ws.root));
      expect(verbose.stdout).toBe(quiet.stdout);
      expect(verbose.stderr).toBe(`hookline: recognised as ${recognised}; block\n`);
    });
  }

  test("Copilot reading .claude/settings.json is recognised although the hook names Claude Code", async () => {
    using ws = workspace();
    const { stderr } = await ws.run(
      ["run", "--host", "claude-code", "--verbose"],
      pascal(ws.root, "Write", content),
    );
    expect(stderr).toBe(
      "hookline: named claude-code, recognised as copilot, pascal; event PreToolUse; block\n",
    );
  });
});

describe("the same write inside the workspace goes through without a word", () => {
  const dialects = {
    camel: [camel, "create"],
    pascal: [pascal, "Write"],
    vscode: [vscode, "create_file"],
  } as const;
  for (const [dialect, [payload, tool]] of Object.entries(dialects)) {
    test(dialect, async () => {
      using ws = workspace();
      const path = ws.path("src/a.ts");
      const ran = await ws.run(
        ["run"],
        payload(ws.root, tool, { path, filePath: path, file_text: "x", content: "x" }),
      );
      expect([ran.exitCode, ran.stdout, ran.stderr]).toEqual([0, "", ""]);
    });
  }
});

test("an event without a name needs --event only where its fields are shared", async () => {
  using ws = workspace();
  const ended = { sessionId: "s1", timestamp: 1, cwd: ws.root, reason: "complete" };
  await ws.run(["run"], ended);
  await ws.run(["run", "--event", "errorOccurred"], ended);
  expect(ws.records().map(({ event }) => event.native)).toEqual(["sessionEnd", "errorOccurred"]);
});

test("an unknown event and unknown fields pass, and are on record", async () => {
  using ws = workspace();
  const ran = await ws.run(["run"], { ...claude(ws.root, "Write", {}, "constructor"), moon: { phase: 1 } });
  expect([ran.exitCode, ran.stdout, ran.stderr]).toEqual([0, "", ""]);
  expect(ws.records()[0]?.event).toMatchObject({
    name: "Other",
    native: "constructor",
    payload: { moon: { phase: 1 } },
  });
});

describe("who did it is on record", () => {
  test("a subagent of Claude Code by id and type", async () => {
    using ws = workspace();
    await ws.run(["run"], {
      ...claude(ws.root, "Bash", { command: "ls" }),
      agent_id: "a4d2",
      agent_type: "Explore",
    });
    expect(ws.records()[0]).toMatchObject({
      host: { name: "claude-code", dialect: "settings" },
      event: { agent: { id: "a4d2", type: "Explore" }, session: "5f0c" },
    });
  });

  test("a subagent of Copilot, which ends", async () => {
    using ws = workspace();
    const payload = {
      sessionId: "s1",
      timestamp: 1,
      cwd: ws.root,
      agentId: "ag-7",
      agentType: "explore",
      stopReason: "end_turn",
    };
    await ws.run(["run"], payload);
    expect(ws.records()[0]).toMatchObject({
      host: { name: "copilot", dialect: "cli" },
      event: { name: "SubagentStop", native: "subagentStop", agent: { id: "ag-7", type: "explore" } },
    });
  });

  test("nobody but the main agent otherwise", async () => {
    using ws = workspace();
    await ws.run(["run"], claude(ws.root, "Bash", { command: "ls" }));
    expect(ws.records()[0]?.event).not.toHaveProperty("agent");
  });
});

describe("the workspace is the project, wherever the agent has moved", () => {
  const denied = async (
    ws: ReturnType<typeof workspace>,
    cwd: string,
    path: string,
    env: Record<string, string>,
  ) => {
    const ran = await ws.run(["run"], claude(cwd, "Write", { file_path: path, content: "x" }), env);
    return ran.stdout.includes('"deny"');
  };

  test("CLAUDE_PROJECT_DIR counts when the agent is in a subfolder, in another repository, or in the root directory", async () => {
    using ws = workspace({ "src/a.ts": "" });
    const elsewhere = join(ws.root, "../elsewhere");
    mkdirSync(join(elsewhere, ".git"), { recursive: true });
    const env = { CLAUDE_PROJECT_DIR: ws.root };
    for (const cwd of [ws.path("src"), elsewhere, "/", "/no/such/folder"]) {
      expect([cwd, await denied(ws, cwd, ws.path("b.ts"), env)]).toEqual([cwd, false]);
      expect([cwd, await denied(ws, cwd, join(elsewhere, "b.ts"), env)]).toEqual([cwd, true]);
    }
    expect(new Set(ws.records().map(({ event }) => event.root))).toEqual(new Set([ws.root]));
  });

  test("a relative path is taken from where the agent is, not from the project", async () => {
    using ws = workspace({ "src/a.ts": "" });
    expect(await denied(ws, ws.path("src"), "../b.ts", { CLAUDE_PROJECT_DIR: ws.root })).toBe(false);
    expect(await denied(ws, ws.path("src"), "../../b.ts", { CLAUDE_PROJECT_DIR: ws.root })).toBe(true);
  });

  test("a CLAUDE_PROJECT_DIR that is empty, missing or a file is ignored for the git root above the agent", async () => {
    using ws = workspace({ "src/a.ts": "" });
    for (const CLAUDE_PROJECT_DIR of ["", join(ws.root, "../gone"), ws.path("src/a.ts")]) {
      expect([
        CLAUDE_PROJECT_DIR,
        await denied(ws, ws.path("src"), ws.path("b.ts"), { CLAUDE_PROJECT_DIR }),
      ]).toEqual([CLAUDE_PROJECT_DIR, false]);
    }
    expect(new Set(ws.records().map(({ event }) => event.root))).toEqual(new Set([ws.root]));
  });

  test("Copilot's own variable beats Claude's", async () => {
    using ws = workspace();
    const env = { COPILOT_PROJECT_DIR: ws.root, CLAUDE_PROJECT_DIR: ws.home };
    await ws.run(["run"], camel("/", "bash", { command: "ls" }), env);
    expect(ws.records()[0]?.event.root).toBe(ws.root);
  });
});
