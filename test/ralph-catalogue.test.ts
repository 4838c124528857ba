import { describe, expect, test } from "bun:test";
import type { Event } from "../src/core/event.ts";
import { rules as packs } from "../src/packs/index.generated.ts";
import { liveWorld } from "../src/platform/live-world.ts";
import { claude, workspace } from "./support/hookline.ts";

const hookline = `${import.meta.dir}/../dist/hookline`;

interface Listed {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly tier: string;
  readonly lifecycle: string;
  readonly failMode: string;
  readonly serves: string;
  readonly risk?: string;
  readonly events: readonly string[];
  readonly presets: readonly string[];
}

async function listed(...more: string[]): Promise<Listed[]> {
  using ws = workspace();
  return (await ws.run(["rules", "list", "--pack", "ralph", ...more, "--json"])).json();
}

const numbers = (rules: readonly Listed[]): number[] => rules.map((rule) => rule.number);
const from = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

const p0 = [1, 7, 8, 9, 13, 14, 29];
const p1 = [2, 10, 11, 12, 17, 19, 22, 23, 25, 26];
const p2 = [3, 4, 5, 6, 15, 16, 18, 20, 21, 24, 27, 28, 30, 31, 32, 33];

const titles = [
  "Session Directory Guard",
  "Session Header Stamp",
  "Session Instruction Presence Check",
  "Prompt Capture (Raw)",
  "Prompt Hash Index",
  "Prompt Size Guard",
  "Path Allowlist Enforcement",
  "SSOT File Write Guard",
  "Single-Mode Subagent Guard",
  "Reviewer Single-Task Guard",
  "Destructive Command Denylist",
  "Workspace Boundary Guard",
  "Task File Existence Check",
  "Progress Status Mutation Guard",
  "Plan Snapshot Integrity Check",
  "Iteration Metadata Guard",
  "Tool Usage Ledger",
  "Determinism Checksum",
  "Policy Denial Audit",
  "Subagent Output Digest",
  "Timeout Ledger",
  "Retry Budget Guard",
  "Failure Snapshot",
  "State Transition Ledger",
  "Replanning Trigger Guard",
  "Session Review Gate",
  "Feedback Directory Schema Check",
  "Feedback Artifact Index Check",
  "Signal File Schema Check",
  "Signal Ordering Guard",
  "Manual Edit Checklist Hook",
  "Policy Version Stamp",
  "Session ID Sanitization Audit",
];

describe("the catalogue", () => {
  test("S0-R1 has exactly 33 hooks, numbered and named as in the document", async () => {
    const rules = await listed();
    expect(numbers(rules)).toEqual(from(1, 33));
    expect(rules.map((rule) => rule.title)).toEqual(titles);
  });

  test("S0-R2 S0-R3 has 7 hooks in P0, 10 in P1 and 16 in P2, and presets that add them up", async () => {
    const rules = await listed();
    const of = (tier: string): number[] => numbers(rules.filter((rule) => rule.tier === tier));
    expect([of("P0"), of("P1"), of("P2")]).toEqual([p0, p1, p2]);
    expect([p0.length, p1.length, p2.length]).toEqual([7, 10, 16]);
    const sorted = (...all: number[][]): number[] => all.flat().toSorted((a, b) => a - b);
    expect(numbers(await listed("--preset", "ralph/p0"))).toEqual(p0);
    expect(numbers(await listed("--preset", "ralph/p1"))).toEqual(sorted(p0, p1));
    expect(numbers(await listed("--preset", "ralph/all"))).toEqual(from(1, 33));
    expect(numbers(await listed("--preset", "ralph"))).toEqual(from(1, 33));
  });

  test("S0-R4 S0-R111 each P0 hook names its risk and fails as the table says", async () => {
    const rules = (await listed()).filter((rule) => rule.tier === "P0");
    expect(rules.map(({ number, failMode, risk }) => [number, failMode, risk])).toEqual([
      [1, "open", "session integrity"],
      [7, "closed", "scope violations"],
      [8, "closed", "state corruption"],
      [9, "open", "isolation violations"],
      [13, "open", "undefined behavior"],
      [14, "open", "state routing failures"],
      [29, "open", "signal processing failures"],
    ]);
    expect((await listed()).filter((rule) => rule.tier !== "P0" && rule.failMode !== "open")).toEqual([]);
  });

  test("S0-R5 S0-R116 every hook serves one of the four goals, and the control points have theirs", async () => {
    const rules = await listed();
    const of = (goal: string): number[] => numbers(rules.filter((rule) => rule.serves === goal));
    const goals = ["integrity", "scope", "audit", "recovery"];
    expect(goals.flatMap(of).toSorted((a, b) => a - b)).toEqual(from(1, 33));
    expect(of("integrity")).toEqual(expect.arrayContaining([8, 14, 1, 29]));
    expect(of("scope")).toEqual(expect.arrayContaining([7, 9, 13]));
    expect(of("audit")).toEqual(expect.arrayContaining([2, 17, 19]));
    expect(of("recovery")).toContain(22);
  });

  const lifecycles: Readonly<Record<string, number[]>> = {
    SessionStart: [1, 2, 3, 32, 33],
    UserPrompt: [4, 5, 6],
    PreTool: [7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 27, 28, 29, 30, 31],
    PostTool: [17, 18, 19, 20],
    ErrorOccurred: [21, 22, 23],
    StateTransition: [24, 25, 26],
  };

  test("S0-R6 S0-R8 S0-R112 each hook belongs to its life cycle: five native ones, and the guards of the state machine", async () => {
    const rules = await listed();
    const found = Object.fromEntries(
      Object.keys(lifecycles).map((name) => [name, numbers(rules.filter((rule) => rule.lifecycle === name))]),
    );
    expect(found).toEqual(lifecycles);
    expect(Object.values(lifecycles).flat()).toHaveLength(33);
  });

  const native: Readonly<Record<string, string>> = {
    SessionStart: "SessionStart",
    UserPrompt: "UserPromptSubmit",
    PreTool: "PreToolUse",
    PostTool: "PostToolUse",
    ErrorOccurred: "ErrorOccurred",
    StateTransition: "StateTransition",
  };

  test("S0-R7 each hook is asked at the point it belongs to", async () => {
    for (const { number, lifecycle, events } of await listed()) {
      // A refused call never gets to its end, so the audit of refusals looks where they are made.
      const point = number === 19 ? "PreToolUse" : (native[lifecycle] ?? "?");
      expect([number, events.includes(point)]).toEqual([number, true]);
    }
  });

  test("S0-R8 no agent is asked to call the guards of the state machine", async () => {
    using ws = workspace({ "hookline.yaml": "extends: ralph" });
    const registered = await ws.run(["hooks", "register"]);
    expect(registered.exitCode).toBe(0);
    expect(registered.stdout).not.toContain("StateTransition");
    expect(registered.stdout).not.toMatch(/state-transition|replanning-trigger|session-review/);
  });

  test("S0-R1 each can be chosen on its own, without any other", async () => {
    using ws = workspace();
    for (const { id } of await listed()) {
      ws.write("hookline.yaml", `extends: []\nrules:\n  ${id}: on\n`);
      const { rules, problems } = (
        await ws.run(["explain", "--json"], claude(ws.root, "Bash", { command: "ls" }))
      ).json();
      expect(problems).toEqual([]);
      // One that is about refusals is considered only when there is one.
      const others = rules.map((rule: any) => rule.rule).filter((rule: string) => rule !== id);
      expect([id, others]).toEqual([id, []]);
    }
  });

  test("S0-R46 each leaves a line with its number in hook-errors.jsonl when it fails", async () => {
    using ws = workspace({ ".ralph-sessions/260215-173319/metadata.yaml": "" });
    const event: Event = {
      name: "PreToolUse",
      native: "PreToolUse",
      host: "x",
      dialect: "x",
      cwd: ws.root,
      root: ws.root,
      actions: [],
      payload: {},
    };
    for (const { id, number } of await listed()) {
      const failure = { kind: "crash", detail: "no disk" } as const;
      expect([id, packs[id]?.onFailure?.(event, liveWorld(), failure)]).toEqual([
        id,
        [
          {
            do: "log",
            path: ws.path(".ralph-sessions/260215-173319/logs/hook-errors.jsonl"),
            entry: expect.objectContaining({ hook: number, failure: "crash", detail: "no disk" }),
          },
        ],
      ]);
    }
  });

  test("S0-R122 all 33 cost a call less than the engine itself does", async () => {
    const session = ".ralph-sessions/260215-173319";
    const progress = `${session}/iterations/1/progress.md`;
    using ws = workspace({ [`${session}/metadata.yaml`]: "iteration: 1\n", [progress]: "- [ ] task-1\n" });
    const edit = JSON.stringify(
      claude(ws.root, "Edit", { file_path: ws.path(progress), old_string: "[ ]", new_string: "[/]" }),
    );
    const cost = (presets: string): number => {
      ws.write("hookline.yaml", `extends: ${presets}`);
      const times = Array.from({ length: 4 }, () => {
        const ran = Bun.spawnSync([hookline, "run"], {
          cwd: ws.root,
          env: { HOME: ws.home, PATH: "/usr/bin:/bin" },
          stdin: new TextEncoder().encode(edit),
        });
        return Number(ran.resourceUsage.cpuTime.total);
      });
      // The first one compiles the policy.
      return Math.min(...times.slice(1));
    };
    const [with_, without]: [number[], number[]] = [[], []];
    for (let round = 0; round < 5; round++) {
      without.push(cost("recommended"));
      with_.push(cost("[recommended, ralph]"));
    }
    expect(Math.min(...with_) / Math.min(...without)).toBeLessThan(2);
  });

  test("is shown as a table with number, name, tier, life cycle and fail mode", async () => {
    using ws = workspace();
    const lines = (await ws.run(["rules", "list", "--pack", "ralph"])).stdout.split("\n");
    expect(lines[0]).toMatch(/^ID +NO +TIER +LIFECYCLE +OUTCOME +FAILS +NAME +SUMMARY/);
    expect(lines.find((line) => line.startsWith("ralph/prompt-size-guard "))).toMatch(
      / 6 +P2 +UserPrompt +block +open +Prompt Size Guard /,
    );
    const shown = (await ws.run(["rules", "show", "ralph/7"])).stdout;
    expect(shown).toContain(
      "#7 Path Allowlist Enforcement, P0, PreTool, for scope, against scope violations",
    );
  });
});
