import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { repository, type Repository } from "./support/git.ts";
import { workspace, type Workspace } from "./support/hookline.ts";
import { at, byRun, spec, state, tasks } from "./support/pipeline.ts";

const pipeline = (ws: Workspace, ...args: string[]) => ws.run(["pipeline", ...args]);
const stateOf = (ws: Workspace, folder = spec): any =>
  JSON.parse(readFileSync(ws.path(`${folder}/state.json`), "utf8"));
const where = (ws: Workspace, folder = spec): string => {
  const { currentPhase, currentPhaseStatus } = stateOf(ws, folder);
  return `${currentPhase} ${currentPhaseStatus}`;
};

async function begun(...args: string[]): Promise<{ ws: Workspace; folder: string }> {
  const ws = workspace();
  const made = await pipeline(ws, "init", "Add a cart!", ...args, "--json");
  return { ws, folder: made.json().workspace };
}

const artifacts: Record<string, string> = {
  "phase-1": "analysis.md",
  "phase-2": "investigation.md",
  "phase-3": "design.md",
  "phase-3b": "review-design.md",
  "phase-4": "tasks.md",
  "phase-4b": "review-tasks.md",
  "phase-7": "comprehensive-review.md",
  "final-summary": "summary.md",
};

const all =
  "phase-1 phase-2 phase-3 phase-3b checkpoint-a phase-4 phase-4b checkpoint-b phase-5 phase-6 phase-7 final-verification pr-creation final-summary post-to-source final-commit".split(
    " ",
  );

describe("hookline pipeline init", () => {
  test("S3-F3 S3-F6 makes a workspace with request and state, ready for phase-1", async () => {
    const { ws, folder } = await begun(
      "--effort",
      "L",
      "--request",
      "A cart, please.",
      "--branch",
      "feature/cart",
    );
    using _ = ws;
    expect(folder).toMatch(/\/\.specs\/\d{8}-add-a-cart$/);
    expect(readFileSync(join(folder, "request.md"), "utf8")).toBe("# Request\n\nA cart, please.\n");
    expect(JSON.parse(readFileSync(join(folder, "state.json"), "utf8"))).toMatchObject({
      version: 1,
      branch: "feature/cart",
      effort: "L",
      flowTemplate: "full",
      skippedPhases: [],
      currentPhase: "phase-1",
      currentPhaseStatus: "pending",
      completedPhases: ["setup"],
      tasks: {},
      error: null,
    });
    // The guards know it at once.
    expect((await byRun(ws, "stop-hook", {})).exitCode).toBe(2);
    expect(await pipeline(ws, "init", "add a cart")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("already"),
    });
  });

  test("S3-F7 what an effort skips", async () => {
    for (const [effort, template, skips] of [
      ["S", "light", ["phase-2", "phase-4", "phase-4b", "checkpoint-b", "phase-6"]],
      ["M", "standard", ["phase-4b", "checkpoint-b"]],
      ["L", "full", []],
    ] as const) {
      using ws = workspace();
      const made = (await pipeline(ws, "init", "x", "--effort", effort, "--json")).json();
      expect(made.state).toMatchObject({ effort, flowTemplate: template, skippedPhases: skips });
    }
  });

  test("what is no name, no effort and no action is named", async () => {
    using ws = workspace();
    for (const [args, text] of [
      [["init"], "name the pipeline"],
      [["init", "../.."], "name the pipeline"],
      [["init", "x", "--effort", "XL"], "--effort takes S, M or L"],
      [["statsu"], 'did you mean "status"?'],
      [["status"], "there is none"],
      [["start", "--workspace", "nope"], "there is no pipeline nope"],
    ] as const)
      expect(await pipeline(ws, ...args)).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining(text),
      });
    expect(existsSync(ws.path(".specs"))).toBe(false);
  });
});

describe("steps", () => {
  test("S3-F1 S3-F5 S3-F6 S3-C8 a pipeline goes through every phase in order, each only with its artifact", async () => {
    const { ws, folder } = await begun("--effort", "L");
    using _ = ws;
    const seen: string[] = [];
    while (true) {
      const { currentPhase: phase, currentPhaseStatus } = JSON.parse(
        readFileSync(join(folder, "state.json"), "utf8"),
      );
      if (phase === "completed") {
        expect(currentPhaseStatus).toBe("completed");
        break;
      }
      seen.push(phase);
      expect((await pipeline(ws, "start", phase)).exitCode).toBe(0);
      const artifact = artifacts[phase];
      if (artifact !== undefined) {
        expect(await pipeline(ws, "complete")).toMatchObject({
          exitCode: 1,
          stderr: expect.stringContaining(`${artifact} is missing or empty`),
        });
        ws.write(`${folder.slice(ws.root.length + 1)}/${artifact}`, "# It\n");
      }
      if (phase.startsWith("checkpoint")) {
        expect((await pipeline(ws, "complete")).stderr).toContain("for a person to approve");
        expect((await pipeline(ws, "checkpoint")).exitCode).toBe(0);
        expect((await pipeline(ws, "complete")).stderr).toContain("approve it");
        expect((await pipeline(ws, "approve")).exitCode).toBe(0);
      } else expect((await pipeline(ws, "complete", phase)).exitCode).toBe(0);
    }
    expect(seen).toEqual(all);
    const ended = JSON.parse(readFileSync(join(folder, "state.json"), "utf8"));
    expect(ended.completedPhases).toEqual(["setup", ...all]);
    expect(ended.phaseLog.map(({ phase }: { phase: string }) => phase)).toEqual(all);
    expect((await byRun(ws, "stop-hook", {})).exitCode).toBe(0);
  });

  test("S3-F7 phases of no use are passed over", async () => {
    const { ws } = await begun("--effort", "S", "--auto-approve", "--skip-pr");
    using _ = ws;
    const seen: string[] = [];
    for (let phase = "phase-1"; phase !== "completed";) {
      seen.push(phase);
      expect((await pipeline(ws, "start")).exitCode).toBe(0);
      const folder = readdirSync(ws.path(".specs"))[0];
      if (artifacts[phase]) ws.write(`.specs/${folder}/${artifacts[phase]}`, "x");
      phase = (await pipeline(ws, "complete", "--json")).json().to.phase;
    }
    expect(seen).toEqual(
      "phase-1 phase-3 phase-3b checkpoint-a phase-5 phase-7 final-verification final-summary post-to-source".split(
        " ",
      ),
    );
  });

  const outcomes: Record<string, Partial<Record<string, string>>> = {
    pending: { start: "phase-3 in_progress", skip: "phase-3b pending", abandon: "phase-3 abandoned" },
    in_progress: {
      complete: "phase-3b pending",
      fail: "phase-3 failed",
      skip: "phase-3b pending",
      checkpoint: "phase-3 awaiting_human",
      abandon: "phase-3 abandoned",
    },
    failed: { start: "phase-3 in_progress", skip: "phase-3b pending", abandon: "phase-3 abandoned" },
    awaiting_human: { approve: "phase-3b pending", abandon: "phase-3 abandoned" },
    completed: {},
    abandoned: {},
  };
  for (const [status, allowed] of Object.entries(outcomes))
    for (const step of ["start", "complete", "fail", "skip", "checkpoint", "approve", "abandon"])
      test(`S3-F2 S3-F5 ${step} when ${status}: ${allowed[step] ?? "refused"}`, async () => {
        using ws = at("phase-3", status, { mine: { kept: true } }, { [`${spec}/design.md`]: "# Design\n" });
        const before = readFileSync(ws.path(`${spec}/state.json`), "utf8");
        const ran = await pipeline(ws, step, "--workspace", spec);
        expect(ran.exitCode).toBe(allowed[step] === undefined ? 1 : 0);
        if (allowed[step] === undefined)
          expect(readFileSync(ws.path(`${spec}/state.json`), "utf8")).toBe(before);
        else {
          expect(where(ws)).toBe(allowed[step]);
          expect(stateOf(ws).mine).toEqual({ kept: true });
          expect(stateOf(ws).timestamps.lastUpdated > "2026-01-15T10:00:00Z").toBe(true);
        }
      });

  test("S3-F5 S3-F8 S3-R10 whatever is active can be abandoned, also what no step has led to", async () => {
    for (const [phase, status] of [
      ["phase-3", "blocked"],
      ["phase-99", "in_progress"],
      ["", "pending"],
    ] as const) {
      using ws = at(phase, status);
      expect((await byRun(ws, "stop-hook", {})).exitCode).toBe(2);
      expect((await pipeline(ws, "start")).exitCode).toBe(1);
      expect((await pipeline(ws, "abandon")).exitCode).toBe(0);
      expect(where(ws)).toBe(`${phase} abandoned`);
      expect((await byRun(ws, "stop-hook", {})).exitCode).toBe(0);
    }
  });

  test("S3-F4 S3-F20 phase-5 and phase-6 want a file and a status of every task", async () => {
    using ws = at("phase-5", "in_progress", tasks("sequential", 2));
    const refused = await pipeline(ws, "complete");
    expect(refused.stderr).toContain("task 1 is in_progress; impl-1.md is missing or empty; task 2");
    const done = (review: string) => ({
      tasks: { 1: { executionMode: "sequential", implStatus: "completed", reviewStatus: review } },
    });
    ws.write(`${spec}/state.json`, state("phase-5", "in_progress", done("pending")));
    ws.write(`${spec}/impl-1.md`, "done");
    expect((await pipeline(ws, "complete")).exitCode).toBe(0);
    ws.write(`${spec}/state.json`, state("phase-6", "in_progress", done("completed_pass")));
    expect((await pipeline(ws, "complete")).stderr).toContain("review-1.md is missing or empty");
    for (const [review, exit] of [
      ["completed_fail", 1],
      ["pending", 1],
      ["completed_pass_with_notes", 0],
    ] as const) {
      ws.write(`${spec}/state.json`, state("phase-6", "in_progress", done(review)));
      ws.write(`${spec}/review-1.md`, "seen");
      expect([review, (await pipeline(ws, "complete")).exitCode]).toEqual([review, exit]);
    }
  });

  test("S3-F20 a revision that is pending keeps a checkpoint shut; another phase than the current one is refused", async () => {
    using ws = at("checkpoint-a", "awaiting_human", { checkpointRevisionPending: { "checkpoint-a": true } });
    expect((await pipeline(ws, "approve")).stderr).toContain("a revision is pending");
    expect((await pipeline(ws, "abandon", "phase-9")).stderr).toContain("the pipeline is at checkpoint-a");
    expect(where(ws)).toBe("checkpoint-a awaiting_human");
  });

  test("S3-F14 fail keeps the reason, start clears it and warns of an effort that is missing", async () => {
    using ws = at("phase-1", "in_progress");
    await pipeline(ws, "fail", "--reason", "no network");
    expect(stateOf(ws).error).toMatchObject({ phase: "phase-1", message: "no network" });
    const started = await pipeline(ws, "start");
    expect(started).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("effort is not set") });
    expect(stateOf(ws).error).toBe(null);
  });

  test("S3-F3 of steps taken at once one is taken, and the file is whole at every moment", async () => {
    using ws = at("phase-3", "in_progress", {}, { [`${spec}/design.md`]: "x" });
    let torn = 0;
    const watching = setInterval(() => {
      try {
        stateOf(ws);
      } catch {
        torn++;
      }
    }, 1);
    const ran = await Promise.all(Array.from({ length: 8 }, () => pipeline(ws, "complete", "phase-3")));
    clearInterval(watching);
    expect(ran.filter(({ exitCode }) => exitCode === 0)).toHaveLength(1);
    expect(where(ws)).toBe("phase-3b pending");
    expect(torn).toBe(0);
    expect(readdirSync(ws.path(spec)).sort()).toEqual(["design.md", "state.json"]);
  });

  test("a workspace that leads out of the project is not written", async () => {
    using ws = workspace();
    using other = at("phase-3");
    ws.write(".specs/x", "");
    symlinkSync(other.path(spec), ws.path(".specs/away"));
    const ran = await pipeline(ws, "abandon", "--workspace", "away");
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("leads out of the workspace") });
    expect(where(other)).toBe("phase-3 in_progress");
  });
});

describe("hookline pipeline status", () => {
  test("is a board of phases, artifacts and tasks, of the active pipeline or else the last one", async () => {
    using ws = at(
      "phase-5",
      "in_progress",
      {
        ...tasks("parallel", 2),
        specName: "cart",
        effort: "M",
        completedPhases: ["setup", "phase-1"],
        skippedPhases: ["phase-4b"],
      },
      { [`${spec}/analysis.md`]: "x" },
    );
    const { stdout } = await pipeline(ws, "status");
    expect(stdout).toMatch(/✓ +phase-1 +Situation Analysis +completed +analysis\.md\n/);
    expect(stdout).toMatch(/– +phase-4b +Tasks AI Review +skipped *\n/);
    expect(stdout).toMatch(/▶ +phase-5 +Implementation +in_progress/);
    expect(stdout).toMatch(/2 +task 2 +parallel +in_progress +review pending/);
    const board = (await pipeline(ws, "status", "--json")).json();
    expect(board).toMatchObject({
      name: "cart",
      phase: "phase-5",
      effort: "M",
      tasks: [{ id: "1" }, { id: "2" }],
    });
    expect(board.phases).toHaveLength(17);
    await pipeline(ws, "abandon");
    expect((await pipeline(ws, "status", "--json")).json().status).toBe("abandoned");
  });
});

describe("S3-R4 a phase that only reads", () => {
  const reading = async (phase = "phase-1"): Promise<Repository> => {
    const ws = repository({ "src/a.go": "package a\n", "src/b.go": "package b\n" });
    ws.write(".gitignore", ".hookline/\n*.log\n");
    ws.write("src/b.go", "package changed_before\n");
    ws.write("src/new-before.go", "package n\n");
    ws.write(`${spec}/state.json`, state(phase, "pending", { effort: "L" }));
    expect((await pipeline(ws, "start")).exitCode).toBe(0);
    ws.write(`${spec}/${artifacts[phase]}`, "# Found\n");
    return ws;
  };

  test.each([
    ["changed", (ws: Repository) => ws.write("src/a.go", "package x\n"), "src/a.go"],
    ["new", (ws: Repository) => ws.write("src/new.go", "package x\n"), "src/new.go"],
    ["gone", (ws: Repository) => rmSync(ws.path("src/a.go")), "src/a.go"],
    ["changed once more", (ws: Repository) => ws.write("src/b.go", "package x\n"), "src/b.go"],
    ["put back", (ws: Repository) => ws.git("checkout", "-q", "--", "src/b.go"), "src/b.go"],
    [
      "committed",
      (ws: Repository) => {
        ws.write("src/a.go", "package x\n");
        ws.git("commit", "-qam", "x");
      },
      "src/a.go",
    ],
  ] as const)("S3-R4 is not left with a file that is %s since it was started", async (_, change, file) => {
    for (const phase of ["phase-1", "phase-2"])
      for (const step of ["complete", "skip"]) {
        using ws = await reading(phase);
        change(ws);
        const before = readFileSync(ws.path(`${spec}/state.json`), "utf8");
        expect(await pipeline(ws, step)).toMatchObject({
          exitCode: 1,
          stderr: expect.stringContaining(file),
        });
        expect(readFileSync(ws.path(`${spec}/state.json`), "utf8")).toBe(before);
      }
  });

  test("S3-R4 a change in the very second the file was committed, by which it grows no longer, is one", async () => {
    using ws = repository({ "src/a.go": "package a\n" });
    ws.git("config", "core.trustctime", "false");
    const moment = new Date(1_700_000_000_000);
    const freeze = (file: string): void => utimesSync(ws.path(file), moment, moment);
    freeze("src/a.go");
    ws.git("add", "--renormalize", ".");
    ws.git("update-index", "--refresh");
    freeze(".git/index");
    ws.write(`${spec}/state.json`, state("phase-1", "pending", { effort: "L" }));
    expect((await pipeline(ws, "start")).exitCode).toBe(0);
    ws.write(`${spec}/analysis.md`, "# Found\n");
    ws.write("src/a.go", "package x\n");
    freeze("src/a.go");
    expect(await pipeline(ws, "complete")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("src/a.go"),
    });
  });

  test("S3-R4 is left with artifacts, ignored files, commits of what was there, and whatever was changed before", async () => {
    using ws = await reading();
    const index = ws.git("ls-files", "--stage");
    ws.write(`${spec}/deep/notes.md`, "x\n");
    ws.write("out.log", "x\n");
    ws.write("build.log", "x\n");
    expect(ws.git("ls-files", "--stage")).toBe(index);
    ws.git("add", "src/b.go");
    ws.git("commit", "-qm", "b");
    expect((await pipeline(ws, "complete")).exitCode).toBe(0);
    expect(where(ws)).toBe("phase-2 pending");
    // What is not under way is nobody's: the next start looks again.
    ws.write("src/a.go", "package x\n");
    await pipeline(ws, "start");
    ws.write(`${spec}/investigation.md`, "x\n");
    expect((await pipeline(ws, "complete")).exitCode).toBe(0);
    expect(stateOf(ws)).not.toHaveProperty("sourceTree");
  });

  test("where there is no git, or the state was written by another engine, nothing is compared", async () => {
    using bare = at("phase-1", "pending", { effort: "L" });
    await pipeline(bare, "start");
    bare.write("src/a.go", "x");
    bare.write(`${spec}/analysis.md`, "x");
    expect((await pipeline(bare, "complete")).exitCode).toBe(0);
    using other = await reading();
    other.write("src/a.go", "x");
    other.write(`${spec}/state.json`, state("phase-1", "in_progress"));
    expect((await pipeline(other, "complete")).exitCode).toBe(0);
    using odd = await reading();
    for (const sourceTree of ["--output=x", "0".repeat(40), 7]) {
      odd.write(`${spec}/state.json`, state("phase-1", "in_progress", { sourceTree }));
      expect((await pipeline(odd, "complete")).exitCode).toBe(0);
    }
    expect(existsSync(odd.path("x"))).toBe(false);
  });

  test("in a later phase files may change as they like", async () => {
    using ws = repository({ "src/a.go": "package a\n" });
    ws.write(`${spec}/state.json`, state("phase-3", "pending"));
    await pipeline(ws, "start");
    expect(stateOf(ws)).not.toHaveProperty("sourceTree");
    ws.write("src/a.go", "x");
    ws.write(`${spec}/design.md`, "x");
    expect((await pipeline(ws, "complete")).exitCode).toBe(0);
  });
});
