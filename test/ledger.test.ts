import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { claude, workspace, type Workspace } from "./support/hookline.ts";

const call = (ws: Workspace, command = "ls") => ws.run(["run"], claude(ws.root, "Bash", { command }));
const file = (ws: Workspace) => join(ws.ledger, "current.jsonl");
const lines = (ws: Workspace) => readFileSync(file(ws), "utf8").trimEnd().split("\n");
const put = (ws: Workspace, all: readonly string[]) => writeFileSync(file(ws), `${all.join("\n")}\n`);
const verified = async (ws: Workspace, ...more: string[]) => {
  const ran = await ws.run(["verify", "--json", ...more]);
  const { ok, ledgers } = ran.json();
  expect(ran.exitCode).toBe(ok ? 0 : 1);
  return { ok, ...ledgers[0], texts: ledgers[0].flaws.map((flaw: { text: string }) => flaw.text) };
};

const ownPolicy = (ws: Workspace, text: string) => {
  mkdirSync(join(ws.home, ".config/hookline"), { recursive: true });
  writeFileSync(join(ws.home, ".config/hookline/hookline.yaml"), text);
};

async function filled(count: number): Promise<Workspace> {
  const ws = workspace();
  for (let at = 0; at < count; at++) await call(ws);
  return ws;
}

test("a command with thousands of files stands once in its record, and others mean it by its place", async () => {
  const ws = workspace();
  const files = Array.from({ length: 3000 }, (_, at) => `f${at}`).join(" ");
  await call(ws, `ls | xargs rm ${files}`);
  const [line = ""] = lines(ws).slice(-1);
  expect(line.length).toBeLessThan(2_000_000);
  const { actions } = JSON.parse(line);
  const [exec, ...done] = actions;
  const at = exec.commands.findIndex(({ program }: { program: string }) => program === "rm");
  expect(done[0]).toMatchObject({ kind: "delete", by: at });
  expect(exec.commands[at].args[0]).toMatchObject({ text: "f0" });
});

describe("the chain", () => {
  test("each record names the one before it, from the opening record on", async () => {
    using ws = await filled(3);
    const records = lines(ws).map((line) => JSON.parse(line));
    expect(records.map(({ kind, seq }) => [kind, seq])).toEqual([
      ["opened", 1],
      ["decision", 2],
      ["decision", 3],
      ["decision", 4],
    ]);
    expect(records[0].prev).toBe("0".repeat(64));
    for (const [at, { prev }] of records.entries()) if (at > 0) expect(prev).toBe(records[at - 1].link);
    // The link is what the documentation says it is.
    for (const line of lines(ws)) {
      const [before = "", link] = line.split(',"link":"');
      expect(new Bun.CryptoHasher("sha256").update(before).digest("hex")).toBe(link?.slice(0, 64) ?? "");
    }
    expect(await verified(ws)).toMatchObject({ ok: true, records: 4, torn: 0 });
  });

  const damage: [string, (ws: Workspace) => void, string][] = [
    [
      "a record that was changed",
      (ws) =>
        put(
          ws,
          lines(ws).map((line, at) => (at === 2 ? line.replace('"ls"', '"la"') : line)),
        ),
      "record 3 was changed",
    ],
    [
      "a record that was removed",
      (ws) =>
        put(
          ws,
          lines(ws).filter((_, at) => at !== 2),
        ),
      "record 3 is missing",
    ],
    [
      "several records that were removed",
      (ws) =>
        put(
          ws,
          lines(ws).filter((_, at) => at !== 2 && at !== 3),
        ),
      "records 3 to 4 are missing",
    ],
    ["the beginning removed", (ws) => put(ws, lines(ws).slice(2)), "records 1 to 2 are missing"],
    [
      "the end removed",
      (ws) => put(ws, lines(ws).slice(0, -2)),
      "records 5 to 6 are missing at the end: the head kept outside it knows of them",
    ],
    [
      "half of the last record removed",
      (ws) => truncateSync(file(ws), statSync(file(ws)).size - 40),
      "record 6 is missing at the end: the head kept outside it knows of them",
    ],
    [
      "two records swapped",
      (ws) => {
        const [a = "", b = "", c = "", d = "", ...rest] = lines(ws);
        put(ws, [a, b, d, c, ...rest]);
      },
      "record 3 stands behind record 4: moved, or put in",
    ],
    [
      "a record put in twice",
      (ws) => {
        const all = lines(ws);
        put(ws, [...all.slice(0, 4), all[2] ?? "", ...all.slice(4)]);
      },
      "record 3 stands behind record 4: moved, or put in",
    ],
    [
      "a line that is no record",
      (ws) => {
        const all = lines(ws);
        put(ws, [...all.slice(0, 3), "{}", ...all.slice(3)]);
      },
      "a line that is no record",
    ],
    [
      "everything removed",
      (ws) => rmSync(file(ws)),
      "records 1 to 6 are missing at the end: the head kept outside it knows of them",
    ],
  ];
  for (const [name, harm, said] of damage) {
    test(`${name} is found and named`, async () => {
      using ws = await filled(5);
      harm(ws);
      expect((await verified(ws)).texts).toEqual([said]);
    });

    test(`${name} does not stop the next record, and still shows behind it`, async () => {
      using ws = await filled(5);
      harm(ws);
      const ran = await call(ws);
      expect([ran.exitCode, ran.stderr]).toEqual([0, ""]);
      const { ok, flaws, last } = await verified(ws);
      expect(ok).toBe(false);
      expect(flaws.length).toBeGreaterThan(0);
      expect(last.seq).toBeGreaterThanOrEqual(7);
    });
  }

  test("a forged record with a link of its own is found by the one behind it", async () => {
    using ws = await filled(4);
    const all = lines(ws);
    const [body = ""] = (all[2] ?? "").replace('"ls"', '"la"').split(',"link":"');
    all[2] = `${body},"link":"${new Bun.CryptoHasher("sha256").update(body).digest("hex")}"}`;
    put(ws, all);
    expect((await verified(ws)).texts[0]).toStartWith("record 4 does not follow the record 3");
  });

  test("a record whose writer died half-way stays, is accounted for, and is no flaw", async () => {
    using ws = await filled(2);
    appendFileSync(file(ws), (lines(ws)[1] ?? "").slice(0, 300));
    expect(await verified(ws)).toMatchObject({ ok: true, records: 3, torn: 1 });
    await call(ws);
    await call(ws);
    expect(await verified(ws)).toMatchObject({ ok: true, records: 5, torn: 1 });
    // What was left is named by its digest: to change it later shows.
    put(
      ws,
      lines(ws).map((line, at) => (at === 3 ? line.replace("decision", "decisiom") : line)),
    );
    expect((await verified(ws)).texts).toEqual(["a line that is no record"]);
  });

  test("a head that cannot be kept is said, and costs nothing else", async () => {
    using ws = workspace();
    mkdirSync(join(ws.home, ".local/state"), { recursive: true });
    writeFileSync(join(ws.home, ".local/state/hookline"), "");
    expect((await call(ws)).exitCode).toBe(0);
    const ran = await ws.run(["verify"]);
    expect(ran.stdout).toContain("no head is kept for it here");
    expect(ran.exitCode).toBe(0);
  });

  test("without a ledger there is nothing to find", async () => {
    using ws = workspace();
    const ran = await ws.run(["verify"]);
    expect([ran.exitCode, ran.stdout]).toEqual([0, expect.stringContaining("There is no ledger here yet.")]);
    expect((await ws.run(["verify", "--ledger", "nowhere"])).exitCode).toBe(2);
  });
});

describe("checkpoints", () => {
  const made = async (ws: Workspace) => {
    expect((await ws.run(["keys", "new"])).exitCode).toBe(0);
    expect((await ws.run(["checkpoint", "--out", "checkpoint.json"])).exitCode).toBe(0);
  };

  test("a ledger that went on agrees with one; one that was rewritten from scratch does not", async () => {
    using ws = await filled(3);
    await made(ws);
    await call(ws);
    expect((await verified(ws, "--against", "checkpoint.json")).ok).toBe(true);
    // Whoever can write everything, the head too, can make a new chain that is whole in itself.
    rmSync(join(ws.root, ".hookline"), { recursive: true });
    rmSync(join(ws.home, ".local"), { recursive: true });
    for (let at = 0; at < 5; at++) await call(ws);
    expect((await verified(ws)).ok).toBe(true);
    expect((await verified(ws, "--against", "checkpoint.json")).texts[0]).toMatch(
      /^record 4 is not the one the checkpoint of .* knows$/,
    );
  });

  test("somebody with a copy of the ledger and the public key can check it elsewhere", async () => {
    using ws = await filled(2);
    await made(ws);
    const { stdout: publicKey } = await ws.run(["keys", "show"]);
    using other = workspace({ "their.pub": publicKey, "copy/x": "" });
    copyFileSync(file(ws), other.path("copy/current.jsonl"));
    copyFileSync(ws.path("checkpoint.json"), other.path("checkpoint.json"));
    const args = ["verify", "--ledger", "copy", "--against", "checkpoint.json"];
    expect((await other.run([...args, "--key", "their.pub"])).exitCode).toBe(0);
    const without = await other.run(args);
    expect([without.exitCode, without.stderr]).toEqual([2, expect.stringContaining("give one with --key")]);
    await other.run(["keys", "new"]);
    const wrong = await other.run(args);
    expect([wrong.exitCode, wrong.stderr]).toEqual([
      2,
      expect.stringContaining("is not signed by any of your keys"),
    ]);
    truncateSync(other.path("copy/current.jsonl"), 1200);
    expect((await other.run([...args, "--key", "their.pub"])).exitCode).toBe(1);
  });

  test("a checkpoint that was changed is refused, and what is no checkpoint or key is said", async () => {
    using ws = await filled(2);
    await made(ws);
    const text = readFileSync(ws.path("checkpoint.json"), "utf8");
    writeFileSync(ws.path("forged.json"), text.replace('"seq": 3', '"seq": 2'));
    expect((await ws.run(["verify", "--against", "forged.json"])).exitCode).toBe(2);
    for (const [name, content] of [
      ["a.json", "{"],
      ["b.json", "{}"],
      ["c.json", "[]"],
    ] as const) {
      writeFileSync(ws.path(name), content);
      const ran = await ws.run(["verify", "--against", name]);
      expect([ran.exitCode, ran.stderr]).toEqual([
        2,
        expect.stringContaining("expected what `hookline checkpoint` prints"),
      ]);
    }
    expect((await ws.run(["verify", "--against", "checkpoint.json", "--key", "a.json"])).stderr).toContain(
      "is no public key",
    );
    expect((await ws.run(["verify", "--against", "none.json"])).exitCode).toBe(2);
  });

  test("a broken ledger is not signed, a key is not replaced, and its private half is the owner's alone", async () => {
    using ws = await filled(3);
    expect((await ws.run(["checkpoint"])).stderr).toContain("hookline keys new");
    await ws.run(["keys", "new"]);
    expect(statSync(join(ws.home, ".config/hookline/keys/default.key")).mode & 0o077).toBe(0);
    expect((await ws.run(["keys", "new"])).exitCode).toBe(2);
    expect((await ws.run(["keys", "new", "../x"])).exitCode).toBe(2);
    expect((await ws.run(["keys", "list"])).stdout).toMatch(/^default +[0-9a-f]{16}\n$/);
    put(
      ws,
      lines(ws).filter((_, at) => at !== 1),
    );
    const ran = await ws.run(["checkpoint"]);
    expect([ran.exitCode, ran.stdout, ran.stderr]).toEqual([1, "", expect.stringContaining("not whole")]);
  });
});

describe("many at once", () => {
  test("records of processes that run at the same time are one chain", async () => {
    using ws = workspace();
    await Promise.all(Array.from({ length: 24 }, () => call(ws)));
    expect(await verified(ws)).toMatchObject({ ok: true, records: 25 });
    expect(ws.records()).toHaveLength(24);
    expect(readdirSync(ws.ledger).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("whoever holds the ledger and never lets go does not hold up an answer", async () => {
    using ws = await filled(1);
    const holder = Bun.spawn(["flock", file(ws), "sleep", "30"], { stdout: "ignore" });
    await Bun.sleep(200);
    const ran = await call(ws, "rm -rf /");
    holder.kill();
    await holder.exited;
    expect(ran.json().hookSpecificOutput.permissionDecision).toBe("deny");
    expect(ran.stderr).toContain("is held by another process");
    // The record is where the fallback is, and the workspace's own ledger is whole.
    const { ledgers } = (await ws.run(["verify", "--json"])).json();
    expect(ledgers.map((ledger: any) => [ledger.records, ledger.flaws.length])).toEqual([
      [2, 0],
      [2, 0],
    ]);
  });
});

describe("what a record carries", () => {
  const digest = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");
  const content = (ws: Workspace, sha256: string) =>
    readFileSync(join(ws.ledger, "contents", sha256.slice(0, 2), sha256.slice(2)), "utf8");

  test("the version of the agent that called, where it tells", async () => {
    using ws = workspace();
    const payload = claude(ws.root, "Bash", { command: "ls" });
    const copilot = {
      sessionId: "s",
      timestamp: 1,
      cwd: ws.root,
      toolName: "bash",
      toolArgs: { command: "ls" },
    };
    await ws.run(["run"], payload, { AI_AGENT: "claude-code_2-1-325_harness" });
    await ws.run(["run"], payload, { AI_AGENT: "claude-code/2.1.326/agent" });
    await ws.run(["run"], payload, { AI_AGENT: "somebody-else_1" });
    await ws.run(["run"], payload);
    await ws.run(["run", "--host", "copilot", "--event", "preToolUse"], copilot, {
      COPILOT_CLI_BINARY_VERSION: "1.0.102",
      AI_AGENT: "claude-code_2-1-325_harness",
    });
    expect(ws.records().map((record) => record["host"].version)).toEqual([
      "2.1.325",
      "2.1.326",
      undefined,
      undefined,
      "1.0.102",
    ]);
  });

  test("long texts are named by their digest and kept beside it, once", async () => {
    using ws = workspace();
    const text = "A line of prose.\n".repeat(1000);
    const payload = claude(ws.root, "Write", { file_path: ws.path("a.md"), content: text });
    await ws.run(["run"], payload);
    await ws.run(["run"], payload);
    const [record] = ws.records();
    const { cut, ...named } = record?.["event"].payload.tool_input.content ?? {};
    expect(named).toEqual({ chars: text.length, sha256: digest(text), kept: true });
    expect(text.startsWith(cut)).toBe(true);
    expect(content(ws, named.sha256)).toBe(text);
    expect(statSync(join(ws.ledger, "contents")).mode & 0o077).toBe(0);
  });

  test("what a rule read is kept, unless there is a secret in it", async () => {
    const session = ".ralph-sessions/260101-120000";
    const progress = "# Progress\n\n- [ ] task-1\n";
    const secret = `${progress}password: hunter2hunter2\n`;
    for (const [before, kept] of [
      [progress, true],
      [secret, undefined],
    ] as const) {
      using ws = workspace({
        "hookline.yaml": "extends: [ralph/p0]\n",
        [`${session}/iterations/1/progress.md`]: before,
      });
      const path = ws.path(`${session}/iterations/1/progress.md`);
      await ws.run(
        ["run"],
        claude(ws.root, "Edit", { file_path: path, old_string: "[ ]", new_string: "[/]" }),
      );
      const seen = ws.records()[0]?.["world"].find(({ ask, of }: any) => ask === "read" && of === path);
      expect(seen).toEqual({
        ask: "read",
        of: path,
        sha256: digest(before),
        chars: before.length,
        ...(kept ? { kept } : {}),
      });
      if (kept) expect(content(ws, seen.sha256)).toBe(before);
      else
        expect(
          readdirSync(ws.ledger, { recursive: true }).filter((name) =>
            String(name).includes(digest(secret).slice(2)),
          ),
        ).toEqual([]);
    }
  });

  test("the policy that was in force is kept under its digest", async () => {
    using ws = workspace({ "hookline.yaml": "extends: [strict]\n" });
    await call(ws);
    const sha256 = ws.records()[0]?.["policy"].digest;
    const text = readFileSync(join(ws.ledger, "policies", `${sha256}.json`), "utf8");
    expect(digest(text)).toBe(sha256);
    expect(JSON.parse(text).extends).toContain("strict");
  });

  test("nothing is kept beside it when the policy says so", async () => {
    using ws = workspace();
    ownPolicy(ws, "ledger:\n  contentKb: 0\n");
    await ws.run(
      ["run"],
      claude(ws.root, "Write", { file_path: ws.path("a.md"), content: "x ".repeat(5000) }),
    );
    expect(readdirSync(ws.ledger)).not.toContain("contents");
  });

  test("a payload is written down as it came only if the user's own policy asks for it", async () => {
    using ws = workspace();
    const command = "curl -H 'Authorization: Bearer abcdefghijklmnopqrstuvwx0123456789' localhost";
    await call(ws, command);
    ownPolicy(ws, "ledger:\n  raw: true\n");
    await call(ws, command);
    const [masked, raw] = ws.records();
    expect(masked?.["masked"].length).toBeGreaterThan(0);
    expect(JSON.stringify(masked)).not.toContain("abcdefghijklmnopqrstuvwx0123456789");
    expect(raw).toMatchObject({ raw: true, event: { payload: { tool_input: { command } } } });
  });

  test("a folder with thousands of files is listed no further than a record is long", async () => {
    using ws = workspace();
    for (let at = 0; at < 3000; at++) writeFileSync(`${ws.root}/f${at}.conf`, "");
    await ws.run(["run"], claude(ws.root, "Bash", { command: "rm zz*.conf" }));
    const [record] = ws.records();
    const listed = record?.["world"].find(({ ask }: any) => ask === "list");
    expect(listed.answer.length).toBe(1001);
    expect(listed.answer.at(-1)).toMatch(/^\[\d+ more\]$/);
  });

  test("of a command with many files only what holds a secret is masked, each under its own name, and wherever else it stands", async () => {
    using ws = workspace();
    const files = Array.from({ length: 60 }, (_, at) => `../out/f${at}.txt`);
    const command = `touch ${files.join(" ")} ../out/hunter2x.txt; mysql --password=hunter2x -e 'select 1'`;
    await ws.run(["run"], claude(ws.root, "Bash", { command }));
    const [record] = ws.records();
    const text = JSON.stringify(record);
    expect(text).not.toContain("hunter2x");
    const paths: string[] = record?.["actions"].map((action: any) => action.target?.path);
    for (const file of files) expect(paths).toContain(join(ws.root, file));
    const masked: string[] = record?.["masked"];
    expect(masked.length).toBeGreaterThan(1);
    for (const path of masked) {
      const value: unknown = path.split(".").reduce((of: any, key) => of[key], record);
      expect([path, String(value)]).toEqual([path, expect.stringContaining("[masked:")]);
    }
  });
});

describe("segments", () => {
  const fill = async (ws: Workspace, megabytes: number) => {
    const { toLine, readTail } = await import("../src/ledger/chain.ts");
    let last = readTail(readFileSync(file(ws)).subarray(-256));
    let text = "";
    for (let size = 0; size < megabytes * 1024 * 1024; size = text.length) {
      if (!last) throw new Error("no tail");
      const line: string = toLine(
        { v: 2, kind: "decision", time: new Date().toISOString(), filler: "x".repeat(50_000) },
        last,
      );
      last = readTail(new TextEncoder().encode(line).subarray(-256));
      text += line;
    }
    appendFileSync(file(ws), text);
  };
  const policy = { "hookline.yaml": "ledger:\n  segmentMb: 1\n" };

  test("a full one is closed, and the chain goes on in the next", async () => {
    using ws = workspace(policy);
    await call(ws);
    await fill(ws, 1.1);
    await call(ws);
    expect(
      readdirSync(ws.ledger)
        .filter((name) => name.endsWith(".jsonl"))
        .sort(),
    ).toEqual(["000001.jsonl", "current.jsonl"]);
    const [opened, decision] = lines(ws).map((line) => JSON.parse(line));
    expect([opened.kind, opened.after, decision.kind]).toEqual(["opened", "000001.jsonl", "decision"]);
    expect(await verified(ws)).toMatchObject({ ok: true, segments: 2 });
  });

  test("many at once close a full one only once", async () => {
    using ws = workspace(policy);
    await call(ws);
    await fill(ws, 1.1);
    await Promise.all(Array.from({ length: 16 }, () => call(ws)));
    expect(await verified(ws)).toMatchObject({ ok: true, segments: 2 });
    expect(ws.records().filter((record) => record["event"])).toHaveLength(17);
  });

  test("one whose closing was interrupted is closed by the next", async () => {
    using ws = workspace(policy);
    await call(ws);
    const { toLine, readTail } = await import("../src/ledger/chain.ts");
    const last = readTail(readFileSync(file(ws)).subarray(-256));
    appendFileSync(
      file(ws),
      toLine({ v: 2, kind: "closed", time: new Date().toISOString() }, last ?? { seq: 0, link: "" }, true),
    );
    await call(ws);
    expect(await verified(ws)).toMatchObject({ ok: true, segments: 2 });
    // And one that was renamed, but without the next being opened.
    renameSync(file(ws), join(ws.ledger, "000002.jsonl"));
    const all = readFileSync(join(ws.ledger, "000002.jsonl"), "utf8");
    const tail = readTail(new TextEncoder().encode(all).subarray(-256));
    appendFileSync(
      join(ws.ledger, "000002.jsonl"),
      toLine({ v: 2, kind: "closed", time: "" }, tail ?? { seq: 0, link: "" }, true),
    );
    await call(ws);
    expect(await verified(ws)).toMatchObject({ ok: true, segments: 3 });
  });

  test("what somebody was making when he died is cleared away", async () => {
    using ws = workspace(policy);
    await call(ws);
    const [old, young] = [".0123456789abcdef.part", ".fedcba9876543210.part"].map((name) =>
      join(ws.ledger, name),
    );
    for (const path of [old ?? "", young ?? ""]) writeFileSync(path, "");
    const before = new Date(Date.now() - 120_000);
    utimesSync(old ?? "", before, before);
    await fill(ws, 1.1);
    await call(ws);
    expect(readdirSync(ws.ledger).filter((name) => name.endsWith(".part"))).toEqual([
      ".fedcba9876543210.part",
    ]);
  });

  test("an old one is closed by its age", async () => {
    using ws = workspace({ "hookline.yaml": "ledger:\n  segmentDays: 1\n" });
    const { toLine, readTail, beginning } = await import("../src/ledger/chain.ts");
    mkdirSync(ws.ledger, { recursive: true });
    let last: { seq: number; link: string } = beginning;
    let text = "";
    // The age is looked at every 64 records.
    for (let at = 0; at < 64; at++) {
      const line = toLine(
        { v: 2, kind: at === 0 ? "opened" : "decision", time: "2020-01-01T00:00:00.000Z" },
        last,
      );
      last = readTail(new TextEncoder().encode(line)) ?? last;
      text += line;
    }
    writeFileSync(file(ws), text);
    await call(ws);
    expect(await verified(ws)).toMatchObject({ ok: true, segments: 2 });
  });

  test("what need not be kept any more is removed, and the chain says so; what is taken besides that shows", async () => {
    using ws = workspace(policy);
    ownPolicy(ws, "ledger:\n  keepDays: 1\n");
    await ws.run(["keys", "new"]);
    const checkpoint = async (name: string) =>
      expect((await ws.run(["checkpoint", "--out", name])).exitCode).toBe(0);
    for (let at = 0; at < 4; at++) {
      await call(ws);
      if (at < 3) await checkpoint(`${at}.json`);
      await fill(ws, 1.1);
    }
    const old = new Date(Date.now() - 3 * 24 * 60 * 60 * 1000);
    for (const name of ["000001.jsonl", "000002.jsonl"]) utimesSync(join(ws.ledger, name), old, old);
    await call(ws);
    const names = readdirSync(ws.ledger)
      .filter((name) => name.endsWith(".jsonl"))
      .sort();
    expect(names).toEqual(["000003.jsonl", "000004.jsonl", "current.jsonl"]);
    const result = await verified(ws);
    expect(result).toMatchObject({ ok: true });
    expect((await ws.run(["verify"])).stdout).toContain(
      `records up to ${result.pruned.seq} were removed by retention`,
    );
    // What is gone cannot be compared any more, whoever says why it is gone.
    expect((await verified(ws, "--against", "2.json")).ok).toBe(true);
    expect((await verified(ws, "--against", "0.json")).texts).toEqual([
      expect.stringMatching(
        /^record 2 was removed, as the chain says, so nothing shows that this is the ledger /,
      ),
    ]);
    rmSync(join(ws.ledger, "000003.jsonl"));
    expect((await verified(ws)).texts[0]).toMatch(/^records 1 to \d+ are missing$/);
  });

  test("a repository may have records kept longer than the user wants, and not shorter", async () => {
    using ws = workspace({ "hookline.yaml": "ledger:\n  segmentMb: 1\n  keepDays: 1\n  contentKb: 0\n" });
    const content = "x ".repeat(5000);
    await ws.run(["run"], claude(ws.root, "Write", { file_path: ws.path("a.md"), content }));
    expect(readdirSync(ws.ledger)).toContain("contents");
    for (const what of ["keepDays to 1", "contentKb to 0"])
      expect(ws.records()[0]?.["notes"].join("\n")).toContain(`hookline.yaml cannot lower ledger.${what}: `);
    const old = new Date(Date.now() - 3 * 24 * 60 * 60 * 1000);
    const closed = async () => {
      await fill(ws, 1.1);
      await call(ws);
      for (const name of readdirSync(ws.ledger))
        if (/^0\d+/.test(name)) utimesSync(join(ws.ledger, name), old, old);
      await fill(ws, 1.1);
      await call(ws);
    };
    await closed();
    expect(readdirSync(ws.ledger)).toContain("000001.jsonl");
    // More than the user asked for counts: ten days instead of one.
    ownPolicy(ws, "ledger:\n  keepDays: 1\n");
    ws.write("hookline.yaml", "ledger:\n  segmentMb: 1\n  keepDays: 10\n");
    await closed();
    expect(readdirSync(ws.ledger)).toContain("000001.jsonl");
    rmSync(ws.path("hookline.yaml"));
    ownPolicy(ws, "ledger:\n  segmentMb: 1\n  keepDays: 1\n");
    await closed();
    expect(readdirSync(ws.ledger)).not.toContain("000001.jsonl");
    expect((await verified(ws)).ok).toBe(true);
  });
});
