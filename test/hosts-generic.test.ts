import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import * as v from "valibot";
import { eventNames } from "../src/core/event.ts";
import { fit } from "../src/core/host.ts";
import { outcomes } from "../src/core/outcome.ts";
import host from "../src/hosts/generic/host.ts";
import { abilitiesAt, hostTester, verdictOf, type Saying } from "../src/testing/host-tester.ts";
import { genericAnswer, genericPayload } from "../tools/generate/generic-schema.ts";
import { workspace } from "./support/hookline.ts";

const tester = hostTester(host, join(import.meta.dir, "../src/hosts/generic/fixtures"));

tester.decodes(
  {
    ErrorOccurred: { name: "ErrorOccurred", error: { message: "rate limit" } },
    PostToolUse: {
      name: "PostToolUse",
      tool: "bash",
      operations: [{ do: "exec", command: "cat .env" }],
    },
    PostToolUseFailure: {
      name: "PostToolUseFailure",
      tool: "bash",
      operations: [{ do: "exec", command: "npm test" }],
    },
    PreToolUse: {
      name: "PreToolUse",
      tool: "bash",
      operations: [{ do: "exec", command: "git push --force" }],
    },
    "PreToolUse.operations": {
      name: "PreToolUse",
      tool: "deploy",
      agent: { id: "a1", type: "ops" },
      operations: [
        { do: "exec", command: "kubectl apply -f prod.yaml" },
        { do: "read", path: "prod.yaml" },
      ],
    },
    "PreToolUse.write": {
      name: "PreToolUse",
      tool: "write_file",
      operations: [{ do: "write", path: "src/pay.ts", text: "x" }],
    },
    SessionEnd: { name: "SessionEnd" },
    SessionStart: { name: "SessionStart" },
    Stop: { name: "Stop", said: "All done." },
    UserPromptSubmit: { name: "UserPromptSubmit", prompt: "Ship it" },
  },
  { dialect: "json", session: "s-1", cwd: "/home/ada/app" },
);

const pass: Saying = { means: {} };
const block = (reason: string): Saying => ({ means: { outcome: "block", reason } });

tester.says({
  ErrorOccurred: { pass },
  PostToolUse: { pass, output: { means: { output: "[masked]" } } },
  PostToolUseFailure: { pass },
  PreToolUse: {
    pass,
    allow: { means: { outcome: "allow", reason: "Reads only." } },
    warn: { means: { outcome: "warn", reason: "Think twice." } },
    ask: { means: { outcome: "ask", reason: "Force push?" } },
    block: block("No."),
    input: { means: { input: { command: "git push --force-with-lease" } } },
    stop: { means: { stop: "Out of budget." } },
  },
  "PreToolUse.operations": { pass },
  "PreToolUse.write": { pass },
  SessionEnd: { pass },
  SessionStart: { pass, context: { means: { context: "Use pnpm." } } },
  Stop: { pass, block: block("Run the tests first.") },
  UserPromptSubmit: { pass, block: block("The prompt holds a key.") },
});

describe("the generic host", () => {
  test("payloads and answers are what the schema says", () => {
    for (const { stdin, event } of tester.fixtures) {
      expect(v.safeParse(genericPayload, stdin).issues).toBeUndefined();
      for (const outcome of outcomes) {
        const call = host.decode(stdin, event);
        const meaning = {
          outcome,
          reason: "r",
          context: "c",
          notice: "n",
          input: { a: 1 },
          output: [1],
          stop: "s",
        };
        const { stdout } = host.encode(fit(verdictOf(meaning), abilitiesAt(host, call)).reply, call);
        expect(v.safeParse(genericAnswer, stdout).issues).toBeUndefined();
      }
    }
  });

  test("every event of ours can be sent, and is answered with a decision", () => {
    for (const event of eventNames) {
      const call = host.decode({ event }, undefined);
      expect([call.name, abilitiesAt(host, call).length > 0]).toEqual([event, true]);
      expect(host.encode(fit(verdictOf({}), abilitiesAt(host, call)).reply, call)).toEqual({
        exitCode: 0,
        stdout: { decision: "pass" },
      });
    }
  });

  test("who looks at the exit code alone never goes ahead against a verdict", () => {
    for (const event of eventNames)
      for (const outcome of outcomes) {
        const call = host.decode({ event }, undefined);
        const { reply } = fit(verdictOf({ outcome, reason: "r" }), abilitiesAt(host, call));
        const { exitCode } = host.encode(reply, call);
        expect(exitCode).toBe(reply.outcome === "block" || reply.outcome === "ask" ? 2 : 0);
      }
  });

  test("an event nobody knows is judged as one that can still be stopped", () => {
    for (const event of ["PreToolUes", "constructor", "", undefined])
      expect(host.decode({ event, tool: "bash" }, undefined).name).toBe("PreToolUse");
  });

  test("what is stated and cannot be read may do anything", () => {
    const stated = (operations: unknown) =>
      host.decode({ event: "PreToolUse", tool: "t", operations }, undefined).operations;
    const unknown = { do: "patch" as const, text: "" };
    expect(stated([{ do: "explode" }, null, { do: "write" }, { do: "exec", command: "" }])).toEqual([
      unknown,
      unknown,
      unknown,
      unknown,
    ]);
    expect(stated("rm -rf /")).toEqual([unknown]);
    expect(stated([])).toEqual([]);
  });
});

describe("the generic host, by the executable", () => {
  const call = (cwd: string, tool: string, input: object, more = {}) => ({
    event: "PreToolUse",
    session: "s",
    cwd,
    tool,
    input,
    ...more,
  });

  test("a dangerous call is blocked, a harmless one passes, and both are on record", async () => {
    using ws = workspace();
    const denied = await ws.run(
      ["run", "--host", "generic"],
      call(ws.root, "shell", { command: "rm -rf /" }),
    );
    expect([denied.exitCode, denied.json().decision]).toEqual([2, "block"]);
    expect(denied.stderr.trim()).toBe(denied.json().reason);
    const safe = await ws.run(["run", "--host", "generic"], call(ws.root, "shell", { command: "ls" }));
    expect([safe.exitCode, safe.json(), safe.stderr]).toEqual([0, { decision: "pass" }, ""]);
    expect(ws.records()).toHaveLength(2);
  });

  test("what the call is said to do counts", async () => {
    using ws = workspace();
    const operations = [{ do: "write", path: "/etc/hosts", text: "x" }];
    const ran = await ws.run(["run", "--host", "generic"], call(ws.root, "publish", {}, { operations }));
    expect(ran.json()).toMatchObject({ decision: "block" });
  });

  test("garbage is answered with a block, in the same words", async () => {
    using ws = workspace();
    for (const text of ["", "garbage", "[]", "{", '{"event":"PreToolUse"}', '{"event":"PreToolUes"}']) {
      const ran = await ws.run(["run", "--host", "generic"], text);
      expect({ text, exitCode: ran.exitCode, decision: ran.json().decision }).toEqual({
        text,
        exitCode: 2,
        decision: "block",
      });
      expect(v.safeParse(genericAnswer, ran.json()).issues).toBeUndefined();
    }
  });

  test("`hookline schema generic` prints the schema", async () => {
    using ws = workspace();
    const { title, definitions } = (await ws.run(["schema", "generic"])).json();
    expect(title).toBe("Hookline, generic host");
    expect(definitions.answer.required).toEqual(["decision"]);
  });
});
