import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claude, workspace, type Workspace } from "./support/hookline.ts";

const call = (ws: Workspace, command: string, event = "PreToolUse", more: object = {}) =>
  ws.run(["run"], { ...claude(ws.root, "Bash", { command }, event), ...more });

const doctor = async (ws: Workspace) => {
  const ran = await ws.run(["doctor", "--json"]);
  const { ok, findings } = ran.json();
  expect(ran.exitCode).toBe(ok ? 0 : 1);
  expect(ok).toBe(findings.length === 0);
  for (const { check, text, instead } of findings)
    for (const part of [check, text, instead]) expect(part).not.toBe("");
  return findings.map(({ check, text }: any) => `${check}: ${text}`);
};

describe("hookline doctor", () => {
  test("finds nothing in a new workspace, nor in one that is well, and changes nothing in it", async () => {
    using ws = workspace();
    expect(await doctor(ws)).toEqual([]);
    await call(ws, "ls");
    const before = readFileSync(join(ws.ledger, "current.jsonl"));
    expect(await doctor(ws)).toEqual([]);
    expect(readFileSync(join(ws.ledger, "current.jsonl"))).toEqual(before);
    const text = (await ws.run(["doctor"])).stdout;
    expect(text).toContain("✓ The ledger is whole");
    expect(text).not.toContain("✗");
  });

  test("a ledger that was changed", async () => {
    using ws = workspace();
    await call(ws, "ls");
    const file = join(ws.ledger, "current.jsonl");
    writeFileSync(file, readFileSync(file, "utf8").replace('"ls"', '"la"'));
    expect(await doctor(ws)).toEqual(["ledger-whole: record 2 was changed"]);
    expect((await ws.run(["doctor"])).stdout).toContain("current.jsonl:2");
  });

  test("a refused call that ran, a tool that ran unannounced: each once", async () => {
    using ws = workspace();
    await call(ws, "rm -rf /", "PreToolUse", { tool_use_id: "a" });
    await call(ws, "rm -rf /", "PostToolUse", { tool_use_id: "a", tool_response: {} });
    for (const id of ["b", "c"]) await call(ws, "ls", "PostToolUse", { tool_use_id: id, tool_response: {} });
    const found = await doctor(ws);
    expect(found).toHaveLength(2);
    expect(found[0]).toMatch(
      /^denied-but-executed: a call of Bash that was refused has run nevertheless \(record [0-9a-f-]{36}\)$/,
    );
    expect(found[1]).toBe(
      "denied-but-executed: Bash ran without having been announced, so no rule has seen it beforehand",
    );
  });

  test("a policy with a mistake, by its place", async () => {
    using ws = workspace({ "hookline.yaml": "rules:\n  safety/workspace-boundry: off\n" });
    expect(await doctor(ws)).toEqual([
      'policy-valid: rules.safety/workspace-boundry: unknown rule "safety/workspace-boundry" (HL_UNKNOWN_RULE)',
    ]);
    expect((await ws.run(["doctor"])).stdout).toContain("hookline.yaml:2:3");
  });

  test("a ledger that cannot be written, and records that had to go elsewhere", async () => {
    using ws = workspace();
    writeFileSync(ws.path(".hookline"), "");
    await call(ws, "ls");
    expect(await doctor(ws)).toEqual([
      expect.stringContaining("ledger-writable: nothing can be written there"),
      "ledger-writable: records of this workspace went here, because it could not take them",
    ]);
    rmSync(ws.path(".hookline"));
    symlinkSync(ws.home, ws.path(".hookline"));
    expect(await doctor(ws)).toContain(
      "ledger-writable: this is a link, and no record is written through one",
    );
  });

  test("a ledger that is a link, before a record had to go elsewhere", async () => {
    using ws = workspace();
    mkdirSync(ws.path(".hookline"));
    mkdirSync(ws.path("elsewhere"));
    symlinkSync(ws.path("elsewhere"), ws.path(".hookline/ledger"));
    expect(await doctor(ws)).toEqual([
      "ledger-writable: this is a link, and no record is written through one",
    ]);
  });
});
