import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claude, workspace, type Workspace } from "./support/hookline.ts";

const flow = (state: string, more = ""): string => `extends: []
workflows:
  one:
    state: ${state}
    states:
      a: { forbid: [{ edit: "src/**" }], requires: [{ file: plan.md }] }
      b: {}
      c: { final: true }
    transitions: [{ from: a, to: b }, { from: b, to: c }, { from: b, to: a }]
${more}`;
const byKey = flow("{ file: s.yaml, key: at }");

const outcome = async (w: Workspace, tool: string, input: object): Promise<string> =>
  (await w.run(["eval"], claude(w.root, tool, input))).json().outcome;
const shell = (w: Workspace, command: string): Promise<string> => outcome(w, "Bash", { command });
const write = (w: Workspace, file: string, content = ""): Promise<string> =>
  outcome(w, "Write", { file_path: w.path(file), content });

describe("a state file that is not as it should be", () => {
  const odd: [string, string, string][] = [
    ["CRLF", "at: b\r\nname: x\r\n", "pass"],
    ["a byte order mark", "\uFEFFat: b\n", "pass"],
    ["quotes", 'at: "b"\n', "pass"],
    ["flow style", "{ at: b }\n", "pass"],
    ["nothing in it", "", "block"],
    ["no such key", "name: x\n", "block"],
    ["null", "at: null\n", "block"],
    ["a number", "at: 1\n", "ask"],
    ["a list", "at: [b]\n", "ask"],
    ["a mapping", "at: { b: c }\n", "ask"],
    ["a state that is none", "at: bb\n", "ask"],
    ["the name of what every object has", "at: constructor\n", "ask"],
    ["broken YAML", "at: b\n  at: [\n", "ask"],
    ["the key twice", "at: a\nat: b\n", "ask"],
    ["bytes", "\0\0\0", "ask"],
    ["no mapping", "just text\n", "ask"],
  ];
  test.each(odd)("%s", async (_, text, expected) => {
    using w = workspace({ "hookline.yaml": byKey, "s.yaml": text });
    expect(await write(w, "src/x.ts")).toBe(expected);
    // The real hook answers, too.
    expect(
      (await w.run(["run"], claude(w.root, "Write", { file_path: w.path("src/x.ts"), content: "" })))
        .exitCode,
    ).toBe(0);
  });

  test("missing, a folder, a link in the workspace, a link out of it, unreadable", async () => {
    using w = workspace({ "hookline.yaml": byKey, "real.yaml": "at: b\n" });
    expect(await write(w, "src/x.ts")).toBe("block");
    symlinkSync("real.yaml", w.path("s.yaml"));
    expect(await write(w, "src/x.ts")).toBe("pass");
    // A step through the link's target is a step.
    expect(await shell(w, "sed -i s/b/nowhere/ real.yaml")).toBe("block");
    using out = workspace({ "hookline.yaml": byKey });
    writeFileSync(join(out.home, "s.yaml"), "at: b\n");
    symlinkSync(join(out.home, "s.yaml"), out.path("s.yaml"));
    expect(await write(out, "src/x.ts")).toBe("ask");
    using folder = workspace({ "hookline.yaml": byKey, "s.yaml/x": "" });
    expect(await write(folder, "src/x.ts")).toBe("ask");
    if (process.getuid?.() !== 0) {
      using locked = workspace({ "hookline.yaml": byKey, "s.yaml": "at: b\n" });
      chmodSync(locked.path("s.yaml"), 0);
      expect(await write(locked, "src/x.ts")).toBe("ask");
    }
  });

  test("a state file out of the workspace is a mistake in the policy", async () => {
    for (const file of ["../s.yaml", "/etc/s.yaml", "~/s.yaml", "a/../../s.yaml"]) {
      using w = workspace({ "hookline.yaml": flow(`{ file: ${file}, key: at }`) });
      const { stdout, exitCode } = await w.run(["workflow", "check"]);
      expect([exitCode, stdout]).toEqual([1, expect.stringContaining("leads out of the workspace")]);
    }
  });
});

describe("ways around", () => {
  const files = { "hookline.yaml": byKey, "s.yaml": "at: a\n", "tmp.yaml": "at: c\n", "plan.md": "x\n" };
  test.each([
    "cp tmp.yaml s.yaml",
    "mv tmp.yaml s.yaml",
    "ln -sf tmp.yaml s.yaml",
    "cat tmp.yaml > s.yaml",
    "tee s.yaml < tmp.yaml",
    "python3 -c \"open('s.yaml','w').write('at: c')\"",
    "sed -i 's/: a/: c/' ./src/../s.yaml",
    "bash -c 'echo at: c > s.yaml'",
    "echo 'at: c' >> s.yaml",
    "sed -i 's/: a/: b/' s.yaml && sed -i 's/: b/: d/' s.yaml",
    "sed -i 's/: a/: b/' s.yaml && sed -i 's/: b/: a/' s.yaml && echo x > src/x.ts",
    "rm -rf src",
    "cd src && echo x > x.ts",
    "git checkout other -- src/x.ts",
  ])("%s", async (command) => {
    using w = workspace({ ...files, "src/x.ts": "" });
    expect(await shell(w, command)).toBe("block");
  });

  test.each([
    ["bash gen.sh", "block"],
    ["make gen", "block"],
    ["npm run gen", "block"],
    ["git wipe", "block"],
    ["bash step.sh", "block"],
    ["make step", "block"],
    ["bash own.sh", "block"],
    ["bash torn.sh", "block"],
    ["bash away.sh", "block"],
    ["git ship", "block"],
    ["git town sync", "block"],
    ["npm install left-pad", "block"],
    ["npm ci", "pass"],
    ["git read-tree -u --reset other", "block"],
    ["bash look.sh", "pass"],
    ["make look", "pass"],
    ["npm test", "pass"],
    ["bash plan.sh", "pass"],
  ] as const)("by a script: %s", async (command, expected) => {
    using w = workspace({
      ...files,
      "hookline.yaml": `${byKey.replace('{ edit: "src/**" }', '{ edit: "src/**" }, { run: git push }, { edit: package.json }')}    schemas: [{ file: notes.json, schema: { type: object } }]\n`,
      "src/x.ts": "",
      "gen.sh": "echo x > src/x.ts\n",
      "step.sh": "sed -i 's/: a/: c/' s.yaml\n",
      "plan.sh": "sed -i 's/: a/: b/' s.yaml\n",
      "own.sh": "echo '{}' > .hookline/seen/one/s.jsonl\n",
      "torn.sh": "echo x > notes.json\n",
      "away.sh": "git push\n",
      "look.sh": "cat src/x.ts > seen.txt\n",
      Makefile: "look:\n\tcat src/x.ts\n\ngen:\n\techo x > src/x.ts\n\nstep:\n\techo 'at: c' > s.yaml\n",
      "package.json": '{"scripts":{"gen":"echo x > src/x.ts","test":"node --test"}}',
      ".git/config": "[alias]\n\twipe = !echo x > src/x.ts\n\tship = push\n",
    });
    expect(await shell(w, command)).toBe(expected);
  });

  test("steps one after the other in one command line are steps", async () => {
    using w = workspace(files);
    expect(await shell(w, "sed -i 's/: a/: b/' s.yaml && echo x > src/x.ts")).toBe("pass");
    expect(await shell(w, "sed -i 's/: a/: b/' s.yaml && sed -i 's/: b/: c/' s.yaml")).toBe("pass");
    expect(await shell(w, "echo x > src/x.ts && sed -i 's/: a/: b/' s.yaml")).toBe("block");
    expect(await shell(w, "echo y > plan.md && sed -i 's/: a/: b/' s.yaml")).toBe("pass");
    expect(await shell(w, "rm plan.md && sed -i 's/: a/: b/' s.yaml")).toBe("block");
  });

  test("who may move: the main agent, or a kind of subagent", async () => {
    using w = workspace({
      ...files,
      "hookline.yaml": byKey.replace("{ from: a, to: b }", "{ from: a, to: b, by: [planner] }"),
    });
    const payload = claude(w.root, "Bash", { command: "sed -i 's/: a/: b/' s.yaml" });
    const by = async (agent: object): Promise<string> =>
      (await w.run(["eval"], { ...payload, ...agent })).json().outcome;
    expect(await by({})).toBe("block");
    expect(await by({ agent_id: "x1", agent_type: "planner" })).toBe("pass");
    expect(await by({ agent_id: "x1", agent_type: "executor" })).toBe("block");
  });
});

describe("the other places a state can live", () => {
  test("a marker line, by every tool", async () => {
    using w = workspace({
      "hookline.yaml": flow('{ file: S.md, marker: "**Status:** {state}" }'),
      "S.md": "# T\r\n\r\n**Status:** a\r\n",
      "plan.md": "x",
    });
    expect(await write(w, "src/x.ts")).toBe("block");
    expect(
      await outcome(w, "Edit", {
        file_path: w.path("S.md"),
        old_string: "**Status:** a",
        new_string: "**Status:** b",
      }),
    ).toBe("pass");
    expect(
      await outcome(w, "Edit", {
        file_path: w.path("S.md"),
        old_string: "**Status:** a",
        new_string: "**Status:** c",
      }),
    ).toBe("block");
  });

  test("a file's presence", async () => {
    using w = workspace({
      "hookline.yaml": flow("{ present: { c: DONE, b: 'open/*.md' } }"),
      "plan.md": "x",
    });
    expect(await shell(w, "touch DONE")).toBe("block");
    expect(await shell(w, "mkdir -p open && echo x > open/1.md")).toBe("pass");
    w.write("open/1.md", "x");
    expect(await write(w, "src/x.ts")).toBe("pass");
    expect(await shell(w, "echo x > DONE")).toBe("pass");
    expect(await shell(w, "rm -r open")).toBe("pass");
  });

  test("the branch, by git switch, checkout and an alias", async () => {
    using w = workspace({
      "hookline.yaml": flow("{ branch: { a: main, b: 'work/*', c: 'release/*' } }"),
      ".git/config": "[alias]\n  go = checkout\n",
    });
    expect(await write(w, "src/x.ts")).toBe("block");
    expect(await shell(w, "git switch -c work/x")).toBe("block");
    w.write("plan.md", "x");
    expect(await shell(w, "git switch -c work/x")).toBe("pass");
    expect(await shell(w, "git checkout release/1")).toBe("block");
    expect(await shell(w, "git go release/1")).toBe("block");
    expect(await shell(w, "git switch $BRANCH")).toBe("block");
    expect(await shell(w, "git -C . switch -c work/x && git switch release/1")).toBe("block");
    w.write("go.sh", "git switch release/1\n");
    for (const command of [
      "bash go.sh",
      "gh pr checkout 7",
      "echo ref: refs/heads/release/1 > .git/HEAD",
      "git symbolic-ref HEAD refs/heads/release/1",
      "GIT_CONFIG_GLOBAL=/x git going",
      "rm -rf .git",
    ])
      expect([command, await shell(w, command)]).toEqual([command, "block"]);
    w.write(".git/HEAD", "ref: refs/heads/work/x\n");
    expect(await write(w, "src/x.ts")).toBe("pass");
    expect(await shell(w, "git switch release/1")).toBe("pass");
  });
});

describe("several at once", () => {
  test("two workflows both count, and one may wait for the other", async () => {
    using w = workspace({
      "hookline.yaml": `${byKey}  two:
    state: { file: t.json, key: at }
    states: { x: { forbid: [{ run: make }] }, y: {} }
    transitions: [{ from: x, to: y, when: [{ workflow: one, at: b }] }, { from: y, to: x }]
`,
      "t.json": '{"at":"x"}',
      "s.yaml": "at: a\n",
    });
    expect((await w.run(["workflow", "check"])).exitCode).toBe(0);
    expect(await shell(w, "make all")).toBe("block");
    expect(await write(w, "src/x.ts")).toBe("block");
    expect(await write(w, "t.json", '{"at":"y"}')).toBe("block");
    w.write("s.yaml", "at: b\n");
    expect(await write(w, "t.json", '{"at":"y"}')).toBe("pass");
    expect((await w.run(["workflow", "status", "--json"])).json()).toMatchObject([
      { workflow: "one", state: "b" },
      { workflow: "two", state: "x" },
    ]);
  });

  test("events at the same time lose nothing of what was seen, and half a line is none", async () => {
    using w = workspace({
      "hookline.yaml": `extends: []
workflows:
  one:
    state: { recorded: workspace }
    watch: { tests: { run: make } }
    states: { start: {}, red: { forbid: [{ edit: "src/**" }] } }
    transitions: [{ from: start, to: red, on: tests failed }, { from: red, to: start, on: tests passed }]
    retries: [{ run: make, most: 50, handOff: Ask. }]
`,
    });
    const log = ".hookline/seen/one/_workspace.jsonl";
    const failed = {
      ...claude(w.root, "Bash", { command: "make" }, "PostToolUseFailure"),
      error: "Exit code 2\n",
    };
    const answers = await Promise.all(Array.from({ length: 16 }, () => w.run(["run"], failed)));
    expect(answers.every(({ exitCode }) => exitCode === 0)).toBe(true);
    const lines = readFileSync(w.path(log), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.filter(({ failed: budget }) => budget === 0)).toHaveLength(16);
    expect(await write(w, "src/x.ts")).toBe("block");
    writeFileSync(w.path(log), `${readFileSync(w.path(log), "utf8")}{"saw":"tests","result":"pas`);
    expect(await write(w, "src/x.ts")).toBe("block");
    // The next line begins a new one all the same, or is lost with the half one: never read as something else.
    const passed = {
      ...claude(w.root, "Bash", { command: "make" }, "PostToolUse"),
      tool_response: { stdout: "" },
    };
    await w.run(["run"], passed);
    await w.run(["run"], passed);
    expect(await write(w, "src/x.ts")).toBe("pass");
  }, 60_000);
});

describe("the policy", () => {
  test("broken YAML in a workflow's file is named with its place, and what was good stays in force", async () => {
    using w = workspace({
      "hookline.yaml": "extends: []\nworkflows: { one: ./flow.yaml }\n",
      "flow.yaml": byKey
        .split("\n")
        .slice(3)
        .map((line) => line.slice(4))
        .join("\n"),
    });
    expect(await write(w, "src/x.ts")).toBe("block");
    w.write("flow.yaml", "state: {\n");
    const { stdout, exitCode } = await w.run(["workflow", "check"]);
    expect([exitCode, stdout]).toEqual([1, expect.stringMatching(/flow\.yaml:\d+:\d+ .*HL_YAML/s)]);
    expect(await write(w, "src/x.ts")).toBe("block");
  });

  test("a repository's file must lie in it, and be one", async () => {
    using w = workspace({
      "hookline.yaml": "workflows: { one: ./flow.yaml, two: ../out.yaml, three: ./none.yaml }\n",
    });
    writeFileSync(join(w.root, "../out.yaml"), "");
    symlinkSync("/etc/hostname", w.path("flow.yaml"));
    const { stdout } = await w.run(["workflow", "check"]);
    expect(stdout.match(/leads out of the workspace/g)).toHaveLength(2);
    expect(stdout).toContain("cannot be read (ENOENT)");
  });

  test("a managed workflow that is locked is neither changed nor switched off, and counts where others are only observed", async () => {
    const managed = byKey.replace("  one:\n", "  one:\n    locked: true\n").replace("extends: []\n", "");
    using w = workspace({
      "hookline.yaml":
        "extends: []\nmode: observe\nrules:\n  workflow/forbidden: off\nworkflows:\n  one: { state: { file: x.json, key: k }, states: { z: {} } }\n",
    });
    const file = join(w.home, "managed.yaml");
    writeFileSync(file, managed);
    const ask = async (path: string): Promise<string> => {
      const payload = claude(w.root, "Write", { file_path: w.path(path), content: "" });
      return (await w.run(["eval"], payload, { HOOKLINE_MANAGED_POLICY: file })).json().outcome;
    };
    expect(await ask("src/x.ts")).toBe("block");
    expect(await ask("other.ts")).toBe("pass");
    expect(await write(w, "src/x.ts")).toBe("pass");
    using own = workspace({ "hookline.yaml": managed });
    expect((await own.run(["workflow", "check"])).stdout).toContain("HL_LOCK_NOT_MANAGED");
  });

  test("ten thousand states and cycles are read, checked, drawn and judged", async () => {
    const names = Array.from({ length: 10_000 }, (_, at) => `s${at}`);
    const big = [
      "state: { file: s.yaml, key: at }",
      "states:",
      ...names.map((name) => `  ${name}: {forbid: [{edit: "src/${name}/**"}]}`),
      "transitions:",
      ...names.map((name, at) => `  - {from: ${name}, to: s${(at + 1) % names.length}}`),
      ...names
        .slice(0, 500)
        .map((name, at) => `  - {from: ${name}, to: s${(at * 7919) % names.length}}`)
        .filter((line) => !/from: (s\d+), to: \1}/.test(line)),
      "",
    ].join("\n");
    using w = workspace({
      "hookline.yaml": "extends: []\nworkflows: { big: ./big.yaml }\n",
      "big.yaml": big,
      "s.yaml": "at: s77\n",
    });
    expect((await w.run(["workflow", "check"])).stdout).toContain("10000 states: nothing to find");
    expect(await write(w, "src/s77/x.ts")).toBe("block");
    expect(await write(w, "src/s78/x.ts")).toBe("pass");
    expect(await shell(w, "sed -i s/77/78/ s.yaml")).toBe("pass");
    expect(await shell(w, "sed -i s/77/79999/ s.yaml")).toBe("block");
    const drawn = await w.run(["workflow", "graph", "--format", "svg"]);
    expect(drawn.stdout.endsWith("</svg>\n")).toBe(true);
    expect((await w.run(["workflow", "graph"])).stdout).toContain("s9999 --> s0");
  }, 120_000);

  test("a picture is well-formed whatever it is called", async () => {
    const name = `<script>&"'\u0007]]> -->`;
    using w = workspace({
      "hookline.yaml": JSON.stringify({
        workflows: {
          odd: {
            summary: name,
            state: { file: "s.json", key: "k" },
            states: { [name]: { label: name }, 日本語: null },
            transitions: [{ from: name, to: "日本語", label: name }],
          },
        },
      }),
    });
    const { stdout } = await w.run(["workflow", "graph", "--format", "svg"]);
    expect(stdout).not.toContain("<script");
    expect(stdout).not.toContain("\u0007");
    const parsed = new HTMLRewriter()
      .on("script", {
        element: () => {
          throw new Error("a script");
        },
      })
      .transform(stdout);
    expect(parsed).toContain("日本語");
    // Every tag that is opened is closed in its turn.
    const open: string[] = [];
    for (const [, close, tag = "", self] of stdout.matchAll(/<(\/?)([a-z]+)[^<>]*?(\/?)>/g))
      if (close) expect(open.pop()).toBe(tag);
      else if (!self) open.push(tag);
    expect(open).toEqual([]);
  });
});

test("a workspace without workflows loads none of it", async () => {
  using w = workspace();
  mkdirSync(w.path("src"));
  const explained = await w.run(
    ["explain"],
    claude(w.root, "Write", { file_path: w.path("src/x.ts"), content: "" }),
  );
  expect(explained.stdout).not.toContain("workflow/");
});

describe("what a person has to bring about", () => {
  const policy = `extends: []
workflows:
  one:
    state: { file: s.yaml, key: at }
    states: { a: {}, b: {}, c: { final: true } }
    transitions:
      - { from: a, to: b, when: [{ file: REVIEW.md, line: "Verdict: approved", byHand: true }] }
      - { from: b, to: c, when: [{ file: s.yaml, key: signed, is: true, byHand: true }] }
`;
  const asked = "# Review\n\nVerdict: asked\n";

  test.each([
    ["echo 'Verdict: approved' > REVIEW.md", "block"],
    ["sed -i s/asked/approved/ REVIEW.md", "block"],
    ["sed -i s/asked/approved/ REVIEW.md && sed -i s/a/b/ s.yaml", "block"],
    ["cp $FILE REVIEW.md", "block"],
    ["bash approve.sh", "block"],
    ["echo 'signed: true' >> s.yaml", "block"],
    ["echo 'A note.' >> REVIEW.md", "pass"],
    ["rm REVIEW.md", "pass"],
    ["echo 'signed: false' >> s.yaml", "pass"],
    ["cat REVIEW.md", "pass"],
  ] as const)("is not for the agent: %s", async (command, expected) => {
    const approve = "echo 'Verdict: approved' >> REVIEW.md\n";
    using w = workspace({
      "hookline.yaml": policy,
      "s.yaml": "at: a\n",
      "REVIEW.md": asked,
      "approve.sh": approve,
    });
    expect(await shell(w, command)).toBe(expected);
  });

  test("what cannot be read is nobody's doing", async () => {
    using w = workspace({ "hookline.yaml": policy, "s.yaml": "at: a\n", "REVIEW.md/x": "" });
    expect(await write(w, "src/x.ts")).toBe("pass");
  });

  test("once a person has, the step is taken, and the file may be written on", async () => {
    const done = "# Review\n\nVerdict: approved\n";
    using w = workspace({ "hookline.yaml": policy, "s.yaml": "at: a\n", "REVIEW.md": done });
    expect(await shell(w, "sed -i s/a$/b/ s.yaml")).toBe("pass");
    expect(await shell(w, "echo 'Thank you.' >> REVIEW.md")).toBe("pass");
  });
});

test("a way out is taken without what the state requires, and every other step is not", async () => {
  const policy = `extends: []
workflows:
  one:
    state: { file: s.yaml, key: at }
    states: { a: { requires: [{ file: plan.md }] }, b: { final: true }, dropped: { final: true } }
    transitions: [{ from: a, to: b }, { from: a, to: dropped, anyway: true }]
`;
  using w = workspace({ "hookline.yaml": policy, "s.yaml": "at: a\n" });
  expect(await write(w, "s.yaml", "at: b\n")).toBe("block");
  expect(await write(w, "s.yaml", "at: dropped\n")).toBe("pass");
  w.write("plan.md", "# Plan\n");
  expect(await write(w, "s.yaml", "at: b\n")).toBe("pass");
});

test("a budget that is spent starts again with a word of the user", async () => {
  const policy = `extends: []
workflows:
  one:
    state: { recorded: session }
    states: { a: { final: true } }
    retries: [{ run: make, most: 1, handOff: Ask the user. }]
`;
  using w = workspace({ "hookline.yaml": policy });
  const event = (name: string, more: object = {}) => ({
    ...claude(w.root, "Bash", { command: "make" }, name),
    ...more,
  });
  await w.run(["run"], event("PostToolUseFailure", { error: "Exit code 1" }));
  expect(await shell(w, "make")).toBe("block");
  const { session_id, cwd } = event("UserPromptSubmit") as { session_id?: string; cwd?: string };
  await w.run(["run"], { session_id, cwd, hook_event_name: "UserPromptSubmit", prompt: "Try again." });
  expect(await shell(w, "make")).toBe("pass");
});
