import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { claude, type Ran, type Workspace } from "./support/hookline.ts";
import { hooked } from "./support/hooks.ts";

const hooksJson = "plugins/guard/hooks/hooks.json";

/** One command hook of a plugin. */
const plugin = (event: string, command: string, more: object = {}, matcher?: string): string =>
  JSON.stringify({
    description: "Guards",
    hooks: {
      [event]: [
        { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: "command", command, ...more }] },
      ],
    },
  });

const here = '"${CLAUDE_PLUGIN_ROOT}/scripts/h.sh"';

async function answer(body: string, event = "PreToolUse", more: object = {}): Promise<Ran> {
  using place = await hooked({
    [hooksJson]: plugin(event, here),
    "plugins/guard/scripts/h.sh": `#!/bin/bash\ncat > "$CLAUDE_PROJECT_DIR/seen.json"\n${body}\n`,
  });
  return await place.run(["run"], { ...claude(place.root, "Bash", { command: "ls" }, event), ...more });
}

const decisionOf = (ran: Ran): unknown => (ran.stdout === "" ? undefined : ran.json().permissionDecision);

/** The document's own validator. */
const validator = `#!/bin/bash
# validate.sh - Secure hook implementation

# Read stdin as JSON
INPUT=$(cat)

# Validate JSON structure
if ! echo "$INPUT" | jq -e . >/dev/null 2>&1; then
  echo '{"continue": false, "systemMessage": "Invalid JSON input"}'
  exit 1
fi

# Extract and validate tool input
FILE_PATH=$(echo "$INPUT" | jq -r '.tool_input.file_path // empty')

# Security check: prevent path traversal
if [[ "$FILE_PATH" == *".."* ]]; then
  echo '{"continue": false, "systemMessage": "Path traversal detected"}'
  exit 2
fi

# All checks passed
echo '{"continue": true, "systemMessage": "Operation validated"}'
exit 0
`;

describe("plugins/<plugin>/hooks/hooks.json", () => {
  test("S4-R2, S4-R8, S4-R9, S4-R13, S4-R16, S4-R25, S4-R26 the document's validator, as it stands", async () => {
    using place = await hooked({
      [hooksJson]: plugin(
        "PreToolUse",
        'bash "${CLAUDE_PLUGIN_ROOT}/scripts/validate.sh"',
        { timeout: 30 },
        "Write",
      ),
      "plugins/guard/scripts/validate.sh": validator,
    });
    const write = (path: string) =>
      place.run(["run"], claude(place.root, "Write", { file_path: path, content: "x" }));
    const fine = await write(place.path("a.txt"));
    expect(decisionOf(fine)).toBeUndefined();
    expect(fine.json().systemMessage).toBe("Operation validated");
    const refused = await write(`${place.root}/b/../a.txt`);
    expect([decisionOf(refused), refused.stdout]).toEqual([
      "deny",
      expect.stringContaining("Path traversal detected"),
    ]);
    const [hook] = (await place.run(["hooks", "list", "--json"])).json();
    expect(hook).toMatchObject({
      source: "plugins",
      profile: "plugin",
      timeoutMs: 30_000,
      match: { subject: "Write" },
    });
  });

  test("S4-R13, S4-R15 what it gets by the names of its document, and its message reaches the person", async () => {
    using place = await hooked({
      [hooksJson]: plugin(
        "PreToolUse",
        `cat > seen.json; echo '{"continue": true, "systemMessage": "Operation validated"}'`,
      ),
    });
    const input = { file_path: place.path("a.txt"), content: "x" };
    const ran = await place.run(["run"], claude(place.root, "Write", input));
    expect(ran.json()).toEqual({ systemMessage: "Operation validated" });
    expect(JSON.parse(readFileSync(place.path("seen.json"), "utf8"))).toMatchObject({
      session_id: "5f0c",
      hook_event_name: "PreToolUse",
      tool_name: "Write",
      tool_input: input,
    });
  });

  test("S4-C1, S4-C2 a no in the JSON counts whatever the exit code, and is the reason", async () => {
    for (const exit of [0, 1, 2]) {
      const ran = await answer(
        `echo '{"continue": false, "systemMessage": "Invalid JSON input"}'; exit ${exit}`,
      );
      expect([exit, decisionOf(ran)]).toEqual([exit, "deny"]);
      expect(ran.json().permissionDecisionReason).toContain("Invalid JSON input");
    }
  });

  test("S4-C1, X5 a no counts however it is written; a yes only in so many words", async () => {
    for (const said of [{ continue: "false" }, { decision: "BLOCK" }, { permissionDecision: "Deny " }])
      expect([said, decisionOf(await answer(`echo '${JSON.stringify(said)}'`))]).toEqual([said, "deny"]);
    expect(decisionOf(await answer(`echo '{"permissionDecision": "ASK"}'`))).toBe("ask");
    expect(decisionOf(await answer(`echo '{"permissionDecision": "ALLOW"}'`))).toBeUndefined();
  });

  test("S4-R14, S4-C2, X5 exit 2 blocks with stderr, or with a text of our own", async () => {
    const ran = await answer("echo 'not that' >&2; exit 2");
    expect([decisionOf(ran), ran.stdout]).toEqual(["deny", expect.stringContaining("not that")]);
    expect((await answer("exit 2")).json().permissionDecisionReason).toContain("does not say why");
  });

  test("S4-C1, X7 exit 1 without a no is a warning", async () => {
    const ran = await answer("echo trouble >&2; exit 1");
    expect(decisionOf(ran)).toBeUndefined();
    expect(ran.json().systemMessage).toContain("exit 1: trouble");
  });

  test.each([
    ['{"decision": "approve", "reason": "fine"}', "allow"],
    ['{"decision": "block", "reason": "no"}', "deny"],
    ['{"status": "block", "reason": "no"}', "deny"],
    [
      '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "no"}}',
      "deny",
    ],
    ['{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask"}}', "ask"],
    ['{"continue": true, "systemMessage": "Operation validated"}', undefined],
  ])("S4-R15, S4-F9, X5 %s", async (json, decision) => {
    expect(decisionOf(await answer(`echo '${json}'`))).toBe(decision);
  });

  test("S4-F11, X7 exit 124 is a time limit", async () => {
    expect((await answer("exit 124")).json().systemMessage).toContain("124, which means a time limit");
  });

  test("an approval counts only when the hook exits well", async () => {
    expect(decisionOf(await answer(`echo '{"decision": "approve"}'; exit 1`))).toBeUndefined();
  });

  test("S4-R5, X9 text is for the model at SessionStart and UserPromptSubmit, elsewhere for the record", async () => {
    const told = await answer("echo remember this", "UserPromptSubmit", { prompt: "hi" });
    expect(told.json().hookSpecificOutput.additionalContext).toBe("remember this");
    expect((await answer("echo remember this", "PostToolUse")).stdout).toBe("");
  });

  test("X9 broken JSON is a warning", async () => {
    expect((await answer(`echo '{"decision": "blo'`)).json().systemMessage).toContain("broken JSON");
  });

  test("X2 at Stop, continue false ends the turn and a block keeps it going", async () => {
    const stopped = await answer(`echo '{"continue": false, "stopReason": "enough"}'`, "Stop");
    expect(stopped.json()).toMatchObject({ continue: false, stopReason: "enough" });
    expect(stopped.json().decision).toBeUndefined();
    const kept = await answer(`echo '{"decision": "block", "reason": "not yet"}'`, "Stop");
    expect(kept.json()).toMatchObject({ decision: "block", reason: expect.stringContaining("not yet") });
  });

  test("S4-F7, X4 a matcher is a regular expression, unanchored and with regard to case; a bad one is a mistake", async () => {
    using place = await hooked({
      [hooksJson]: plugin("PreToolUse", 'echo \'{"systemMessage": "seen"}\'', {}, "Write"),
    });
    const seen = async (tool: string) =>
      (await place.run(["run"], claude(place.root, tool, {}))).stdout !== "";
    expect(await seen("Write")).toBe(true);
    expect(await seen("TodoWrite")).toBe(true);
    expect(await seen("write")).toBe(false);
    place.write(hooksJson, plugin("PreToolUse", "true", {}, "Wri(te"));
    const { exitCode, stdout } = await place.run(["hooks", "validate"]);
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining("not a regular expression")]);
  });

  test("S4-R3, S4-R4, S4-R7, X1 the eleven events and no others", async () => {
    const names = [
      "SessionStart",
      "UserPromptSubmit",
      "PreToolUse",
      "PermissionRequest",
      "PostToolUse",
      "Notification",
      "Stop",
      "SubagentStart",
      "SubagentStop",
      "PreCompact",
      "SessionEnd",
    ];
    const group = [{ hooks: [{ type: "command", command: "true" }] }];
    using place = await hooked({
      [hooksJson]: JSON.stringify({ hooks: Object.fromEntries(names.map((name) => [name, group])) }),
    });
    expect(Object.keys((await place.run(["hooks", "register"])).json())).toEqual(names);
    const others = [
      "PreAbilityCall",
      "PostAbilityCall",
      "SessionStop",
      "PostToolUseFailure",
      "ErrorOccurred",
    ];
    place.write(
      hooksJson,
      JSON.stringify({ hooks: Object.fromEntries(others.map((name) => [name, group])) }),
    );
    expect((await place.run(["hooks", "register"])).json()).toEqual({});
    const { exitCode, stdout } = await place.run(["hooks", "validate"]);
    expect(exitCode).toBe(1);
    for (const name of others) expect(stdout).toContain(`unknown event "${name}"`);
  });

  test("S4-F13 matchers of other events look at what those are about", async () => {
    using place = await hooked({ [hooksJson]: plugin("SessionStart", "echo hello", {}, "startup|clear") });
    const start = async (source: string) =>
      (await place.run(["run"], { ...claude(place.root, "", {}, "SessionStart"), source })).stdout;
    expect(await start("startup")).toContain("hello");
    expect(await start("resume")).toBe("");
  });

  test.each([
    ["SessionEnd", "reason", "logout"],
    ["Notification", "notification_type", "permission_prompt"],
    ["PreCompact", "trigger", "manual"],
    ["SubagentStart", "agent_type", "worker"],
    ["SubagentStop", "agent_type", "worker"],
  ])("S4-F13 at %s that is `%s`", async (event, key, value) => {
    using place = await hooked({ [hooksJson]: plugin(event, "touch ran", {}, `^${value}$`) });
    const at = (said: string) =>
      place.run(["run"], { ...claude(place.root, "", {}, event), agent_id: "a1", [key]: said });
    await at("other");
    expect(existsSync(place.path("ran"))).toBe(false);
    await at(value);
    expect(existsSync(place.path("ran"))).toBe(true);
  });

  test("X17 PostToolUse hooks do not see failures", async () => {
    using place = await hooked({ [hooksJson]: plugin("PostToolUse", "touch ran") });
    await place.run(["run"], {
      ...claude(place.root, "Bash", { command: "ls" }, "PostToolUseFailure"),
      error: "no",
    });
    expect(existsSync(place.path("ran"))).toBe(false);
    await place.run(["run"], claude(place.root, "Bash", { command: "ls" }, "PostToolUse"));
    expect(existsSync(place.path("ran"))).toBe(true);
  });

  test("S4-C10, S4-F10, X3 the time limit is seconds, 30 unless said; milliseconds are suspected, not converted", async () => {
    using place = await hooked({ [hooksJson]: plugin("Stop", "true", { timeout: 5000 }) });
    expect((await place.run(["hooks", "list", "--json"])).json()).toMatchObject([{ timeoutMs: 5_000_000 }]);
    const { exitCode, stdout } = await place.run(["hooks", "validate"]);
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining("were milliseconds meant?")]);
    place.write(hooksJson, plugin("Stop", "true"));
    expect((await place.run(["hooks", "list", "--json"])).json()).toMatchObject([{ timeoutMs: 30_000 }]);
  });

  test("S4-F6, X18 once is once a session", async () => {
    using place = await hooked({ [hooksJson]: plugin("PostToolUse", "echo x >> runs", { once: true }) });
    const call = (session_id: string) =>
      place.run(["run"], { ...claude(place.root, "Bash", { command: "ls" }, "PostToolUse"), session_id });
    await call("a");
    await call("a");
    await call("b");
    expect(readFileSync(place.path("runs"), "utf8")).toBe("x\nx\n");
  });

  test("X11 a search is Grep or Glob, whatever the agent calls it, and not a reading", async () => {
    using place = await hooked({
      [hooksJson]: plugin("PreToolUse", "cat > seen.json; echo no >&2; exit 2", {}, "^(Grep|Glob)$"),
    });
    const seen = (): any => JSON.parse(readFileSync(place.path("seen.json"), "utf8"));
    const copilot = (toolName: string, toolArgs: object): Promise<Ran> =>
      place.run(["run", "--host", "copilot", "--event", "preToolUse"], {
        sessionId: "s",
        timestamp: 1,
        cwd: place.root,
        toolName,
        toolArgs,
      });
    expect((await copilot("rg", { pattern: "x", path: "src" })).stdout).toContain("deny");
    expect(seen()).toMatchObject({
      tool_name: "Grep",
      tool_input: { pattern: "x", path: expect.stringMatching(/src$/) },
    });
    expect((await copilot("glob", { pattern: "*.ts" })).stdout).toContain("deny");
    expect(seen().tool_name).toBe("Glob");
    expect((await copilot("view", { path: "a.txt" })).stdout).toBe("");
    const gemini = await place.run(["run", "--host", "gemini-cli"], {
      session_id: "s",
      transcript_path: "/x",
      cwd: place.root,
      timestamp: "2026-01-01T00:00:00.000Z",
      hook_event_name: "BeforeTool",
      tool_name: "grep_search",
      tool_input: { pattern: "x" },
    });
    expect(gemini.stdout).toContain("deny");
  });

  test("`if` narrows a hook to a permission rule", async () => {
    using place = await hooked({
      [hooksJson]: plugin("PreToolUse", "echo no >&2; exit 2", { if: "Bash(git push *)" }, "Bash"),
    });
    const run = async (command: string) =>
      decisionOf(await place.run(["run"], claude(place.root, "Bash", { command })));
    expect(await run("git status")).toBeUndefined();
    expect(await run("cd x && git push origin topic")).toBe("deny");
  });

  test("S4-R10, S4-C3 a prompt that nobody evaluates is told to the model", async () => {
    const text =
      "Before executing any destructive file operation, explain the consequences and confirm intent.";
    using place = await hooked({
      [hooksJson]: JSON.stringify({
        hooks: { UserPromptSubmit: [{ hooks: [{ type: "prompt", prompt: text }] }] },
      }),
    });
    const { json } = await place.run(["run"], {
      ...claude(place.root, "", {}, "UserPromptSubmit"),
      prompt: "x",
    });
    expect(json().hookSpecificOutput.additionalContext).toBe(text);
    expect(place.records().at(-1)?.["notes"]).toContainEqual(expect.stringContaining("injected"));
  });

  test("a hook that is not waited for runs on, and ends at its time limit", async () => {
    using place = await hooked({
      [hooksJson]: plugin("PostToolUse", "sleep 0.3; cat > part; mv part later.json", {
        async: true,
        timeout: 10,
      }),
    });
    await place.run(["run"], claude(place.root, "Bash", { command: "ls" }, "PostToolUse"));
    expect(existsSync(place.path("later.json"))).toBe(false);
    expect(place.records().at(-1)?.["hooks"]).toMatchObject([{ status: "started" }]);
    for (let wait = 0; wait < 100 && !existsSync(place.path("later.json")); wait++) await Bun.sleep(50);
    expect(readFileSync(place.path("later.json"), "utf8")).toContain("PostToolUse");
  });
});

describe("what a command finds in its environment", () => {
  test("S4-C4, S4-R28 TOOL_NAME, TOOL_INPUT and FILE_PATH, and never a payload in the command line", async () => {
    using place = await hooked({
      [hooksJson]: plugin(
        "PreToolUse",
        'printf "%s|%s|%s|%s" "$TOOL_NAME" "$FILE_PATH" "$TOOL_INPUT" "$CLAUDE_PLUGIN_ROOT" > env.txt',
      ),
    });
    const file = place.path("a $(touch pwned) `touch pwned` '.txt");
    await place.run(["run"], claude(place.root, "Write", { file_path: file, content: "x" }));
    const [name, path, input, root] = readFileSync(place.path("env.txt"), "utf8").split("|");
    expect([name, path, root]).toEqual(["Write", file, place.path("plugins/guard")]);
    expect(JSON.parse(input ?? "")).toEqual({ file_path: file, content: "x" });
    expect(existsSync(place.path("pwned"))).toBe(false);
  });

  test("an input too large for the environment is left out of it, and said to be", async () => {
    using place = await hooked({
      [hooksJson]: plugin(
        "PreToolUse",
        'printf "%s|%s" "$TOOL_INPUT" "$TOOL_INPUT_OMITTED" > env.txt; cat | wc -c > size',
      ),
    });
    const content = "x".repeat(300_000);
    await place.run(["run"], claude(place.root, "Write", { file_path: place.path("a"), content }));
    expect(readFileSync(place.path("env.txt"), "utf8")).toBe("|1");
    expect(Number(readFileSync(place.path("size"), "utf8"))).toBeGreaterThan(300_000);
  });
});

describe("changed inputs", () => {
  const change = (command: string) =>
    `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { command } } })}'`;
  const chain = (...commands: string[]): string =>
    JSON.stringify({
      hooks: { PreToolUse: [{ hooks: commands.map((command) => ({ type: "command", command })) }] },
    });
  const call = (place: Workspace) => place.run(["run"], claude(place.root, "Bash", { command: "ls" }));

  test("S4-C9, S2-R27, X16, X19 each hook sees what those before it left, in the order of configuration", async () => {
    using place = await hooked({
      [hooksJson]: chain(
        `sleep 0.2; ${change("ls -a")}`,
        `jq -c '{hookSpecificOutput: {hookEventName: "PreToolUse", updatedInput: {command: (.tool_input.command + " -l")}}}'`,
        "jq -r .tool_input.command >> seen",
      ),
    });
    const { json } = await call(place);
    expect(json().hookSpecificOutput.updatedInput).toEqual({ command: "ls -a -l" });
    expect(json().systemMessage).toBe(
      "Hookline: the tool's input was changed by the hook guard/PreToolUse.1.1, then guard/PreToolUse.1.2.",
    );
    expect(readFileSync(place.path("seen"), "utf8").trim().split("\n").at(-1)).toBe("ls -a -l");
    const runs = place.records().at(-1)?.["hooks"];
    expect(runs.map((run: any) => run.again ?? false)).toEqual([false, true, true]);
    expect(runs[0].raw.stdout).toContain("ls -a");
  });

  test("S4-C9 what a hook has made of it is judged by the rules as well", async () => {
    using place = await hooked({ [hooksJson]: chain(change("rm -rf ~")) });
    expect(decisionOf(await call(place))).toBe("deny");
    const record = place.records().at(-1);
    expect(record?.["findings"].map((finding: any) => finding.rule)).toContain("safety/destructive-delete");
    expect(record?.["changed"]).toEqual({ command: "rm -rf ~" });
    // A replay judges both inputs again, and runs no hook.
    place.write(hooksJson, "{}");
    const again = await place.run(["replay", "--all", "--json"]);
    expect([again.exitCode, JSON.parse(again.stdout).change]).toEqual([0, "none"]);
  });

  test("S4-C9 only before a tool, and only an object", async () => {
    expect((await answer(change("x"), "PostToolUse")).stdout).toBe("");
    expect((await answer(`echo '{"updatedInput": "x"}'`)).stdout).toBe("");
  });
});

describe("X11 tools that change several files at once, and changes they have no words for", () => {
  const patch = (...files: string[]): string => ["*** Begin Patch", ...files, "*** End Patch", ""].join("\n");
  const update = (file: string, word = "new"): string => `*** Update File: ${file}\n@@\n-old\n+${word}`;
  const codex = (place: Workspace, command: string) =>
    place.run(["run", "--host", "codex"], {
      session_id: "s",
      turn_id: "t",
      transcript_path: null,
      cwd: place.root,
      hook_event_name: "PreToolUse",
      model: "m",
      permission_mode: "default",
      tool_name: "apply_patch",
      tool_input: { command },
      tool_use_id: "c",
    });
  const guarding = (body: string) =>
    hooked({
      [hooksJson]: plugin("PreToolUse", here, {}, "Write|Edit"),
      "plugins/guard/scripts/h.sh": `#!/bin/bash\nINPUT=$(cat)\nFILE=$(jq -r .tool_input.file_path <<<"$INPUT")\n${body}\n`,
      "a.txt": "old\n",
      "secret.txt": "old\n",
    });
  const noSecrets = 'case "$FILE" in */secret.txt) echo "not $FILE" >&2; exit 2 ;; esac';
  const reasonOf = (ran: Ran): string =>
    ran.stdout === "" ? "" : ran.json().hookSpecificOutput.permissionDecisionReason;

  test.each([
    ["first", [update("secret.txt"), update("a.txt")]],
    ["last", [update("a.txt"), update("secret.txt")]],
    ["behind one that is deleted", ["*** Delete File: a.txt", update("secret.txt")]],
    ["behind one that is added", ["*** Add File: b.txt\n+x", update("secret.txt")]],
    ["by a move", ["*** Update File: a.txt\n*** Move to: secret.txt\n@@\n-old\n+new"]],
  ])("a hook sees every file of a patch, also the one that stands %s", async (_, files) => {
    using place = await guarding(noSecrets);
    expect(reasonOf(await codex(place, patch(...files)))).toContain(`not ${place.path("secret.txt")}`);
  });

  test("each file is one call, with its own change, and the record says which", async () => {
    using place = await guarding(
      'jq -c "[.tool_name, .tool_input.new_string, .tool_input.content]" <<<"$INPUT" >> "seen"',
    );
    await codex(place, patch(update("a.txt", "one"), "*** Delete File: c.txt", "*** Add File: b.txt\n+two"));
    const seen = readFileSync(place.path("seen"), "utf8").trim().split("\n").toSorted();
    expect(seen).toEqual(['["Edit","one",null]', '["Write",null,"two\\n"]']);
    expect(place.records()[0]?.["hooks"].map((run: any) => [run.status, run.about])).toEqual([
      ["ok", place.path("a.txt")],
      ["ok", place.path("b.txt")],
    ]);
  });

  test("a changed input that the tool has no words for is a refusal that says what to do instead", async () => {
    using place = await guarding(`jq -c '{updatedInput: (.tool_input + {new_string: "other"})}' <<<"$INPUT"`);
    for (const files of [[update("a.txt")], [update("a.txt"), update("secret.txt")]]) {
      const reason = reasonOf(await codex(place, patch(...files)));
      expect(reason).toContain("`apply_patch` has no words for");
      expect(reason).toContain('"new_string":"other"');
    }
    using same = await guarding(`jq -c '{updatedInput: .tool_input}' <<<"$INPUT"`);
    expect((await codex(same, patch(update("a.txt"), update("secret.txt")))).stdout).toBe("");
  });
});

describe("other agents' files", () => {
  const settings = (command: string, matcher = "Bash") =>
    JSON.stringify({
      hooks: { PreToolUse: [{ matcher, hooks: [{ type: "command", command, timeout: 5 }] }] },
    });

  test(".claude/settings.json is off unless asked for, and never twice under an agent that runs it itself", async () => {
    using place = await hooked({ ".claude/settings.json": settings("echo no >&2; exit 2") });
    const payload = claude(place.root, "Bash", { command: "ls" });
    const cursor = { session_id: "s", tool_name: "Bash", tool_input: { command: "ls" } };
    expect((await place.run(["emit", "PreToolUse"], cursor)).exitCode).toBe(0);
    place.write("hookline.yaml", "sources: { claude: on }\n");
    expect((await place.run(["emit", "PreToolUse"], cursor)).exitCode).toBe(2);
    expect(decisionOf(await place.run(["run"], payload))).toBeUndefined();
    place.write("hookline.yaml", "sources: { claude: always }\n");
    expect(decisionOf(await place.run(["run"], payload))).toBe("deny");
  });

  test("X4 there, names alone are exact; Hookline's own entry is passed over", async () => {
    using place = await hooked({
      "hookline.yaml": "sources: { claude: on }\n",
      ".claude/settings.json": settings("exit 2", "Write"),
      ".claude/settings.local.json": settings("/opt/hookline/hookline run --host claude-code", "*"),
    });
    expect((await place.run(["hooks", "list", "--json"])).json()).toHaveLength(1);
    const exit = async (tool_name: string) =>
      (await place.run(["emit", "PreToolUse"], { tool_name, tool_input: {} })).exitCode;
    expect([await exit("Write"), await exit("TodoWrite")]).toEqual([2, 0]);
  });

  test("X23 .github/hooks/*.json in its own words", async () => {
    using place = await hooked({
      "hookline.yaml": "sources: { copilot: on }\n",
      ".github/hooks/guard.json": JSON.stringify({
        version: 1,
        hooks: {
          preToolUse: [
            {
              type: "command",
              bash: 'cat > seen.json; echo $LEVEL > level; echo \'{"permissionDecision":"deny","permissionDecisionReason":"no"}\'',
              env: { LEVEL: "strict" },
              timeoutSec: 10,
            },
          ],
        },
      }),
    });
    const ran = await place.run(["run"], claude(place.root, "Bash", { command: "ls" }));
    expect(decisionOf(ran)).toBe("deny");
    const seen = JSON.parse(readFileSync(place.path("seen.json"), "utf8"));
    expect(seen).toMatchObject({
      sessionId: "5f0c",
      cwd: place.root,
      toolName: "Bash",
      toolArgs: '{"command":"ls"}',
    });
    expect(readFileSync(place.path("level"), "utf8")).toBe("strict\n");
    expect((await place.run(["hooks", "list", "--json"])).json()).toMatchObject([
      { timeoutMs: 10_000, failMode: "closed" },
    ]);
  });
});

test("S4-R8 types of hooks that only Claude Code has are named wherever hooks are looked at, and the others of the file run", async () => {
  const hooks = [
    { type: "agent", prompt: "Look into it." },
    { type: "mcp_tool", server: "s", tool: "t" },
    { type: "command", command: "touch ran" },
  ];
  using place = await hooked({
    [hooksJson]: JSON.stringify({ description: "x", hooks: { PreToolUse: [{ matcher: "Bash", hooks }] } }),
  });
  const named = /"agent" hooks run in Claude Code alone[\s\S]*"mcp_tool" hooks run in Claude Code alone/;
  for (const args of [["hooks", "list"], ["hooks", "validate"], ["lint"], ["doctor"]]) {
    const { stdout, stderr } = await place.run(args);
    expect([args, named.test(stdout + stderr)]).toEqual([args, true]);
  }
  expect((await place.run(["hooks", "validate"])).exitCode).toBe(1);
  const { json } = await place.run(["run"], claude(place.root, "Bash", { command: "ls" }));
  expect(json().systemMessage).toMatch(named);
  expect(existsSync(place.path("ran")) || existsSync(place.path("plugins/guard/ran"))).toBe(true);
});
