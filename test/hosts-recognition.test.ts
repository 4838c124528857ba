import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { done } from "../src/core/work.ts";
import { chooseHost } from "../src/app/choose-host.ts";
import type { Host } from "../src/core/host.ts";
import type { Json } from "../src/core/json.ts";
import claudeCode from "../src/hosts/claude-code/host.ts";
import copilot from "../src/hosts/copilot/host.ts";
import { hosts } from "../src/hosts/index.generated.ts";
import { hostIndex } from "../src/hosts/lazy.generated.ts";
import { readFixtures } from "../src/testing/host-tester.ts";

const fixturesOf = (host: string) => readFixtures(join(import.meta.dir, `../src/hosts/${host}/fixtures`));
const dialects: Record<string, string> = {
  cli: "cli",
  cloud: "cli",
  "cli-pascal": "pascal",
  vscode: "vscode",
};
const time = "2026-11-16T02:13:20.000Z";

const chosen = async (...asked: Parameters<typeof chooseHost>) => done(chooseHost(...asked));

/** Who is taken for the caller, and in which dialect. */
const recognised = async (payload: Json, flag?: string): Promise<string> => {
  const { id, host } = await chosen(payload, flag);
  return `${id} ${host.decode(payload, undefined).dialect}`;
};

describe("a payload is recognised without a flag", () => {
  for (const { name, stdin } of fixturesOf("claude-code")) {
    test(`claude-code ${name}`, async () => {
      expect(await recognised(stdin)).toBe("claude-code settings");
      expect(claudeCode.recognises(stdin)).toBe(2);
    });
  }
  for (const { name, stdin } of fixturesOf("copilot")) {
    const dialect = dialects[name.split(".")[0] ?? ""];
    test(`copilot ${name}`, async () => expect(await recognised(stdin)).toBe(`copilot ${dialect}`));
    test(`copilot ${name}, run by the hook of .claude/settings.json`, async () => {
      expect(await recognised(stdin, "claude-code")).toBe(`copilot ${dialect}`);
      expect((await chosen(stdin, "claude-code")).how).toBe("named claude-code, recognised as copilot");
    });
  }
});

describe("what decides", () => {
  const cases: readonly [what: string, payload: Json, expected: string, flag?: string][] = [
    [
      "VS Code before it wrote snake_case",
      { hookEventName: "SessionStart", sessionId: "s", timestamp: time, source: "new" },
      "copilot vscode",
    ],
    [
      "VS Code before it wrote snake_case, a tool call",
      {
        hookEventName: "PreToolUse",
        sessionId: "s",
        timestamp: time,
        tool_name: "create_file",
        tool_input: {},
        tool_use_id: "1",
      },
      "copilot vscode",
    ],
    [
      "a VS Code tool without a call id",
      { hook_event_name: "PreToolUse", timestamp: time, tool_name: "run_in_terminal" },
      "copilot vscode",
    ],
    [
      "an unknown tool with a call id",
      { hook_event_name: "PreToolUse", timestamp: time, tool_name: "x", tool_use_id: "1" },
      "copilot vscode",
    ],
    [
      "a Claude tool name without a call id",
      { hook_event_name: "PreToolUse", timestamp: time, tool_name: "Bash" },
      "copilot pascal",
    ],
    [
      "an event VS Code does not have",
      { hook_event_name: "SessionEnd", timestamp: time, transcript_path: "/t" },
      "copilot pascal",
    ],
    [
      "snake_case without a name",
      { session_id: "s", timestamp: time, tool_name: "Bash" },
      "copilot pascal",
      "copilot",
    ],
    ["camelCase with next to nothing", { toolName: "bash", toolArgs: {} }, "copilot cli", "copilot"],
    [
      "a patch as a bare string, which Claude Code never sends",
      { hook_event_name: "PreToolUse", tool_name: "Edit", tool_input: "*** Begin Patch" },
      "copilot pascal",
      "claude-code",
    ],
    [
      "a session kept off the disk",
      { hook_event_name: "Stop", session_id: "s", transcript_path: "", cwd: "/w" },
      "claude-code settings",
    ],
    [
      "an event newer than we are",
      { hook_event_name: "MoonRise", session_id: "s", cwd: "/w" },
      "claude-code settings",
    ],
    ["nothing we know", { foo: 1 }, "claude-code settings"],
    ["nothing at all", {}, "claude-code settings"],
  ];
  for (const [what, payload, expected, flag] of cases) {
    test(what, async () => expect(await recognised(payload, flag)).toBe(expected));
  }
});

/** They speak like others, or like nobody in particular: who means them says so. */
const byName = ["generic", "harness", "plugin"];

describe("nobody takes another's payload", () => {
  for (const id of byName) {
    test(`${id} is meant when it is named, and never guessed`, async () => {
      for (const { stdin } of fixturesOf(id)) {
        expect(hosts[id]?.recognises(stdin)).toBe(0);
        expect((await chosen(stdin, id)).id).toBe(id);
      }
    });
  }

  for (const id of Object.keys(hosts).filter((each) => !byName.includes(each))) {
    test(`all of ${id} is recognised as ${id}, and by no other host with the same certainty`, async () => {
      for (const { name, stdin } of fixturesOf(id)) {
        const found = (await chosen(stdin, undefined)).id;
        const own = hosts[id]?.recognises(stdin) ?? 0;
        const others = Object.entries(hosts).filter(
          ([other, host]) => other !== id && host.recognises(stdin) >= own,
        );
        expect({ name, found, others: others.map(([other]) => other) }).toEqual({
          name,
          found: id,
          others: [],
        });
      }
    });
  }

  test("the index that is loaded with every call says what the hosts say", async () => {
    expect(Object.keys(hostIndex)).toEqual(Object.keys(hosts));
    for (const [id, entry] of Object.entries(hostIndex)) {
      expect(await entry.load()).toBe(hosts[id] as Host);
      for (const { stdin } of fixturesOf(id))
        expect(entry.recognises(stdin)).toBe((hosts[id] as Host).recognises(stdin));
      expect(entry.namesAgents).toEqual(hosts[id]?.namesAgents as string[]);
    }
  });
});

describe("agents that speak like ours are never claimed with certainty", () => {
  const common = {
    session_id: "s",
    cwd: "/w",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: {},
  };
  const cases: Record<string, Json> = {
    "the transcript is named by date and session": {
      ...common,
      transcript_path: "/h/.codex/sessions/2026/rollout-2026-s.jsonl",
      turn_id: "t",
    },
    "the transcript is named otherwise": {
      ...common,
      hook_event_name: "preToolUse",
      transcript_path: "/h/.cursor/projects/w/agent-transcripts/5b.jsonl",
    },
    "a time stamp, and a transcript named by the session": {
      ...common,
      transcript_path: "/h/.qwen/projects/w/chats/s.jsonl",
      timestamp: time,
    },
  };
  for (const [what, payload] of Object.entries(cases)) {
    test(what, () => {
      for (const host of [claudeCode, copilot]) expect(host.recognises(payload)).toBeLessThan(2);
    });
  }
});
