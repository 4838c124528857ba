import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { claude, type Ran } from "./support/hookline.ts";
import { harnessSettings, hooked } from "./support/hooks.ts";

/** The document's own hook file. */
const validator = `#!/usr/bin/env bun
// Hook: SecurityValidator
// Event: PreToolUse
// Description: Validates tool operations against security policies
// Matcher: tool_name = "Bash"

import { readFileSync } from "fs";

// 1. Read payload from stdin
const payload = JSON.parse(readFileSync("/dev/stdin", "utf-8"));

// 2. Extract relevant fields
const { tool_name, tool_input } = payload;

// 3. Implement hook logic
if (tool_name === "Bash" && tool_input.command.includes("rm -rf /")) {
  // Hard block: write decision and exit 2
  console.log(JSON.stringify({
    decision: "block",
    message: "Blocked: recursive deletion of root filesystem"
  }));
  process.exit(2);
}

// 4. Normal completion
process.exit(0);
`;

const shell = (command: string, root: string) => claude(root, "Bash", { command });
const decisionOf = (ran: Ran): unknown => (ran.stdout === "" ? undefined : ran.json().permissionDecision);

/** One hook before a tool, by what its script does. */
async function decide(body: string): Promise<Ran> {
  using place = await hooked({
    "settings.json": harnessSettings("PreToolUse", { path: "hooks/h.sh" }),
    "hooks/h.sh": `#!/bin/sh\ncat >/dev/null\n${body}\n`,
  });
  return await place.run(["run"], shell("ls", place.root));
}

describe("the document's own hook and settings", () => {
  const settings = JSON.stringify({
    hooks: {
      SessionStart: [{ path: "hooks/LoadContext.sh", timeout: 5000 }],
      PreToolUse: [
        { path: "hooks/SecurityValidator.ts", timeout: 3000, matcher: { tool_name: "Bash" } },
        { path: "hooks/WriteProtector.sh", timeout: 3000, matcher: { tool_name: "Write" } },
      ],
      Stop: [{ path: "hooks/SessionSummary.sh", timeout: 10000 }],
    },
  });
  const files = {
    "settings.json": settings,
    "hooks/SecurityValidator.ts": validator,
    "hooks/LoadContext.sh":
      '#!/bin/sh\necho "Current project: MyApp (v2.3.1)"\necho "Active branch: feature/auth-refactor"\necho "Last session: Completed API migration, 3 tests failing"\n',
    "hooks/WriteProtector.sh": "#!/bin/sh\necho protected >&2; exit 2\n",
    "hooks/SessionSummary.sh": "#!/bin/sh\ncat > summary.json\n",
  };

  test("S2-R2, S2-R14, S2-R15, S2-R17, S2-R18, X21 a TypeScript hook runs where neither bun nor node is installed", async () => {
    using place = await hooked(files);
    const refused = await place.run(["run"], shell("rm -rf /tmp/build-cache", place.root), {
      PATH: "/nowhere",
    });
    expect(refused.json()).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: expect.stringContaining("Blocked: recursive deletion of root filesystem"),
    });
    expect(
      decisionOf(await place.run(["run"], shell("ls", place.root), { PATH: "/nowhere" })),
    ).toBeUndefined();
  });

  test("S2-R20, S2-R21, S2-R22, S2-C7 matchers choose, and hooks without one see all of their event", async () => {
    using place = await hooked(files);
    const write = claude(place.root, "Write", { file_path: place.path("a.txt"), content: "" });
    const { json } = await place.run(["run"], write);
    expect(json().permissionDecisionReason).toContain("protected");
    expect(
      decisionOf(await place.run(["run"], claude(place.root, "Read", { file_path: "a.txt" }))),
    ).toBeUndefined();
  });

  test("S2-R21, S2-R22 a hook without a matcher sees every event of its kind, and what several say is put together", async () => {
    using place = await hooked({
      "settings.json": harnessSettings(
        "PreToolUse",
        { path: "a.sh" },
        { path: "b.sh", matcher: { tool_name: "Read" } },
        { path: "c.sh" },
      ),
      "a.sh": "#!/bin/sh\necho one\n",
      "b.sh": "#!/bin/sh\necho two\n",
      "c.sh": "#!/bin/sh\necho three\n",
    });
    const told = async (tool: string): Promise<string> =>
      (await place.run(["run"], claude(place.root, tool, { file_path: "a.txt", pattern: "x" }))).json()
        .hookSpecificOutput.additionalContext;
    expect((await told("Read")).split(/\s+/)).toEqual(["one", "two", "three"]);
    expect((await told("Grep")).split(/\s+/)).toEqual(["one", "three"]);
  });

  test("S2-R20, S2-F1, S2-C7 of several conditions all have to hold", async () => {
    using place = await hooked({
      "settings.json": harnessSettings("PreToolUse", {
        path: "h.sh",
        matcher: { tool_name: "Bash", "tool_input.command": "make deploy", "tool_input.missing": ["", "x"] },
      }),
      "h.sh": "#!/bin/sh\nexit 2\n",
    });
    const asked = async (input: object): Promise<unknown> =>
      decisionOf(await place.run(["run"], claude(place.root, "Bash", input)));
    expect(await asked({ command: "make deploy", missing: "x" })).toBe("deny");
    expect(await asked({ command: "make test", missing: "x" })).toBeUndefined();
    expect(await asked({ command: "make deploy" })).toBeUndefined();
  });

  test("S2-R8, S2-R9, S2-C2, X19 text on stdout is context, and on record with its hook", async () => {
    using place = await hooked(files);
    const ran = await place.run(["run"], {
      ...claude(place.root, "", {}, "SessionStart"),
      source: "startup",
    });
    expect(ran.json().hookSpecificOutput.additionalContext).toBe(
      "Current project: MyApp (v2.3.1)\nActive branch: feature/auth-refactor\nLast session: Completed API migration, 3 tests failing",
    );
    expect(place.records().at(-1)?.["hooks"]).toMatchObject([
      { hook: { id: "SessionStart.1.LoadContext" }, raw: { stdout: expect.stringContaining("MyApp") } },
    ]);
  });

  test("S2-R5, S2-R6, S2-R7, X10, X11 what a hook gets, by the names it knows, under any agent", async () => {
    using place = await hooked({
      "settings.json": JSON.stringify({
        hooks: Object.fromEntries(
          ["UserPromptSubmit", "PreToolUse"].map((event) => [event, [{ path: "h.sh" }]]),
        ),
      }),
      "h.sh": "#!/bin/sh\ncat > seen.json\n",
    });
    const seen = () => JSON.parse(readFileSync(place.path("seen.json"), "utf8"));
    await place.run(["run"], { ...claude(place.root, "", {}, "UserPromptSubmit"), prompt: "Research it" });
    expect(seen()).toMatchObject({
      session_id: "5f0c",
      transcript_path: "/nowhere/5f0c.jsonl",
      hook_event_name: "UserPromptSubmit",
      prompt: "Research it",
    });
    // An orchestrator calls it otherwise.
    await place.run(["emit", "UserPromptSubmit"], { session_id: "o1", user_message: "Look it up" });
    expect(seen()).toMatchObject({ hook_event_name: "UserPromptSubmit", prompt: "Look it up" });
    await place.run(["run"], shell("ls", place.root));
    expect(seen()).toMatchObject({
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "ls" },
    });
    // The same hook under another agent.
    await place.run(["run", "--host", "copilot", "--event", "preToolUse"], {
      sessionId: "c1",
      timestamp: 1,
      cwd: place.root,
      toolName: "bash",
      toolArgs: JSON.stringify({ command: "pwd", description: "where" }),
    });
    expect(seen()).toMatchObject({
      session_id: "c1",
      transcript_path: "",
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "pwd" },
    });
  });
});

describe("decisions", () => {
  test("S2-R11 to go on is no approval", async () => {
    expect((await decide(`echo '{"continue": true}'`)).stdout).toBe("");
  });
  test("S2-R12, S2-C1, X5 decision block with exit 0 blocks", async () => {
    const ran = await decide(
      `echo '{"decision": "block", "message": "Cannot delete protected path: /etc/hosts"}'`,
    );
    expect(decisionOf(ran)).toBe("deny");
    expect(ran.stdout).toContain("Cannot delete protected path: /etc/hosts");
  });
  test("S2-R13, S2-F6, X6 decision ask asks", async () => {
    const ran = await decide(
      `echo '{"decision": "ask", "message": "This will force-push to main. Are you sure?"}'`,
    );
    expect(decisionOf(ran)).toBe("ask");
    expect(ran.stdout).toContain("This will force-push to main. Are you sure?");
  });
  test("S2-C3 continue false blocks with whatever reason there is", async () => {
    const ran = await decide(`echo '{"continue": false, "stopReason": "enough"}'`);
    expect([decisionOf(ran), ran.stdout]).toEqual(["deny", expect.stringContaining("enough")]);
  });
  test("S2-R10, S2-F7, S2-C4 exit 2 blocks, and stderr is the reason where there is no JSON", async () => {
    const ran = await decide("echo 'ignored'; echo '[SECURITY] BLOCKED: no' >&2; exit 2");
    expect([decisionOf(ran), ran.stdout]).toEqual([
      "deny",
      expect.stringContaining("[SECURITY] BLOCKED: no"),
    ]);
    expect(ran.stdout).not.toContain("ignored");
  });
  test("S2-R10, S2-C1, X7 any other exit is a warning whatever the JSON says", async () => {
    const ran = await decide(`echo '{"decision": "block", "message": "no"}'; echo broken >&2; exit 3`);
    expect(decisionOf(ran)).toBeUndefined();
    expect(ran.json().systemMessage).toContain("exit 3: broken");
  });
  test("S2-R27 a refusal without a reason still explains itself", async () => {
    expect((await decide("exit 2")).json().permissionDecisionReason).toContain("does not say why");
  });
  test("S2-F1, S2-C2 on other events JSON is text like any other", async () => {
    using place = await hooked({
      "settings.json": harnessSettings("UserPromptSubmit", { path: "h.sh" }),
      "h.sh": `#!/bin/sh\necho '{"decision": "block", "message": "no"}'\n`,
    });
    const { json } = await place.run(["run"], {
      ...claude(place.root, "", {}, "UserPromptSubmit"),
      prompt: "x",
    });
    expect(json().decision).toBeUndefined();
    expect(json().hookSpecificOutput.additionalContext).toContain('"decision": "block"');
  });
  test("S2-C8, X6 where nobody can answer, ask is a refusal unless that is allowed", async () => {
    using place = await hooked({
      "settings.json": harnessSettings("PreToolUse", { path: "h.sh" }),
      "h.sh": `#!/bin/sh\necho '{"decision": "ask", "message": "sure?"}'\n`,
    });
    const context = { session_id: "s", tool_name: "Bash", tool_input: { command: "ls" } };
    const denied = await place.run(["emit", "PreToolUse"], context);
    expect([denied.exitCode, denied.json().reason]).toEqual([
      2,
      expect.stringContaining("confirmation required"),
    ]);
    const allowed = await place.run(["emit", "PreToolUse", "--ask", "allow"], context);
    expect([allowed.exitCode, allowed.json().outcome]).toEqual([0, "ask"]);
    expect(place.records().at(-1)?.["verdict"].outcome).toBe("ask");
  });
  test("S2-C9, X16 block wins over ask, all context is kept in order, and the order is that of the file", async () => {
    using place = await hooked({
      "settings.json": harnessSettings(
        "PreToolUse",
        { path: "1.sh" },
        { path: "2.sh" },
        { path: "3.sh" },
        { path: "4.sh", blocking: false },
      ),
      "1.sh": "#!/bin/sh\nsleep 0.3; echo first\n",
      "2.sh": `#!/bin/sh\nsleep 0.2; echo '{"decision": "block", "message": "no"}'\n`,
      "3.sh": `#!/bin/sh\necho '{"decision": "ask", "message": "sure?"}'\n`,
      "4.sh": "#!/bin/sh\ntouch logged; echo last\n",
    });
    const ran = await place.run(["run"], shell("ls", place.root));
    expect(decisionOf(ran)).toBe("deny");
    expect(ran.json().hookSpecificOutput.additionalContext).toBe("first\n\nlast");
    const names = place
      .records()
      .at(-1)
      ?.["hooks"].map((run: any) => run.hook.id.slice(-1));
    expect(names).toEqual(["1", "2", "3", "4"]);
    expect(readFileSync(place.path("logged"), "utf8")).toBe("");
    // Its question would have come behind a refusal.
    expect(
      place
        .records()
        .at(-1)
        ?.["findings"].map(({ outcome }: any) => outcome),
    ).toEqual(["block"]);
  });
});

describe("settings", () => {
  test("S2-R3, S2-C6, X1 only the six events exist", async () => {
    using place = await hooked(
      { "settings.json": harnessSettings("PostToolUse", { path: "h.sh" }), "h.sh": "#!/bin/sh\n" },
      { trust: false },
    );
    const { exitCode, stdout } = await place.run(["hooks", "validate"]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('unknown event "PostToolUse"');
    expect(stdout).toContain("SessionStart, UserPromptSubmit, PreToolUse, SubagentStop, Stop, SessionEnd");
  });
  test("S2-R19, X3 the time limit is milliseconds, 5000 unless said, and a doubtful one is a warning", async () => {
    using place = await hooked(
      {
        "settings.json": harnessSettings(
          "Stop",
          { path: "a.sh" },
          { path: "b.sh", timeout: 10000 },
          { path: "c.sh", timeout: 5 },
        ),
        "a.sh": "#!/bin/sh\n",
        "b.sh": "#!/bin/sh\n",
        "c.sh": "#!/bin/sh\n",
      },
      { trust: false },
    );
    const limits = (await place.run(["hooks", "list", "--json"])).json().map((hook: any) => hook.timeoutMs);
    expect(limits).toEqual([5000, 10000, 5]);
    const { exitCode, stdout } = await place.run(["hooks", "validate"]);
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining("were seconds meant?")]);
  });
  test("S2-F1, S2-C7 a matcher looks into the payload, takes lists, and a missing field does not match", async () => {
    using place = await hooked({
      "settings.json": harnessSettings(
        "PreToolUse",
        { path: "h.sh", matcher: { tool_name: ["Bash", "Write"], "tool_input.command": "ls" } },
        { path: "h.sh", matcher: { "tool_input.nothing": "ls" } },
      ),
      "h.sh": "#!/bin/sh\necho seen\n",
    });
    const context = async (command: string) =>
      (await place.run(["emit", "PreToolUse"], { tool_name: "Bash", tool_input: { command } })).json()
        .context;
    expect(await context("ls")).toEqual(["seen"]);
    expect(await context("pwd")).toBeUndefined();
  });
  test("a settings.json without hooks, and settings in another place", async () => {
    using place = await hooked({
      "settings.json": '{"editor": true}',
      "conf/settings.json": harnessSettings("SessionStart", { path: "h.sh" }),
      "h.sh": "#!/bin/sh\necho from conf\n",
      "hookline.yaml": "sources:\n  harness: { settings: conf/settings.json }\n",
    });
    expect((await place.run(["emit", "SessionStart"])).json().context).toEqual(["from conf"]);
    place.write("hookline.yaml", "sources: { harness: off }\n");
    expect((await place.run(["emit", "SessionStart"])).stdout).toBe("{}\n");
  });
});

test("S2-F2 a hook may be called Name.ts or Name.hook.ts, and goes by its name", async () => {
  const hook = 'console.log("hello from", import.meta.file); process.exit(0);\n';
  using place = await hooked({
    "settings.json": harnessSettings(
      "SessionStart",
      { path: "hooks/Load.hook.ts" },
      { path: "hooks/Greet.ts" },
    ),
    "hooks/Load.hook.ts": hook,
    "hooks/Greet.ts": hook,
  });
  const { json } = await place.run(["emit", "SessionStart"], { session_id: "s" });
  expect(json().context).toEqual(["hello from Load.hook.ts", "hello from Greet.ts"]);
  const ids = place
    .records()
    .at(-1)
    ?.["hooks"].map((run: any) => run.hook.id);
  expect(ids).toEqual(["SessionStart.1.Load", "SessionStart.2.Greet"]);
});

test("S2-F3 the nested form of another agent in these settings is named for what it is", async () => {
  const nested = { matcher: "Bash", hooks: [{ type: "command", command: "true" }] };
  using place = await hooked({ "settings.json": harnessSettings("PreToolUse", nested) });
  const { exitCode, stdout } = await place.run(["hooks", "validate"]);
  expect(exitCode).toBe(1);
  expect(stdout).toContain("hooks.PreToolUse.0: hooks below a matcher are another format");
  expect(stdout).toContain("Move them to plugins/<plugin>/hooks/hooks.json or .claude/settings.json");
});

test("S2-F13 a hook that stops reading soon has everything by then, and the end of it", async () => {
  using place = await hooked({
    "settings.json": harnessSettings("PreToolUse", { path: "read.sh" }),
    "read.sh": "#!/bin/sh\ntimeout 5 cat > seen.json; echo $? > ended\n",
  });
  const payload = shell(`echo ${"x".repeat(500_000)}`, place.root);
  await place.run(["run"], payload);
  // `timeout` says 124 for a reader that was still waiting.
  expect(readFileSync(place.path("ended"), "utf8")).toBe("0\n");
  expect(JSON.parse(readFileSync(place.path("seen.json"), "utf8")).tool_input.command).toHaveLength(500_005);
});

test("S2-R1, S2-R4, S2-R25 hooks of one concern each compose: one captures, one tells, one refuses", async () => {
  using place = await hooked({
    "settings.json": harnessSettings(
      "PreToolUse",
      { path: "capture.sh" },
      { path: "tell.sh" },
      { path: "refuse.sh" },
    ),
    "capture.sh": "#!/bin/sh\ncat >> events.jsonl\n",
    "tell.sh": "#!/bin/sh\necho be careful\n",
    "refuse.sh": "#!/bin/sh\necho not now >&2; exit 2\n",
  });
  const ran = await place.run(["run"], shell("ls", place.root));
  expect(decisionOf(ran)).toBe("deny");
  expect(ran.json().hookSpecificOutput.additionalContext).toBe("be careful");
  expect(JSON.parse(readFileSync(place.path("events.jsonl"), "utf8"))).toMatchObject({ tool_name: "Bash" });
});

test("S2-F10, X8, X14 what is catastrophic stays refused when the security hook fails", async () => {
  using place = await hooked({
    "settings.json": harnessSettings("PreToolUse", { path: "guard.sh" }),
    "guard.sh": "#!/bin/sh\nexit 1\n",
  });
  expect(decisionOf(await place.run(["run"], shell("rm -rf /", place.root)))).toBe("deny");
});

test("X12 a session's id is the host's own business", async () => {
  using place = await hooked({
    "settings.json": harnessSettings("PreToolUse", { path: "h.sh" }),
    "h.sh": "#!/bin/sh\ncat > seen.json\n",
  });
  for (const session_id of ["sess-123", "abc123-def456", "260101-120000", "ü ☃"]) {
    await place.run(["run"], { ...shell("ls", place.root), session_id });
    expect(JSON.parse(readFileSync(place.path("seen.json"), "utf8")).session_id).toBe(session_id);
  }
});
