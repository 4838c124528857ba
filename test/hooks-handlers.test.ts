import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { claude, type Workspace } from "./support/hookline.ts";
import { hooked, registryHook } from "./support/hooks.ts";

const inline = (...hooks: readonly object[]): string => JSON.stringify({ hooks });
const wrong = (title: string, more: object, text: string, code: string) =>
  [title, { id: "a", on: "Stop", run: "true", ...more }, text, code] as const;
const bash = (place: Workspace, command = "ls") =>
  place.run(["run"], claude(place.root, "Bash", { command }));

describe("inline hooks of hookline.yaml", () => {
  test("run a shell's command line, or a program with arguments", async () => {
    using place = await hooked({
      "hookline.yaml": `hooks:
  - id: guard
    on: PreToolUse
    match: { tool: "^Bash$" }
    run: echo "not $TOOL_NAME" >&2; exit 2
    timeoutMs: 2000
  - id: greet
    on: [SessionStart, UserPromptSubmit]
    run: [./greet.sh, "hello world"]
`,
      "greet.sh": '#!/bin/sh\necho "$1"\n',
    });
    expect((await bash(place)).json().permissionDecisionReason).toContain("Blocked by hooks/guard: not Bash");
    const { json } = await place.run(["run"], {
      ...claude(place.root, "", {}, "UserPromptSubmit"),
      prompt: "x",
    });
    expect(json().hookSpecificOutput.additionalContext).toBe("hello world");
  });

  test("of a repository run only once trusted, of your own policy at once", async () => {
    const hooks = "hooks:\n  - { id: mine, on: PreToolUse, run: 'touch ran' }\n";
    using place = await hooked({ "hookline.yaml": hooks }, { trust: false });
    expect((await bash(place)).json().systemMessage).toContain("the hook mine (hookline.yaml:2) did not run");
    expect(existsSync(place.path("ran"))).toBe(false);
    place.write("hookline.yaml", "mode: enforce\n");
    place.write("../home/.config/hookline/hookline.yaml", hooks);
    expect((await bash(place)).stdout).toBe("");
    expect(existsSync(place.path("ran"))).toBe(true);
  });

  test("of your own policy that run a file of the workspace wait for trust as well", async () => {
    using place = await hooked({ "x.sh": "#!/bin/sh\ntouch ran\n" }, { trust: false });
    place.write(
      "../home/.config/hookline/hookline.yaml",
      "hooks:\n  - { id: mine, on: PreToolUse, run: [./x.sh] }\n",
    );
    await bash(place);
    expect(existsSync(place.path("ran"))).toBe(false);
  });

  test.each([
    [
      "an event that is none",
      { id: "a", on: "PreToolUes", run: "true" },
      'unknown event "PreToolUes"',
      "HL_HOOK_EVENT",
    ],
    ["nothing to run", { id: "a", on: "Stop" }, "it runs nothing", "HL_HOOK_HANDLER"],
    [
      "a key that is none",
      { id: "a", on: "Stop", run: "true", timeout: 3 },
      'unknown key "timeout"',
      "HL_HOOK_FIELD",
    ],
    [
      "a bad pattern",
      { id: "a", on: "Stop", run: "true", match: { tool: "(" } },
      "not a regular expression",
      "HL_HOOK_MATCHER",
    ],
    ["no event at all", { id: "a", on: [], run: "true" }, "unknown event", "HL_HOOK_EVENT"],
    [
      "an address nothing can be posted to",
      { id: "a", on: "Stop", http: "ftp://x/" },
      "http",
      "HL_HOOK_HANDLER",
    ],
    [
      "what is no command in the background",
      { id: "a", on: "Stop", prompt: "x", background: true },
      "only a command",
      "HL_HOOK_FIELD",
    ],
    ["a module without a name", { id: "a", on: "Stop", module: "" }, "module", "HL_HOOK_HANDLER"],
    ...["blocking", "enabled", "once", "background"].map((key) =>
      wrong(key, { [key]: "yes" }, "neither true nor false", "HL_HOOK_FIELD"),
    ),
    wrong("environments", { environments: 3 }, "neither a name", "HL_HOOK_FIELD"),
    wrong("profile", { profile: "copilot" }, "is no profile", "HL_HOOK_FIELD"),
    wrong("env", { env: ["A=1"] }, "not a mapping of texts", "HL_HOOK_FIELD"),
    ...[
      { tool: 3 },
      { fields: "x" },
      { fields: { a: { b: 1 } } },
      { if: ["Bash"] },
      { minDurationMs: "5" },
    ].map((match) =>
      wrong(`a match that is ${JSON.stringify(match)}`, { match }, "match", "HL_HOOK_MATCHER"),
    ),
    ...["ability", "operation", "changedPaths"].map((key) =>
      wrong(`match.${key}`, { match: { [key]: { a: 1 } } }, "neither a pattern", "HL_HOOK_MATCHER"),
    ),
  ] as const)("%s is a mistake of the policy", async (_, hook, text, code) => {
    using place = await hooked({ "hookline.yaml": inline(hook) }, { trust: false });
    const { systemMessage } = (await bash(place)).json();
    expect(systemMessage).toContain(text);
    expect(systemMessage).toContain(code);
    expect(systemMessage).toContain("hookline.yaml:1:");
    // None of the policy's hooks runs then, so whoever looks at hooks is told.
    for (const args of [["hooks", "validate"], ["hooks", "list"], ["lint"]]) {
      const { stdout, stderr, exitCode } = await place.run(args);
      expect([args, stdout + stderr]).toEqual([args, expect.stringContaining(text)]);
      expect([args, exitCode]).toEqual([args, args[1] === "list" ? 0 : 1]);
    }
  });

  test("a mistake anywhere in a policy is told where its hooks are looked at", async () => {
    const text = "rules: { safety/no-such: on }\nhooks:\n  - { id: a, on: Stop, run: 'true' }\n";
    using place = await hooked({ "hookline.yaml": text }, { trust: false });
    const { stdout, exitCode } = await place.run(["hooks", "validate"]);
    expect(stdout).toContain('hookline.yaml:1  rules.safety/no-such: unknown rule "safety/no-such"');
    expect(exitCode).toBe(1);
  });

  test("X23 one id twice in a policy is a mistake; yours and the repository's may have one name", async () => {
    const twice = { id: "a", on: "PreToolUse", run: "touch ran" };
    using place = await hooked({ "hookline.yaml": inline(twice, twice) }, { trust: false });
    expect((await place.run(["hooks", "validate"])).stdout).toContain("HL_HOOK_DUPLICATE");
    place.write("theirs.sh", "#!/bin/sh\ntouch theirs\n");
    place.write("yours.sh", "#!/bin/sh\ntouch yours\n");
    place.write("hookline.yaml", inline({ ...twice, run: ["sh", "./theirs.sh"], once: true }));
    place.write(
      "../home/.config/hookline/hookline.yaml",
      inline({ ...twice, on: "PostToolUse", run: ["sh", "./yours.sh"], once: true }),
    );
    await place.run(["trust", "--yes"]);
    await bash(place);
    await place.run(["run"], {
      ...claude(place.root, "Bash", { command: "ls" }, "PostToolUse"),
      tool_response: {},
    });
    expect(["theirs", "yours"].map((name) => existsSync(place.path(name)))).toEqual([true, true]);
  });

  test("S1-F4 a module that is not there is found before it is needed", async () => {
    const hook = { id: "a", on: "Stop", module: "./none.ts" };
    using place = await hooked({ "hookline.yaml": inline(hook) }, { trust: false });
    const { stdout, exitCode } = await place.run(["hooks", "validate"]);
    expect(stdout).toContain("hookline.yaml:1  a: `none.ts` does not exist (HL_HOOK_NOT_EXECUTABLE)");
    expect(exitCode).toBe(1);
  });
});

describe("S1-R15, S1-R25, S1-F3 modules run in our process with the same result", () => {
  const yaml = (more = "") =>
    `id: check\nevent_type: PreAbilityCall\nhandler: { kind: module, module: ./hooks/check.ts }\n${more}`;
  const emit = (place: Workspace) =>
    place.run(["emit", "PreAbilityCall"], { ability_id: "deploy", session_id: "s" });

  test("a default function gets the context as its argument", async () => {
    using place = await hooked({
      ".system/hooks/check.yaml": yaml(),
      "hooks/check.ts": `import { helper } from "./lib.ts";
export default async (context: { ability_id: string; repository_root: string }) => {
  console.log("not part of the answer");
  process.stdout.write("nor this");
  return { messages_to_user: [helper(context.ability_id)], error: "blocked_by_policy" };
};`,
      "hooks/lib.ts": "export const helper = (id: string): string => `no ${id}`;",
    });
    const { exitCode, json } = await emit(place);
    expect(exitCode).toBe(2);
    expect(json()).toMatchObject({
      messages_to_user: ["no deploy"],
      error: "blocked_by_policy",
      blocked: true,
    });
    // What it imports is pinned with it.
    place.write("hooks/lib.ts", "export const helper = () => 'other';");
    expect((await emit(place)).stdout).toContain("hooks/lib.ts has changed since it was trusted");
  });

  test.each([
    ["never returns", "export default () => { for (;;); };", "no answer within 300 ms"],
    [
      "never returns after waiting",
      "export default async () => { await 1; for (;;); };",
      "no answer within 300 ms",
    ],
    ["throws", "export default () => { throw new Error('oh'); };", "oh"],
    ["does not parse", "export default (", "Unexpected end of file"],
    ["has no function", "export const x = 1;", "it has no default function"],
    ["ends the process", "export default () => process.exit(0);", "hook itself failed"],
  ])("one that %s is a warning, or a refusal where it is blocking", async (_, source, why) => {
    for (const blocking of [false, true]) {
      using place = await hooked({
        ".system/hooks/check.yaml": yaml(
          `timeout_ms: ${why.includes("300") ? 300 : 15_000}\nblocking: ${blocking}\n`,
        ),
        "hooks/check.ts": source,
      });
      const { exitCode, stdout } = await emit(place);
      expect(exitCode).toBe(blocking ? 2 : 0);
      expect(stdout).toContain(why);
    }
  });
});

describe("TypeScript scripts", () => {
  const files = (source: string) => ({
    "hookline.yaml": "hooks:\n  - { id: ts, on: UserPromptSubmit, run: [./hooks/h.ts, one] }\n",
    "hooks/h.ts": source,
    "hooks/lib.ts": "export const word: string = 'from lib';",
  });
  const prompt = (place: Workspace) =>
    place.run(
      ["run"],
      { ...claude(place.root, "", {}, "UserPromptSubmit"), prompt: "hi" },
      { PATH: "/nowhere" },
    );

  test("have imports, arguments, timers, standard input, and find themselves to be the main one", async () => {
    using place = await hooked(
      files(`import { word } from "./lib.ts";
const input: { prompt: string } = await Bun.stdin.json();
if (import.meta.main) setTimeout(() => console.log(word, input.prompt, process.argv[2]), 50);`),
    );
    expect((await prompt(place)).json().hookSpecificOutput.additionalContext).toBe("from lib hi one");
  });

  test("that throw are failures", async () => {
    using place = await hooked(files("throw new Error('oh no');"));
    expect((await prompt(place)).json().systemMessage).toContain("exit 1");
  });

  test("of your own policy run without trust, and again when you have changed them", async () => {
    using place = await hooked({}, { trust: false });
    const script = join(place.home, "hooks/mine.ts");
    const say = (word: string): void =>
      place.write("../home/hooks/mine.ts", `console.log("${word}" as string);\n`);
    for (const run of [`["${script}"]`, `"bun '${script}'"`]) {
      place.write(
        "../home/.config/hookline/hookline.yaml",
        `hooks:\n  - { id: mine, on: UserPromptSubmit, run: ${run} }\n`,
      );
      const bin = { PATH: "/nowhere" };
      const prompt = { ...claude(place.root, "", {}, "UserPromptSubmit"), prompt: "hi" };
      say("one");
      expect((await place.run(["run"], prompt, bin)).stdout).toContain('"one"');
      say("two");
      expect((await place.run(["run"], prompt, bin)).stdout).toContain('"two"');
    }
  });

  describe("neither Bun nor Node need be installed, however a command line names them", () => {
    /** All that a shell needs, and nothing else. */
    const withoutBun = (place: Workspace): string => {
      const folder = join(place.home, "bin");
      mkdirSync(folder, { recursive: true });
      for (const name of ["sh", "env", "cat"])
        if (!existsSync(join(folder, name))) symlinkSync(`/usr/bin/${name}`, join(folder, name));
      return folder;
    };
    const nested = (command: string, more: object = {}): Record<string, string> => ({
      "plugins/p/hooks/hooks.json": JSON.stringify({
        hooks: { UserPromptSubmit: [{ hooks: [{ type: "command", command, timeout: 5, ...more }] }] },
      }),
    });
    const inline = (run: string): Record<string, string> => ({
      "hookline.yaml": `hooks:\n  - { id: h, on: UserPromptSubmit, run: ${JSON.stringify(run)} }\n`,
    });
    test.each([
      ["a path", nested("${CLAUDE_PLUGIN_ROOT}/h.ts one")],
      ["a path in quotes", nested('"${CLAUDE_PLUGIN_ROOT}/h.ts" one')],
      ["bun", nested('bun "${CLAUDE_PLUGIN_ROOT}/h.ts" one')],
      ["bun run", nested('bun run --silent "${CLAUDE_PLUGIN_ROOT}/h.ts" one')],
      ["node", nested('node --no-warnings "${CLAUDE_PLUGIN_ROOT}/h.ts" one')],
      ["behind another command", nested('cd "$CLAUDE_PROJECT_DIR" && bun plugins/p/h.ts one')],
      ["a program and its arguments", nested("bun", { args: ["plugins/p/h.ts", "one"] })],
      ["the policy's own command line", inline("./plugins/p/h.ts one")],
    ])("%s", async (_, files) => {
      using place = await hooked({
        ...files,
        "plugins/p/h.ts": `#!/usr/bin/env bun
const input: { prompt: string } = await Bun.stdin.json();
console.log("said", input.prompt, process.argv[2]);`,
      });
      const prompt = { ...claude(place.root, "", {}, "UserPromptSubmit"), prompt: "hi" };
      const ran = await place.run(["run"], prompt, { PATH: withoutBun(place) });
      expect(ran.stdout).toContain("said hi one");
    });

    test("but nothing runs that was not trusted, neither another file nor code", async () => {
      using place = await hooked({
        ...inline("node -e 'console.log(1)'; echo $?; bun other.ts; echo $?; bun plugins/p/h.ts"),
        "plugins/p/h.ts": "console.log('trusted');",
      });
      place.write("other.ts", "console.log('other');");
      const prompt = { ...claude(place.root, "", {}, "UserPromptSubmit"), prompt: "hi" };
      const ran = await place.run(["run"], prompt, { PATH: withoutBun(place) });
      expect(ran.json().systemMessage).toContain("other.ts was not there when it was trusted");
      rmSync(place.path("other.ts"));
      const again = await place.run(["run"], prompt, { PATH: withoutBun(place) });
      expect(again.json().hookSpecificOutput.additionalContext).toBe("127\n1\ntrusted");
    });
  });

  test("the runtime behind it runs nothing that is not trusted", async () => {
    using place = await hooked(files("console.log('ran');"));
    place.write("other.ts", "console.log('ran');");
    const { exitCode, stdout, stderr } = await place.run(["script", place.path("other.ts")]);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("is not trusted as it is now");
  });
});

describe("http hooks post to a server", () => {
  /** A server on loopback for as long as one test. */
  async function served(
    respond: (request: Request) => Response | Promise<Response>,
    more: object = {},
  ): Promise<{
    place: Workspace;
    port: number;
    seen: { method: string; type: string | null; body: any }[];
    stop: () => void;
  }> {
    const seen: { method: string; type: string | null; body: any }[] = [];
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        seen.push({
          method: request.method,
          type: request.headers.get("content-type"),
          body: await request.clone().json(),
        });
        return respond(request);
      },
    });
    const port = server.port ?? 0;
    const place = await hooked({
      "hookline.yaml": JSON.stringify({
        handlers: { http: { allow: [`127.0.0.1:${port}`] } },
        hooks: [{ id: "ask", on: "PreToolUse", http: `http://127.0.0.1:${port}/hook`, ...more }],
      }),
    });
    return { place, port, seen, stop: () => void server.stop(true) };
  }

  test("as JSON, and take its answer", async () => {
    const { place, seen, stop } = await served(() =>
      Response.json({ decision: "block", reason: "not today" }),
    );
    using _ = place;
    expect((await bash(place)).json().permissionDecisionReason).toContain("not today");
    expect(seen).toMatchObject([{ method: "POST", type: "application/json", body: { tool_name: "Bash" } }]);
    stop();
  });

  test.each([
    [
      "a redirect, which is not followed",
      () => Response.redirect("http://127.0.0.1:1/elsewhere", 302),
      "redirect (302)",
    ],
    ["an error", () => new Response("oops", { status: 500 }), "answered with 500"],
    ["no answer in time", async () => (await Bun.sleep(5000), new Response("{}")), "no answer within 300 ms"],
    ["half of its JSON", () => new Response('{"decision": "blo'), "broken JSON"],
    ["too much", () => new Response(`{"reason":"${"x".repeat(2_000_000)}"}`), "more than 1 MiB"],
  ])("%s", async (_, respond, why) => {
    for (const blocking of [false, true]) {
      const { place, stop } = await served(respond, {
        timeoutMs: why.includes("300") ? 300 : 15_000,
        blocking,
      });
      using __ = place;
      const ran = await bash(place);
      expect(ran.stdout).toContain(why);
      expect(ran.json().permissionDecision).toBe(blocking ? "deny" : undefined);
      stop();
    }
  });

  test("an http hook of nested settings that says `async` is waited for: only a command can be left alone", async () => {
    const { place, port, seen, stop } = await served(() => Response.json({ decision: "block" }), {
      enabled: false,
    });
    using _ = place;
    const hook = { type: "http", url: `http://127.0.0.1:${port}/hook`, async: true };
    place.write("plugins/p/hooks/hooks.json", JSON.stringify({ hooks: { PreToolUse: [{ hooks: [hook] }] } }));
    await place.run(["trust", "--yes"]);
    expect((await bash(place)).json().permissionDecision).toBe("deny");
    expect(seen.length).toBe(1);
    stop();
  });

  test("only hosts the policy names are asked", async () => {
    const { place, port, seen, stop } = await served(() => Response.json({}));
    using _ = place;
    const hooks = [{ id: "ask", on: "PreToolUse", http: `http://localhost:${port}/hook` }];
    place.write(
      "hookline.yaml",
      JSON.stringify({ handlers: { http: { allow: [`127.0.0.1:${port}`] } }, hooks }),
    );
    await place.run(["trust", "--yes"]);
    expect((await bash(place)).json().systemMessage).toContain("not among the hosts");
    expect(seen).toEqual([]);
    stop();
  });

  test("headers hold variables only where they are allowed to be sent", async () => {
    const heard: (string | null)[] = [];
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch({ headers }) {
        heard.push(headers.get("x-good"), headers.get("x-bad"));
        return Response.json({});
      },
    });
    const url = `http://127.0.0.1:${server.port}/`;
    const entry = {
      type: "http",
      url,
      headers: { "x-good": "a ${GOOD}", "x-bad": "b $BAD" },
      allowedEnvVars: ["GOOD"],
    };
    using place = await hooked({
      "hookline.yaml": JSON.stringify({ handlers: { http: { allow: ["127.0.0.1"] } } }),
      "plugins/p/hooks/hooks.json": JSON.stringify({ hooks: { Stop: [{ hooks: [entry] }] } }),
    });
    await place.run(["run"], claude(place.root, "", {}, "Stop"), { GOOD: "yes", BAD: "no" });
    expect(heard).toEqual(["a yes", "b"]);
    await server.stop(true);
  });

  test("nobody there is a failure", async () => {
    const { place, stop } = await served(() => Response.json({}));
    using _ = place;
    stop();
    expect((await bash(place)).json().systemMessage).toContain("could not be reached");
  });
});

test("X16 hooks run side by side", async () => {
  using place = await hooked({
    "hookline.yaml": inline(
      ...Array.from({ length: 6 }, (_, at) => ({
        id: `h${at}`,
        on: "PreToolUse",
        run: `touch go${at}; until [ -e go5 ]; do sleep 0.02; done`,
      })),
    ),
  });
  // The first would wait for ever if the last only began when it had ended.
  expect((await bash(place)).stdout).toBe("");
  expect(
    place
      .records()
      .at(-1)
      ?.["hooks"].map((run: any) => run.status),
  ).toEqual(Array(6).fill("ok"));
});

test("what hooks say is masked in the record, and enough of it is kept to read it again", async () => {
  const secret = ["ghp", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("_");
  using place = await hooked({
    "hookline.yaml": inline({ id: "leaky", on: "UserPromptSubmit", run: `echo token ${secret}; exit 0` }),
  });
  await place.run(["run"], { ...claude(place.root, "", {}, "UserPromptSubmit"), prompt: "x" });
  const file = readFileSync(`${place.ledger}/current.jsonl`, "utf8");
  expect(file).not.toContain(secret);
  expect(place.records().at(-1)?.["hooks"]).toMatchObject([
    { hook: { id: "leaky", profile: "plugin", failMode: "open" }, raw: { ended: "exit", exitCode: 0 } },
  ]);
});

test("X16 what a rule has refused does not wait for a hook that takes notes and its time", async () => {
  using place = await hooked({
    "hookline.yaml": inline({
      id: "slow",
      on: "PreToolUse",
      run: "touch ran; sleep 60",
      timeoutMs: 60_000,
      blocking: false,
    }),
  });
  const { json } = await bash(place, "rm -rf ~");
  expect(json().permissionDecision).toBe("deny");
  expect(existsSync(place.path("ran"))).toBe(true);
  expect(place.records().at(-1)?.["hooks"]).toMatchObject([
    { hook: { id: "slow" }, raw: { ended: "timeout" } },
  ]);
});

describe("X8 a hook does not push our answer beyond the agent's time limit", () => {
  const slow = (id: string, blocking: boolean) => ({
    id,
    on: ["PreToolUse", "PreAbilityCall"],
    run: "sleep 60",
    timeoutMs: 60_000,
    blocking,
  });
  const policy = (...hooks: readonly object[]): string =>
    JSON.stringify({ hooks, handlers: { deadlineMs: 700 } });

  test("at the deadline hooks are ended by their fail mode, also those that had to wait for their turn", async () => {
    for (const blocking of [false, true]) {
      const hooks = Array.from({ length: 20 }, (_, at) => slow(`slow-${at}`, blocking));
      using place = await hooked({ "hookline.yaml": policy(...hooks) });
      const { stdout, json } = await bash(place);
      expect(json().permissionDecision).toBe(blocking ? "deny" : undefined);
      expect(stdout).toContain("no answer before that to the agent was due; see handlers.deadlineMs");
      // The first to fail closed is a refusal, behind which nobody is asked any more.
      const fate = (at: number): object => (blocking && at > 0 ? {} : { status: "failed" });
      expect(place.records().at(-1)?.["hooks"]).toMatchObject(
        hooks.map(({ id }, at) => ({ hook: { id }, ...fate(at) })),
      );
    }
  });

  test("unless said otherwise, that is well below ten seconds", async () => {
    using place = await hooked({ "hookline.yaml": inline(slow("slow", true)) });
    const { json } = await bash(place);
    expect(json().permissionDecisionReason).toContain("no answer before that to the agent was due");
  });

  test("who emits an event waits", async () => {
    using place = await hooked({
      "hookline.yaml": policy({
        id: "a",
        on: "PreAbilityCall",
        run: "sleep 1; echo '{}'",
        blocking: true,
        profile: "ability",
      }),
    });
    expect((await place.run(["emit", "PreAbilityCall"], { ability_id: "a" })).exitCode).toBe(0);
  });
});

test("who observes only is told what hooks say, and nothing is changed or stopped", async () => {
  const change = {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      updatedInput: { command: "pwd" },
      additionalContext: "a word",
    },
  };
  using place = await hooked({
    "hookline.yaml": JSON.stringify({
      mode: "observe",
      hooks: [
        { id: "change", on: "PreToolUse", run: `echo '${JSON.stringify(change)}'` },
        { id: "refuse", on: "PreToolUse", run: "exit 2" },
      ],
    }),
  });
  const { json } = await bash(place);
  expect(json().hookSpecificOutput).toEqual({ hookEventName: "PreToolUse", additionalContext: "a word" });
  expect(place.records().at(-1)?.["verdict"]).toMatchObject({ outcome: "pass", would: "block" });
});

test("S4-R1 hooks run outside of the model's context: what they log stays out of it", async () => {
  using place = await hooked({
    "hookline.yaml": inline({ id: "quiet", on: "PreToolUse", run: "echo to stdout; echo to stderr >&2" }),
  });
  expect((await bash(place)).stdout).toBe("");
  expect(place.records().at(-1)?.["hooks"]).toMatchObject([
    { raw: { stdout: "to stdout\n", stderr: "to stderr\n" } },
  ]);
});

test("many hooks of one event run in turn, and all of them count", async () => {
  using place = await hooked({
    "hookline.yaml": inline(
      ...Array.from({ length: 40 }, (_, at) => ({ id: `h${at}`, on: "SessionStart", run: `echo ${at}` })),
    ),
  });
  const { json } = await place.run(["emit", "SessionStart"], { session_id: "s" });
  expect(json().context).toEqual(Array.from({ length: 40 }, (_, at) => String(at)));
});

test("a workspace entered by a link has the same hooks trusted", async () => {
  using place = await hooked({
    ...registryHook("greet", "SessionStart", "echo '{\"usage_recorded\":true}'"),
  });
  symlinkSync(place.root, `${place.home}/link`);
  const { json } = await place.run(
    ["emit", "SessionStart"],
    {},
    { CLAUDE_PROJECT_DIR: `${place.home}/link` },
  );
  expect(json()).toEqual({ usage_recorded: true });
});

test("S4-C1 a no that was said counts, also when the hook has to be ended", async () => {
  using place = await hooked({
    "hookline.yaml": inline({
      id: "no",
      on: "PreToolUse",
      run: `echo '{"decision":"block","reason":"no"}'; exec sleep 60`,
      timeoutMs: 500,
    }),
  });
  expect((await bash(place)).json().permissionDecision).toBe("deny");
});
