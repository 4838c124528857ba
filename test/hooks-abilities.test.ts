// Results of registry hooks: what each field comes to, how several become one, and what blocks.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { claude, type Ran, type Workspace } from "./support/hookline.ts";
import { hooked, registryHook } from "./support/hooks.ts";

const says = (result: object): string => `cat > seen.json\ncat <<'END'\n${JSON.stringify(result)}\nEND`;

/** One hook of an event, what it was given and what came out. */
async function one(
  event: string,
  result: object,
  context: object = {},
  more = "",
): Promise<Ran & { seen: any; record: any }> {
  using place = await hooked(registryHook("hook", event, says(result), more));
  const ran = await place.run(["emit", event], { session_id: "sess-1", ...context });
  const seen = existsSync(place.path("seen.json"))
    ? JSON.parse(readFileSync(place.path("seen.json"), "utf8"))
    : undefined;
  return { ...ran, seen, record: place.records().at(-1) };
}

describe("HookResult", () => {
  test("S1-R4, S1-R28, S1-R29, S1-R38, S1-R39 suggestions come back as hints, and are surfaced", async () => {
    const result = {
      suggested_abilities: [
        {
          id: "billing_regression",
          reason: "Matches 'billing regression tests' and regression workflow scope",
          confidence: 0.9,
        },
      ],
      messages_to_user: ["You can run the billing regression workflow ability to execute the full suite."],
    };
    const { json, exitCode, seen } = await one("UserPromptSubmit", result, {
      user_message: "I need to run the full billing regression tests",
      files_touched: [],
      stage: "understand",
      timestamp: "2025-01-15T09:00:00Z",
    });
    expect(exitCode).toBe(0);
    expect(json()).toEqual(result);
    expect(seen).toMatchObject({
      event_type: "UserPromptSubmit",
      session_id: "sess-1",
      user_message: "I need to run the full billing regression tests",
      files_touched: [],
      stage: "understand",
      timestamp: "2025-01-15T09:00:00Z",
    });
  });

  test("S1-R38 every field of a result comes back as it was said; what does not fit one is left out, and that is noted", async () => {
    const result = {
      logs: (["debug", "info", "warn", "error"] as const).map((level) => ({ level, message: level })),
      messages_to_user: ["one", "two"],
      suggested_abilities: [
        { id: "a", reason: "why", confidence: 0.4 },
        { id: "b", reason: "why not" },
      ],
      suggested_documents: [
        { path: "docs/a.md", reason: "why", stage: "plan" },
        { path: "b.md", reason: "" },
      ],
      new_intent: { scope: "s", topic: "t", stage: "review", intent: "i", signals: { user_raw_input: "x" } },
      follow_up_actions: [
        { kind: "open_file", payload: { path: "a" } },
        { kind: "run_command", payload: { command: "make" } },
        { kind: "create_task", payload: { title: "t" } },
      ],
      usage_recorded: false,
    };
    const whole = await one("SessionStart", result, {});
    expect(whole.json()).toEqual(result);
    const { json, record } = await one(
      "SessionStart",
      {
        suggested_documents: [{ reason: "no path" }, { path: "b.md", reason: "r", stage: "later" }],
        follow_up_actions: [{ kind: "format_disk", payload: {} }],
        error: "trouble",
      },
      {},
    );
    expect(json().suggested_documents).toEqual([{ path: "b.md", reason: "r" }]);
    expect(json().follow_up_actions).toEqual([]);
    expect(json().error).toBe("trouble");
    expect(JSON.stringify(record?.["hooks"] ?? record)).toContain("suggested_documents");
  });

  test("S1-R8, S1-R29, S1-R33, S1-R39, X10 under an agent, hints go to the model and messages to the user", async () => {
    using place = await hooked(
      registryHook(
        "hint",
        "UserPromptSubmit",
        says({
          suggested_abilities: [{ id: "signup_e2e", reason: "User asked to test signup", confidence: 0.84 }],
          suggested_documents: [{ path: "docs/signup.md", reason: "How it works", stage: "plan" }],
          messages_to_user: ["You can use signup_e2e."],
        }),
      ),
    );
    const { json } = await place.run(["run"], {
      ...claude(place.root, "", {}, "UserPromptSubmit"),
      prompt: "Test signup",
    });
    expect(json().systemMessage).toBe("You can use signup_e2e.");
    expect(json().hookSpecificOutput.additionalContext).toContain("ability signup_e2e (confidence 0.84)");
    expect(json().hookSpecificOutput.additionalContext).toContain("document docs/signup.md");
    expect(JSON.parse(readFileSync(place.path("seen.json"), "utf8"))).toMatchObject({
      user_message: "Test signup",
    });
  });

  test("S1-R42, S1-R46, S1-C4 a structured intent is passed on as it is", async () => {
    const new_intent = {
      scope: "execution.quality_gates",
      topic: "pre_commit_checks",
      stage: "plan",
      intent: "ensure_code_quality_before_commit",
      signals: { user_raw_input: "I want to run a pre-commit check", cli_command: "make dev_check" },
    };
    const { json, seen } = await one(
      "UserPromptSubmit",
      { new_intent },
      { last_cli_command: "make dev_check" },
    );
    expect(json()).toMatchObject({ new_intent });
    expect(seen.last_cli_command).toBe("make dev_check");
  });

  test("S1-F18 an intent with empty fields is passed on with them, for routing to fill in", async () => {
    const new_intent = { scope: "", topic: "", intent: "check" };
    expect((await one("UserPromptSubmit", { new_intent })).json()).toEqual({ new_intent });
  });

  test("S1-R31, S1-R47, S1-C1 follow-up actions are told, never carried out; keys beside the payload are put into it", async () => {
    const { json, record } = await one("SessionStop", {
      follow_up_actions: [
        { kind: "open_file", path: "services/billing/src/invoice.ts" },
        { kind: "run_command", payload: { command: "touch pwned" } },
        { kind: "format_disk", payload: {} },
      ],
    });
    expect(json().follow_up_actions).toEqual([
      { kind: "open_file", payload: { path: "services/billing/src/invoice.ts" } },
      { kind: "run_command", payload: { command: "touch pwned" } },
    ]);
    expect(record.notes).toContainEqual(expect.stringContaining("path belongs into payload"));
    expect(record.notes).toContainEqual(expect.stringContaining("does not fit and was left out"));
  });

  test("follow-up actions are queued where the policy says so, and shown to a person under an agent", async () => {
    using place = await hooked({
      ...registryHook(
        "hook",
        "SessionStart",
        says({ follow_up_actions: [{ kind: "create_task", payload: { title: "x" } }] }),
      ),
      "hookline.yaml": "handlers: { followUps: queue }\n",
    });
    const ran = await place.run(["run"], {
      ...claude(place.root, "", {}, "SessionStart"),
      source: "startup",
    });
    expect(ran.json().systemMessage).toContain('create_task {"title":"x"}');
    const line = readFileSync(place.path(".hookline/follow-ups.jsonl"), "utf8");
    expect(JSON.parse(line)).toMatchObject({ kind: "create_task", payload: { title: "x" } });
  });

  test("S1-R31, S1-C13 hooks at SessionStop run when an agent stops, with its changed files; only a blocking one keeps it going", async () => {
    const hook = (more: string) =>
      registryHook(
        "check",
        "SessionStop",
        says({ messages_to_user: ["Broken."], error: "blocked_by_policy" }),
        more,
      );
    const match = 'match: { only_if_changed_paths: ["services/**"] }\n';
    const stop = {
      session_id: "s",
      transcript_path: "/nowhere/s.jsonl",
      hook_event_name: "Stop",
      stop_hook_active: false,
    };
    for (const blocking of [false, true]) {
      using place = await hooked(hook(`${match}blocking: ${blocking}\n`));
      const at = (changed_files: string[], more = {}) =>
        place.run(["run"], { ...stop, cwd: place.root, changed_files, ...more });
      expect((await at(["docs/x.md"])).stdout).toBe("");
      const { json } = await at(["services/a/b.ts"]);
      expect(JSON.parse(readFileSync(place.path("seen.json"), "utf8"))).toMatchObject({
        event_type: "SessionStop",
        session_id: "s",
        changed_files: ["services/a/b.ts"],
      });
      expect(JSON.stringify(json())).toContain("Broken.");
      expect(json().decision).toBe(blocking ? "block" : undefined);
      rmSync(place.path("seen.json"));
      await at(["services/a/b.ts"], { hook_event_name: "SubagentStop", agent_id: "a1" });
      expect(existsSync(place.path("seen.json"))).toBe(false);
    }
  });

  test("S1-R30, S1-C2 fields nobody knows are kept", async () => {
    const update_matcher_suggestions = [
      { ability_id: "code_review_agent", signal: "frequent_usage", weight: 0.7 },
    ];
    const { json } = await one("PostAbilityCall", { usage_recorded: true, update_matcher_suggestions });
    expect(json()).toEqual({ usage_recorded: true, extra: { update_matcher_suggestions } });
  });

  test("S1-C8 the successor's spellings are understood, in results and in contexts", async () => {
    const { json, seen } = await one(
      "PostAbilityCall",
      { logs: ["done", { level: "loud", message: "odd" }], error: { code: "E_LOG", message: "no disk" } },
      { ability_id: "a", status: "partial", tool_call_path: ["one.md", "two.md"] },
    );
    expect(json().logs).toEqual([
      { level: "info", message: "done" },
      { level: "info", message: "odd" },
    ]);
    expect(json().error).toBe("E_LOG");
    expect(seen).toMatchObject({ status: "failure", status_detail: "partial", tool_call_path: "one.md" });
    using place = await hooked(registryHook("hook", "PromptSubmit", says({ usage_recorded: true })));
    expect((await place.run(["emit", "PromptSubmit"], { user_message: "x" })).json()).toEqual({
      usage_recorded: true,
    });
    expect((await place.run(["emit", "UserPromptSubmit"], { user_message: "x" })).json()).toEqual({
      usage_recorded: true,
    });
  });

  test("S1-R37 fields of a context that nobody knows reach the hook as they are", async () => {
    const { seen } = await one("SessionStop", {}, { changed_files: ["a"], next_thing: { deep: [1] } });
    expect(seen).toMatchObject({ changed_files: ["a"], next_thing: { deep: [1] } });
  });

  test("S1-R11, S1-R32, S1-C3 SessionStart and SessionEnd get the base context", async () => {
    for (const event of ["SessionStart", "SessionEnd"]) {
      const { seen } = await one(event, {});
      expect(seen).toEqual({
        event_type: event,
        session_id: "sess-1",
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        repository_root: expect.stringContaining("workspace"),
      });
    }
  });

  test("S1-R48, X15 runs and logs are appended to .system/logs/hooks.log", async () => {
    using place = await hooked(
      registryHook("tracker", "PostAbilityCall", says({ logs: [{ level: "warn", message: "slow" }] })),
    );
    await place.run(["emit", "PostAbilityCall"], { ability_id: "a" });
    const lines = readFileSync(place.path(".system/logs/hooks.log"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { hook_id: "tracker", event_type: "PostAbilityCall", status: "ok", duration_ms: expect.any(Number) },
      { hook_id: "tracker", level: "warn", message: "slow" },
    ]);
  });
});

describe("S1-R12, X16 several results become one", () => {
  test("in the order of configuration, whichever finishes first", async () => {
    const result = (word: string, more: object = {}) => ({
      logs: [{ level: "info", message: word }],
      messages_to_user: [word],
      new_intent: { intent: word },
      list: [word],
      ...more,
    });
    using place = await hooked({
      ...registryHook("a", "UserPromptSubmit", `sleep 0.3; ${says(result("a", { usage_recorded: false }))}`),
      ...registryHook("b", "UserPromptSubmit", says(result("b", { usage_recorded: true, error: "first" }))),
      ...registryHook("c", "UserPromptSubmit", says(result("c", { error: "second" }))),
    });
    const { json, exitCode } = await place.run(["emit", "UserPromptSubmit"], { user_message: "x" });
    expect(exitCode).toBe(0);
    const { messages_to_user, ...rest } = json();
    expect(messages_to_user.slice(0, 3)).toEqual(["a", "b", "c"]);
    expect(rest).toMatchObject({
      logs: ["a", "b", "c"].map((message) => ({ level: "info", message })),
      new_intent: { intent: "a" },
      usage_recorded: true,
      error: "first",
      extra: { list: ["a", "b", "c"], new_intents: [{ intent: "a" }, { intent: "b" }, { intent: "c" }] },
    });
  });
});

describe("what blocks", () => {
  const guardrail = {
    messages_to_user: ["This ability would write to production. In this environment, it is blocked."],
    error: "blocked_by_policy",
  };

  test("S1-R3, S1-R9, S1-R34, S1-R43, S1-R44, S1-C7 blocked_by_policy blocks an ability call", async () => {
    const { json, exitCode, seen } = await one("PreAbilityCall", guardrail, {
      ability_id: "deploy",
      operation_key: "workflow.deploy",
      planned_input_summary: "to production",
    });
    expect(exitCode).toBe(2);
    expect(json()).toMatchObject({ ...guardrail, outcome: "block", blocked: true });
    expect(json().reason).toContain("This ability would write to production.");
    expect(seen).toMatchObject({
      ability_id: "deploy",
      operation_key: "workflow.deploy",
      planned_input_summary: "to production",
    });
  });

  test("S1-F1, S1-C5, S1-C7 another error blocks only from a hook marked as blocking", async () => {
    const loose = await one("PreAbilityCall", { error: "no_network" }, { ability_id: "a" });
    expect([loose.exitCode, loose.json().error]).toEqual([0, "no_network"]);
    expect(loose.json().messages_to_user.join()).toContain("it reports trouble");
    const strict = await one(
      "PreAbilityCall",
      { error: "no_network" },
      { ability_id: "a" },
      "blocking: true\n",
    );
    expect(strict.exitCode).toBe(2);
  });

  test("S1-C13, X2 a stop of the session is told about, and held up only by a hook marked as blocking", async () => {
    const told = await one("SessionStop", guardrail);
    expect([told.exitCode, told.json().blocked]).toEqual([1, undefined]);
    expect(told.json().error).toBe("blocked_by_policy");
    const held = await one("SessionStop", guardrail, {}, "blocking: true\n");
    expect([held.exitCode, held.json().blocked]).toEqual([2, true]);
  });

  test("X2 the end of a session is never held up", async () => {
    expect((await one("SessionEnd", guardrail, {}, "blocking: true\n")).exitCode).toBe(0);
  });
});

test("S1-F9 whoever calls, also a pipeline or a job, passes the same guards and is named to them", async () => {
  using place = await hooked(
    registryHook("guard", "PreAbilityCall", 'cat > seen.json; echo \'{"error":"blocked_by_policy"}\''),
  );
  for (const source of ["ai_session", "background_job", "ci_pipeline", "manual_cli"]) {
    const caller = { source, job_id: "j1", triggered_by: "nightly" };
    const { exitCode } = await place.run(["emit", "PreAbilityCall"], { ability_id: "a", caller });
    const seen = JSON.parse(readFileSync(place.path("seen.json"), "utf8"));
    expect([source, exitCode, seen.caller]).toEqual([source, 2, caller]);
  }
});

test("S1-F5 a match says when a hook runs, and nothing it suggests", async () => {
  const more = "match:\n  ability_scope: a\n  suggested_abilities: [b]\n";
  using place = await hooked(registryHook("hook", "PreAbilityCall", "echo '{}'", more));
  expect((await place.run(["emit", "PreAbilityCall"], { ability_id: "a" })).json()).toEqual({});
  const { exitCode, stdout } = await place.run(["hooks", "validate"]);
  expect(exitCode).toBe(1);
  expect(stdout).toContain("match.suggested_abilities: unknown key");
});

test("S1-F7 of the successor's events the one that is renamed is known, one that is new is a mistake with all names", async () => {
  using place = await hooked({
    ...registryHook("renamed", "PromptSubmit", "echo '{}'"),
    ...registryHook("added", "PreAbilityCreate", "echo '{}'"),
  });
  expect(Object.keys((await place.run(["hooks", "register", "--minimal"])).json())).toEqual([
    "UserPromptSubmit",
  ]);
  const { stdout } = await place.run(["hooks", "validate"]);
  expect(stdout).toContain(
    '.system/hooks/added.yaml:2  event_type: unknown event "PreAbilityCreate" (HL_HOOK_EVENT)',
  );
  expect(stdout).toContain('Did you mean "PreAbilityCall"?');
});

describe("S1-R5, S1-R17, S1-F2 match", () => {
  const runs = async (event: string, match: string, context: object): Promise<boolean> =>
    (await one(event, { usage_recorded: true }, context, `match: ${match}\n`)).stdout.includes(
      "usage_recorded",
    );

  test.each([
    ['{ ability_scope: "*" }', { ability_id: "a" }, true],
    ['{ ability_scope: "billing_*" }', { ability_id: "billing_regression" }, true],
    ['{ ability_scope: "billing_*" }', { ability_id: "auth" }, false],
    ['{ ability_scope: ["auth", "billing_*"] }', { ability_id: "auth" }, true],
    ['{ operation_key: "workflow.*" }', { ability_id: "a", operation_key: "workflow.billing" }, true],
    ['{ operation_key: "workflow.*" }', { ability_id: "a", operation_key: "agent.review" }, false],
    ["{ min_duration_ms: 0 }", { ability_id: "a" }, true],
    ["{ min_duration_ms: 100 }", { ability_id: "a", duration_ms: 99 }, false],
  ])("PostAbilityCall %s with %j", async (match, context, expected) => {
    expect(await runs("PostAbilityCall", match, context)).toBe(expected);
  });

  test("S1-C12 a least duration includes itself", async () => {
    expect(
      await runs("PostAbilityCall", "{ min_duration_ms: 100 }", { ability_id: "a", duration_ms: 100 }),
    ).toBe(true);
  });

  test.each([
    [["services/billing/src/invoice.ts"], true],
    [["docs/readme.md", "./apps/web/x.ts"], true],
    [["docs/services/x.md"], false],
    [[], false],
  ])("S1-R31, S1-R36 only_if_changed_paths with %j", async (changed_files, expected) => {
    expect(
      await runs("SessionStop", '{ only_if_changed_paths: ["services/**", "apps/**"] }', { changed_files }),
    ).toBe(expected);
  });
});

test("S1-R16 effects are for readers: nothing acts on them", async () => {
  using place = await hooked(
    registryHook(
      "hook",
      "SessionStart",
      "echo '{}'",
      "effects:\n  - append_to: .system/logs/tool_call.md\n  - suggest_abilities\n",
    ),
  );
  expect((await place.run(["emit", "SessionStart"])).exitCode).toBe(0);
  expect(existsSync(place.path(".system/logs/tool_call.md"))).toBe(false);
});

test("S1-R40 a simple logging handler in Python, as the document has it", async () => {
  using place = await hooked({
    ...registryHook("log", "PostAbilityCall", "", ""),
    ".system/hooks/log.yaml":
      "id: log\nevent_type: PostAbilityCall\nhandler: { kind: script, command: ./scripts/hooks/log.py }\n",
    "scripts/hooks/log.py": `#!/usr/bin/env python3
import json
import sys
from pathlib import Path

def main():
  ctx = json.load(sys.stdin)
  log_path = Path(".system/logs/own.log")
  log_path.parent.mkdir(parents=True, exist_ok=True)
  with log_path.open("a", encoding="utf-8") as f:
    f.write(json.dumps(ctx) + "\\n")
  json.dump({"usage_recorded": True}, sys.stdout)

if __name__ == "__main__":
  main()
`,
  });
  const { json } = await place.run(
    ["emit", "PostAbilityCall"],
    { ability_id: "a" },
    { PATH: process.env["PATH"] ?? "" },
  );
  expect(json()).toEqual({ usage_recorded: true });
  expect(JSON.parse(readFileSync(place.path(".system/logs/own.log"), "utf8"))).toMatchObject({
    ability_id: "a",
  });
});

test("S1-R2, S1-R51 with every source off nothing runs and everything works", async () => {
  using place = await hooked({
    ...registryHook("hook", "PreAbilityCall", "exit 1", "blocking: true\n"),
    "hookline.yaml": "sources: { registry: off, harness: off, plugins: off }\n",
  });
  const { exitCode, stdout } = await place.run(["emit", "PreAbilityCall"], { ability_id: "a" });
  expect([exitCode, stdout]).toEqual([0, "{}\n"]);
});

test("S1-R1, S1-R7, S1-R10, S1-R45 the ability flow: a prompt is hinted at, a call is tracked, and the same events give the same answers", async () => {
  using place = await hooked({
    ...registryHook(
      "skill_activation_prompt",
      "UserPromptSubmit",
      `grep -q billing && echo '{"suggested_abilities":[{"id":"billing_regression","reason":"Regression workflow for billing module","confidence":0.9}]}' || echo '{}'`,
    ),
    ...registryHook(
      "post_tool_use_tracker",
      "PostAbilityCall",
      `jq -r '"- " + .ability_id + ": " + .status' >> tool_call.md; echo '{"usage_recorded":true}'`,
    ),
  });
  const flow = async () => [
    (
      await place.run(["emit", "UserPromptSubmit"], {
        session_id: "s",
        user_message: "Run the full billing regression tests for me.",
      })
    ).stdout,
    (await place.run(["emit", "PreAbilityCall"], { session_id: "s", ability_id: "billing_regression" }))
      .stdout,
    (
      await place.run(["emit", "PostAbilityCall"], {
        session_id: "s",
        ability_id: "billing_regression",
        status: "success",
      })
    ).stdout,
  ];
  const first = await flow();
  expect(first.map((text) => JSON.parse(text))).toMatchObject([
    { suggested_abilities: [{ id: "billing_regression", confidence: 0.9 }] },
    {},
    { usage_recorded: true },
  ]);
  expect(await flow()).toEqual(first);
  expect(readFileSync(place.path("tool_call.md"), "utf8")).toBe("- billing_regression: success\n".repeat(2));
});

test("S1-R6 what a context may carry reaches the hook: input, abilities, files, commands and the stage", async () => {
  const context = {
    user_message: "x",
    selected_abilities: ["a"],
    files_touched: ["src/a.ts"],
    commands: [{ command: "make", exit_code: 0 }],
    stage: "review",
  };
  expect((await one("UserPromptSubmit", {}, context)).seen).toMatchObject(context);
});

describe("S1-R31, S1-R36, S1-R37, S1-C3 which files a session has changed", () => {
  const seen = `cat > seen.json; echo '{"usage_recorded": true}'`;
  const files = registryHook(
    "check",
    "[SessionStop, SessionEnd]",
    seen,
    'match:\n  only_if_changed_paths: ["services/**"]\n',
  );
  const git = (place: Workspace, ...args: string[]): void => {
    const { exitCode, stderr } = Bun.spawnSync(
      ["git", "-c", "user.name=a", "-c", "user.email=a@b", ...args],
      {
        cwd: place.root,
      },
    );
    if (exitCode !== 0) throw new Error(stderr.toString());
  };
  const repository = async (): Promise<Workspace> => {
    const place = await hooked({ ...files, "services/a/old.ts": "1", "services/a/gone.ts": "1" });
    git(place, "init", "-q");
    git(place, "add", ".");
    git(place, "commit", "-qm", "first");
    return place;
  };
  const changes = (place: Workspace): unknown =>
    existsSync(place.path("seen.json"))
      ? JSON.parse(readFileSync(place.path("seen.json"), "utf8")).changed_files
      : "did not run";

  test.each(["SessionStop", "SessionEnd"])(
    "git says it at %s where the caller does not, and it is on record",
    async (event) => {
      using place = await repository();
      place.write("services/a/old.ts", "2");
      place.write("services/b/neu é\n.ts", "1");
      rmSync(place.path("services/a/gone.ts"));
      // What a repository could run when it is looked at.
      git(place, "config", "core.fsmonitor", "touch ran-by-git; false");
      expect((await place.run(["emit", event], { session_id: "s" })).exitCode).toBe(0);
      const changed = ["services/a/gone.ts", "services/a/old.ts", "services/b/neu é\n.ts"];
      expect(changes(place)).toEqual(expect.arrayContaining(changed));
      expect(existsSync(place.path("ran-by-git"))).toBe(false);
      expect(place.records().at(-1)?.["world"]).toContainEqual(
        expect.objectContaining({ ask: "changed", answer: expect.arrayContaining(changed) }),
      );
    },
  );

  test("nothing that matters has changed: the hook does not run", async () => {
    using place = await repository();
    place.write("docs/a.md", "1");
    await place.run(["emit", "SessionStop"], { session_id: "s" });
    expect(changes(place)).toBe("did not run");
  });

  test("what the caller says counts", async () => {
    using place = await repository();
    await place.run(["emit", "SessionStop"], { session_id: "s", changed_files: ["services/x.ts"] });
    expect(changes(place)).toEqual(["services/x.ts"]);
  });
});
