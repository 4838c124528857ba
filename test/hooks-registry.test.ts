import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { claude, executable, workspace, type Workspace } from "./support/hookline.ts";
import { definition, hooked, registryHook } from "./support/hooks.ts";

/** The document's own examples. */
const samples = {
  ".system/hooks/skill_activation_prompt.yaml": `# .system/hooks/skill_activation_prompt.yaml
id: skill_activation_prompt
event_type: UserPromptSubmit
enabled: true

summary: >
  Read the incoming user message, cross-check it against the ability
  pool, and suggest a small set of abilities that are likely useful.

handler:
  kind: script
  command: ./scripts/hooks/skill_activation_prompt.sh

effects:
  - suggest_abilities
  - optionally_emit_structured_intent
`,
  ".system/hooks/post_tool_use_tracker.yaml": `id: post_tool_use_tracker
event_type: PostAbilityCall
enabled: true

match:
  # Optional filters; omit if this hook should see all calls
  ability_scope: "*"
  min_duration_ms: 0

handler:
  kind: script
  command: ./scripts/hooks/post_tool_use_tracker.sh

effects:
  - append_to: .system/logs/tool_call.md
  - update_usage_cache: .system/cache/ability_usage.json
`,
  ".system/hooks/session_stop_build_check.yaml": `id: session_stop_build_check
event_type: SessionStop
enabled: false  # opt-in, can be enabled per repo or environment

match:
  only_if_changed_paths:
    - "services/**"
    - "apps/**"

handler:
  kind: script
  command: ./scripts/hooks/session_stop_build_check.sh

effects:
  - run_local_build_checks
  - summarize_errors_to_user
`,
};
const scripts = {
  "scripts/hooks/skill_activation_prompt.sh": "#!/bin/sh\ncat > seen.json; echo '{}'\n",
  "scripts/hooks/post_tool_use_tracker.sh": "#!/bin/sh\ncat > seen.json; echo '{}'\n",
  "scripts/hooks/session_stop_build_check.sh": "#!/bin/sh\ntouch ran; echo '{}'\n",
};

const seen = (place: { path(name: string): string }): any =>
  JSON.parse(readFileSync(place.path("seen.json"), "utf8"));

describe("registration", () => {
  test("S1-R13, S1-R14, S1-R19, S1-R20, S1-R22 the samples register in the document's shape", async () => {
    using place = await hooked({
      ...samples,
      ...scripts,
      ".system/hooks/session_stop_build_check.yaml": samples[
        ".system/hooks/session_stop_build_check.yaml"
      ].replace("enabled: false", "enabled: true"),
    });
    const { stdout, exitCode } = await place.run(["hooks", "register", "--minimal"]);
    expect(exitCode).toBe(0);
    const entry = (id: string) => [{ id, handler: { kind: "script", command: `./scripts/hooks/${id}.sh` } }];
    const document = {
      UserPromptSubmit: entry("skill_activation_prompt"),
      PostAbilityCall: entry("post_tool_use_tracker"),
      SessionStop: entry("session_stop_build_check"),
    };
    // Byte by byte, with the events in the order of the document.
    expect(stdout).toBe(`${JSON.stringify(document, null, 2)}\n`);
  });

  test("S1-R14, S1-C11 without --minimal, id and handler come first and the rest is added", async () => {
    using place = workspace({ ...samples, ...scripts });
    const registered = (await place.run(["hooks", "register"])).json();
    const [tracker] = registered["PostAbilityCall"];
    expect(Object.keys(tracker).slice(0, 2)).toEqual(["id", "handler"]);
    expect(tracker).toMatchObject({ match: { ability_scope: "*", min_duration_ms: 0 }, blocking: false });
    expect(registered["UserPromptSubmit"][0].summary).toMatch(/^\w.*\w\.?$/s);
  });

  test("S1-R18, S1-R21 a disabled hook is neither registered nor run", async () => {
    using place = await hooked({ ...samples, ...scripts });
    expect((await place.run(["hooks", "register"])).json()).not.toHaveProperty("SessionStop");
    const { json, exitCode } = await place.run(["emit", "SessionStop"], { changed_files: ["services/a.ts"] });
    expect([exitCode, json()]).toEqual([0, {}]);
    expect(existsSync(place.path("ran"))).toBe(false);
  });

  test("S1-R21, S1-C6, S1-F6 environments filter by --env, HOOKS_ENV, or dev", async () => {
    using place = workspace(registryHook("only", "SessionStart", "echo '{}'", "environments: [staging]\n"));
    const names = async (args: string[], env = {}) =>
      Object.keys((await place.run(["hooks", "register", ...args], "", env)).json());
    expect(await names([])).toEqual([]);
    expect(await names(["--env", "staging"])).toEqual(["SessionStart"]);
    expect(await names([], { HOOKS_ENV: "staging" })).toEqual(["SessionStart"]);
    expect(await names(["--env", "dev"], { HOOKS_ENV: "staging" })).toEqual([]);
  });

  test("S1-C9, S1-C10 one hook for several events; a file called otherwise than its hook is a warning", async () => {
    using place = workspace({
      ".system/hooks/other.yaml":
        "id: a-b_c1\nevent_type: [SessionStart, SessionEnd]\nhandler: {kind: script, command: ./x.sh}\n",
      "x.sh": "#!/bin/sh\n",
    });
    chmodSync(place.path("x.sh"), 0o755);
    expect(Object.keys((await place.run(["hooks", "register"])).json())).toEqual([
      "SessionStart",
      "SessionEnd",
    ]);
    const { json, exitCode } = await place.run(["hooks", "validate", "--json"]);
    expect(exitCode).toBe(1);
    expect(json()).toMatchObject({ ok: false, hooks: 1 });
    expect(json().findings).toMatchObject([{ level: "warning", code: "HL_HOOK_NAME" }]);
  });
});

describe("mistakes are named with file and line", () => {
  const cases: [string, string, number, string][] = [
    [
      "an unknown event",
      "id: bad\nevent_type: PostAbilityCal\nhandler: {kind: script, command: ./x.sh}\n",
      2,
      "HL_HOOK_EVENT",
    ],
    ["no YAML", "id: bad\nevent_type: [\n", 2, "HL_HOOK_SYNTAX"],
    ["no handler", "id: bad\nevent_type: SessionStart\n", 1, "HL_HOOK_HANDLER"],
    ["a bad id", "id: Bad Id\nevent_type: SessionStart\n", 1, "HL_HOOK_FIELD"],
    [
      "a kind nobody knows",
      "id: bad\nevent_type: SessionStart\nhandler:\n  kind: magic\n",
      4,
      "HL_HOOK_HANDLER",
    ],
    ["a flag that is none", `${definition("bad", "SessionStart")}blocking: often\n`, 7, "HL_HOOK_FIELD"],
  ];
  test.each(cases)("S1-R20 %s", async (_, text, line, code) => {
    using place = workspace({ ".system/hooks/bad.yaml": text });
    const { json, exitCode } = await place.run(["hooks", "validate", "--json"]);
    expect(exitCode).toBe(1);
    expect(json().findings[0]).toMatchObject({ file: ".system/hooks/bad.yaml", code });
    if (code !== "HL_HOOK_SYNTAX") expect(json().findings[0].line).toBe(line);
    const told = await place.run(["emit", "SessionStart"]);
    expect(told.stdout).toContain(".system/hooks/bad.yaml");
  });

  test("X1 names of other formats are not the registry's", async () => {
    using place = workspace({ ".system/hooks/bad.yaml": definition("bad", "PreToolUse") });
    expect((await place.run(["hooks", "validate"])).stdout).toContain('unknown event "PreToolUse"');
  });

  test("X23 one id twice in one format is a mistake; the first keeps it", async () => {
    using place = await hooked({
      ...registryHook("a", "SessionStart", 'echo \'{"messages_to_user":["first"]}\''),
      ".system/hooks/b.yaml": definition("a", "SessionStart", "", "./scripts/hooks/a.sh"),
    });
    const { json, exitCode } = await place.run(["hooks", "validate", "--json"]);
    expect(exitCode).toBe(1);
    expect(json().findings.map(({ code }: { code: string }) => code)).toContain("HL_HOOK_DUPLICATE");
  });
});

describe("emit", () => {
  test("S1-R2, S1-R12 works with no hook at all", async () => {
    using place = workspace();
    for (const event of [
      "UserPromptSubmit",
      "PreAbilityCall",
      "PostAbilityCall",
      "SessionStart",
      "SessionStop",
    ]) {
      const { exitCode, stdout, stderr } = await place.run(["emit", event]);
      expect([exitCode, stdout, stderr]).toEqual([0, "{}\n", ""]);
    }
  });

  test("S1-R24, S1-R26, S1-R32, S1-R35 a script gets the context and its JSON comes back", async () => {
    const output = {
      logs: [{ level: "info", message: "Recorded billing_regression run to tool_call.md" }],
      usage_recorded: true,
    };
    using place = await hooked(
      registryHook(
        "post_tool_use_tracker",
        "PostAbilityCall",
        `cat > seen.json; echo '${JSON.stringify(output)}'`,
      ),
    );
    const context = {
      event_type: "PostAbilityCall",
      session_id: "sess-123",
      ability_id: "billing_regression",
      operation_key: "workflow.billing.regression",
      status: "success",
      duration_ms: 187000,
      input_summary: "Run regression tests against non-prod billing",
      output_summary: "All 42 test cases passed",
      tool_call_path: ".system/implement/task-123/tool_call.md",
      timestamp: "2025-01-15T10:23:45Z",
    };
    const { json, exitCode } = await place.run(["emit", "PostAbilityCall"], context);
    expect([exitCode, json()]).toEqual([0, output]);
    expect(seen(place)).toEqual({ ...context, repository_root: place.root });
  });

  test("an unknown event and a context that is no object are usage errors", async () => {
    using place = workspace();
    const unknown = await place.run(["emit", "PreAbilityCal"]);
    expect([unknown.exitCode, unknown.stderr]).toEqual([
      2,
      expect.stringContaining('did you mean "PreAbilityCall"'),
    ]);
    expect((await place.run(["emit", "PreAbilityCall"], "[1]")).exitCode).toBe(2);
  });
});

describe("trust", () => {
  const files = registryHook("greet", "SessionStart", 'touch ran; echo \'{"messages_to_user":["hello"]}\'');

  test("a hook nobody has trusted does not run, and that is said", async () => {
    using place = await hooked(files, { trust: false });
    const { stdout, exitCode } = await place.run(["emit", "SessionStart"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      "the hook greet (.system/hooks/greet.yaml:1) did not run: nobody has trusted it yet",
    );
    expect(existsSync(place.path("ran"))).toBe(false);
    expect(place.records().at(-1)?.["hooks"]).toMatchObject([{ hook: { id: "greet" }, status: "inert" }]);
  });

  /** `hookline trust` at a terminal, with what somebody types once asked. */
  async function atTerminal(place: Workspace, type: () => string): Promise<{ code: number; shown: string }> {
    let shown = "";
    let isAnswered = false;
    const child = Bun.spawn([executable, "trust"], {
      cwd: place.root,
      env: { HOME: place.home, PATH: "/usr/bin:/bin", NO_COLOR: "1" },
      terminal: {
        data(terminal, bytes) {
          shown += new TextDecoder().decode(bytes);
          if (isAnswered || !shown.includes("[y/N]")) return;
          isAnswered = true;
          terminal.write(type());
        },
      },
    });
    return { code: await child.exited, shown };
  }

  test("at a terminal somebody is asked, and only a yes counts", async () => {
    using place = await hooked(files, { trust: false });
    const no = await atTerminal(place, () => "\n");
    expect(no).toMatchObject({ code: 1, shown: expect.stringContaining("runs scripts/hooks/greet.sh") });
    expect((await place.run(["hooks", "list", "--json"])).json()[0].trust).toBe("new");
    expect((await atTerminal(place, () => "y\n")).code).toBe(0);
    expect((await place.run(["hooks", "list", "--json"])).json()[0].trust).toBe("trusted");
  });

  test("what is exchanged while somebody reads is not what they agreed to", async () => {
    using place = await hooked(files, { trust: false });
    const { code } = await atTerminal(place, () => {
      place.write("scripts/hooks/greet.sh", "#!/bin/sh\ntouch exchanged\n");
      return "y\n";
    });
    expect(code).toBe(0);
    const [greet] = (await place.run(["hooks", "list", "--json"])).json();
    expect(greet).toMatchObject({ trust: "changed", why: expect.stringContaining("greet.sh has changed") });
  });

  test("hookline trust shows what it will run, and asks; without a terminal nothing is trusted", async () => {
    using place = await hooked(files, { trust: false });
    const asked = await place.run(["trust"]);
    expect(asked.exitCode).toBe(2);
    expect(asked.stdout).toContain("runs scripts/hooks/greet.sh");
    expect((await place.run(["hooks", "list", "--json"])).json()).toMatchObject([
      { id: "greet", trust: "new" },
    ]);
    expect((await place.run(["trust", "--yes"])).exitCode).toBe(0);
    expect((await place.run(["emit", "SessionStart"])).json()).toEqual({ messages_to_user: ["hello"] });
    expect(existsSync(place.path("ran"))).toBe(true);
    expect(readdirSync(place.root)).not.toContain("trust");
  });

  test.each([
    ["script", "scripts/hooks/greet.sh", "#!/bin/sh\ntouch ran; echo '{}' # changed\n", "has changed since"],
    [
      "definition",
      ".system/hooks/greet.yaml",
      definition("greet", "SessionStart", "timeout_ms: 9000\n"),
      "definition has changed",
    ],
  ])("a changed %s makes it inert until it is trusted again", async (_, file, text, why) => {
    using place = await hooked(files);
    place.write(file, text);
    const { stdout } = await place.run(["emit", "SessionStart"]);
    expect(stdout).toContain(why);
    expect(existsSync(place.path("ran"))).toBe(false);
    expect((await place.run(["hooks", "list"])).stdout).toContain("changed, inert");
    await place.run(["trust", "--yes"]);
    await place.run(["emit", "SessionStart"]);
    expect(existsSync(place.path("ran"))).toBe(true);
  });

  test("a file that a command line only mentions changes nothing; one that it runs does", async () => {
    const state = async (run: string, file: string): Promise<string> => {
      using place = await hooked({
        "hookline.yaml": JSON.stringify({ hooks: [{ id: "h", on: "PreToolUse", run }] }),
      });
      place.write(file, "#!/bin/sh\ntouch pwned\n");
      chmodSync(place.path(file), 0o755);
      return (await place.run(["hooks", "list", "--json"])).json()[0].trust;
    };
    const mentioned: [string, string][] = [
      ["[ ! -e stop ] || exit 2", "stop"],
      ["grep -q word && exit 2; exit 0", "word"],
      ["while read -r line; do echo; done < list", "list"],
      ["jq -e .tool_name && echo done", "done"],
      ["cat > notes", "notes"],
      ["jq -e . && exit 2", "jq"],
      ["env -i python3 -c pass", "python3"],
    ];
    for (const [run, file] of mentioned) expect([run, await state(run, file)]).toEqual([run, "trusted"]);
    const runs: [string, string][] = [
      ["./guard", "guard"],
      ["true; bin/guard --fast", "bin/guard"],
      ["sh -e guard", "guard"],
      ["bash < guard", "guard"],
      ["A=1 ./guard", "guard"],
      ["env -i A=1 ./guard", "guard"],
      ["timeout 5 ./guard", "guard"],
      ["xargs python3 guard.py", "guard.py"],
      [". ./guard", "guard"],
      ['"$CLAUDE_PROJECT_DIR"/guard', "guard"],
    ];
    for (const [run, file] of runs) expect([run, await state(run, file)]).toEqual([run, "changed"]);
  });

  test("trust can be taken back", async () => {
    using place = await hooked(files);
    await place.run(["trust", "--revoke", "greet"]);
    expect((await place.run(["emit", "SessionStart"])).stdout).toContain("did not run");
  });

  test("what an agent's call meets: a notice to the person, and no verdict", async () => {
    using place = await hooked(files, { trust: false });
    const { json } = await place.run(["run"], {
      ...claude(place.root, "", {}, "SessionStart"),
      source: "startup",
    });
    expect(json().systemMessage).toContain("the hook greet");
  });
});

describe("hooks that do not run are explained", () => {
  const doctor = async (place: { run: ReturnType<typeof workspace>["run"] }): Promise<string[]> =>
    (await place.run(["doctor", "--json"]))
      .json()
      .findings.filter(({ check }: any) => check === "hooks-ready")
      .map(({ text }: any) => text);

  test("S1-R49, S1-F4 a script that nothing says how to run has to be executable, which doctor, validate and lint say", async () => {
    using place = await hooked({
      ".system/hooks/greet.yaml": definition("greet", "SessionStart", "", "./scripts/greet"),
      "scripts/greet": "echo '{}'\n",
    });
    const said = async (): Promise<boolean[]> =>
      (await Promise.all([["doctor"], ["hooks", "validate"], ["lint"]].map((args) => place.run(args)))).map(
        ({ stdout }) => stdout.includes("`scripts/greet` is not executable"),
      );
    expect(await said()).toEqual([true, true, true]);
    chmodSync(place.path("scripts/greet"), 0o755);
    expect(await said()).toEqual([false, false, false]);
    chmodSync(place.path("scripts/greet"), 0o644);
    place.write("scripts/greet", "#!/bin/sh\necho '{}'\n");
    expect(await said()).toEqual([false, false, false]);
  });

  test("S1-R49, S1-R50 the doctor asks whether it is registered, can be started, is trusted, and whether its event arrives", async () => {
    using place = await hooked({
      ...registryHook("greet", "SessionStart", "echo '{}'"),
      ...registryHook("off", "SessionEnd", "echo '{}'"),
      ".system/hooks/off.yaml": definition("off", "SessionEnd").replace("enabled: true", "enabled: false"),
    });
    expect(await doctor(place)).toEqual(["no SessionStart has ever arrived, so its hooks have never run"]);
    await place.run(["emit", "SessionStart"]);
    expect(await doctor(place)).toEqual([]);
    place.write("scripts/hooks/greet.sh", "#!/bin/sh\necho changed\n");
    expect(await doctor(place)).toEqual([expect.stringContaining("has changed since it was trusted")]);
    rmSync(place.path("scripts/hooks/greet.sh"));
    expect(await doctor(place)).toEqual([expect.stringContaining("`scripts/hooks/greet.sh` does not exist")]);
    place.write(".system/hooks/greet.yaml", "id: greet\nevent_type: SesionStart\n");
    expect((await doctor(place))[0]).toContain('unknown event "SesionStart"');
  });

  test("S1-F4 validate finds a handler that is not there", async () => {
    using place = workspace({ ".system/hooks/a.yaml": definition("a", "SessionStart") });
    const { exitCode, stdout } = await place.run(["hooks", "validate"]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("`scripts/hooks/a.sh` does not exist");
  });

  test("explain names the hooks of an event and runs none of them", async () => {
    using place = await hooked(registryHook("greet", "UserPromptSubmit", "touch ran; echo '{}'"));
    const payload = { ...claude(place.root, "", {}, "UserPromptSubmit"), prompt: "x" };
    expect((await place.run(["explain"], payload)).stdout).toContain(
      "greet  takes notes  trusted  scripts/hooks/greet.sh",
    );
    expect((await place.run(["explain", "--json"], payload)).json().hooks).toMatchObject([
      { hook: "greet", trust: "trusted" },
    ]);
    await place.run(["eval"], payload);
    await place.run(["check", "ls"]);
    expect(existsSync(place.path("ran"))).toBe(false);
  });

  test("an agent cannot trust a hook by itself", async () => {
    using place = await hooked({});
    for (const command of ["hookline trust --yes", "cd / && /opt/hookline/hookline trust --yes x"]) {
      const { json } = await place.run(["run"], claude(place.root, "Bash", { command }));
      expect(json().permissionDecision).toBe("deny");
    }
    const pin = { file_path: `${place.home}/.local/state/hookline/trust/x/y.json`, content: "{}" };
    expect((await place.run(["run"], claude(place.root, "Write", pin))).json().permissionDecision).toBe(
      "deny",
    );
  });
});
