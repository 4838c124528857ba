import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { liveWorld } from "../platform/live-world.ts";
import { isoTime } from "./iso-time.ts";
import { sectionsIn, tableIn } from "./markdown.ts";
import {
  feedbackBatches,
  readFeedback,
  readPlan,
  readTask,
  reportsOf,
  tasksOf,
  wavesOf,
} from "./ralph-documents.ts";
import { readInstructions } from "./ralph-instructions.ts";
import { currentIteration, iterationsIn } from "./ralph-iteration.ts";
import {
  iterationFiles,
  logFile,
  placeOf,
  rejectedIdsLog,
  sessionFiles,
  sessionFolder,
} from "./ralph-layout.ts";
import { nonAuthoritative, readLog } from "./ralph-logs.ts";
import {
  changeMetadata,
  iterationKeys,
  newIterationMetadata,
  newSessionMetadata,
  readMetadata,
  sessionKeys,
  stateIn,
  valueAt,
} from "./ralph-metadata.ts";
import { nextStates, ralphMachines, transitionBetween } from "./ralph-machine.ts";
import { ralphProfiles } from "./ralph-profiles.ts";
import {
  currentStatuses,
  legend,
  newProgress,
  progressOf,
  readProgress,
  withStatus,
} from "./ralph-progress.ts";

const id = "260215-173319";
let root = "";
beforeEach(() => void (root = realpathSync(mkdtempSync(join(tmpdir(), "hookline-ralph-")))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const world = liveWorld();
const session = (): string => sessionFolder(root, id);
const write = (name: string, text = ""): void => {
  const path = join(root, ".ralph-sessions", name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

describe("the workflow's versions as data", () => {
  test("S0-F1 S0-F2 v2.2.0 has ten states and its table of steps", () => {
    const { states, transitions } = ralphMachines["v2.2.0"];
    expect(states).toHaveLength(10);
    expect(transitions.map(({ from, to }) => `${from} ${to}`)).toEqual([
      "INITIALIZING PLANNING",
      "PLANNING BATCHING",
      "BATCHING EXECUTING_BATCH",
      "BATCHING SESSION_REVIEW",
      "EXECUTING_BATCH REVIEWING_BATCH",
      "REVIEWING_BATCH BATCHING",
      "SESSION_REVIEW KNOWLEDGE_EXTRACTION",
      "KNOWLEDGE_EXTRACTION COMPLETE",
      "KNOWLEDGE_EXTRACTION KNOWLEDGE_APPROVAL",
      "KNOWLEDGE_APPROVAL COMPLETE",
      "COMPLETE REPLANNING",
      "REPLANNING BATCHING",
    ]);
    expect(nextStates(ralphMachines["v2.2.0"], "BATCHING")).toEqual(["EXECUTING_BATCH", "SESSION_REVIEW"]);
    expect(transitionBetween(ralphMachines["v2.2.0"], "PLANNING", "SESSION_REVIEW")).toBeUndefined();
    expect(transitionBetween(ralphMachines["v2.2.0"], "COMPLETE", "REPLANNING")?.when).toContain("feedback");
  });

  test("S0-F4 S0-F37 the later machine has eleven states, fifteen steps, four signals and acks", () => {
    const later = { ...ralphProfiles.later, ...ralphMachines.later };
    expect([later.states.length, later.transitions.length, later.signalTypes.length]).toEqual([11, 15, 4]);
    expect(later.scaffold).toContain("signals/acks");
    expect(later.states).not.toContain("KNOWLEDGE_APPROVAL");
  });

  test.each(Object.entries(ralphMachines))("in %s every step leads from a state to a state", (_, machine) => {
    const { states, transitions } = machine;
    for (const { from, to } of transitions)
      expect([from, to].filter((each) => !states.includes(each))).toEqual([]);
    const reached = new Set(transitions.map(({ to }): string => to));
    expect(states.filter((state) => !reached.has(state))).toEqual(["INITIALIZING"]);
  });
});

describe("S0-F16 the layout", () => {
  test("every file has its place", () => {
    const files = iterationFiles(session(), 2);
    const kind = (path: string) => {
      const place = placeOf(root, path);
      return place && [place.kind, place.iteration];
    };
    expect(kind(sessionFiles(root, id).metadata)).toEqual(["session-metadata", undefined]);
    expect(kind(sessionFiles(root, id).instructions)).toEqual(["instructions", undefined]);
    expect(kind(files.metadata)).toEqual(["iteration-metadata", 2]);
    expect(kind(files.progress)).toEqual(["progress", 2]);
    expect(kind(files.plan)).toEqual(["plan", 2]);
    expect(kind(files.review)).toEqual(["review", 2]);
    expect(kind(files.task("task-1"))).toEqual(["task", 2]);
    expect(kind(join(files.reports, "task-1-report-r2.md"))).toEqual(["report", 2]);
    expect(kind(join(files.feedbacks, "20260215-180000/feedbacks.md"))).toEqual(["feedback", 2]);
    expect(kind(join(files.feedbacks, "20260215-180000/shot.png"))).toEqual(["other", 2]);
    expect(kind(join(session(), "signals/inputs/signal.260215-180000.yaml"))).toEqual(["signal", undefined]);
    expect(kind(join(session(), "signals/processed/s.yaml"))).toEqual(["processed-signal", undefined]);
    expect(kind(logFile(root, id, "session.log"))).toEqual(["log", undefined]);
    expect(kind(join(session(), "progress.md"))).toEqual(["progress", undefined]);
  });

  test("what is no session's is nobody's", () => {
    for (const path of [
      join(root, "progress.md"),
      join(root, ".ralph-sessions"),
      join(root, ".ralph-sessions/notes/progress.md"),
      join(root, ".ralph-sessions/notes.instructions.md"),
      rejectedIdsLog(root),
      join(root, `.ralph-sessionsX/${id}/progress.md`),
    ])
      expect([path, placeOf(root, path)]).toEqual([path, undefined]);
  });

  test("the current iteration is what the metadata says, else the highest there is", () => {
    expect(currentIteration(session(), world)).toBeUndefined();
    for (const n of ["1", "2", "10", "old", "0"]) write(`${id}/iterations/${n}/plan.md`);
    expect(iterationsIn(session(), world)).toEqual([1, 2, 10]);
    expect(currentIteration(session(), world)).toBe(10);
    write(`${id}/metadata.yaml`, "version: 1\niteration: 2 # now\norchestrator:\n  iteration: 7\n");
    expect(currentIteration(session(), liveWorld())).toBe(2);
  });
});

describe("metadata.yaml", () => {
  const now = "2026-02-15T17:33:19+07:00";

  test("S0-F6 S0-F7 new ones have every key that is asked for", () => {
    const missing = (text: string, keys: readonly string[]): string[] => {
      const read = readMetadata(text);
      if ("error" in read) throw new Error(read.error);
      return keys.filter((key) => valueAt(read.data, key) === undefined);
    };
    expect(missing(newSessionMetadata(id, now), sessionKeys)).toEqual([]);
    expect(missing(newIterationMetadata(3, now), iterationKeys)).toEqual([]);
  });

  test("S0-F6 a change counts the version up and leaves the rest, comments too, as it is", () => {
    const text = `# ours\n${newSessionMetadata(id, now)}`;
    const changed = changeMetadata(
      text,
      { "orchestrator.state": "PLANNING", "tasks.total": 4, "hooks.policy": "0.1.0" },
      { expected: 1, now: "2026-02-15T18:00:00+07:00" },
    );
    if ("error" in changed) throw new Error(changed.error);
    expect(changed.text).toStartWith("# ours\nversion: 2\n");
    const read = readMetadata(changed.text);
    if ("error" in read) throw new Error(read.error);
    expect(stateIn(read.data)).toBe("PLANNING");
    expect(read.data).toMatchObject({
      session_id: id,
      created_at: now,
      updated_at: "2026-02-15T18:00:00+07:00",
      orchestrator: { current_wave: null },
      tasks: { total: 4, failed: 0 },
      hooks: { policy: "0.1.0" },
    });
  });

  test("S0-F6 a change is refused when the version is not the one that was read", () => {
    const text = newSessionMetadata(id, now);
    expect(changeMetadata(text, {}, { expected: 2, now })).toEqual({
      error: "metadata.yaml version changed (expected 2, found 1)",
    });
    expect(changeMetadata("a: [", {}, { now })).toMatchObject({
      error: expect.stringContaining("not a valid"),
    });
    expect(changeMetadata("- a\n", {}, { now })).toMatchObject({ error: expect.stringContaining("mapping") });
  });
});

describe("progress.md", () => {
  const text = [
    "# Progress",
    "## Legend",
    "- `[ ]` Not started",
    "- `[x]` Completed",
    "## Planning Progress (Iteration 1)",
    "- [x] plan-init",
    "- [ ] plan-research (waiting)",
    "## Implementation Progress (Iteration 1)",
    "- [F] task-2 (failed: 2026-02-15T18:00:00Z)",
    "- [/] task-1 (Attempt 1, Iteration 1)",
    "- [ ] task-2",
    "  - [x] a criterion",
    "",
  ].join("\n");

  test("S0-F10 S0-F11 S0-F14 sections, legend, planning lines and task lines with their history", () => {
    const progress = readProgress(text);
    expect(progress.sections).toEqual([
      "Legend",
      "Planning Progress (Iteration 1)",
      "Implementation Progress (Iteration 1)",
    ]);
    expect(progress.legend).toEqual([" ", "x"]);
    expect(progress.planning.map(({ id: name, status }) => [name, status])).toEqual([
      ["plan-init", "x"],
      ["plan-research", " "],
    ]);
    expect(progress.tasks).toEqual([
      { id: "task-2", status: "F", note: "(failed: 2026-02-15T18:00:00Z)", line: 9 },
      { id: "task-1", status: "/", note: "(Attempt 1, Iteration 1)", line: 10 },
      { id: "task-2", status: " ", note: "", line: 11 },
    ]);
    expect(currentStatuses(progress.tasks).get("task-2")?.line).toBe(11);
  });

  test("S0-F13 a status is set on the last line of an id", () => {
    const changed = withStatus(text, "task-2", "/", "(Attempt 2)") ?? "";
    expect(changed.split("\n").slice(8, 11)).toEqual([
      "- [F] task-2 (failed: 2026-02-15T18:00:00Z)",
      "- [/] task-1 (Attempt 1, Iteration 1)",
      "- [/] task-2 (Attempt 2)",
    ]);
    expect(withStatus(text, "task-9", "x")).toBeUndefined();
    expect(withStatus("- [ ] task-1 note\r\n", "task-1", "x")).toBe("- [x] task-1 note\r\n");
    expect(withStatus("- [ ] task-1 note\r\n", "task-1", "x", "done")).toBe("- [x] task-1 done\r\n");
    expect(withStatus("- [ ] task-10\n", "task-1", "x")).toBeUndefined();
  });

  test("S0-F12 a new one has a legend of six, its planning tasks, and nothing done", () => {
    const one = readProgress(newProgress(1, ["task-1"]));
    expect(one.legend).toEqual(Object.keys(legend));
    expect(one.planning.map((line) => line.id)).toEqual([
      "plan-init",
      "plan-brainstorm",
      "plan-research",
      "plan-breakdown",
    ]);
    expect(one.tasks).toMatchObject([{ id: "task-1", status: " " }]);
    expect(readProgress(newProgress(2)).sections[1]).toBe("Replanning Progress (Iteration 2)");
  });

  test("the one of a session older than iterations is found", () => {
    expect(progressOf(session(), 1, liveWorld())).toBeUndefined();
    write(`${id}/progress.md`, "- [x] task-1\n");
    expect(progressOf(session(), 1, liveWorld())?.tasks).toHaveLength(1);
    write(`${id}/iterations/1/progress.md`, "- [x] task-1\n- [ ] task-2\n");
    expect(progressOf(session(), 1, liveWorld())?.tasks).toHaveLength(2);
  });
});

describe("tasks, reports, plan, feedback", () => {
  test("S0-F18 a task file: frontmatter, references, criteria, dependencies", () => {
    const text =
      "---\nid: task-3\niteration: 1\ntype: Sequential\n---\n# Title\n## Files\n- `src/a.ts`\n## Grounded In\n- Q-001\n- plan.md\n- Q-001\n" +
      "## Success Criteria\n- [ ] it works\n- [x] it is fast\n## Dependencies\n- **depends_on**: [task-1, `task-2`]\n- inherited_by:\n  - task-9\n## Notes\ntask-7\n";
    expect(readTask("task-3", text)).toMatchObject({
      id: "task-3",
      data: { type: "Sequential" },
      dependsOn: ["task-1", "task-2"],
      inheritedBy: ["task-9"],
      groundedIn: ["Q-001", "plan.md"],
      criteria: ["it works", "it is fast"],
      files: ["`src/a.ts`"],
    });
    expect(readTask("task-1", "no frontmatter")).toMatchObject({
      id: "task-1",
      error: "no frontmatter",
      dependsOn: [],
    });
    expect(readTask("task-1", "---\na: [\n---\n").error).toContain("line");
    expect(readTask("task-4", "---\ndepends_on: [task-4, task-5]\n---\n").dependsOn).toEqual(["task-5"]);
  });

  test("S0-F18 waves follow the dependencies; a circle is in none of them", () => {
    const tasks = (table: Record<string, string[]>) =>
      new Map(Object.entries(table).map(([name, dependsOn]) => [name, { dependsOn }]));
    expect(wavesOf(tasks({ a: [], b: ["a"], c: ["a", "b"], d: ["elsewhere"] }))).toEqual([
      ["a", "d"],
      ["b"],
      ["c"],
    ]);
    expect(wavesOf(tasks({ a: [], b: ["c"], c: ["b"], d: ["c"] }))).toEqual([["a"]]);
  });

  test("tasks are read from the iteration, or from a session older than iterations", () => {
    write(`${id}/tasks/task-1.md`);
    expect([...tasksOf(session(), 1, liveWorld()).keys()]).toEqual(["task-1"]);
    write(`${id}/iterations/1/tasks/task-2.md`, "---\nid: task-2\n---\n");
    write(`${id}/iterations/1/tasks/notes.txt`);
    expect([...tasksOf(session(), 1, liveWorld()).keys()]).toEqual(["task-2"]);
  });

  test("S0-F20 reports are counted by attempt", () => {
    const names = [
      "task-1-report.md",
      "task-1-report-r10.md",
      "task-1-report-r2.md",
      "task-10-report.md",
      "x.md",
    ];
    expect(reportsOf("task-1", names)).toEqual({
      reports: ["task-1-report.md", "task-1-report-r2.md", "task-1-report-r10.md"],
      next: "task-1-report-r4.md",
    });
    expect(reportsOf("task-2", names)).toEqual({ reports: [], next: "task-2-report.md" });
  });

  test("S0-F19 a plan says which iterations it was replanned for", () => {
    expect(
      readPlan("# Plan\n## Replanning History (Iteration 2)\n## Replanning History (Iteration 3)\n")
        .replanned,
    ).toEqual([2, 3]);
  });

  test("S0-F38..F40 feedback: frontmatter, headings, the first column of its index", () => {
    const text =
      "---\niteration: 2\ntimestamp: 2026-02-15T18:00:00+0700\n---\n# Feedback Batch: x\n## Critical Issues (Blockers)\n```\n## Not a heading\n```\n" +
      "## Artifacts Index\n\n| File | Description |\n|------|:-----------:|\n| `shot.png` | a \\| b |\n| log.txt | |\n\n## Context Notes\n| a | b |\n";
    const feedback = readFeedback(text);
    expect(feedback.data).toEqual({ iteration: 2, timestamp: "2026-02-15T18:00:00+0700" });
    expect(feedback.sections.map(({ title }) => title)).toEqual([
      "Feedback Batch: x",
      "Critical Issues (Blockers)",
      "Artifacts Index",
      "Context Notes",
    ]);
    expect(feedback.artifacts.map(({ file }) => file)).toEqual(["shot.png", "log.txt"]);
    write(`${id}/iterations/2/feedbacks/20260215-180000/feedbacks.md`, text);
    write(`${id}/iterations/2/feedbacks/readme.md`);
    expect(feedbackBatches(session(), 2, liveWorld())).toEqual(["20260215-180000"]);
  });

  test("a table needs a head and a rule; sections end at their own level", () => {
    expect(tableIn("a | b\n---\n")).toEqual([]);
    expect(tableIn("---\n| a |\n")).toEqual([]);
    expect(sectionsIn("# A\n## B\nb\n### C\nc\n# D\n").map(({ title, text }) => [title, text])).toEqual([
      ["A", "## B\nb\n### C\nc"],
      ["B", "b\n### C\nc"],
      ["C", "c"],
      ["D", ""],
    ]);
  });
});

test("S0-F26 instructions: target files and settings", () => {
  write(
    `${id}.instructions.md`,
    '---\napplyTo: ".ralph-sessions/x/**"\n---\n## Retries\n- max_subagent_retries: 2\n## Timeouts\n- `task_wip_minutes`: 45\n' +
      "## Target Files\n- `src/app.ts` - the entry\n- src/lib/** (all of it)\n* docs/a b.md\n- [ ] `x.ts`\n\n## Agent Skills\n- none\n",
  );
  expect(readInstructions(root, id, liveWorld())).toEqual({
    targetFiles: ["src/app.ts", "src/lib/**", "docs/a b.md", "x.ts"],
    settings: { max_subagent_retries: 2, task_wip_minutes: 45 },
  });
  expect(readInstructions(root, "260216-000000", liveWorld())).toEqual({ targetFiles: [], settings: {} });
});

test("S0-F8 ISO8601 with every offset the workflow writes, and the moment it names", () => {
  const noon = Date.UTC(2026, 1, 15, 12);
  for (const text of [
    "2026-02-15T12:00:00Z",
    "2026-02-15T19:00:00+07:00",
    "2026-02-15T19:00:00+0700",
    "2026-02-15T12:00",
  ])
    expect([text, isoTime(text)]).toEqual([text, noon]);
  for (const text of [
    "15.02.2026",
    "2026-02-30T00:00:00Z",
    "2026-02-15 12:00",
    "",
    5,
    null,
    "2026-02-15T12:61:00Z",
  ])
    expect([text, isoTime(text)]).toEqual([text, undefined]);
});

test("a log is read line by line, whatever a crash has left in it", () => {
  write(`${id}/logs/tool-usage.jsonl`, '{"a":1}\n{"a":\n\n[1]\n{"a":2}\n{"a');
  expect(readLog(logFile(root, id, "tool-usage.jsonl"), liveWorld())).toEqual([{ a: 1 }, { a: 2 }]);
  expect(readLog(logFile(root, id, "checksums.jsonl"), liveWorld())).toEqual([]);
  expect(nonAuthoritative).toBe("Non-authoritative. Regenerate from SSOT.");
});
