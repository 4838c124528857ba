import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { workspace, type Workspace } from "./support/hookline.ts";
import { at, byRun, scripts, spec, tasks, type Calling, type Script } from "./support/pipeline.ts";

const edit = (path: string, tool = "Edit"): object => ({ tool_name: tool, tool_input: { file_path: path } });
const bash = (command: string): object => ({ tool_name: "Bash", tool_input: { command } });
const agent = (response: string): object => ({ tool_name: "Agent", tool_response: response });
const starts = { tool_name: "mcp__forge-state__phase_start", tool_input: { phase: "phase-1" } };
const prose =
  "The design covers the cases that matter, names its risks and is laid out well enough to be built.";
const source = "/src/main.go";

interface Expected {
  readonly exit: 0 | 2;
  readonly stderr?: string;
  readonly stdout?: string;
  readonly not?: string;
}

type Row = readonly [
  numbers: string,
  situation: string,
  make: () => Workspace,
  script: Script,
  payload: object | ((ws: Workspace) => object),
  expected: Expected,
];

const none = () => workspace();
const implementing = () => at("phase-5");
const warned = { exit: 0, stdout: "WARNING" } as const;
const silent = { exit: 0, not: "WARNING" } as const;
const verdicts = { exit: 0, stdout: "APPROVE, APPROVE_WITH_NOTES, or REVISE" } as const;

/** The 62 assertions of the original suite; a row with two numbers is two assertions about one call. */
const table: readonly Row[] = [
  ["1", "no pipeline; Edit", none, "pre-tool-hook", edit(source), { exit: 0 }],
  [
    "2-3",
    "phase-1; Edit",
    () => at("phase-1"),
    "pre-tool-hook",
    edit(source),
    { exit: 2, stderr: "read-only" },
  ],
  [
    "4",
    "phase-1; Write of the analysis",
    () => at("phase-1"),
    "pre-tool-hook",
    (ws) => edit(ws.path(`${spec}/analysis.md`), "Write"),
    { exit: 0 },
  ],
  ["5", "phase-1; ls", () => at("phase-1"), "pre-tool-hook", bash("ls"), { exit: 0 }],
  ["6", "phase-2; Write", () => at("phase-2"), "pre-tool-hook", edit(source, "Write"), { exit: 2 }],
  [
    "7-8",
    "parallel tasks; commit",
    () => at("phase-5", "in_progress", tasks("parallel", 2)),
    "pre-tool-hook",
    bash('git commit -m "feat: x"'),
    { exit: 2, stderr: "batch-commit" },
  ],
  [
    "9",
    "sequential task; commit",
    () => at("phase-5", "in_progress", tasks("sequential")),
    "pre-tool-hook",
    bash('git commit -m "feat: x"'),
    { exit: 0 },
  ],
  [
    "10-11",
    "checkout main",
    implementing,
    "pre-tool-hook",
    bash("git checkout main"),
    { exit: 2, stderr: "main or master" },
  ],
  ["12", "checkout master", implementing, "pre-tool-hook", bash("git checkout master"), { exit: 2 }],
  ["13", "switch main", implementing, "pre-tool-hook", bash("git switch main"), { exit: 2 }],
  [
    "14",
    "checkout origin/main",
    implementing,
    "pre-tool-hook",
    bash("git checkout origin/main"),
    { exit: 2 },
  ],
  [
    "15",
    "-C /repo checkout main",
    implementing,
    "pre-tool-hook",
    bash("git -C /repo checkout main"),
    { exit: 2 },
  ],
  ["16", "checkout -f main", implementing, "pre-tool-hook", bash("git checkout -f main"), { exit: 2 }],
  ["17", "no pipeline; checkout main", none, "pre-tool-hook", bash("git checkout main"), { exit: 0 }],
  [
    "18",
    "checkout of a feature branch",
    implementing,
    "pre-tool-hook",
    bash("git checkout feature/my-branch"),
    { exit: 0 },
  ],
  [
    "19",
    "a pull request that speaks of it",
    implementing,
    "pre-tool-hook",
    bash('gh pr create --title "x" --body "Run git checkout main to test"'),
    { exit: 0 },
  ],
  [
    "20",
    "a file that speaks of it",
    implementing,
    "pre-tool-hook",
    bash("echo 'git checkout main is blocked' > /tmp/notes.txt"),
    { exit: 0 },
  ],
  ["21", "phase-3; Edit", () => at("phase-3"), "pre-tool-hook", edit(source), { exit: 0 }],
  [
    "22-23",
    "phase_start without effort",
    () => at("phase-1", "pending"),
    "pre-tool-hook",
    starts,
    { exit: 0, stderr: "effort is not set" },
  ],
  [
    "24-25",
    "phase_start with effort M",
    () => at("phase-1", "pending", { effort: "M" }),
    "pre-tool-hook",
    starts,
    { exit: 0, not: "effort is not set" },
  ],
  [
    "26",
    "another tool than Agent",
    () => at("phase-3b"),
    "post-agent-hook",
    { tool_name: "Bash", tool_response: "" },
    { exit: 0 },
  ],
  ["27-28", "an empty answer", () => at("phase-1"), "post-agent-hook", agent(""), warned],
  ["29-30", "a short answer", () => at("phase-1"), "post-agent-hook", agent("short"), warned],
  ["31-32", "phase-3b without a verdict", () => at("phase-3b"), "post-agent-hook", agent(prose), verdicts],
  ["33-34", "phase-3b, APPROVE", () => at("phase-3b"), "post-agent-hook", agent(`${prose} APPROVE`), silent],
  [
    "35-36",
    "phase-3b, APPROVE_WITH_NOTES",
    () => at("phase-3b"),
    "post-agent-hook",
    agent(`APPROVE_WITH_NOTES ${prose}`),
    silent,
  ],
  [
    "37-38",
    "phase-3b, REVISE",
    () => at("phase-3b"),
    "post-agent-hook",
    agent(`${prose} Verdict: REVISE.`),
    silent,
  ],
  ["39-40", "phase-4b without a verdict", () => at("phase-4b"), "post-agent-hook", agent(prose), verdicts],
  [
    "41-42",
    "phase-4b, APPROVE_WITH_NOTES",
    () => at("phase-4b"),
    "post-agent-hook",
    agent(`${prose} APPROVE_WITH_NOTES`),
    silent,
  ],
  [
    "43",
    "phase-6 without a verdict",
    () => at("phase-6"),
    "post-agent-hook",
    agent(prose),
    { exit: 0, stdout: "PASS or FAIL" },
  ],
  ["44", "phase-6, PASS", () => at("phase-6"), "post-agent-hook", agent(`${prose} PASS`), silent],
  ["45", "stop without a pipeline", none, "stop-hook", {}, { exit: 0 }],
  ["46-47", "stop in phase-3", () => at("phase-3"), "stop-hook", {}, { exit: 2, stderr: "still active" }],
  [
    "48",
    "stop in phase-3, how to abandon",
    () => at("phase-3"),
    "stop-hook",
    {},
    { exit: 2, stderr: "mcp__forge-state__abandon" },
  ],
  [
    "49",
    "stop, final-summary completed",
    () => at("final-summary", "completed"),
    "stop-hook",
    {},
    { exit: 0 },
  ],
  ["50", "stop at a checkpoint", () => at("checkpoint-a", "awaiting_human"), "stop-hook", {}, { exit: 0 }],
  [
    "51",
    "stop, final-summary with summary.md",
    () => at("final-summary", "in_progress", {}, { [`${spec}/summary.md`]: "# Summary\n" }),
    "stop-hook",
    {},
    { exit: 2 },
  ],
  ["52", "stop, abandoned", () => at("phase-3", "abandoned"), "stop-hook", {}, { exit: 0 }],
  ["53", "abandoned; Edit", () => at("phase-1", "abandoned"), "pre-tool-hook", edit(source), { exit: 0 }],
  ["54", "stop, final-summary without summary.md", () => at("final-summary"), "stop-hook", {}, { exit: 2 }],
  ["55", "smoke: a tool, no pipeline", none, "pre-tool-hook", edit("/tmp/x"), { exit: 0 }],
  ["56", "smoke: stop, no pipeline, no payload", none, "stop-hook", {}, { exit: 0 }],
  ["57-58", "after Edit", () => at("post-to-source"), "post-bash-hook", edit(source), { exit: 0 }],
  ["59", "after ls -la", () => at("post-to-source"), "post-bash-hook", bash("ls -la"), { exit: 0 }],
  [
    "60",
    "after another phase",
    () => at("post-to-source"),
    "post-bash-hook",
    bash(`bash state-manager.sh phase-complete ${spec} final-summary`),
    { exit: 0 },
  ],
  [
    "61",
    "after post-to-source of an investigation",
    () => at("post-to-source", "completed", { taskType: "investigation" }, { [`${spec}/summary.md`]: "" }),
    "post-bash-hook",
    bash(`bash state-manager.sh phase-complete ${spec} post-to-source`),
    { exit: 0 },
  ],
  [
    "62",
    "after post-to-source without summary.md",
    () => at("post-to-source", "completed"),
    "post-bash-hook",
    bash(`bash state-manager.sh phase-complete ${spec} post-to-source`),
    { exit: 0 },
  ],
];

function assertionsBy(name: string, call: Calling): void {
  describe(name, () => {
    for (const [numbers, situation, make, script, payload, expected] of table)
      test(`S3-R12 S3-R3 assertion ${numbers}: ${situation}`, async () => {
        using ws = make();
        const ran = await call(ws, script, typeof payload === "function" ? payload(ws) : payload);
        expect({ exit: ran.exitCode, stderr: ran.stderr }).toEqual({
          exit: expected.exit,
          stderr: expect.stringContaining(expected.stderr ?? ""),
        });
        expect(ran.stdout).toContain(expected.stdout ?? "");
        if (expected.not !== undefined) expect(ran.stdout + ran.stderr).not.toContain(expected.not);
        if (expected.stdout !== undefined)
          expect(ran.json().hookSpecificOutput.hookEventName).toBe("PostToolUse");
      });
  });
}

test("S3-R12 the table is the whole suite: 62 assertions", () => {
  const numbers = table.flatMap(([each]) => {
    const [first = 0, last = first] = each.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
  expect(numbers).toEqual(Array.from({ length: 62 }, (_, at) => at + 1));
});

assertionsBy("hookline run --as pipeline", byRun);

describe("S3-R2 hookline pipeline scripts", () => {
  const folder = mkdtempSync(join(tmpdir(), "hookline-scripts-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  // Those of the original are replaced, and kept.
  writeFileSync(join(folder, "stop-hook.sh"), "#!/bin/sh\nexit 0\n");
  const executable = join(import.meta.dir, "../dist/hookline");
  const made = Bun.spawnSync([executable, "pipeline", "scripts", folder]);

  test("S3-R2 four scripts of one line each, which can be run; what was there is kept, and writing them again changes nothing", () => {
    expect(made.exitCode).toBe(0);
    const names = readdirSync(folder).sort();
    expect(names).toEqual([...scripts.map((name) => `${name}.sh`), "stop-hook.sh.original"].sort());
    for (const name of scripts) {
      const lines = readFileSync(join(folder, `${name}.sh`), "utf8")
        .trimEnd()
        .split("\n");
      expect(lines.filter((line) => !line.startsWith("#"))).toHaveLength(1);
      expect(statSync(join(folder, `${name}.sh`)).mode & 0o111).toBe(0o111);
    }
    const again = Bun.spawnSync([executable, "pipeline", "scripts", folder]);
    expect([again.exitCode, readdirSync(folder).sort()]).toEqual([0, names]);
  });

  test("S3-F9 without the executable nothing is blocked, and it is said", () => {
    const path = join(folder, "gone.sh");
    writeFileSync(
      path,
      readFileSync(join(folder, "stop-hook.sh"), "utf8").replace(/h='[^']*'/, "h=/nowhere/hookline"),
    );
    const ran = Bun.spawnSync(["bash", path], { env: { PATH: "/usr/bin:/bin" } });
    expect([ran.exitCode, ran.stderr.toString()]).toEqual([0, expect.stringContaining("not guarded")]);
    rmSync(path);
  });

  assertionsBy("the scripts", async (ws, script, payload) => {
    const child = Bun.spawn(["bash", join(folder, `${script}.sh`)], {
      cwd: ws.home,
      env: { HOME: ws.home, PATH: "/usr/bin:/bin", CLAUDE_PROJECT_DIR: ws.root },
      stdin: new TextEncoder().encode(typeof payload === "string" ? payload : JSON.stringify(payload)),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr, exitCode] = await Promise.all([
      child.stdout.text(),
      child.stderr.text(),
      child.exited,
    ]);
    return { exitCode, stdout, stderr, json: () => JSON.parse(stdout) };
  });

  test("S3-R13 the manual test works as printed, with the script", () => {
    using ws = at("phase-1");
    const line = `echo '{"tool_name":"Edit","tool_input":{"file_path":"/src/foo.go"}}' | bash ${folder}/pre-tool-hook.sh`;
    const run = (root: string) =>
      Bun.spawnSync(["bash", "-c", line], { cwd: root, env: { HOME: ws.home, PATH: "/usr/bin:/bin" } })
        .exitCode;
    expect([run(ws.root), run(ws.home)]).toEqual([2, 0]);
  });
});
