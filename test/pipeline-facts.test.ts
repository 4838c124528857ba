import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { workspace } from "./support/hookline.ts";
import { at, byRun, spec, state } from "./support/pipeline.ts";

const edit = (file?: string): object => ({
  tool_name: "Edit",
  tool_input: { ...(file === undefined ? {} : { file_path: file }), old_string: "a", new_string: "b" },
});

describe("S3-F10 the read-only guard", () => {
  const said =
    "Phase 1-2 is read-only. File modifications to source code are blocked during analysis/investigation.";

  test("S3-F10 needs phase 1 or 2 and a phase in progress, and says so in its own words", async () => {
    for (const [phase, status, exit] of [
      ["phase-1", "in_progress", 2],
      ["phase-2", "in_progress", 2],
      ["phase-1", "pending", 0],
      ["phase-2", "awaiting_human", 0],
      ["phase-1", "failed", 0],
      ["phase-3", "in_progress", 0],
      ["setup", "in_progress", 0],
      ["phase-10", "in_progress", 0],
    ] as const) {
      using ws = at(phase, status);
      const ran = await byRun(ws, "pre-tool-hook", edit(ws.path("src/a.go")));
      expect([phase, status, ran.exitCode]).toEqual([phase, status, exit]);
      if (exit === 2) expect(ran.stderr).toContain(said);
      else expect(ran.stderr).not.toContain("read-only");
    }
  });

  test("S3-F10 lets artifacts of the active workspace through, and a call that names no file", async () => {
    using ws = at("phase-1");
    expect((await byRun(ws, "pre-tool-hook", edit(ws.path(`${spec}/analysis.md`)))).exitCode).toBe(0);
    expect((await byRun(ws, "pre-tool-hook", { tool_name: "Read", tool_input: {} })).exitCode).toBe(0);
    expect((await byRun(ws, "pre-tool-hook", { tool_name: "Edit", tool_input: {} })).exitCode).toBe(0);
  });
});

test("S3-F19 the hooks.json of the original is read: nested, time limits in seconds, matchers; Setup is no event of an agent", async () => {
  const hook = (command: string, timeout: number, matcher?: string) => ({
    ...(matcher === undefined ? {} : { matcher }),
    hooks: [{ type: "command", command, timeout }],
  });
  const file = {
    hooks: {
      Setup: [hook("setup.sh", 300)],
      SessionStart: [hook("start.sh", 10, "startup|clear|compact")],
      PreToolUse: [hook("pre-tool-hook.sh", 5, "Edit|Write|Bash")],
      PostToolUse: [hook("post-agent-hook.sh", 10, "Agent"), hook("post-bash-hook.sh", 30, "Bash")],
      Stop: [hook("stop-hook.sh", 5)],
    },
  };
  using ws = workspace({ "plugins/forge/hooks/hooks.json": JSON.stringify(file) });
  const found = (await ws.run(["hooks", "list", "--json"])).json() as any[];
  expect(
    found.map(({ events, match, handler, timeoutMs }) => [
      events[0],
      match?.subject,
      handler.shell,
      timeoutMs,
    ]),
  ).toEqual([
    ["SessionStart", "startup|clear|compact", "start.sh", 10_000],
    ["PreToolUse", "Edit|Write|Bash", "pre-tool-hook.sh", 5_000],
    ["PostToolUse", "Agent", "post-agent-hook.sh", 10_000],
    ["PostToolUse", "Bash", "post-bash-hook.sh", 30_000],
    ["Stop", undefined, "stop-hook.sh", 5_000],
  ]);
  const checked = await ws.run(["hooks", "validate"]);
  expect(checked.stdout + checked.stderr).toContain('unknown event "Setup"');
});

describe("S3-F21 two layers", () => {
  test("S3-F21 a tool call is refused by the rules, a step without its artifact by the commands", async () => {
    using ws = at("phase-1");
    expect((await byRun(ws, "pre-tool-hook", edit(ws.path("src/a.go")))).exitCode).toBe(2);
    const step = await ws.run(["pipeline", "complete"]);
    expect([step.exitCode, step.stderr]).toEqual([1, expect.stringContaining("analysis.md is missing")]);
    ws.write(`${spec}/analysis.md`, "# Analysis\n");
    expect((await ws.run(["pipeline", "complete"])).exitCode).toBe(0);
  });

  test("S3-F21 rules fail open, whatever is wrong with the state; commands change nothing they cannot read", async () => {
    const broken = ["", "{", "[]", "null", '"phase-1"', '{"currentPhase":1,"currentPhaseStatus":{}}', "\0\0"];
    for (const text of broken) {
      using ws = workspace({ [`${spec}/state.json`]: text });
      for (const script of ["pre-tool-hook", "post-agent-hook", "post-bash-hook", "stop-hook"] as const)
        expect([text, script, (await byRun(ws, script, edit(ws.path("src/a.go")))).exitCode]).toEqual([
          text,
          script,
          0,
        ]);
      expect((await ws.run(["pipeline", "complete"])).exitCode).not.toBe(0);
      expect(readFileSync(ws.path(`${spec}/state.json`), "utf8")).toBe(text);
    }
  }, 30_000);

  test("S3-F21 both are documented", () => {
    const page = readFileSync(join(import.meta.dir, "../docs/pipeline.md"), "utf8");
    expect(page).toContain("The rules fail open");
    expect(page).toContain("The commands fail closed");
  });
});

test("S3-C5 the guards go by names, not by two numberings, and the original's numbers name none", async () => {
  using ws = workspace();
  const rules = (await ws.run(["rules", "list", "--pack", "pipeline", "--json"])).json() as { id: string }[];
  const ids = rules.map(({ id }) => id);
  for (const name of ["read-only-phase", "parallel-commit", "protected-branch", "effort-warning"])
    expect(ids).toContain(`pipeline/${name}`);
  for (const number of ["1", "2", "3", "3f", "5"])
    expect((await ws.run(["rules", "show", `pipeline/${number}`])).exitCode).toBe(2);
  using refused = at("phase-1", "in_progress", {}, { "hookline.yaml": "extends: pipeline\n" });
  const { stderr } = await byRun(refused, "pre-tool-hook", edit(refused.path("src/a.go")));
  expect(stderr).toContain("pipeline/read-only-phase");
});

test("the declaration of the pipeline holds by itself what its rule holds", async () => {
  const declared = readFileSync(join(import.meta.dir, "../src/workflow/shipped/pipeline.yaml"), "utf8");
  for (const [phase, status] of [
    ["phase-1", "in_progress"],
    ["phase-2", "in_progress"],
    ["phase-2", "pending"],
    ["phase-5", "in_progress"],
  ] as const) {
    const files = { [`${spec}/state.json`]: state(phase, status), "flow.yaml": declared };
    using byRule = workspace({ ...files, "hookline.yaml": "extends: pipeline\n" });
    using byFlow = workspace({ ...files, "hookline.yaml": "extends: []\nworkflows:\n  own: ./flow.yaml\n" });
    const commands = [
      "sed -i s/a/b/ src/a.go",
      "git merge feature/other",
      `echo x > ${spec}/analysis.md`,
      "npx prettier --write src",
      "echo x > $FILE",
      "ls src",
    ];
    for (const command of commands) {
      const [rule, flow] = await Promise.all(
        [byRule, byFlow].map(
          async (ws) => (await ws.run(["check", command, "--json"])).json().outcome as string,
        ),
      );
      expect([phase, status, command, flow]).toEqual([phase, status, command, rule]);
    }
  }
}, 60_000);
