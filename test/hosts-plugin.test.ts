import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { fit } from "../src/core/host.ts";
import { outcomes } from "../src/core/outcome.ts";
import host from "../src/hosts/plugin/host.ts";
import { readPlugin } from "../src/results/plugin.ts";
import { abilitiesAt, hostTester, verdictOf, type Saying } from "../src/testing/host-tester.ts";
import { workspace } from "./support/hookline.ts";

const tester = hostTester(host, join(import.meta.dir, "../src/hosts/plugin/fixtures"));
const scanner = { id: "a1", type: "secure-scanner" };

tester.decodes(
  {
    Notification: { name: "Notification" },
    PermissionRequest: {
      name: "PermissionRequest",
      tool: "Bash",
      operations: [{ do: "exec", command: "npm publish" }],
    },
    PostToolUse: {
      name: "PostToolUse",
      tool: "Edit",
      operations: [{ do: "edit", path: "/home/ada/app/src/pay.ts", edits: [{ old: "1", new: "3" }] }],
    },
    PreCompact: { name: "PreCompact" },
    PreToolUse: {
      name: "PreToolUse",
      tool: "Write",
      operations: [{ do: "write", path: "/home/ada/app/src/../../x.ts", text: "x" }],
    },
    "PreToolUse.Bash": {
      name: "PreToolUse",
      tool: "Bash",
      operations: [{ do: "exec", command: "rm -rf /" }],
    },
    SessionEnd: { name: "SessionEnd" },
    SessionStart: { name: "SessionStart" },
    Stop: { name: "Stop" },
    SubagentStart: { name: "SubagentStart", agent: scanner },
    SubagentStop: { name: "SubagentStop", agent: scanner },
    UserPromptSubmit: { name: "UserPromptSubmit", prompt: "Delete the old exports" },
  },
  { dialect: "hooks.json", session: "abc-123", cwd: "/home/ada/app" },
);

const none: Saying = { means: {} };
const message: Saying = { means: { notice: "Operation validated" } };
const context: Saying = { means: { context: "Use the skill deploy." } };
const refuse = (reason: string): Saying => ({ means: { outcome: "block", reason } });

tester.says({
  SessionStart: { none, message, context },
  UserPromptSubmit: { none, message, context, refuse: refuse("Ask first.") },
  PreToolUse: {
    none,
    message,
    refuse: refuse("Path traversal detected"),
    invalid: {
      means: { outcome: "block", reason: "Invalid JSON input" },
      instead: {
        answer: {
          exitCode: 2,
          stdout: { continue: false, systemMessage: "Invalid JSON input" },
          stderr: "Invalid JSON input",
        },
        because: "Only 2 is sure to block (S4-C1).",
      },
    },
    rewrite: { means: { input: { file_path: "/home/ada/app/x.ts", content: "x" } } },
  },
  "PreToolUse.Bash": { refuse: refuse("Recursive deletion of the root.") },
  PermissionRequest: { none, refuse: refuse("Not from here.") },
  PostToolUse: { none, message, refuse: refuse("The linter finds 2 errors.") },
  Notification: { none },
  Stop: { none, refuse: refuse("Run the tests first.") },
  SubagentStart: { none },
  SubagentStop: { none, refuse: refuse("List the files too.") },
  PreCompact: { none, refuse: refuse("Save the plan first.") },
  SessionEnd: { none },
});

const hook = {
  id: "p",
  source: "plugins",
  profile: "plugin",
  blocking: true,
  failMode: "open",
  file: "hooks.json",
  line: 1,
} as const;

describe("plugins as a host", () => {
  test("S4-R3 there are exactly eleven events", () => {
    expect(Object.keys(host.can["hooks.json"] ?? {})).toHaveLength(11);
  });

  test("S4-R14 S4-R15 S4-C2 what we say is read by its own reader as what we meant", () => {
    for (const { stdin, event } of tester.fixtures)
      for (const outcome of outcomes)
        for (const more of [{}, { context: "remember" }, { notice: "look" }, { input: { command: "ls" } }]) {
          const call = host.decode(stdin, event);
          const can = abilitiesAt(host, call);
          const { reply } = fit(verdictOf({ outcome, reason: "why", ...more }), can);
          const { exitCode, stdout, stderr = "" } = host.encode(reply, call);
          const text =
            stdout === undefined ? "" : typeof stdout === "string" ? stdout : JSON.stringify(stdout);
          const raw = { ended: "exit", exitCode, stdout: text, stderr } as Parameters<typeof readPlugin>[2];
          const { status, findings, contributions } = readPlugin(hook, event, raw, 30_000);
          const refuses = reply.outcome === "block";
          expect({ event, outcome, more, status }).toEqual({
            event,
            outcome,
            more,
            status: refuses ? "blocked" : "ok",
          });
          expect(findings.map((finding) => finding.outcome)).toEqual(refuses ? ["block"] : []);
          const heard = JSON.stringify([findings, contributions]);
          if (refuses) expect(heard).toContain("why");
          for (const said of reply.context) expect(heard).toContain(said);
          for (const said of reply.notices) expect(heard).toContain(said);
          if (reply.input) expect(contributions).toContainEqual({ input: { command: "ls" } });
        }
  });

  test("S4-R13 a write outside the workspace ends with 2, its reason in JSON and on stderr", async () => {
    using ws = workspace();
    const call = (file_path: string) => ({
      session_id: "s",
      hook_event_name: "PreToolUse",
      tool_name: "Write",
      tool_input: { file_path, content: "x" },
    });
    const denied = await ws.run(["run", "--host", "plugin"], call("/etc/hosts"));
    expect(denied.exitCode).toBe(2);
    expect(denied.json()).toMatchObject({ continue: false });
    expect(denied.json().systemMessage).toContain("safety/workspace-boundary");
    expect(denied.stderr).toContain("safety/workspace-boundary");
    const safe = await ws.run(["run", "--host", "plugin"], call(ws.path("a.txt")));
    expect([safe.exitCode, safe.stdout]).toEqual([0, ""]);
  });

  test("what cannot be read is refused in this format's words", async () => {
    using ws = workspace();
    const ran = await ws.run(["run", "--host", "plugin", "--event", "PreToolUse"], "{");
    expect([ran.exitCode, ran.json().continue]).toEqual([2, false]);
    const unknown = await ws.run(["run", "--host", "plugin"], "garbage");
    expect([unknown.exitCode, unknown.stderr.includes("Blocked by hookline")]).toEqual([2, true]);
  });
});
