import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { matches, type Filter } from "../src/ledger/query/filter.ts";
import type { LedgerRecord } from "../src/ledger/read.ts";
import { claude, workspace, type Workspace } from "./support/hookline.ts";
import { hooked } from "./support/hooks.ts";

const hook = (ws: Workspace, tool: string, input: object, more: object = {}, event = "PreToolUse") =>
  ws.run(["run"], { ...claude(ws.root, tool, input, event), ...more });

/** A short day: two sessions, a subagent, two agents, files and commands, what passes and what does not. */
async function aDay(ws: Workspace): Promise<void> {
  await hook(ws, "Bash", { command: "ls src" }, { session_id: "one" });
  await hook(ws, "Bash", { command: "git push --force origin main" }, { session_id: "one" });
  await hook(ws, "Bash", { command: "git push --force origin main" }, { session_id: "two" });
  await hook(ws, "Bash", { command: "rm -rf /" }, { session_id: "two" });
  await hook(
    ws,
    "Write",
    { file_path: ws.path("src/app/a.ts"), content: "export const straße = 1;\n" },
    { session_id: "two" },
  );
  await hook(
    ws,
    "Write",
    { file_path: ws.path("src/b.ts"), content: "x" },
    { session_id: "two", agent_id: "a-7", agent_type: "reviewer" },
  );
  await hook(ws, "Write", { file_path: join(ws.home, "elsewhere.txt"), content: "x" }, { session_id: "one" });
  await ws.run(["run", "--host", "copilot", "--event", "preToolUse"], {
    sessionId: "three",
    timestamp: 1,
    cwd: ws.root,
    toolName: "bash",
    toolArgs: { command: "echo from copilot" },
  });
  await ws.run(["run"], "not json at all");
  await hook(ws, "Bash", {}, { session_id: "one", prompt: "please tidy the cupboard" }, "UserPromptSubmit");
}

const index = (ws: Workspace) => {
  const folder = join(ws.home, ".cache/hookline/indexes");
  const name = readdirSync(folder).find((each) => each.endsWith(".sqlite"));
  return join(folder, name ?? "none");
};

const log = async (ws: Workspace, ...args: string[]): Promise<LedgerRecord[]> => {
  const ran = await ws.run(["log", "--json", ...args]);
  expect([ran.exitCode, ran.stderr]).toEqual([0, ""]);
  return ran.stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
};

describe("hookline log", () => {
  let ws: Workspace;
  beforeAll(async () => {
    ws = workspace();
    await aDay(ws);
  });
  afterAll(() => ws[Symbol.dispose]());

  test("prints the records as they stand in the ledger, in their order", async () => {
    const lines = readFileSync(join(ws.ledger, "current.jsonl"), "utf8").trimEnd().split("\n").slice(1);
    expect((await ws.run(["log", "--json"])).stdout.trimEnd().split("\n")).toEqual(lines);
    expect(await log(ws, "--limit", "2")).toEqual(lines.slice(-2).map((line) => JSON.parse(line)));
  });

  const asked: [string, string[], (ws: Workspace) => Filter, number][] = [
    ["a session", ["--session", "one"], () => ({ session: "one" }), 4],
    ["a host", ["--host", "copilot"], () => ({ host: "copilot" }), 1],
    ["a subagent's id", ["--agent", "a-7"], () => ({ agent: "a-7" }), 1],
    ["a subagent's type", ["--agent", "reviewer"], () => ({ agent: "reviewer" }), 1],
    ["a tool", ["--tool", "Write"], () => ({ tool: "Write" }), 3],
    ["an event", ["--event", "UserPromptSubmit"], () => ({ event: "UserPromptSubmit" }), 1],
    ["a rule", ["--rule", "safety/git-history"], () => ({ rule: "safety/git-history" }), 2],
    ["a pack", ["--rule", "safety/*"], () => ({ rule: "safety/*" }), 4],
    ["an outcome", ["--outcome", "block"], () => ({ outcomes: ["block"] }), 5],
    ["two outcomes", ["--outcome", "block,pass"], () => ({ outcomes: ["block", "pass"] }), 10],
    ["a file", ["--path", "src/b.ts"], (at) => ({ path: at.path("src/b.ts") }), 1],
    ["a folder", ["--path", "src"], (at) => ({ path: at.path("src") }), 2],
    ["a pattern", ["--path", "src/**/*.ts"], (at) => ({ path: at.path("src/**/*.ts") }), 2],
    ["a name anywhere", ["--path", "*.txt"], () => ({ path: "/**/*.txt" }), 1],
    ["a word", ["--text", "push"], () => ({ text: "push" }), 2],
    ["the beginnings of words", ["--text", "FORC orig"], () => ({ text: "FORC orig" }), 2],
    ["a word of a prompt", ["--text", "cupboard"], () => ({ text: "cupboard" }), 1],
    ["a word with other letters", ["--text", "STRASSE straß"], () => ({ text: "STRASSE straß" }), 0],
    ["a word in other letters", ["--text", "Straß"], () => ({ text: "Straß" }), 1],
    ["what FTS would take for syntax", ["--text", '"push" OR ( *'], () => ({ text: '"push" OR ( *' }), 2],
    [
      "several at once",
      ["--session", "two", "--outcome", "block", "--text", "push"],
      () => ({ session: "two", outcomes: ["block"], text: "push" }),
      1,
    ],
    ["nobody", ["--session", "nobody"], () => ({ session: "nobody" }), 0],
    ["since long ago", ["--since", "1h"], () => ({ since: Date.now() - 3_600_000 }), 10],
    ["until long ago", ["--until", "2020-01-01"], () => ({ until: 1_577_836_800_000 }), 0],
  ];
  test.each(asked)(
    "by %s: the index finds what reading every record finds",
    async (_, args, filter, count) => {
      const found = await log(ws, ...args);
      const all = ws.records().filter((record) => matches(record as LedgerRecord, filter(ws)));
      expect(found.map(({ id }) => id)).toEqual(all.map((record) => record["id"]));
      expect(found).toHaveLength(count);
    },
  );

  test("by id", async () => {
    const wanted = ws.records()[3]?.["id"];
    expect((await log(ws, wanted)).map(({ id }) => id)).toEqual([wanted]);
  });

  test("for people: one line a record, with nothing in it that could move the cursor", async () => {
    await hook(ws, "Bash", { command: "echo \u001b[2J\u202e\nsecond line" });
    const ran = await ws.run(["log", "--limit", "1"]);
    expect(ran.stdout.trimEnd().split("\n")).toHaveLength(1);
    expect(ran.stdout).toContain("second line");
    for (const mark of ["\u001b", "\u202e"]) expect(ran.stdout).not.toContain(mark);
    const odd = "\u001b[2J\u202eodd\nline";
    for (const event of ["PreToolUse", `Odd${odd}`])
      await ws.run(["run", "--host", "claude-code"], {
        ...claude(ws.root, `Tool${odd}`, { file_path: ws.path(odd) }, event),
        session_id: odd,
        agent_id: odd,
        agent_type: odd,
      });
    for (const args of [["log", "--limit", "2"], ["stats"], ["doctor"], ["verify"], ["replay"]]) {
      const { stdout, stderr } = await ws.run(args);
      for (const mark of ["\u001b", "\u202e", "odd\nline"]) expect(stdout + stderr).not.toContain(mark);
    }
    expect((await ws.run(["log", "--session", "nobody"])).stderr).toContain("nothing on record fits");
  });

  test("what is no time, outcome or number is said", async () => {
    for (const args of [
      ["--since", "yesteryear"],
      ["--since", "5"],
      ["--since", "foo 1"],
      ["--since", "2026-02-31"],
      ["--since", "2026-02-28T25:00"],
      ["--since", "2026"],
      ["--since", ""],
      ["--text", "?!"],
      ["--event", "PreToolUes"],
      ["--outcome", "blocked"],
      ["--limit", "0"],
      ["--limit", "x"],
    ]) {
      const ran = await ws.run(["log", ...args]);
      expect([ran.exitCode, ran.stdout]).toEqual([2, ""]);
      expect(ran.stderr).toContain(args[1] === "blocked" ? "expected pass" : (args[1] ?? ""));
    }
  });

  test("a time is meant in the user's own zone where it names none, and nothing fits between a day and the day before", async () => {
    const zone = { TZ: "Asia/Tokyo" };
    const seen = async (...args: string[]) =>
      (await ws.run(["log", "--json", ...args], "", zone)).stdout !== "";
    const moment = Date.parse(ws.records()[0]?.["time"]);
    const inTokyo = (ms: number) => new Date(ms + 9 * 3_600_000).toISOString().slice(0, 19);
    const [before, after] = [inTokyo(moment - 60_000), inTokyo(moment + 3_600_000)];
    for (const [from, to] of [
      [before, after],
      [before.replace("T", " "), after.replace("T", " ")],
      [`${before}+09:00`, `${after}+0900`],
      [`${before}.000+09:00`, new Date(moment + 3_600_000).toISOString()],
    ] as const) {
      expect(await seen("--since", from, "--until", to)).toBe(true);
      expect(await seen("--since", to)).toBe(false);
    }
    const ran = await ws.run(["log", "--since", "1d", "--until", "2d"]);
    expect([ran.exitCode, ran.stderr]).toEqual([2, expect.stringContaining("--until must be later")]);
  });
});

describe("the index is derived", () => {
  const ids = async (ws: Workspace, ...args: string[]) => (await log(ws, ...args)).map(({ id }) => id);

  test("removed, damaged, of another shape, or unwritable: it makes no difference", async () => {
    using ws = workspace();
    await aDay(ws);
    const blocked = await ids(ws, "--outcome", "block");
    expect(blocked).toHaveLength(5);
    expect(statSync(index(ws)).mode & 0o077 & statSync(join(index(ws), "..")).mode).toBe(0);
    rmSync(index(ws));
    expect(await ids(ws, "--outcome", "block")).toEqual(blocked);
    writeFileSync(index(ws), "this is no database, whatever it may have been");
    expect(await ids(ws, "--outcome", "block")).toEqual(blocked);
    const { Database } = await import("bun:sqlite");
    using db = new Database(index(ws));
    db.run("PRAGMA user_version = 99");
    db.close();
    expect(await ids(ws, "--outcome", "block")).toEqual(blocked);
    rmSync(join(ws.home, ".cache"), { recursive: true });
    writeFileSync(join(ws.home, ".cache"), "");
    expect(await ids(ws, "--outcome", "block")).toEqual(blocked);
  });

  test("damaged where only a question comes across it: it is made anew, and the question answered", async () => {
    using ws = workspace();
    await aDay(ws);
    for (let round = 0; round < 40; round++) await hook(ws, "Bash", { command: `echo word${round}` });
    const asked = [
      ["--text", "word3"],
      ["--tool", "Bash"],
      ["--rule", "safety/*"],
      ["--path", "src"],
    ];
    for (const args of asked) {
      const all = await ids(ws, ...args);
      // Everything into the one file, then all of it but the beginning, which is looked at first, is noise.
      const { Database } = await import("bun:sqlite");
      const db = new Database(index(ws));
      db.run("PRAGMA wal_checkpoint(TRUNCATE)");
      const { root } = db
        .query("SELECT rootpage AS root FROM sqlite_master WHERE name = 'segments'")
        .get() as {
        root: number;
      };
      db.close();
      const bytes = readFileSync(index(ws));
      for (let page = 2; page * 4096 < bytes.length; page++)
        if (page + 1 !== root) bytes.fill(0xa5, page * 4096, (page + 1) * 4096);
      writeFileSync(index(ws), bytes);
      expect([args, await ids(ws, ...args)]).toEqual([args, all]);
      writeFileSync(index(ws), bytes);
      expect((await ws.run(["stats"])).exitCode).toBe(0);
    }
  });

  test("what an index says and the ledger does not is not shown", async () => {
    using ws = workspace();
    await aDay(ws);
    const before = await ids(ws, "--outcome", "block");
    const { Database } = await import("bun:sqlite");
    const db = new Database(index(ws));
    db.run("UPDATE records SET outcome = 4");
    db.close();
    expect(await ids(ws, "--outcome", "block")).toEqual(before);
  });

  test("records that came since, a segment that was closed, removed or changed, a ledger begun anew", async () => {
    using ws = workspace({ "hookline.yaml": "ledger:\n  segmentMb: 1\n" });
    await aDay(ws);
    expect(await ids(ws)).toHaveLength(10);
    await hook(ws, "Bash", { command: "git push --force" });
    expect(await ids(ws, "--rule", "safety/git-history")).toHaveLength(3);
    // Two segments more.
    const { toLine, readTail } = await import("../src/ledger/chain.ts");
    for (let round = 0; round < 2; round++) {
      const file = join(ws.ledger, "current.jsonl");
      const tail = readTail(readFileSync(file).subarray(-256));
      appendFileSync(
        file,
        toLine(
          { v: 2, kind: "decision", time: new Date().toISOString(), filler: "x".repeat(1_100_000) },
          tail ?? { seq: 0, link: "" },
        ),
      );
      await hook(ws, "Bash", { command: "git push --force" });
    }
    expect(readdirSync(ws.ledger).filter((name) => name.endsWith(".jsonl"))).toHaveLength(3);
    expect(await ids(ws, "--rule", "safety/git-history")).toHaveLength(5);
    expect((await ws.run(["stats", "--json"])).json().decisions).toBe(15);
    const first = join(ws.ledger, "000001.jsonl");
    const text = readFileSync(first, "utf8");
    writeFileSync(first, text.replaceAll('"safety/git-history"', '"safety/git-historx"'));
    expect(await ids(ws, "--rule", "safety/git-history")).toHaveLength(2);
    rmSync(first);
    expect(await ids(ws, "--all")).toHaveLength(3);
    expect((await ws.run(["stats", "--json"])).json().decisions).toBe(3);
    rmSync(ws.ledger, { recursive: true });
    await hook(ws, "Bash", { command: "ls" });
    expect(await ids(ws, "--all")).toHaveLength(1);
  });

  test("records that went to the fallback are found too, and a named ledger alone", async () => {
    using ws = workspace();
    await hook(ws, "Bash", { command: "ls" });
    renameSync(join(ws.root, ".hookline"), join(ws.root, "kept"));
    writeFileSync(join(ws.root, ".hookline"), "");
    await hook(ws, "Bash", { command: "git push --force" });
    rmSync(join(ws.root, ".hookline"));
    renameSync(join(ws.root, "kept"), join(ws.root, ".hookline"));
    expect(await ids(ws)).toHaveLength(2);
    expect(await ids(ws, "--ledger", ".hookline/ledger")).toHaveLength(1);
    expect((await ws.run(["stats", "--json"])).json()).toMatchObject({
      decisions: 2,
      outcomes: { block: 1, pass: 1 },
    });
  });

  test("a workspace reached by a link has the same fallback", async () => {
    using ws = workspace({ ".hookline": "" });
    const link = join(ws.home, "link");
    symlinkSync(ws.root, link);
    await ws.run(["run"], claude(link, "Bash", { command: "ls" }), { CLAUDE_PROJECT_DIR: link });
    await hook(ws, "Bash", { command: "ls" });
    expect(await ids(ws)).toHaveLength(2);
  });

  test("many look at once while records come", async () => {
    using ws = workspace();
    await aDay(ws);
    const all = await Promise.all([
      ...Array.from({ length: 6 }, () => ws.run(["log", "--json"])),
      ...Array.from({ length: 6 }, () => hook(ws, "Bash", { command: "ls" })),
    ]);
    expect(all.map(({ exitCode }) => exitCode)).toEqual(Array.from({ length: 12 }, () => 0));
    expect(await ids(ws)).toHaveLength(16);
  });
});

describe("live", () => {
  const started = async (ws: Workspace, args: string[]) => {
    const child = Bun.spawn([join(import.meta.dir, "../dist/hookline"), ...args], {
      cwd: ws.root,
      env: { HOME: ws.home, PATH: "/usr/bin:/bin" },
      stdout: "pipe",
      stderr: "pipe",
    });
    const lines: string[] = [];
    const reading = (async () => {
      let rest = "";
      for await (const chunk of child.stdout) {
        const parts = (rest + new TextDecoder().decode(chunk)).split("\n");
        rest = parts.pop() ?? "";
        lines.push(...parts);
      }
    })();
    const reached = async (count: number) => {
      for (let at = 0; at < 200 && lines.length < count; at++) await Bun.sleep(50);
      return lines.map((line) => JSON.parse(line).event.payload.tool_input.command);
    };
    const ended = async () => {
      child.kill("SIGINT");
      await reading;
      return child.exited;
    };
    return { reached, ended };
  };

  test("watch shows what comes from now on, through a segment's end; --follow begins with what is there", async () => {
    using ws = workspace({ "hookline.yaml": "ledger:\n  segmentMb: 1\n" });
    await hook(ws, "Bash", { command: "echo before" }, { session_id: "mine" });
    await hook(ws, "Bash", { command: "echo other" }, { session_id: "other" });
    const watching = await started(ws, ["watch", "--json"]);
    const following = await started(ws, ["log", "--session", "mine", "--follow", "--json"]);
    expect(await following.reached(1)).toEqual(["echo before"]);
    await Bun.sleep(300);
    await hook(ws, "Bash", { command: "echo 1" }, { session_id: "mine" });
    expect(await watching.reached(1)).toEqual(["echo 1"]);
    const file = join(ws.ledger, "current.jsonl");
    const { toLine, readTail } = await import("../src/ledger/chain.ts");
    const tail = readTail(readFileSync(file).subarray(-256));
    appendFileSync(
      file,
      toLine(
        { v: 2, kind: "filler", time: new Date().toISOString(), filler: "x".repeat(1_100_000) },
        tail ?? { seq: 0, link: "" },
      ),
    );
    await hook(ws, "Bash", { command: "echo 2" }, { session_id: "other" });
    await hook(ws, "Bash", { command: "echo 3" }, { session_id: "mine" });
    expect(existsSync(join(ws.ledger, "000001.jsonl"))).toBe(true);
    expect(await watching.reached(3)).toEqual(["echo 1", "echo 2", "echo 3"]);
    expect(await following.reached(3)).toEqual(["echo before", "echo 1", "echo 3"]);
    // Also what the workspace cannot take any more.
    renameSync(ws.path(".hookline"), ws.path("kept"));
    writeFileSync(ws.path(".hookline"), "");
    await hook(ws, "Bash", { command: "echo 4" }, { session_id: "mine" });
    expect(await watching.reached(4)).toEqual(["echo 1", "echo 2", "echo 3", "echo 4"]);
    expect(await following.reached(4)).toEqual(["echo before", "echo 1", "echo 3", "echo 4"]);
    expect(await Promise.all([watching.ended(), following.ended()])).toEqual([0, 0]);
  });
});

describe("hookline stats", () => {
  test("counts hits, blocks and asks by rule and host, times, what was denied, and days", async () => {
    using ws = workspace();
    await aDay(ws);
    const stats = (await ws.run(["stats", "--json"])).json();
    expect(stats.decisions).toBe(10);
    expect(stats.outcomes).toEqual({ pass: 5, allow: 0, warn: 0, ask: 0, block: 5 });
    const git = stats.rules.find(({ rule }: any) => rule === "safety/git-history");
    expect(git).toMatchObject({ hits: 2, blocks: 2, asks: 0, runs: 2 });
    expect(git.p50).toBeGreaterThan(0);
    expect(git.p95).toBeGreaterThanOrEqual(git.p50);
    expect(stats.hosts.map(({ host, decisions }: any) => [host, decisions]).toSorted()).toEqual([
      ["claude-code", 8],
      ["copilot", 1],
      ["unknown", 1],
    ]);
    expect(stats.denied[0]).toEqual({ subject: "git push --force origin main", count: 2 });
    expect(stats.trend).toHaveLength(new Set(ws.records().map((record) => record["time"].slice(0, 10))).size);
    expect(stats.slowest.length).toBeGreaterThan(0);
    expect((await ws.run(["stats", "--host", "copilot", "--json"])).json()).toMatchObject({
      decisions: 1,
      rules: [],
    });
    expect((await ws.run(["stats", "--until", "2020-01-01"])).stdout).toBe("Nothing on record.\n");
    const text = (await ws.run(["stats"])).stdout;
    for (const part of ["Rules", "Agents", "Slowest", "Most often denied", "Day by day"])
      expect(text).toContain(part);
  });

  test("the time of each rule that was asked is on record, and its percentiles are those of the records", async () => {
    using ws = workspace();
    for (let at = 0; at < 9; at++) await hook(ws, "Bash", { command: `git push --force origin b${at}` });
    const times = ws
      .records()
      .map((record) => record["ruleMs"]["safety/git-history"] as number)
      .toSorted((a, b) => a - b);
    const { rules } = (await ws.run(["stats", "--json"])).json();
    const { p50, p95 } = rules.find(({ rule }: any) => rule === "safety/git-history");
    for (const [said, exact] of [
      [p50, times[4]],
      [p95, times[8]],
    ] as const)
      expect(Math.abs(said / (exact ?? 0) - 1)).toBeLessThan(0.06);
  });

  test("a part of several days counts the same by the day and by the hour", async () => {
    using ws = workspace();
    await hook(ws, "Bash", { command: "ls" });
    const { toLine, readTail } = await import("../src/ledger/chain.ts");
    const file = join(ws.ledger, "current.jsonl");
    let tail = readTail(readFileSync(file).subarray(-256)) ?? { seq: 0, link: "" };
    const start = Date.UTC(2026, 2, 1);
    let text = "";
    for (let hour = 0; hour < 96; hour++) {
      const record = {
        v: 2,
        kind: "decision",
        id: `r${hour}`,
        time: new Date(start + hour * 3_600_000 + 60_000).toISOString(),
      };
      const line = toLine(
        {
          ...record,
          host: { name: "claude-code" },
          verdict: { outcome: "pass", told: "pass" },
          ms: { all: hour + 1 },
        },
        tail,
      );
      tail = readTail(new TextEncoder().encode(line)) ?? tail;
      text += line;
    }
    appendFileSync(file, text);
    for (const [since, until, count] of [
      ["2026-03-01T05:00Z", "2026-03-04T07:00Z", 74],
      ["2026-03-02T05:00Z", "2026-03-02T07:00Z", 2],
      ["2026-03-02T00:00Z", "2026-03-03T00:00Z", 24],
      ["2026-03-01T23:00Z", "2026-03-03T01:00Z", 26],
    ] as const) {
      const stats = (await ws.run(["stats", "--json", "--since", since, "--until", until])).json();
      expect([stats.decisions, stats.hosts[0].runs]).toEqual([count, count]);
      const from = (Date.parse(since) - start) / 3_600_000 + 1;
      expect(Math.abs(stats.hosts[0].p50 / (from + Math.ceil(count / 2) - 1) - 1)).toBeLessThan(0.06);
    }
  });

  test("a decision whose answer could not be given is one decision, with two records", async () => {
    using ws = workspace();
    const payload = JSON.stringify(claude(ws.root, "Bash", { command: "git push --force" }));
    const child = Bun.spawn([join(import.meta.dir, "../dist/hookline"), "run"], {
      cwd: ws.root,
      env: { HOME: ws.home },
      stdin: new TextEncoder().encode(payload),
      stdout: "ignore",
      stderr: "ignore",
    });
    expect(await child.exited).toBe(2);
    expect(await log(ws)).toHaveLength(2);
    expect((await ws.run(["stats", "--json"])).json()).toMatchObject({
      decisions: 1,
      denied: [{ subject: "git push --force", count: 1 }],
    });
  });

  test("hooks count like rules, with the time they took", async () => {
    using ws = await hooked({
      "hookline.yaml": `hooks:\n  - id: guard\n    on: PreToolUse\n    match: { tool: "^Bash$" }\n    run: sleep 0.2; echo no >&2; exit 2\n    timeoutMs: 5000\n`,
    });
    await hook(ws, "Bash", { command: "ls" });
    const { rules, slowest } = (await ws.run(["stats", "--json"])).json();
    expect(rules).toMatchObject([{ rule: "hooks/guard", hits: 1, blocks: 1, runs: 1 }]);
    expect(slowest[0].rule).toBe("hooks/guard");
    expect(slowest[0].p95).toBeGreaterThan(190);
    expect(await log(ws, "--rule", "hooks/*")).toHaveLength(1);
    // What a hook said then counts when its event is judged again; it is not run.
    writeFileSync(ws.path("hookline.yaml"), "");
    const again = (await ws.run(["replay", "--json"])).json();
    expect([again.change, again.after.outcome]).toEqual(["none", "block"]);
  });

  test("observe mode: what would have been blocked", async () => {
    using ws = workspace({ "hookline.yaml": "mode: observe\n" });
    await hook(ws, "Bash", { command: "git push --force" });
    expect((await ws.run(["stats", "--json"])).json()).toMatchObject({
      wouldBlock: 1,
      outcomes: { block: 0 },
    });
    expect(await log(ws, "--outcome", "block")).toHaveLength(1);
    expect((await ws.run(["log"])).stdout).toContain("would block");
  });
});
