import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { claude, executable, workspace, type Ran, type Workspace } from "./support/hookline.ts";

const at = (ws: Workspace, event: string, more: object) =>
  ws.run(["run"], { ...claude(ws.root, "Bash", {}, event), ...more });
const told = (ran: Ran): string => ran.stdout;
const findings = (ws: Workspace) =>
  ws
    .records()
    .flatMap((record) =>
      record["findings"]
        .filter((finding: any) => finding.rule === "safety/denied-but-executed")
        .map((finding: any) => [finding.id, finding.outcome]),
    );

const longAgo = new Date(2020, 1);

describe("what was refused and happened nevertheless", () => {
  test("a refused call whose result comes back is said in that answer, and recorded", async () => {
    using ws = workspace();
    const call = { tool_use_id: "toolu_1", tool_input: { command: "rm -rf /" } };
    expect(told(await at(ws, "PreToolUse", call))).toContain('"deny"');
    const ran = await at(ws, "PostToolUse", { ...call, tool_response: { stdout: "" } });
    expect(told(ran)).toContain("safety/denied-but-executed");
    expect(told(ran)).toContain("has run nevertheless");
    expect(findings(ws)).toEqual([["executed", "warn"]]);
  });

  test("a call that was let through is none, and one nobody announced is noted without a word", async () => {
    using ws = workspace();
    const call = { tool_use_id: "toolu_1", tool_input: { command: "ls" } };
    await at(ws, "PreToolUse", call);
    expect(told(await at(ws, "PostToolUse", { ...call, tool_response: {} }))).toBe("");
    expect(findings(ws)).toEqual([]);
    expect(told(await at(ws, "PostToolUse", { ...call, tool_use_id: "toolu_2", tool_response: {} }))).toBe(
      "",
    );
    expect(findings(ws)).toEqual([["unannounced", "pass"]]);
  });

  test("a host that gives its calls no id is matched by what the call is", async () => {
    using ws = workspace();
    const payload = (event: string, args: object) => ({
      sessionId: "s",
      timestamp: 1,
      cwd: ws.root,
      toolName: "bash",
      toolArgs: args,
      ...(event === "postToolUse" ? { toolResult: { resultType: "success", textResultForLlm: "" } } : {}),
    });
    await ws.run(
      ["run", "--host", "copilot", "--event", "preToolUse"],
      payload("preToolUse", { command: "rm -rf ~" }),
    );
    await ws.run(
      ["run", "--host", "copilot", "--event", "postToolUse"],
      payload("postToolUse", { command: "rm -rf ~" }),
    );
    expect(findings(ws)).toEqual([["executed", "warn"]]);
  });

  test("a call that was refused in the segment before this one, or in the fallback, is remembered", async () => {
    using ws = workspace({ "hookline.yaml": "ledger:\n  segmentMb: 1\n" });
    const call = { tool_use_id: "toolu_1", tool_input: { command: "rm -rf /" } };
    await at(ws, "PreToolUse", call);
    const { toLine, readTail } = await import("../src/ledger/chain.ts");
    const file = `${ws.ledger}/current.jsonl`;
    const tail = readTail(readFileSync(file).subarray(-256)) ?? { seq: 0, link: "" };
    appendFileSync(file, toLine({ v: 2, kind: "filler", time: "", filler: "x".repeat(1_100_000) }, tail));
    await at(ws, "PreToolUse", { tool_use_id: "toolu_2", tool_input: { command: "ls" } });
    expect(existsSync(`${ws.ledger}/000001.jsonl`)).toBe(true);
    expect(told(await at(ws, "PostToolUse", { ...call, tool_response: {} }))).toContain(
      "has run nevertheless",
    );

    using other = workspace({ ".hookline": "" });
    await at(other, "PreToolUse", call);
    expect(told(await at(other, "PostToolUse", { ...call, tool_response: {} }))).toContain(
      "has run nevertheless",
    );
    expect(findings(other)).toEqual([["executed", "warn"]]);
  });

  test("an announcement is looked for as far back as a call can take, and no further", async () => {
    const { appendRecord } = await import("../src/ledger/append.ts");
    const { bareRecord } = await import("../src/ledger/record.ts");
    const hour = 60 * 60 * 1000;
    for (const [ago, found] of [
      [5 * hour, []],
      [48 * hour, [["unannounced", "pass"]]],
    ] as const) {
      using ws = workspace();
      const add = (more: object) =>
        appendRecord(ws.root, bareRecord({ findings: [], ...more }, Date.now() - ago), { HOME: ws.home });
      await add({
        call: "toolu_1",
        event: { name: "PreToolUse", session: "5f0c", tool: "Bash" },
        verdict: { outcome: "pass", told: "pass" },
      });
      for (let each = 0; each < 30; each++) await add({ filler: "x".repeat(10_000) });
      await at(ws, "PostToolUse", {
        tool_use_id: "toolu_1",
        tool_input: { command: "ls" },
        tool_response: {},
      });
      expect(findings(ws)).toEqual(found as never);
    }
  });

  const outside = (ws: Workspace) => `${ws.home}/notes.txt`;

  test("a file that is as a refused write would have left it is said once, at the next prompt", async () => {
    using ws = workspace({ "hookline.yaml": "rules:\n  safety/workspace-boundary:\n    options: {}\n" });
    const call = {
      tool_name: "Write",
      tool_input: { file_path: "/etc/hookline-never/notes.txt", content: "hello\n" },
    };
    const path = `${ws.root}/../outside/notes.txt`;
    await at(ws, "PreToolUse", {
      ...call,
      tool_input: { file_path: path, content: "hello\n" },
      tool_use_id: "t1",
    });
    expect(told(await at(ws, "UserPromptSubmit", { prompt: "go on" }))).toBe("");
    mkdirSync(`${ws.root}/../outside`, { recursive: true });
    writeFileSync(path, "hello\n");
    const ran = await at(ws, "UserPromptSubmit", { prompt: "go on" });
    expect(told(ran)).toContain("is as a refused call of `Write` would have left it");
    expect(told(await at(ws, "UserPromptSubmit", { prompt: "go on" }))).toBe("");
    expect(findings(ws)).toEqual([["happened", "warn"]]);
  });

  test("a file that is no text, put where a refused copy or move would have put it", async () => {
    using ws = workspace();
    mkdirSync(`${ws.root}/../outside`, { recursive: true });
    const bytes = new Uint8Array([0x7f, 0x45, 0xff, 0xfe, 0, 0x80]);
    for (const program of ["cp", "mv"]) {
      writeFileSync(`${ws.root}/tool`, bytes);
      const command = `${program} tool ../outside/${program}`;
      await at(ws, "PreToolUse", { tool_input: { command }, tool_use_id: program });
      // A move, and a copy with `-p`, leave a file as old as it was.
      writeFileSync(`${ws.root}/../outside/${program}`, bytes);
      utimesSync(`${ws.root}/../outside/${program}`, longAgo, longAgo);
      expect(told(await at(ws, "UserPromptSubmit", { prompt: "go on" }))).toContain("would have left it");
    }
    expect(findings(ws)).toEqual([
      ["happened", "warn"],
      ["happened", "warn"],
    ]);
  });

  const refuse = (ws: Workspace, file: string) =>
    at(ws, "PreToolUse", {
      tool_name: "Write",
      tool_input: { file_path: file, content: "hello\n" },
      tool_use_id: file,
    });
  const prompt = (ws: Workspace) => at(ws, "UserPromptSubmit", { prompt: "go on" });

  test("a large file is known by its size and its two ends, and no other is taken for it", async () => {
    using ws = workspace();
    const large = (last: number): Buffer => {
      const bytes = Buffer.alloc(3 * 1024 * 1024, "hookline ");
      bytes[bytes.length - 1] = last;
      return bytes;
    };
    writeFileSync(`${ws.root}/tool`, large(1));
    const to = `${ws.home}/bin/tool`;
    mkdirSync(dirname(to));
    const ran = await at(ws, "PreToolUse", {
      tool_use_id: "toolu_1",
      tool_input: { command: `cp tool ${to}` },
    });
    expect(told(ran)).toContain('"deny"');
    const [record] = ws.records();
    expect(record?.["trace"]).toEqual([
      { kind: "write", path: to, bytes: 3 * 1024 * 1024, ends: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    writeFileSync(to, large(2));
    expect(told(await prompt(ws))).not.toContain(to);
    writeFileSync(to, large(1));
    expect(told(await prompt(ws))).toContain(to);
  });

  test("a change in the middle of a large file, by an edit or by a copy of it that is otherwise the same", async () => {
    using ws = workspace();
    const text = (middle: string): string => `${"x\n".repeat(400_000)}${middle}\n${"y\n".repeat(400_000)}`;
    const file = `${ws.home}/notes/big.txt`;
    mkdirSync(dirname(file));
    const edit = { file_path: file, old_string: "MIDDLE", new_string: "HACKED" };
    writeFileSync(`${ws.root}/hacked.txt`, text("HACKED"));
    for (const call of [
      { tool_name: "Edit", tool_input: edit },
      { tool_name: "Bash", tool_input: { command: `cp hacked.txt ${file}` } },
    ]) {
      writeFileSync(file, text("MIDDLE"));
      expect(told(await at(ws, "PreToolUse", { ...call, tool_use_id: call.tool_name }))).toContain('"deny"');
      expect(told(await prompt(ws))).not.toContain(file);
      writeFileSync(file, text("HACKED"));
      expect(told(await prompt(ws))).toContain(file);
    }
  });

  test("however much has been recorded since, and where nothing can be kept outside the ledger", async () => {
    using ws = workspace();
    const path = `${ws.root}/../outside/notes.txt`;
    mkdirSync(`${ws.root}/../outside`, { recursive: true });
    await refuse(ws, path);
    // More than anybody searches through while an agent waits.
    const { toLine, readTail } = await import("../src/ledger/chain.ts");
    const file = `${ws.ledger}/current.jsonl`;
    const tail = readTail(readFileSync(file).subarray(-256)) ?? { seq: 0, link: "" };
    appendFileSync(file, toLine({ v: 2, kind: "filler", time: "", filler: "x".repeat(3_000_000) }, tail));
    writeFileSync(path, "hello\n");
    expect(told(await prompt(ws))).toContain("is as a refused call of `Write` would have left it");
    expect(told(await prompt(ws))).toBe("");

    using other = workspace();
    mkdirSync(`${other.home}/.local/state`, { recursive: true });
    writeFileSync(`${other.home}/.local/state/hookline`, "");
    mkdirSync(`${other.root}/../outside`, { recursive: true });
    await refuse(other, `${other.root}/../outside/notes.txt`);
    writeFileSync(`${other.root}/../outside/notes.txt`, "hello\n");
    expect(told(await prompt(other))).toContain("would have left it");
    expect(told(await prompt(other))).toBe("");
  });

  test("many refused at once, and more than one file of them", async () => {
    using ws = workspace();
    mkdirSync(`${ws.root}/../outside`, { recursive: true });
    const paths = Array.from({ length: 12 }, (_, each) => `${ws.root}/../outside/${each}`);
    await Promise.all(paths.map((path) => refuse(ws, path)));
    const { noteRefused } = await import("../src/ledger/refused.ts");
    const [name = ""] = readdirSync(`${ws.home}/.local/state/hookline/refused`);
    const trace = [{ kind: "write", path: "/nowhere", sha256: "0", bytes: 1, filler: "x".repeat(1000) }];
    for (let each = 0; each < 140; each++)
      await noteRefused(`${ws.home}/.local/state/hookline/refused/${name}`, {
        id: `i${each}`,
        time: "",
        event: { session: "another" },
        trace,
      });
    expect(readdirSync(`${ws.home}/.local/state/hookline/refused`).toSorted()).toEqual([name, `${name}.old`]);
    for (const path of paths) writeFileSync(path, "hello\n");
    const said = told(await prompt(ws));
    for (const path of paths) expect(said).toContain(path.slice(path.lastIndexOf("/outside")));
    expect(told(await prompt(ws))).toBe("");
  });

  test("a file that was so before, and one that came out otherwise, are none", async () => {
    using ws = workspace();
    mkdirSync(`${ws.root}/../outside`, { recursive: true });
    const [same, other] = [`${ws.root}/../outside/same`, `${ws.root}/../outside/other`];
    writeFileSync(same, "hello\n");
    for (const file_path of [same, other])
      await at(ws, "PreToolUse", {
        tool_name: "Write",
        tool_input: { file_path, content: "hello\n" },
        tool_use_id: file_path,
      });
    writeFileSync(other, "world\n");
    expect(told(await at(ws, "Stop", { stop_hook_active: false }))).toBe("");
    expect(findings(ws)).toEqual([]);
  });

  test("a file that a refused deletion would have taken, and that is gone, is said", async () => {
    using ws = workspace();
    writeFileSync(outside(ws), "x");
    await at(ws, "PreToolUse", { tool_input: { command: `rm -rf ${ws.home}` }, tool_use_id: "t1" });
    rmSync(ws.home, { recursive: true });
    mkdirSync(ws.home);
    await at(ws, "UserPromptSubmit", { prompt: "x" });
    // The folder itself is there again; what was refused was its deletion.
    expect(findings(ws)).toEqual([]);
    rmSync(ws.home, { recursive: true });
    await at(ws, "UserPromptSubmit", { prompt: "x" });
    expect(findings(ws)).toEqual([["happened", "warn"]]);
  });

  test("what lies under a folder that may not be entered is refused by its rule, and nothing is known of it", async () => {
    using ws = workspace();
    // Root may enter all folders, unless that is taken from it.
    const base = dirname(ws.root);
    const asRoot = process.getuid?.() === 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search" : "";
    writeFileSync(`${base}/hookline`, `#!/bin/sh\nexec ${asRoot} ${executable} "$@"\n`, { mode: 0o755 });
    using other = workspace({}, `${base}/hookline`);
    const locked = `${base}/locked`;
    mkdirSync(locked, { mode: 0 });
    const command = `rm -rf / ${locked}/x`;
    expect(told(await at(other, "PreToolUse", { tool_input: { command }, tool_use_id: "t" }))).toContain(
      "Blocked by safety/destructive-delete",
    );
    expect(told(await prompt(other))).toBe("");
    expect(findings(other)).toEqual([]);
  });
});
