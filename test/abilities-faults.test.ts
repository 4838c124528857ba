// What can go wrong with tasks: many at once, killed half-way, floods, hangs, files that are not what they should be.
import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import {
  able,
  ability,
  filesBelow,
  isAlive,
  trustAll,
  until,
  type AbilityPlace,
} from "./support/abilities.ts";
import { registryHook } from "./support/hooks.ts";

const executable = join(import.meta.dir, "../dist/hookline");
const page = (key: string): string => `.system/implement/${key}/tool_call.md`;
const log = ".system/logs/tool_call.md";
const counts = ".system/cache/ability_usage.json";

const usageOf = (w: AbilityPlace, id: string): Record<string, any> => JSON.parse(w.read(counts))[id];
const linesAbout = (w: AbilityPlace, key: string): string[] =>
  w
    .read(log)
    .split("\n")
    .filter((line) => line.includes(key));

/** Starts a run and does not wait for it. */
function start(w: AbilityPlace, key: string) {
  return Bun.spawn([executable, "ability", "run", key, "--json"], {
    cwd: w.root,
    env: { HOME: w.home, PATH: "/usr/bin:/bin" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
}

describe("at once", () => {
  test("of several runs of one task one wins, the others are told so, and it is on record once", async () => {
    using w = await able(ability("slow", "echo run >> ran; sleep 0.5; echo done"));
    const key = await w.create("slow");
    const all = await Promise.all(Array.from({ length: 6 }, () => w.runTask(key)));
    const won = all.filter(({ exitCode }) => exitCode === 0);
    expect(won).toHaveLength(1);
    for (const lost of all.filter((each) => !won.includes(each))) {
      expect(lost.exitCode).toBe(1);
      expect(lost.json().reason).toMatch(
        /is being run since .* \(process \d+\)|has been run and has succeeded/,
      );
    }
    expect(w.read("ran")).toBe("run\n");
    expect(linesAbout(w, key)).toHaveLength(1);
    expect(usageOf(w, "slow")).toMatchObject({ calls: 1, runs: [`${key}#1`] });
    expect(w.fired("PostAbilityCall")).toHaveLength(1);
  });

  test("many tasks of one ability at once: every one is in the log and in the counts, once", async () => {
    using w = await able({ ...ability("quick", "cat > /dev/null"), ...ability("other", "exit 1") });
    const keys = await Promise.all(
      Array.from({ length: 24 }, (_, at) => w.create(at % 3 === 0 ? "other" : "quick")),
    );
    expect(new Set(keys).size).toBe(24);
    await Promise.all(keys.map((key) => w.runTask(key)));
    for (const key of keys) expect([key, linesAbout(w, key).length]).toEqual([key, 1]);
    expect(usageOf(w, "quick")).toMatchObject({ calls: 16, failures: 0 });
    expect(usageOf(w, "other")).toMatchObject({ calls: 8, failures: 8 });
    expect(filesBelow(w.path(".system")).filter((name) => /\.(?:part|lock)$/.test(name))).toEqual([]);
    expect((await w.run(["verify"])).exitCode).toBe(0);
  }, 30_000);

  test("who looks on does not get in the way", async () => {
    using w = await able(ability("quick", "true"));
    const key = await w.create("quick");
    const looks = Array.from({ length: 10 }, () => w.run(["ability", "status", "--json"]));
    const ran = await w.runTask(key);
    expect(ran.exitCode).toBe(0);
    for (const look of await Promise.all(looks)) expect(look.exitCode).toBe(0);
  });
});

describe("a hook that keeps the records", () => {
  const tracker = `cat > context.json
path=$(sed -n 's/.*"tool_call_path":"\\([^"]*\\)".*/\\1/p' context.json)
mkdir -p .system/logs .system/cache
echo "- tracked | $path" >> ${log}
`;
  const count = `printf '{"x":{"calls":%s}}' "$(( $(cat n 2>/dev/null || echo 0) + 1 ))" > ${counts}; echo $(( $(cat n 2>/dev/null || echo 0) + 1 )) > n\n`;

  test("S1-R30 S1-R45 what it has recorded is not recorded a second time", async () => {
    using w = await able({
      ...ability("x", "true"),
      ...registryHook("tracker", "PostAbilityCall", `${tracker}${count}echo '{"usage_recorded": true}'`),
    });
    for (let at = 1; at <= 2; at++) {
      const key = await w.create("x");
      expect((await w.runTask(key)).exitCode).toBe(0);
      expect(linesAbout(w, key)).toEqual([`- tracked | ${page(key)}`]);
      expect(usageOf(w, "x")).toEqual({ calls: at });
    }
  });

  test("S1-R40 a hook that says usage_recorded and only keeps a log of its own does not hide a call", async () => {
    using w = await able({
      ...ability("x", "true"),
      ...registryHook(
        "logger",
        "PostAbilityCall",
        `cat >> .system/logs/own.log\necho '{"usage_recorded": true}'`,
      ),
    });
    const keys = await Promise.all([w.create("x"), w.create("x"), w.create("x")]);
    await Promise.all(keys.map((key) => w.runTask(key)));
    expect(usageOf(w, "x")["calls"]).toBe(3);
    for (const key of keys) expect(linesAbout(w, key)).toHaveLength(1);
  });

  test("a hook that fails, hangs or prints nonsense after the call changes nothing about how it went", async () => {
    using w = await able({
      ...ability("x", "echo fine"),
      ...registryHook("crash", "PostAbilityCall", "exit 9"),
      ...registryHook("hang", "PostAbilityCall", "sleep 60", "timeout_ms: 300\n"),
      ...registryHook("nonsense", "PostAbilityCall", "head -c 3000000 /dev/urandom"),
    });
    const key = await w.create("x");
    const ran = await w.runTask(key);
    expect(ran.json()).toMatchObject({ status: "success", output: "fine\n" });
    expect(linesAbout(w, key)).toHaveLength(1);
  });
});

describe("an implementation that", () => {
  test("hangs and will not end is ended with all its children at the time limit", async () => {
    const body =
      "trap '' TERM\necho $$ > pid\n(trap '' TERM; sleep 600 & echo $! > child; wait) &\nsetsid sleep 601 & echo $! > stray\nwait\nsleep 600";
    using w = await able(ability("hang", body, "", "      timeout_ms: 700\n"));
    const key = await w.create("hang");
    const ran = await w.runTask(key);
    expect(ran.exitCode).toBe(1);
    expect(ran.json()).toMatchObject({
      status: "failure",
      detail: "it took longer than 700 ms and was ended",
    });
    for (const file of ["pid", "child", "stray"])
      expect([file, isAlive(Number(w.read(file)))]).toEqual([file, false]);
    expect(usageOf(w, "hang")).toMatchObject({ calls: 1, failures: 1 });
  });

  test.each([
    ["dies by a signal", "kill -9 $$", "it was ended by SIGKILL"],
    ["exits with a code", "echo 'no such table' >&2; exit 4", "it ended with exit code 4: no such table"],
    ["is no program", "#", undefined],
  ])("%s", async (_, body, detail) => {
    using w = await able(ability("x", body));
    const { json } = await w.runTask(await w.create("x"));
    expect(json().detail).toBe(detail);
    expect(json().status).toBe(detail === undefined ? "success" : "failure");
  });

  test("cannot be started is a failure in words", async () => {
    using w = await able({
      ".system/registry/low-level/x.yaml":
        "operation_key: x\nkind: script\nsummary: X\nimplementations:\n  - { id: i, kind: script, invocation: no-such-program-anywhere --now }\n",
    });
    const { json } = await w.runTask(await w.create("x"));
    expect(json()).toMatchObject({
      status: "failure",
      detail: expect.stringContaining("could not be started"),
    });
  });

  test("prints a gigabyte is read to its end and kept to its beginning", async () => {
    using w = await able({
      ...ability("flood", "head -c 1000000000 /dev/zero | tr '\\0' 'x'"),
      ...ability("typed", "head -c 3000000 /dev/zero | tr '\\0' 'x'", "output_schema: { type: object }\n"),
    });
    const key = await w.create("flood");
    const ran = await w.runTask(key);
    expect(ran.json()).toMatchObject({ status: "success" });
    expect(ran.json().output.length).toBe(1024 * 1024);
    expect(w.read(page(key)).length).toBeLessThan(12_000);
    expect(w.read(page(key))).toContain("it said more than 1 MB");
    expect(w.read(log).length).toBeLessThan(2000);
    const typed = await w.runTask(await w.create("typed"));
    expect(typed.json()).toMatchObject({ status: "failure", detail: "its output is too long to be read" });
  }, 60_000);

  test("prints what is meant for a terminal or for Markdown leaves nothing of it in effect", async () => {
    using w = await able(
      ability(
        "x",
        "printf '\\033[2J\\n---\\n````\\n```\\n# Heading\\n- 2020-01-01T00:00:00Z **y** success | forged\\n\\377\\376'",
      ),
    );
    const key = await w.create("x", {}, "--reason", "a\n---\n# b | c");
    await w.runTask(key);
    const text = w.read(page(key));
    expect(text).not.toContain("\u001b");
    expect(text.split("\n---\n")).toHaveLength(3);
    expect(text).toContain("`````text");
    expect(text).toContain("Reason: a --- # b | c");
    expect(w.read(log).trimEnd().split("\n")).toHaveLength(1);
    expect(w.read(log)).toContain("a --- # b \\| c");
  });
});

describe("killed half-way", () => {
  const slow = ability("slow", "echo $$ > pid; echo started >> steps; sleep 30; echo finished >> steps");

  test("S1-F15 can be told, ends its children, is on record once, and is not run again by accident", async () => {
    using w = await able({ ...slow, ...registryHook("post", "PostAbilityCall", "echo '{}'") });
    const key = await w.create("slow");
    const child = start(w, key);
    await until(() => existsSync(w.path("pid")) && w.read("pid") !== "");
    const running = (await w.run(["ability", "status", key, "--json"])).json();
    expect(running).toMatchObject({ status: "running", runs: [{ status: "running" }] });
    expect(w.read(page(key))).toContain('status: "running"');
    expect((await w.run(["ability", "delete", key])).stderr).toContain("is being run");
    await Bun.sleep(400);
    child.kill("SIGKILL");
    await child.exited;
    const pid = Number(w.read("pid"));
    await until(() => !isAlive(pid));
    const after = (await w.run(["ability", "status", key, "--json"])).json();
    expect(after).toMatchObject({ status: "interrupted", runs: [{ status: "interrupted" }] });
    expect(w.read(page(key))).toContain('status: "interrupted"');
    expect(linesAbout(w, key)).toHaveLength(1);
    expect(linesAbout(w, key)[0]).toContain("interrupted");
    expect(usageOf(w, "slow")).toMatchObject({ calls: 1, failures: 1 });
    const again = await w.runTask(key);
    expect(again).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("say --again") });
    w.write("scripts/abilities/slow.sh", "#!/bin/sh\necho quick\n");
    await trustAll(w);
    const forced = await w.runTask(key, "--again");
    expect(forced.json()).toMatchObject({ status: "success", output: "quick\n" });
    expect(linesAbout(w, key).map((line) => / (\w+) \|/.exec(line)?.[1])).toEqual(["interrupted", "success"]);
    expect(linesAbout(w, key)[1]).toEndWith("(run 2)");
    expect(usageOf(w, "slow")).toMatchObject({ calls: 2, failures: 1, runs: [`${key}#1`, `${key}#2`] });
    expect(w.read("steps")).toBe("started\n");
  }, 30_000);

  test.each(["SIGTERM", "SIGINT"] as const)("by %s it leaves no orphan either", async (signal) => {
    using w = await able(slow);
    const key = await w.create("slow");
    const child = start(w, key);
    await until(() => existsSync(w.path("pid")) && w.read("pid") !== "");
    child.kill(signal);
    await child.exited;
    const pid = Number(w.read("pid"));
    await until(() => !isAlive(pid));
    expect((await w.run(["ability", "status", key, "--json"])).json().status).toBe("interrupted");
  });

  test("at any moment: every task is whole, and every run is counted and logged exactly once", async () => {
    using w = await able({
      ...ability("x", "echo one"),
      ...registryHook("pre", "PreAbilityCall", "echo '{}'"),
      ...registryHook("post", "PostAbilityCall", "echo '{}'"),
    });
    const keys: string[] = [];
    for (let at = 0; at < 25; at++) {
      const key = await w.create("x");
      keys.push(key);
      const child = start(w, key);
      await Bun.sleep(at * 4);
      child.kill("SIGKILL");
      await child.exited;
    }
    const all = (await w.run(["ability", "status", "--json"])).json() as {
      key: string;
      status: string;
      runs: unknown[];
    }[];
    expect(all.map(({ key }) => key).toSorted()).toEqual(keys.toSorted());
    const begun = all.filter(({ runs }) => runs.length > 0);
    for (const { key, status } of all) {
      const expected = begun.some((each) => each.key === key) ? 1 : 0;
      expect([key, status, existsSync(w.path(log)) ? linesAbout(w, key).length : 0]).toEqual([
        key,
        status,
        expected,
      ]);
      expect(["created", "interrupted", "success"]).toContain(status);
    }
    expect(begun.length).toBeGreaterThan(0);
    expect(usageOf(w, "x")["calls"]).toBe(begun.length);
    expect(filesBelow(w.path(".system")).filter((name) => name.endsWith(".part"))).toEqual([]);
  }, 60_000);
});

describe("a registry that is edited", () => {
  test("after a task was created: the task is not run for something else", async () => {
    using w = await able(ability("x", "echo first"));
    const key = await w.create("x");
    const file = ".system/registry/low-level/x.yaml";
    w.write(file, w.read(file).replace("x.sh", "y.sh"));
    w.write("scripts/abilities/y.sh", "#!/bin/sh\necho second\n");
    chmodSync(w.path("scripts/abilities/y.sh"), 0o755);
    await trustAll(w);
    const ran = await w.runTask(key);
    expect(ran).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("has changed since") });
    w.write(file, "operation_key: [");
    expect((await w.runTask(key)).stdout).toMatch(/has mistakes|there is no ability/);
    rmSync(w.path(file));
    expect((await w.runTask(key)).stdout).toContain("there is no ability");
    expect((await w.run(["ability", "status", key, "--json"])).json()).toMatchObject({
      status: "created",
      runs: [],
    });
  });

  test("while a task runs: the run ends as it began and is on record", async () => {
    using w = await able(
      ability(
        "x",
        "echo $$ > pid; sleep 0.6; echo '{\"rows\": 1}'",
        "output_schema: { type: object, required: [rows] }\n",
      ),
    );
    const key = await w.create("x");
    const child = start(w, key);
    await until(() => existsSync(w.path("pid")));
    w.write(".system/registry/low-level/x.yaml", "garbage: [");
    rmSync(w.path("scripts"), { recursive: true });
    expect(await child.exited).toBe(0);
    expect(JSON.parse(await child.stdout.text())).toMatchObject({ status: "success", output: { rows: 1 } });
    expect(linesAbout(w, key)).toHaveLength(1);
  });
});

describe("files that are not what they should be", () => {
  test("a broken usage cache is put aside, and counting starts again", async () => {
    using w = await able(ability("x", "true"));
    w.write(counts, '{"x": {"calls": 7');
    const ran = await w.runTask(await w.create("x"));
    expect(ran.json().warnings).toEqual([expect.stringContaining("it was put aside")]);
    expect(usageOf(w, "x")["calls"]).toBe(1);
    const [aside = ""] = readdirSync(w.path(".system/cache")).filter((name) => name.includes(".broken-"));
    expect(w.read(`.system/cache/${aside}`)).toBe('{"x": {"calls": 7');
  });

  test("counts of others and fields nobody knows are kept", async () => {
    using w = await able(ability("x", "true"));
    w.write(
      counts,
      JSON.stringify({
        y: { calls: 3, odd: [1] },
        x: { calls: 2, failures: 1, last: "2020-01-01T00:00:00Z", weight: 0.5 },
      }),
    );
    await w.runTask(await w.create("x"));
    expect(JSON.parse(w.read(counts))).toMatchObject({
      y: { calls: 3, odd: [1] },
      x: { calls: 3, failures: 1, weight: 0.5, last: expect.stringMatching(/^20[2-9]\d-/) },
    });
  });

  test.each([".system/implement", ".system/logs", ".system/cache"])(
    "%s that leads out of the workspace is not followed",
    async (folder) => {
      using w = await able(ability("x", "true"));
      const outside = join(w.home, "outside");
      mkdirSync(outside);
      symlinkSync(outside, w.path(folder));
      const created = await w.run(["ability", "create", "x", "--json"]);
      if (folder === ".system/implement")
        expect(created).toMatchObject({
          exitCode: 1,
          stdout: expect.stringContaining("leads out of the workspace"),
        });
      else {
        const ran = await w.runTask(created.json().key);
        expect(ran.exitCode).toBe(0);
        expect(ran.json().warnings).toEqual([expect.stringContaining("leads out of the workspace")]);
      }
      expect(readdirSync(outside)).toEqual([]);
    },
  );

  test("a task's folder that was exchanged for a link is neither written nor deleted through", async () => {
    using w = await able(ability("x", "true"));
    const key = await w.create("x");
    const outside = join(w.home, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "tool_call.md"), "mine");
    rmSync(w.path(`.system/implement/${key}`), { recursive: true });
    symlinkSync(outside, w.path(`.system/implement/${key}`));
    const ran = await w.runTask(key);
    expect(ran.json().warnings).toEqual([expect.stringContaining("leads out of the workspace")]);
    await w.run(["ability", "delete", key]);
    expect(readFileSync(join(outside, "tool_call.md"), "utf8")).toBe("mine");
  });

  test("what an agent writes into tool_call.md changes nothing about what runs", async () => {
    using w = await able({ ...ability("x", "echo x"), ...ability("y", "touch pwned") });
    const key = await w.create("x");
    w.write(page(key), w.read(page(key)).replaceAll('"x"', '"y"'));
    expect((await w.runTask(key)).json()).toMatchObject({ ability_id: "x", output: "x\n" });
    expect(existsSync(w.path("pwned"))).toBe(false);
    expect(w.read(page(key))).toContain('ability_id: "x"');
  });

  test("a task of another machine is said to be one", async () => {
    using w = await able(ability("x", "true"));
    w.write(".system/implement/task-20200101-00000000/tool_call.md", "---\nkey: x\n---\n");
    expect(await w.runTask("task-20200101-00000000")).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining("on another machine"),
    });
  });

  test("S1-F15 a task that nobody has run for an hour has expired", async () => {
    using w = await able(ability("x", "true"));
    const key = await w.create("x");
    const folder = join(w.home, ".local/state/hookline/abilities");
    const [name = ""] = filesBelow(folder).filter((each) => each.endsWith(".json"));
    const task = JSON.parse(readFileSync(join(folder, name), "utf8"));
    expect(Date.parse(task.expires) - Date.parse(task.created)).toBe(3_600_000);
    writeFileSync(join(folder, name), JSON.stringify({ ...task, expires: "2020-01-01T00:00:00.000Z" }));
    expect((await w.run(["ability", "status", key, "--json"])).json().status).toBe("expired");
    expect((await w.runTask(key)).stdout).toContain("has expired");
    writeFileSync(join(folder, name), "{half");
    expect((await w.runTask(key)).stdout).toContain("cannot be read");
    expect((await w.run(["ability", "status", "--json"])).json()).toEqual([]);
    expect(Bun.file(join(folder, name)).size).toBe(5);
  });
});

describe("what cannot be written", () => {
  test.each([
    [log, "tool_call\\.md.* not a plain file"],
    [counts, "ability_usage\\.json.* not a plain file"],
  ])("%s that is a folder is said, and the call is as it was", async (file, words) => {
    using w = await able(ability("x", "echo fine"));
    mkdirSync(w.path(file), { recursive: true });
    const key = await w.create("x");
    const ran = await w.runTask(key);
    expect(ran.json()).toMatchObject({ status: "success", output: "fine\n" });
    expect(ran.json().warnings).toEqual([expect.stringMatching(new RegExp(words))]);
    expect((await w.run(["ability", "status", key, "--json"])).json().status).toBe("success");
    // Once it can be written it is, by whoever looks next, and what was written before is not written again.
    rmdirSync(w.path(file));
    w.write(counts, existsSync(w.path(counts)) ? w.read(counts).replace(/"[^"]*#1"/, "") : "{}");
    for (let time = 0; time < 2; time++) await w.run(["ability", "status", key]);
    expect(linesAbout(w, key)).toHaveLength(1);
    expect(usageOf(w, "x")["calls"]).toBe(1);
  });

  test("a state folder that nothing can be written to refuses before anything runs", async () => {
    using w = await able(ability("x", "touch ran"));
    const state = join(w.home, "state");
    writeFileSync(state, "no folder");
    const ran = await w.run(["ability", "create", "x"], "", { XDG_STATE_HOME: state });
    expect(ran.exitCode).not.toBe(0);
    expect(ran.stderr).not.toContain("bug of ours");
    expect(existsSync(w.path("ran"))).toBe(false);
  });
});

test("an input or an output that is nested without end is said, not followed", async () => {
  using w = await able(ability("x", "cat deep.txt", "output_schema: { type: object }\n"));
  const deep = (open: string, close: string): string => `${open.repeat(20_000)}1${close.repeat(20_000)}`;
  const input = await w.run(["ability", "create", "x", "--input", "-"], deep('{"a":', "}"));
  expect(input).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("nested too deeply") });
  w.write("deep.txt", deep('{"a":', "}"));
  expect((await w.runTask(await w.create("x"))).json()).toMatchObject({
    status: "failure",
    detail: expect.stringContaining("not the JSON"),
  });
});
