import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { fit } from "../src/core/host.ts";
import { outcomes } from "../src/core/outcome.ts";
import host from "../src/hosts/harness/host.ts";
import { readHarness } from "../src/results/harness.ts";
import { abilitiesAt, hostTester, verdictOf, type Saying } from "../src/testing/host-tester.ts";
import { workspace } from "./support/hookline.ts";

const tester = hostTester(host, join(import.meta.dir, "../src/hosts/harness/fixtures"));

tester.decodes(
  {
    PreToolUse: {
      name: "PreToolUse",
      tool: "Bash",
      operations: [{ do: "exec", command: "rm -rf /tmp/build-cache" }],
    },
    "PreToolUse.Write": {
      name: "PreToolUse",
      tool: "Write",
      operations: [{ do: "write", path: "/home/ada/app/src/pay.ts", text: "export const retries = 3\n" }],
    },
    SessionEnd: { name: "SessionEnd" },
    SessionStart: { name: "SessionStart" },
    Stop: { name: "Stop" },
    SubagentStop: { name: "SubagentStop" },
    UserPromptSubmit: { name: "UserPromptSubmit", prompt: "Add a health check" },
  },
  { dialect: "settings", session: "abc-123" },
);

const none: Saying = { means: {} };
const context: Saying = { means: { context: "Branch: main\nOpen tasks: 3" } };
const refused = (reason: string): Saying => ({ means: { outcome: "block", reason } });
const both = (reason: string): Saying => ({
  ...refused(reason),
  instead: {
    answer: { exitCode: 2, stdout: { decision: "block", message: reason }, stderr: reason },
    because: "Decision, exit code and stderr say the same, whichever is read (S2-R14, S2-F7).",
  },
});

tester.says({
  SessionStart: { none, context },
  UserPromptSubmit: { none, context, block: refused("Not while the release is running.") },
  PreToolUse: {
    none,
    context,
    allow: { means: { outcome: "allow" } },
    block: both("Cannot delete protected path: /etc/hosts"),
    "block-stderr": both("[SECURITY] BLOCKED: Cannot delete protected path: /etc/hosts"),
    ask: { means: { outcome: "ask", reason: "This will force-push to main. Are you sure?" } },
  },
  SubagentStop: { none, block: refused("The summary is missing.") },
  Stop: { none, block: refused("Run the tests first.") },
  SessionEnd: { none },
});

const hook = {
  id: "h",
  source: "harness",
  profile: "harness",
  blocking: true,
  failMode: "open",
  file: "settings.json",
  line: 1,
} as const;

describe("the Harness as a host", () => {
  test("S2-R3 there are exactly six events", () => {
    expect(Object.keys(host.can["settings"] ?? {}).toSorted()).toEqual(
      ["SessionStart", "UserPromptSubmit", "PreToolUse", "SubagentStop", "Stop", "SessionEnd"].toSorted(),
    );
  });

  test("S2-C2 what we say is read by its own reader as what we meant", () => {
    for (const { stdin, event } of tester.fixtures)
      for (const outcome of outcomes)
        for (const said of ["", "remember", '{"decision":"allow"}']) {
          const call = host.decode(stdin, event);
          const meaning = { outcome, reason: "why", ...(said === "" ? {} : { context: said }) };
          const { reply } = fit(verdictOf(meaning), abilitiesAt(host, call));
          const { exitCode, stdout, stderr = "" } = host.encode(reply, call);
          const text =
            stdout === undefined ? "" : typeof stdout === "string" ? stdout : JSON.stringify(stdout);
          const raw = { ended: "exit", exitCode, stdout: text, stderr } as Parameters<typeof readHarness>[2];
          const { status, findings, contributions } = readHarness(hook, event, raw, 5000);
          const wanted = reply.outcome === "block" ? "blocked" : reply.outcome === "ask" ? "asked" : "ok";
          expect({ event, outcome, said, status }).toEqual({ event, outcome, said, status: wanted });
          const heard = JSON.stringify([findings, contributions]);
          if (wanted !== "ok") expect(heard).toContain("why");
          // The reader leaves aside what comes with a refusal elsewhere.
          if (said === "remember" && reply.context.length > 0 && (wanted === "ok" || event === "PreToolUse"))
            expect(heard).toContain("remember");
        }
  });

  test("S2-R10 S2-R12 a dangerous call ends with 2 and the decision; the sample payload passes", async () => {
    using ws = workspace();
    const call = (command: string) => ({
      session_id: "s",
      transcript_path: "/nowhere/s.jsonl",
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command, description: "x" },
    });
    const denied = await ws.run(["run", "--host", "harness"], call("rm -rf /"));
    expect(denied.exitCode).toBe(2);
    expect(denied.json()).toMatchObject({ decision: "block" });
    expect(denied.stderr).toContain("safety/");
    const safe = await ws.run(["run", "--host", "harness"], call("ls -la"));
    expect([safe.exitCode, safe.stdout]).toEqual([0, ""]);
    expect(ws.records().map(({ host: { name } }) => name)).toEqual(["harness", "harness"]);
  });

  test("what cannot be read is refused where a tool could still be stopped, or nobody can tell", async () => {
    using ws = workspace();
    for (const [args, text] of [
      [["--event", "PreToolUse"], "{"],
      [[], "garbage"],
    ] as const) {
      const ran = await ws.run(["run", "--host", "harness", ...args], text);
      expect([ran.exitCode, ran.stderr.includes("Blocked by hookline")]).toEqual([2, true]);
    }
    const end = await ws.run(["run", "--host", "harness", "--event", "SessionEnd"], "{");
    expect(end.exitCode).toBe(0);
  });
});
