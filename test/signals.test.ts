import { describe, expect, test } from "bun:test";
import { appendFileSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { workspace, type Workspace } from "./support/hookline.ts";

const file = ".claude/ralph-loop.local.md";
const policy = "rules:\n  signals/promise-loop: on\n";
const state = (iteration: number, max: number): string =>
  `---\nactive: true\niteration: ${iteration}\nmax_iterations: ${max}\ncompletion_promise: "COMPLETE"\n---\n\nMake the tests pass.\n`;

const claudeSays = (...texts: string[]): string =>
  `${JSON.stringify({
    type: "assistant",
    message: { role: "assistant", content: texts.map((text) => ({ type: "text", text })) },
  })}\n`;
const copilotSays = (content: string): string =>
  `${JSON.stringify({ type: "assistant.message", data: { messageId: "m", content, toolRequests: [] }, id: "e" })}\n`;

const stop = (w: Workspace, more: object = {}): object => ({
  session_id: "s1",
  transcript_path: w.path("s1.jsonl"),
  cwd: w.root,
  hook_event_name: "Stop",
  stop_hook_active: false,
  ...more,
});

describe("the promise loop as Claude Code sees it", () => {
  test("S4-F14 no promise: decision block with the same prompt, exit 0, the next iteration on file", async () => {
    using w = workspace({
      "hookline.yaml": policy,
      [file]: state(1, 5),
      "s1.jsonl": claudeSays("Two of three.", "More to do."),
    });
    const ran = await w.run(["run"], stop(w));
    expect(ran.exitCode).toBe(0);
    expect(ran.json()).toMatchObject({ decision: "block", reason: "Make the tests pass." });
    expect(ran.json().systemMessage).toContain("iteration 2 of 5");
    expect(readFileSync(w.path(file), "utf8")).toBe(state(2, 5));
    expect(w.records()[0]).toMatchObject({
      findings: [{ rule: "signals/promise-loop", id: "again" }],
      effects: [{ effect: { do: "replace" } }],
    });
  });

  test("S2-F12 S4-R19 S4-R20 the promise in the transcript ends it: nothing is blocked, the state is gone", async () => {
    using w = workspace({
      "hookline.yaml": policy,
      [file]: state(2, 5),
      "s1.jsonl": claudeSays("All tests pass.", "<promise>\n COMPLETE\n</promise>"),
    });
    const ran = await w.run(["run"], stop(w));
    expect(ran.exitCode).toBe(0);
    expect(ran.json()).not.toHaveProperty("decision");
    expect(existsSync(w.path(file))).toBe(false);
  });

  test("S4-R22 the tag in a command, a prompt or a tool's result is no signal: only what the agent says is", async () => {
    const said = (role: string, content: unknown): string =>
      `${JSON.stringify({ message: { role, content } })}\n`;
    using w = workspace({
      "hookline.yaml": policy,
      ".claude/commands/work.md": "When you are done, output `<promise>COMPLETE</promise>`.\n",
      [file]: state(1, 5).replace("Make the tests pass.", "Say <promise>COMPLETE</promise> when done."),
      "s1.jsonl":
        said("user", "Say <promise>COMPLETE</promise> when done.") +
        said("assistant", [{ type: "tool_use", input: { text: "<promise>COMPLETE</promise>" } }]) +
        said("user", [{ type: "tool_result", content: "<promise>COMPLETE</promise>" }]) +
        claudeSays("Not done."),
    });
    const { json } = await w.run(["run"], stop(w));
    expect(json()).toMatchObject({ decision: "block", reason: "Say <promise>COMPLETE</promise> when done." });
  });

  test("S4-F14 round after round until the cap, and then the agent may stop", async () => {
    using w = workspace({ "hookline.yaml": policy, [file]: state(1, 3), "s1.jsonl": claudeSays("No.") });
    const decisions: unknown[] = [];
    for (let round = 0; round < 4; round++) {
      const { stdout } = await w.run(["run"], stop(w));
      decisions.push(stdout === "" ? undefined : JSON.parse(stdout).decision);
    }
    expect(decisions).toEqual(["block", "block", undefined, undefined]);
    expect(existsSync(w.path(file))).toBe(false);
  });

  test("S4-F14 a missing transcript, one without the agent, one whose last line has no text: the loop ends", async () => {
    const user = `${JSON.stringify({ type: "user", message: { role: "user", content: "hi" } })}\n`;
    const tool = `${JSON.stringify({ message: { role: "assistant", content: [{ type: "tool_use" }] } })}\n`;
    for (const transcript of [undefined, "", user, claudeSays("Before.") + tool]) {
      using w = workspace({ "hookline.yaml": policy, [file]: state(1, 3) });
      if (transcript !== undefined) w.write("s1.jsonl", transcript);
      const ran = await w.run(["run"], stop(w));
      expect(ran.exitCode).toBe(0);
      expect(ran.json()).not.toHaveProperty("decision");
      expect(ran.json().systemMessage).toContain("the loop has ended");
      expect(existsSync(w.path(file))).toBe(false);
    }
  });

  test("what the payload says counts more than a transcript that lags behind", async () => {
    using w = workspace({ "hookline.yaml": policy, [file]: state(1, 3), "s1.jsonl": claudeSays("No.") });
    const { stdout } = await w.run(
      ["run"],
      stop(w, { last_assistant_message: "<promise>COMPLETE</promise>" }),
    );
    expect(JSON.parse(stdout)).not.toHaveProperty("decision");
    expect(existsSync(w.path(file))).toBe(false);
  });

  test("a subagent's words in the transcript, half lines and garbage are passed over", async () => {
    const aside = JSON.stringify({
      isSidechain: true,
      message: { role: "assistant", content: [{ type: "text", text: "<promise>COMPLETE</promise>" }] },
    });
    using w = workspace({
      "hookline.yaml": policy,
      [file]: state(1, 3),
      "s1.jsonl": `${claudeSays("No.")}${aside}\n\u0000\u0000\n[]\nnull\n{"message":{"role":"assistant","content":[{"type":"te`,
    });
    expect((await w.run(["run"], stop(w))).json().decision).toBe("block");
  });

  test("a transcript of 300 MB is read from its end, past an endless line", async () => {
    using w = workspace({ "hookline.yaml": policy, [file]: state(1, 3), "s1.jsonl": "" });
    const out = openSync(w.path("s1.jsonl"), "w");
    const line = claudeSays("<promise>COMPLETE</promise>".padEnd(1_000_000, "x"));
    for (let at = 0; at < 290; at++) writeSync(out, line);
    writeSync(out, claudeSays("Not done."));
    writeSync(out, `${JSON.stringify({ type: "user", content: "y".repeat(10_000_000) })}\n`);
    closeSync(out);
    expect((await w.run(["run"], stop(w))).json().reason).toBe("Make the tests pass.");
  });

  test("a state file that leads out of the workspace is neither changed nor removed", async () => {
    using w = workspace({ "hookline.yaml": policy, "s1.jsonl": claudeSays("No.") });
    const outside = `${w.home}/loop.md`;
    await Bun.write(outside, state(1, 3));
    mkdirSync(w.path(".claude"));
    await Bun.$`ln -s ${outside} ${w.path(file)}`.quiet();
    await w.run(["run"], stop(w));
    expect(readFileSync(outside, "utf8")).toBe(state(1, 3));
    expect(w.records()[0]?.["effects"][0].error).toContain("out of the workspace");
  });
});

test("S4-F14 Copilot's own transcript: the loop goes on and ends", async () => {
  using w = workspace({ "hookline.yaml": policy, [file]: state(1, 5) });
  const subagent = JSON.stringify({
    type: "assistant.message",
    agentId: "a",
    data: { content: "<promise>COMPLETE</promise>" },
  });
  w.write("events.jsonl", `${copilotSays("Working.")}${subagent}\n{"type":"assistant.turn_end"}\n`);
  const payload = {
    sessionId: "c1",
    timestamp: 1_794_795_200_000,
    cwd: w.root,
    transcriptPath: w.path("events.jsonl"),
    stopReason: "end_turn",
    stop_hook_active: false,
  };
  const first = await w.run(["run", "--host", "copilot", "--event", "agentStop"], payload);
  expect(first.json()).toEqual({ decision: "block", reason: "Make the tests pass." });
  w.write("events.jsonl", copilotSays("Done. <promise>COMPLETE</promise>"));
  const second = await w.run(["run", "--host", "copilot", "--event", "agentStop"], payload);
  expect(second.stdout).not.toContain("block");
  expect(existsSync(w.path(file))).toBe(false);
});

test("S4-F14 a subagent's own stop, which Copilot fires as well, is no round of the loop", async () => {
  using w = workspace({
    "hookline.yaml": `${policy}  signals/require-signal:\n    options: { tag: score }\n`,
    [file]: state(1, 5),
    "events.jsonl": copilotSays("Working."),
  });
  const child = { sessionId: "c2", agentId: "c2", agentType: "explore", parentAgentId: "c1" };
  const { stdout } = await w.run(["run", "--host", "copilot", "--event", "agentStop"], {
    ...child,
    timestamp: 1_794_795_200_000,
    cwd: w.root,
    transcriptPath: w.path("events.jsonl"),
    stopReason: "end_turn",
  });
  expect(stdout).not.toContain("block");
  expect(readFileSync(w.path(file), "utf8")).toBe(state(1, 5));
});

test("S4-F14 last words that are written while the hook is running are waited for", async () => {
  using w = workspace({ "hookline.yaml": policy, [file]: state(1, 5) });
  const at = (time: number, line: string): string =>
    `${JSON.stringify({ ...JSON.parse(line), timestamp: new Date(time).toISOString() })}\n`;
  const time = 1_794_795_200_000;
  const before = at(time - 5000, copilotSays("Earlier.")) + at(time - 4990, '{"type":"hook.start"}');
  const running = w.run(["run", "--host", "copilot", "--event", "agentStop"], {
    sessionId: "c1",
    timestamp: time,
    cwd: w.root,
    transcriptPath: w.path("events.jsonl"),
    stopReason: "end_turn",
  });
  await Bun.sleep(50);
  w.write("events.jsonl", before);
  await Bun.sleep(30);
  const now = at(time - 9, copilotSays("<promise>COMPLETE</promise>")) + at(time, '{"type":"hook.start"}');
  appendFileSync(w.path("events.jsonl"), now);
  expect((await running).stdout).not.toContain("block");
  expect(existsSync(w.path(file))).toBe(false);
});

test("S4-R21 a required score keeps the agent going, once at each stop", async () => {
  using w = workspace({
    "hookline.yaml": "rules:\n  signals/require-signal:\n    options: { tag: score, min: 80 }\n",
    "s1.jsonl": claudeSays("<score>70</score>"),
  });
  const low = await w.run(["run"], stop(w));
  expect(low.json().reason).toContain("`<score>70</score>` is not good enough: expected at least 80");
  expect((await w.run(["run"], stop(w, { stop_hook_active: true }))).stdout).toBe("");
  for (const enough of ["80", "85"]) {
    w.write("s1.jsonl", claudeSays(`<score>${enough}</score>`));
    expect((await w.run(["run"], stop(w))).stdout).toBe("");
  }
});

describe("S4-R21 a value an agent has said, in a workflow of the policy's own", () => {
  const gate = (state: string, more = "") => `workflows:
  gate:
    state: ${state}
    watch:
      review: { says: score, min: 80, by: reviewer }
      verdict: { says: verdict, is: [ship, hold], by: main }
      source: { edit: "src/**" }
${more}`;
  const recorded = gate(
    "{ recorded: session }",
    `    states:
      open: { forbid: [{ run: git push, instead: Have it reviewed. }] }
      reviewed: {}
    transitions:
      - { from: open, to: reviewed, on: review passed }
      - { from: reviewed, to: open, on: source }
    stop: [{ needs: [{ last: verdict passed }] }]
`,
  );
  const reviewed = (w: Workspace, said: string, agent_type = "reviewer") =>
    w.run(["run"], {
      ...stop(w, { hook_event_name: "SubagentStop", agent_id: "a1", agent_type }),
      last_assistant_message: said,
    });
  const push = async (w: Workspace): Promise<string> => {
    const call = { tool_name: "Bash", tool_input: { command: "git push origin feature" } };
    const ran = await w.run(["run"], { ...stop(w, { hook_event_name: "PreToolUse" }), ...call });
    return ran.stdout === "" ? "passes" : ran.json().permissionDecision;
  };
  const end = async (w: Workspace, last_assistant_message: string): Promise<string | undefined> => {
    const { stdout } = await w.run(["run"], stop(w, { last_assistant_message }));
    return stdout === "" ? undefined : JSON.parse(stdout).decision;
  };

  test("takes its steps and opens its gates; too little, another agent and another tag do not", async () => {
    using w = workspace({ "hookline.yaml": recorded });
    expect(await push(w)).toBe("deny");
    await reviewed(w, "<score>79</score>");
    await reviewed(w, "<score>95</score>", "writer");
    await reviewed(w, "<points>95</points>");
    await reviewed(w, "Eighty-five of a hundred.");
    expect(await push(w)).toBe("deny");
    const ran = await reviewed(w, "First I thought <score>20</score>, now: <score>85</score>.");
    expect(ran.exitCode).toBe(0);
    expect(w.records().at(-1)?.["findings"]).toMatchObject([{ rule: "workflow/watch", id: "moved" }]);
    expect(await push(w)).toBe("passes");
    await w.run(["run"], {
      ...stop(w, { hook_event_name: "PostToolUse" }),
      tool_name: "Write",
      tool_input: { file_path: w.path("src/a.ts"), content: "x" },
      tool_response: {},
    });
    expect(await push(w)).toBe("deny");
  });

  test("counts at the very stop it is said at", async () => {
    using w = workspace({ "hookline.yaml": recorded });
    expect(await end(w, "All done.")).toBe("block");
    expect(await end(w, "<verdict>later</verdict>")).toBe("block");
    expect(await end(w, "<verdict>ship</verdict>")).toBeUndefined();
    // It was said; that it is not said again takes nothing back.
    expect(await end(w, "Anything else?")).toBeUndefined();
  });

  test("is remembered for a state that lives in a file, too, and asked for before it is left", async () => {
    const byFile = gate(
      "{ file: release.yaml, key: phase }",
      `    states: { draft: { requires: [{ last: review passed, after: source }] }, final: { final: true } }
    transitions: [{ from: draft, to: final }]
`,
    );
    using w = workspace({ "hookline.yaml": byFile, "release.yaml": "phase: draft\n" });
    const publish = async (): Promise<string> => {
      const call = { file_path: w.path("release.yaml"), content: "phase: final\n" };
      const ran = await w.run(["run"], {
        ...stop(w, { hook_event_name: "PreToolUse" }),
        tool_name: "Write",
        tool_input: call,
      });
      return ran.stdout === "" ? "passes" : ran.json().permissionDecisionReason;
    };
    expect(await publish()).toContain("review has not been seen");
    await reviewed(w, "<score>12</score>");
    expect(await publish()).toContain("review failed the last time");
    await reviewed(w, "<score>100</score>");
    expect(await publish()).toBe("passes");
  });

  test.each([
    ["says: 3", "does not fit"],
    ["says: 'a b'", "does not fit"],
    ["{ edit: x, min: 3 }", "are about `says`"],
    ["says: score, min: high", "does not fit"],
  ])("mistakes are told: %s", async (watch, text) => {
    const inner = watch.startsWith("{") ? watch : `{ ${watch} }`;
    using w = workspace({
      "hookline.yaml": `workflows: { g: { state: { recorded: session }, states: { a: {} }, watch: { r: ${inner} } } }\n`,
    });
    const { stdout, exitCode } = await w.run(["workflow", "check"]);
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining(text)]);
  });

  test("a result of it can be waited for, as can a subagent's", async () => {
    const conditions = "{ last: review passed }, { last: helper passed }";
    using w = workspace({
      "hookline.yaml": gate(
        "{ recorded: session }",
        `      helper: { delegate: helper }
    states: { open: {}, done: { final: true } }
    transitions: [{ from: open, to: done, on: verdict passed, when: [${conditions}] }]
`,
      ),
    });
    const { stdout, exitCode } = await w.run(["workflow", "check"]);
    expect([stdout, exitCode]).toEqual([expect.not.stringContaining("neither passes nor fails"), 0]);
  });
});

describe("hookline extract", () => {
  test("S4-R21 the first value, all of them, as JSON, compared; exit 1 without one", async () => {
    using w = workspace({ "a.txt": "x <score>85</score> <score>\n 9\t1 </score>" });
    expect(await w.run(["extract", "score", "a.txt"])).toMatchObject({ exitCode: 0, stdout: "85\n" });
    expect((await w.run(["extract", "score", "a.txt", "--all"])).stdout).toBe("85\n9 1\n");
    expect((await w.run(["extract", "score", "--json"], "<score>1</score>")).json()).toEqual(["1"]);
    expect(await w.run(["extract", "grade", "a.txt"])).toMatchObject({ exitCode: 1, stdout: "" });
    expect((await w.run(["extract", "score", "a.txt", "--equals", "85"])).exitCode).toBe(0);
    expect((await w.run(["extract", "score", "a.txt", "--equals", "91"])).exitCode).toBe(1);
  });

  test("what an agent said last, by whichever transcript it is", async () => {
    using w = workspace({
      "claude.jsonl": claudeSays("<score>1</score>") + claudeSays("<score>2</score>"),
      "copilot.jsonl": copilotSays("<score>3</score>"),
    });
    expect((await w.run(["extract", "score", "--transcript", "claude.jsonl"])).stdout).toBe("2\n");
    expect((await w.run(["extract", "score", "--transcript", "copilot.jsonl"])).stdout).toBe("3\n");
    const foreign = await w.run([
      "extract",
      "score",
      "--transcript",
      "copilot.jsonl",
      "--host",
      "claude-code",
    ]);
    expect(foreign.exitCode).toBe(2);
  });

  test("mistakes are told", async () => {
    using w = workspace();
    const none = await w.run(["extract"]);
    expect(none).toMatchObject({ exitCode: 2, stderr: "hookline: name a tag, for example score\n" });
    expect((await w.run(["extract", "a b"])).stderr).toContain('"a b" is no name for a tag');
    const missing = await w.run(["extract", "a", "--transcript", "nowhere.jsonl"]);
    expect(missing).toMatchObject({ exitCode: 2 });
    expect(missing.stderr).toContain("expected the transcript of a session");
  });
});
