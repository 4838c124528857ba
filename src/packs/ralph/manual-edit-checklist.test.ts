import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { judge } from "../../core/engine.ts";
import type { EventName } from "../../core/event.ts";
import { recordWorld } from "../../core/world.ts";
import { liveWorld } from "../../platform/live-world.ts";
import { ruleTester } from "../../testing/rule-tester.ts";
import rule from "./manual-edit-checklist.ts";

const session = ".ralph-sessions/260215-173319";
const progress = `${session}/iterations/1/progress.md`;
const state = ".ralph-sessions/.hook-state/260215-173319/iterations__1__progress.md.jsonl";
const text = "- [ ] task-1\n";
const hash = createHash("sha256").update(text).digest("hex");
const seen = (sha256: string) => `${JSON.stringify({ sha256 })}\n`;
const other = "0".repeat(64);
const options = { grace_seconds: 0 };
const files = { [progress]: text, [state]: seen(other) };
const entry = (line: string) => ({ ...files, [`${session}/logs/manual-edits.md`]: line });
const write = { write: progress, text: "- [/] task-1\n", options };

describe("S0-R39 an edit by a person is asked for", () => {
  ruleTester("ralph/manual-edit-checklist", {
    catches: [
      { title: "through a redirection", files, shell: `echo x >> ${progress}`, options, message: "unlisted" },
      { title: "through sed", files, shell: `sed -i s/a/b/ ${progress}`, options, message: "unlisted" },
      {
        title: "an entry for another change of the file",
        files: entry(`- [x] ${progress} (sha256 ${other.slice(0, 12)}): mine\n`),
        ...write,
        data: { path: "iterations/1/progress.md", hash: hash.slice(0, 12) },
      },
      { title: "an entry that is a remark", files: entry(`${hash.slice(0, 12)} [x] done\n`), ...write },
      {
        title: "a hash that is half a line",
        files: { ...files, [state]: `${seen(other)}{"sha256":"${hash}` },
        ...write,
      },
    ],
    allows: [
      { title: "an entry that is ticked", files: entry(`* [X] ${hash.slice(0, 12)}: mine\r\n`), ...write },
      {
        title: "a hash that is known",
        files: { ...files, [state]: seen(other) + seen(hash) + seen(other) },
        ...write,
      },
      { title: "reading", files, read: progress, options },
      {
        title: "the progress of another iteration",
        files,
        write: `${session}/iterations/2/progress.md`,
        text: "",
        options,
      },
      {
        title: "another session's file",
        files: {
          ...files,
          ".ralph-sessions/260216-000000/metadata.yaml": "",
          ".ralph-sessions/.active-session": "260216-000000",
        },
        ...write,
      },
    ],
  });
});

describe("what is remembered", () => {
  const remembered = async (name: EventName, known: string | undefined): Promise<string[]> => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "hookline-manual-")));
    const put = (path: string, content: string): void => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    };
    put(progress, text);
    if (known !== undefined) put(state, seen(known));
    const event = { name, native: name, host: "x", dialect: "x", cwd: root, root, actions: [], payload: {} };
    const selected = { id: "x", on: rule.on, rule, outcome: rule.outcome, failMode: rule.failMode, options };
    const { effects } = await judge(event, [selected], recordWorld(liveWorld()));
    rmSync(root, { recursive: true, force: true });
    return effects.map((effect) => ("digest" in effect ? (effect.digest ?? "").slice(root.length + 1) : "?"));
  };

  test("after a tool, what it has changed", async () => {
    expect(await remembered("PostToolUse", other)).toEqual([progress]);
    expect(await remembered("PostToolUse", undefined)).toEqual([progress]);
    expect(await remembered("PostToolUse", hash)).toEqual([]);
  });

  test("at a start, what nobody has seen yet", async () => {
    expect(await remembered("SessionStart", undefined)).toEqual([progress]);
    expect(await remembered("SessionStart", other)).toEqual([]);
  });

  test("at a step of the orchestrator, what it makes of a file that was known", async () => {
    expect(await remembered("StateTransition", hash)).toEqual([progress]);
    expect(await remembered("StateTransition", other)).toEqual([]);
    expect(await remembered("StateTransition", undefined)).toEqual([]);
  });
});
