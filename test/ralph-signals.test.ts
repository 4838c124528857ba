import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { claude, workspace, type Workspace } from "./support/hookline.ts";

const id = "260215-173319";
const session = `.ralph-sessions/${id}`;

const metadata = (state = "EXECUTING_BATCH") =>
  `version: 3\nsession_id: "${id}"\nupdated_at: "2026-02-15T17:33:19Z"\niteration: 1\nstatus: in_progress\norchestrator:\n  state: ${state}\n  current_wave: 1\ntasks:\n  total: 2\n`;

/** A session in the middle of its work. */
const running = (state?: string) => ({
  "hookline.yaml": "extends: ralph/all\n",
  [`${session}/metadata.yaml`]: metadata(state),
  [`${session}/signals/inputs/.gitkeep`]: "",
  [`${session}/signals/processed/.gitkeep`]: "",
  [`${session}/logs/.gitkeep`]: "",
  [`${session}/iterations/1/metadata.yaml`]:
    'version: 1\niteration: 1\nstarted_at: "2026-02-15T17:33:19Z"\nplanning_complete: true\nplanning_completed_at: "2026-02-15T17:40:00Z"\ncompleted_at: null\ntasks_defined: 2\n',
  [`${session}/iterations/1/progress.md`]:
    "# Progress\n\n- [x] task-1\n- [/] task-2 (Attempt 1, Iteration 1)\n- [ ] task-3\n",
});

const send = (ws: Workspace, ...args: string[]) => ws.run(["signal", "send", ...args]);
const inputs = (ws: Workspace) => names(ws, "inputs");
const processed = (ws: Workspace) => names(ws, "processed");
const names = (ws: Workspace, folder: string) =>
  readdirSync(ws.path(`${session}/signals/${folder}`))
    .filter((name) => !name.startsWith("."))
    .toSorted();
const processedText = (ws: Workspace, at = 0) =>
  readFileSync(ws.path(`${session}/signals/processed/${processed(ws)[at] ?? ""}`), "utf8");

const bash = (ws: Workspace, more: object = {}) => ({
  ...claude(ws.root, "Bash", { command: "npm run build" }),
  ...more,
});
const copilot = (ws: Workspace, more: object = {}) => ({
  sessionId: "c-1",
  timestamp: 1771173199000,
  cwd: ws.root,
  toolName: "bash",
  toolArgs: JSON.stringify({ command: "npm run build" }),
  ...more,
});
const contextOf = (answer: any): string =>
  answer.hookSpecificOutput?.additionalContext ?? answer.additionalContext ?? "";
const denial = (answer: any): string =>
  answer.hookSpecificOutput?.permissionDecisionReason ??
  answer.permissionDecisionReason ??
  answer.reason ??
  "";

describe("hook 29, literally", () => {
  const ask = async (file_content: string, file_path = "signals/inputs/signal.260215-180000.yaml") => {
    using ws = workspace();
    const ran = await ws.run(["rules", "eval", "ralph/29"], { file_path, file_content, session_id: id });
    return { exitCode: ran.exitCode, ...ran.json() };
  };

  test("S0-R100 S0-R101 a whole signal passes, with what was read of it", async () => {
    expect(
      await ask("type: STEER\ntarget: Ralph-v2-Executor\nmessage: Use the new API\niteration: 2\n"),
    ).toEqual({
      exitCode: 0,
      verdict: "PASS",
      reason: null,
      validation_errors: [],
      parsed_signal: { type: "STEER", target: "Ralph-v2-Executor", message: "Use the new API" },
    });
  });

  test("S0-R37 S0-R103 each of the six types passes", async () => {
    for (const type of ["STEER", "PAUSE", "ABORT", "INFO", "APPROVE", "SKIP"])
      expect((await ask(`type: ${type}\ntarget: ALL\nmessage: x\n`)).verdict).toBe("PASS");
  });

  test("S0-R102 what is not YAML is blocked", async () => {
    const said = await ask("type: [STEER\nmessage: x");
    expect(said).toMatchObject({
      exitCode: 2,
      verdict: "BLOCK",
      reason: expect.stringContaining("not valid YAML"),
    });
    expect(said.validation_errors).toHaveLength(1);
    expect(said.parsed_signal).toBeUndefined();
  });

  test("S0-R103 S0-R109 an unknown type is blocked in the document's words", async () => {
    const said = await ask("type: INVALID\nmessage: test");
    expect(said.verdict).toBe("BLOCK");
    expect(said.reason).toBe(
      "Invalid signal type 'INVALID'. Must be one of: STEER, PAUSE, ABORT, INFO, APPROVE, SKIP",
    );
    expect(said.validation_errors[0]).toEqual({
      field: "type",
      expected: "STEER, PAUSE, ABORT, INFO, APPROVE, SKIP",
      actual: "INVALID",
    });
  });

  test("S0-R103 a missing type is blocked", async () => {
    expect(await ask("target: ALL\nmessage: test")).toMatchObject({
      verdict: "BLOCK",
      validation_errors: [{ field: "type", actual: "(missing)" }],
    });
    expect((await ask("")).verdict).toBe("BLOCK");
  });

  test("S0-R104 S0-R110 S0-C10 an empty or missing message is blocked, for APPROVE as well", async () => {
    for (const text of [
      "type: STEER\nmessage: ''",
      "type: STEER\nmessage: '  '",
      "type: APPROVE",
      "type: INFO\nmessage:",
    ]) {
      const said = await ask(text);
      expect([said.verdict, said.reason]).toEqual(["BLOCK", "Signal message must be non-empty"]);
    }
  });

  test("S0-R105 a missing target is ALL, with a warning", async () => {
    expect(await ask("type: STEER\nmessage: x")).toMatchObject({
      exitCode: 0,
      verdict: "WARN",
      validation_errors: [{ field: "target" }],
      parsed_signal: { type: "STEER", target: "ALL", message: "x" },
    });
  });

  test("S0-R106 an iteration that is no positive integer is a warning", async () => {
    for (const iteration of ["0", "-1", "two", "1.5", '"2"']) {
      const said = await ask(`type: STEER\ntarget: ALL\nmessage: x\niteration: ${iteration}`);
      expect([iteration, said.verdict, said.validation_errors[0]?.field]).toEqual([
        iteration,
        "WARN",
        "iteration",
      ]);
    }
  });

  test("S0-R107 S0-C12 another file name is a warning, and the signal is still read", async () => {
    for (const name of [
      "signal.yaml",
      "signal.20260208-143000.yaml",
      "signal.260215-180000-123.yaml",
      "x.yml",
    ]) {
      const said = await ask("type: INFO\ntarget: ALL\nmessage: x", `signals/inputs/${name}`);
      expect([name, said.verdict, said.validation_errors[0]?.field]).toEqual([name, "WARN", "filename"]);
      expect(said.parsed_signal.type).toBe("INFO");
    }
  });

  test("S0-R108 it fails open", async () => {
    using ws = workspace();
    const rules = (await ws.run(["rules", "list", "--pack", "ralph", "--json"])).json();
    expect(rules.find((rule: any) => rule.number === 29)).toMatchObject({ failMode: "open", tier: "P0" });
  });

  test("S0-R37 an agent that writes a bad signal is stopped, by a file tool and by the shell", async () => {
    using ws = workspace(running());
    const path = ws.path(`${session}/signals/inputs/signal.260215-180000.yaml`);
    for (const payload of [
      claude(ws.root, "Write", { file_path: path, content: "type: HALT\nmessage: x\n" }),
      claude(ws.root, "Bash", { command: `printf 'type: HALT\\nmessage: x\\n' > ${path}` }),
    ]) {
      const answer = (await ws.run(["run"], payload)).json();
      expect(denial(answer)).toContain("Invalid signal type 'HALT'");
    }
  });

  test("S0-C15 what waits is looked at when the session starts", async () => {
    using ws = workspace({
      ...running(),
      [`${session}/signals/inputs/signal.260215-180000.yaml`]: "type: HALT\nmessage: x\n",
    });
    const start = {
      session_id: "5f0c",
      transcript_path: "/n/5f0c.jsonl",
      cwd: ws.root,
      hook_event_name: "SessionStart",
      source: "startup",
    };
    const answer = (await ws.run(["run"], start)).json();
    expect(contextOf(answer)).toContain("signal.260215-180000.yaml: Invalid signal type 'HALT'");
    expect(inputs(ws)).toEqual(["signal.260215-180000.yaml"]);
  });
});

describe("hookline signal", () => {
  test("S0-F29 send writes a signal that passes its own check", async () => {
    using ws = workspace(running());
    const sent = await send(ws, "STEER", "--target", "Ralph-v2-Executor", 'Use "v2": the new API\nnow');
    expect(sent.exitCode).toBe(0);
    const [name = ""] = inputs(ws);
    expect(name).toMatch(/^signal\.\d{6}-\d{6}\.yaml$/);
    const file_content = readFileSync(ws.path(`${session}/signals/inputs/${name}`), "utf8");
    const ran = await ws.run(["rules", "eval", "ralph/29"], {
      file_path: name,
      file_content,
      session_id: id,
    });
    expect(ran.json()).toMatchObject({
      verdict: "PASS",
      parsed_signal: { type: "STEER", target: "Executor", message: 'Use "v2": the new API\nnow' },
    });
    expect(file_content).toContain("iteration: 1\n");
  });

  test("S0-F30 targets are the same in every spelling", async () => {
    using ws = workspace(running());
    for (const target of [
      "Ralph-Executor",
      "ralph-v2-executor",
      "EXECUTOR",
      "@Ralph-v2-Executor-CLI",
      "Ralph-v2",
      "all",
    ])
      expect((await send(ws, "INFO", "--target", target, "x")).exitCode).toBe(0);
    const { signals } = (await ws.run(["signal", "list", "--json"])).json();
    expect(signals.map((each: any) => each.target)).toEqual([
      "Executor",
      "Executor",
      "Executor",
      "Executor",
      "Orchestrator",
      "ALL",
    ]);
  });

  test("says so when the policy lets no hook bring it", async () => {
    using ws = workspace(running());
    expect((await send(ws, "INFO", "x")).stderr).toBe("");
    ws.write("hookline.yaml", "extends: recommended\n");
    const sent = await send(ws, "INFO", "y");
    expect([sent.exitCode, sent.stderr]).toEqual([
      0,
      expect.stringContaining("leaves live-signals/delivery out"),
    ]);
    expect(inputs(ws)).toHaveLength(2);
  });

  test("mistakes are explained, and nothing is written", async () => {
    using ws = workspace(running());
    expect((await send(ws, "HALT", "x")).stderr).toContain(
      "Invalid signal type 'HALT'. Must be one of: STEER, PAUSE, ABORT, INFO, APPROVE, SKIP",
    );
    expect((await send(ws, "STEER")).stderr).toContain("Signal message must be non-empty");
    expect((await send(ws, "STEER", "--target", "Nobody", "x")).stderr).toContain('unknown target "Nobody"');
    expect((await send(ws, "STEER", "--session", "260215-999999", "x")).stderr).toContain(
      "there is no session 260215-999999",
    );
    expect((await send(ws, "STEER", "--session", "../../etc", "x")).exitCode).toBe(2);
    expect(inputs(ws)).toEqual([]);
  });

  test("S0-F31 S0-F32 poll takes what an agent may take, oldest first, and leaves the rest", async () => {
    using ws = workspace(running());
    for (const [type, target] of [
      ["INFO", "ALL"],
      ["APPROVE", "ALL"],
      ["STEER", "Reviewer"],
      ["STEER", "Executor"],
    ])
      await send(ws, type ?? "", "--target", target ?? "", `${type} for ${target}`);
    const taken = (await ws.run(["signal", "poll", "--as", "Ralph-v2-Executor", "--json"])).json().signals;
    expect(taken.map((each: any) => each.message)).toEqual(["INFO for ALL", "STEER for Executor"]);
    expect(inputs(ws)).toHaveLength(2);
    expect(processedText(ws)).toMatch(
      /^type: INFO\n[\s\S]*\nhandling_metadata:\n {2}handled_by: "Executor"\n {2}handled_at: ".+"\n {2}action_taken: "added to the context"\n$/,
    );
  });

  test("a new signal under the name of an old one is another signal", async () => {
    const name = "signal.260215-180000.yaml";
    using ws = workspace({
      ...running(),
      [`${session}/signals/processed/${name}`]:
        "type: INFO\ntarget: ALL\nmessage: old\nhandling_metadata: {}\n",
      [`${session}/signals/inputs/${name}`]: "type: INFO\ntarget: ALL\nmessage: new\n",
    });
    const polled = async () =>
      (await ws.run(["signal", "poll", "--json"])).json().signals.map((each: any) => each.message);
    expect([await polled(), await polled()]).toEqual([["new"], []]);
    expect(processed(ws)).toEqual(["signal.260215-180000-2.yaml", name]);
  });

  test("S0-F34 the orchestrator takes what is for others, to pass it on", async () => {
    using ws = workspace(running());
    await send(ws, "STEER", "--target", "Executor", "mind the cache");
    const taken = (await ws.run(["signal", "poll", "--json"])).json().signals;
    expect(taken).toMatchObject([{ target: "Executor", action: "buffered as SIGNAL_CONTEXT for Executor" }]);
    expect(inputs(ws)).toEqual([]);
  });

  test("S0-F33 APPROVE is the orchestrator's alone, in KNOWLEDGE_APPROVAL", async () => {
    using early = workspace(running("BATCHING"));
    await send(early, "APPROVE", "looks good");
    expect((await early.run(["signal", "poll", "--json"])).json().signals).toEqual([]);
    using ws = workspace(running("KNOWLEDGE_APPROVAL"));
    await send(ws, "APPROVE", "looks good");
    expect((await ws.run(["signal", "poll", "--as", "Librarian", "--json"])).json().signals).toEqual([]);
    expect((await ws.run(["signal", "poll", "--json"])).json().signals).toMatchObject([
      { type: "APPROVE", action: "approved" },
    ]);
  });

  test("S0-R38 signals sent at once are all there, each under a name of its own", async () => {
    using ws = workspace(running());
    const sent = await Promise.all(Array.from({ length: 24 }, (_, at) => send(ws, "INFO", `message ${at}`)));
    expect(sent.every(({ exitCode }) => exitCode === 0)).toBe(true);
    const { signals, broken } = (await ws.run(["signal", "list", "--json"])).json();
    expect(new Set(signals.map((each: any) => each.message)).size).toBe(24);
    expect([signals.length, broken]).toEqual([24, []]);
    expect(signals.every((each: any) => /^signal\.\d{6}-\d{6}\.yaml$/.test(each.name))).toBe(true);
  });

  test("S0-F32 of many who poll at once, one gets each signal", async () => {
    using ws = workspace(running());
    for (let at = 0; at < 20; at++) await send(ws, "INFO", `message ${at}`);
    const polls = await Promise.all(Array.from({ length: 16 }, () => ws.run(["signal", "poll", "--json"])));
    const taken = polls.flatMap((poll) => poll.json().signals.map((each: any) => each.message));
    expect(taken).toHaveLength(20);
    expect(new Set(taken).size).toBe(20);
    expect([inputs(ws).length, processed(ws).length]).toEqual([0, 20]);
    expect(
      readdirSync(ws.path(`${session}/signals/processed`)).filter((name) => name.endsWith(".part")),
    ).toEqual([]);
  });
});

describe("signals reach the agent through the hooks", () => {
  test("S0-F35 STEER and INFO are context at the next tool call, in Claude Code's words", async () => {
    using ws = workspace(running());
    await send(ws, "STEER", "Use the new endpoint");
    await send(ws, "INFO", "CI is slow");
    const answer = (await ws.run(["run"], bash(ws))).json();
    const context = contextOf(answer);
    expect(context.indexOf('"Use the new endpoint"')).toBeGreaterThan(0);
    expect(context.indexOf('"CI is slow"')).toBeGreaterThan(context.indexOf('"Use the new endpoint"'));
    expect(context).toContain("STEER scope change: <summary>");
    expect(answer.hookSpecificOutput.permissionDecision).toBeUndefined();
    expect([inputs(ws).length, processed(ws).length]).toEqual([0, 2]);
    expect(processedText(ws)).toContain('handled_by: "Orchestrator"');
    expect((await ws.run(["run"], bash(ws))).stdout).toBe("");
  });

  test("S0-F35 and in Copilot's, at a tool call, after one, and at a prompt", async () => {
    for (const [event, more] of [
      ["preToolUse", {}],
      ["postToolUse", { toolResult: { resultType: "success", textResultForLlm: "ok" } }],
      ["userPromptSubmitted", { toolName: undefined, toolArgs: undefined, prompt: "go on" }],
    ] as const) {
      using ws = workspace(running());
      await send(ws, "STEER", "Use the new endpoint");
      const answer = (await ws.run(["run", "--host", "copilot", "--event", event], copilot(ws, more))).json();
      expect(answer.additionalContext).toContain('"Use the new endpoint"');
      expect(processed(ws)).toHaveLength(1);
    }
  });

  test("where the host cannot be told, the signal waits for a point where it can", async () => {
    using ws = workspace(running());
    await send(ws, "STEER", "Use the new endpoint");
    const ended = { sessionId: "c-1", timestamp: 1, cwd: ws.root, reason: "complete" };
    await ws.run(["run", "--host", "copilot", "--event", "sessionEnd"], ended);
    await ws.run(["run", "--host", "copilot", "--event", "permissionRequest"], copilot(ws));
    expect([inputs(ws).length, processed(ws).length]).toEqual([1, 0]);
  });

  test("a call that is refused anyway carries the signal in its reason", async () => {
    using ws = workspace(running());
    await send(ws, "STEER", "Use the new endpoint");
    const answer = (await ws.run(["run"], claude(ws.root, "Bash", { command: "rm -rf /" }))).json();
    expect(denial(answer)).toContain("Blocked by");
    expect(denial(answer)).toContain('"Use the new endpoint"');
  });

  test("eval looks at signals and takes none", async () => {
    using ws = workspace(running());
    await send(ws, "PAUSE", "wait");
    expect((await ws.run(["eval"], bash(ws))).json().outcome).toBe("block");
    expect([inputs(ws).length, processed(ws).length]).toEqual([1, 0]);
  });

  test("S0-F35 PAUSE stops every tool in both dialects until APPROVE comes", async () => {
    using ws = workspace(running());
    await send(ws, "PAUSE", "wait for the review");
    for (let call = 0; call < 2; call++) {
      expect(denial((await ws.run(["run"], bash(ws))).json())).toContain(
        "Paused by signal. Live signal PAUSE for ALL",
      );
      const answer = (
        await ws.run(["run", "--host", "copilot", "--event", "preToolUse"], copilot(ws))
      ).json();
      expect([answer.permissionDecision, answer.permissionDecisionReason]).toEqual([
        "deny",
        expect.stringContaining("wait for the review"),
      ]);
    }
    expect(
      denial((await ws.run(["run"], claude(ws.root, "Read", { file_path: ws.path("a") }))).json()),
    ).toContain("Paused");
    expect(processed(ws)).toHaveLength(1);
    const note = {
      file_path: ws.path(`${session}/iterations/1/progress.md`),
      old_string: "Iteration 1)",
      new_string: "Iteration 1) Paused by signal",
    };
    expect((await ws.run(["run"], claude(ws.root, "Edit", note))).stdout).toBe("");
    await send(ws, "APPROVE", "go on");
    const resumed = (await ws.run(["run"], bash(ws))).json();
    expect(contextOf(resumed)).toContain("Live signal APPROVE");
    expect((await ws.run(["run"], bash(ws))).stdout).toBe("");
    expect(processed(ws)).toHaveLength(2);
  });

  test("what is sent comes after all that is there, so nothing that was dated ahead takes it back", async () => {
    using ws = workspace(running());
    ws.write(
      `${session}/signals/inputs/signal.880101-000000.yaml`,
      "type: APPROVE\ntarget: ALL\nmessage: go on\n",
    );
    await send(ws, "PAUSE", "wait");
    for (let call = 0; call < 2; call++)
      expect(denial((await ws.run(["run"], bash(ws))).json())).toContain("Paused by signal");
    await send(ws, "APPROVE", "now");
    expect(contextOf((await ws.run(["run"], bash(ws))).json())).toContain('"now"');
  });

  test("SKIP and STEER end a pause, too; INFO does not", async () => {
    for (const [type, ends] of [
      ["SKIP", true],
      ["STEER", true],
      ["INFO", false],
    ] as const) {
      using ws = workspace(running());
      await send(ws, "PAUSE", "wait");
      await ws.run(["run"], bash(ws));
      await send(ws, type, "next");
      await ws.run(["run"], bash(ws));
      const later = (await ws.run(["run"], bash(ws))).stdout;
      expect([type, later === ""]).toEqual([type, ends]);
    }
  });

  test("S0-F3 S0-F35 ABORT fails the tasks in progress and completes the session, and reverts nothing", async () => {
    using ws = workspace({ ...running(), "src/half.ts": "half" });
    await send(ws, "ABORT", "wrong branch");
    const answer = (await ws.run(["run"], bash(ws))).json();
    expect(denial(answer)).toContain("Aborted by signal");
    expect([answer.continue, answer.stopReason]).toEqual([
      false,
      expect.stringContaining("Aborted by signal"),
    ]);
    const progress = readFileSync(ws.path(`${session}/iterations/1/progress.md`), "utf8");
    expect(progress).toBe("# Progress\n\n- [x] task-1\n- [F] task-2 (Aborted by signal)\n- [ ] task-3\n");
    const own = readFileSync(ws.path(`${session}/metadata.yaml`), "utf8");
    expect(own).toContain("version: 4\n");
    expect(own).toContain("status: aborted\n");
    expect(own).toContain("state: COMPLETE\n");
    expect(readFileSync(ws.path(`${session}/iterations/1/metadata.yaml`), "utf8")).toMatch(
      /completed_at: "?2\d{3}-/,
    );
    expect(readFileSync(ws.path("src/half.ts"), "utf8")).toBe("half");
    expect(processedText(ws)).toContain('action_taken: "aborted the session"');
    expect(
      JSON.parse(readFileSync(ws.path(`${session}/logs/state-transitions.jsonl`), "utf8")),
    ).toMatchObject({
      previous_state: "EXECUTING_BATCH",
      next_state: "COMPLETE",
      source: "abort",
    });
    const later = (await ws.run(["run", "--host", "copilot", "--event", "preToolUse"], copilot(ws))).json();
    expect(later.permissionDecisionReason).toContain("Aborted by signal");
    expect(readFileSync(ws.path(`${session}/metadata.yaml`), "utf8")).toBe(own);
  });

  test("after an abort the person's next prompt opens the tools again", async () => {
    using ws = workspace(running());
    await send(ws, "ABORT", "wrong branch");
    await ws.run(["run"], bash(ws));
    const prompt = {
      session_id: "5f0c",
      transcript_path: "/n/5f0c.jsonl",
      cwd: ws.root,
      hook_event_name: "UserPromptSubmit",
      prompt: "clean up",
    };
    expect(contextOf((await ws.run(["run"], prompt)).json())).toContain("Aborted by signal");
    expect((await ws.run(["run"], bash(ws))).stdout).toBe("");
  });

  test("S0-R124 S0-F33 S0-F34 a signal for the executor reaches its own tool calls, and not the orchestrator's", async () => {
    using ws = workspace(running());
    await send(ws, "STEER", "--target", "Executor", "mind the cache");
    expect((await ws.run(["run"], bash(ws))).stdout).toBe("");
    expect(inputs(ws)).toHaveLength(1);
    const own = bash(ws, { agent_id: "a1", agent_type: "Ralph-v2-Executor" });
    expect(contextOf((await ws.run(["run"], own)).json())).toContain('"mind the cache"');
    expect(processedText(ws)).toContain('handled_by: "Ralph-v2-Executor a1"');
  });

  test("S0-F33 the main agent is the orchestrator under whatever name; a foreign subagent takes nothing and is held all the same", async () => {
    using ws = workspace(running());
    await send(ws, "STEER", "turn left");
    const foreign = bash(ws, { agent_id: "e1", agent_type: "Explore" });
    expect((await ws.run(["run"], foreign)).stdout).toBe("");
    const main = bash(ws, { agent_type: "Ralph-v2-CLI" });
    expect(contextOf((await ws.run(["run"], main)).json())).toContain('"turn left"');
    await send(ws, "PAUSE", "wait");
    expect(denial((await ws.run(["run"], foreign)).json())).toContain("Paused by signal");
    expect(inputs(ws)).toHaveLength(1);
  });

  test("a very long message is cut, and its file named", async () => {
    using ws = workspace(running());
    await send(ws, "INFO", `${"a".repeat(5000)}END`);
    const context = contextOf((await ws.run(["run"], bash(ws))).json());
    expect(context).toContain(`signals/processed/${processed(ws)[0]}`);
    expect(context).not.toContain("END");
  });

  test("S0-F34 or travels with the executor's next call as SIGNAL_CONTEXT", async () => {
    using ws = workspace({ ...running(), [`${session}/iterations/1/tasks/task-2.md`]: "# task-2\n" });
    await send(ws, "STEER", "--target", "Executor", "mind the cache");
    const call = {
      description: "x",
      subagent_type: "Ralph-v2-Executor",
      prompt: "MODE: EXECUTE\nTASK_ID: task-2\nITERATION: 1",
    };
    const answer = (await ws.run(["run"], claude(ws.root, "Task", call))).json();
    expect(answer.hookSpecificOutput.updatedInput).toEqual({
      ...call,
      prompt: `${call.prompt}\n\nSIGNAL_CONTEXT: [STEER] "mind the cache"`,
    });
    expect([inputs(ws).length, processedText(ws)]).toEqual([
      0,
      expect.stringContaining("passed on to Executor as SIGNAL_CONTEXT"),
    ]);
  });

  test("S0-F36 the third STEER of one review is escalated", async () => {
    using ws = workspace(running());
    const review = bash(ws, { agent_id: "r1", agent_type: "Ralph-v2-Reviewer" });
    const said: string[] = [];
    for (let at = 0; at < 3; at++) {
      await send(ws, "STEER", "--target", "Reviewer", `again ${at}`);
      said.push(contextOf((await ws.run(["run"], review)).json()));
    }
    expect(said.map((text) => text.includes("[STEER-LOOP]"))).toEqual([false, false, true]);
  });

  test("S0-F32 of many calls at once, one is told", async () => {
    using ws = workspace(running());
    await send(ws, "STEER", "Use the new endpoint");
    const answers = await Promise.all(Array.from({ length: 16 }, () => ws.run(["run"], bash(ws))));
    expect(answers.filter(({ stdout }) => stdout.includes("Use the new endpoint"))).toHaveLength(1);
    expect(answers.every(({ exitCode }) => exitCode === 0)).toBe(true);
    expect([inputs(ws).length, processed(ws).length]).toEqual([0, 1]);
  });

  test("S0-R124 S0-F32 between agents that are told and scripts that poll, each signal is handled once", async () => {
    using ws = workspace(running());
    const messages = Array.from({ length: 10 }, (_, at) => `message number ${at};`);
    for (const message of messages) await send(ws, "INFO", message);
    const ran = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        at % 2 === 0 ? ws.run(["run"], bash(ws)) : ws.run(["signal", "poll", "--max", "3", "--json"]),
      ),
    );
    const heard = ran.map(({ stdout }) => stdout).join("\n");
    const times = messages.map((message) => heard.split(message).length - 1);
    expect(times).toEqual(messages.map(() => 1));
    expect(processed(ws).length).toBe(10);
  });

  test("a folder, a broken file or a value within itself hides no signal beside it", async () => {
    const inputsOf = `${session}/signals/inputs`;
    using ws = workspace({
      ...running(),
      [`${inputsOf}/signal.260215-170000.yaml/x`]: "",
      [`${inputsOf}/signal.260215-170001.yaml`]: "type: &a [*a]\nmessage: x\n",
      [`${inputsOf}/signal.260215-170002.yaml`]: "\u0000\u0001",
      [`${inputsOf}/signal.260215-180000.yaml`]:
        '\uFEFFtype: "PAUSE"\r\ntarget: ALL\r\nmessage: |\r\n  two\r\n  lines\r\n',
    });
    expect(denial((await ws.run(["run"], bash(ws))).json())).toContain("Paused by signal");
    const listed = (await ws.run(["signal", "list", "--all", "--json"])).json();
    expect(listed.signals).toMatchObject([{ type: "PAUSE", state: "processed" }]);
    expect(listed.broken).toHaveLength(3);
    expect((await ws.run(["ralph", "status"])).exitCode).toBe(0);
    expect((await ws.run(["ralph", "doctor"])).stdout).toContain("Signal file cannot be read");
    const start = {
      session_id: "5f0c",
      transcript_path: "/n/5f0c.jsonl",
      cwd: ws.root,
      hook_event_name: "SessionStart",
      source: "startup",
    };
    expect((await ws.run(["run"], start)).stdout).not.toContain("the rule itself failed");
  });

  test("what looks like a signal and leads out of the workspace is not taken", async () => {
    using ws = workspace(running());
    const outside = join(ws.home, "signal.yaml");
    await Bun.write(outside, "type: STEER\ntarget: ALL\nmessage: from outside\n");
    const link = ws.path(`${session}/signals/inputs/signal.260215-180000.yaml`);
    (await import("node:fs")).symlinkSync(outside, link);
    const ran = await ws.run(["run"], bash(ws));
    expect(ran.stdout).not.toContain("from outside");
    expect([existsSync(outside), processed(ws)]).toEqual([true, []]);
  });
});
