import { describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beginning, readTail, toLine, type Link } from "../src/ledger/chain.ts";
import { claude, workspace, type Workspace } from "./support/hookline.ts";

const call = (ws: Workspace, command = "ls") => ws.run(["run"], claude(ws.root, "Bash", { command }));
const texts = async (ws: Workspace, ...more: string[]): Promise<string[]> => {
  const ran = await ws.run(["verify", "--json", ...more]);
  return ran.json().ledgers[0].flaws.map((flaw: { text: string }) => flaw.text);
};

async function filled(count: number): Promise<Workspace> {
  const ws = workspace();
  for (let at = 0; at < count; at++) await call(ws);
  return ws;
}

/** A chain that is whole in itself, behind a place that somebody thought of. */
function chain(from: Link, ...records: (readonly [object, boolean])[]): string {
  let before = from;
  return records
    .map(([record, closes]) => {
      const line = toLine({ v: 2, ...record }, before, closes);
      before = readTail(new TextEncoder().encode(line).subarray(-256)) ?? before;
      return line;
    })
    .join("");
}

const time = "2026-01-01T00:00:00.000Z";
const decision = { kind: "decision", id: "forged", time };

describe("a chain made from scratch", () => {
  test("that says its beginning was removed by retention agrees with neither head nor checkpoint", async () => {
    using ws = await filled(4);
    await ws.run(["keys", "new"]);
    expect((await ws.run(["checkpoint", "--out", "checkpoint.json"])).exitCode).toBe(0);
    const place = { seq: 1000, link: "a".repeat(64) };
    const pruned = { segments: ["000001.jsonl"], ...place };
    writeFileSync(
      join(ws.ledger, "000002.jsonl"),
      chain(place, [decision, false], [{ kind: "closed", time, pruned }, true]),
    );
    const last = readTail(readFileSync(join(ws.ledger, "000002.jsonl")).subarray(-256)) ?? beginning;
    writeFileSync(
      join(ws.ledger, "current.jsonl"),
      chain(last, [{ kind: "opened", time }, false], [decision, false]),
    );
    expect(await texts(ws)).toEqual([
      "record 5 was removed, as the chain says, so nothing shows that this is the ledger the head kept outside it knows",
    ]);
    rmSync(join(ws.home, ".local"), { recursive: true });
    expect(await texts(ws)).toEqual([]);
    expect(await texts(ws, "--against", "checkpoint.json")).toEqual([
      expect.stringMatching(/^record 5 was removed, as the chain says, .* the checkpoint of .* knows$/),
    ]);
    expect((await ws.run(["verify", "--against", "checkpoint.json"])).exitCode).toBe(1);
  });
});

describe("across segments", () => {
  /** Records 1 to 6, 7 to 12 and so on, each segment with an opening and a closing record. */
  function segments(ws: Workspace): void {
    let before: Link = beginning;
    mkdirSync(ws.ledger, { recursive: true });
    for (const name of ["000001.jsonl", "000002.jsonl", "000003.jsonl", "current.jsonl"]) {
      const records = Array.from({ length: 4 }, () => [decision, false] as const);
      const all = [
        [{ kind: "opened", time }, false] as const,
        ...records,
        [{ kind: "closed", time }, true] as const,
      ];
      const text = chain(before, ...all);
      before = readTail(new TextEncoder().encode(text).subarray(-256)) ?? before;
      writeFileSync(join(ws.ledger, name), text);
    }
  }
  const read = (ws: Workspace, name: string) => readFileSync(join(ws.ledger, name), "utf8").split("\n");
  const write = (ws: Workspace, name: string, lines: string[]) =>
    writeFileSync(join(ws.ledger, name), lines.join("\n"));

  const damage: [string, (ws: Workspace) => void, string[]][] = [
    [
      "a segment that was removed",
      (ws) => rmSync(join(ws.ledger, "000002.jsonl")),
      ["records 7 to 12 are missing"],
    ],
    [
      "two segments that were exchanged",
      (ws) => {
        const [a, b] = [read(ws, "000002.jsonl"), read(ws, "000003.jsonl")];
        write(ws, "000002.jsonl", b);
        write(ws, "000003.jsonl", a);
      },
      ["records 7 to 12 stand behind record 18: moved, or put in"],
    ],
    [
      "two records that were exchanged",
      (ws) => {
        const [a, b] = [read(ws, "000001.jsonl"), read(ws, "000003.jsonl")];
        [a[2], b[2]] = [b[2] ?? "", a[2] ?? ""];
        write(ws, "000001.jsonl", a);
        write(ws, "000003.jsonl", b);
      },
      [
        "record 15 stands behind record 2: moved, or put in",
        "record 3 stands behind record 14: moved, or put in",
      ],
    ],
    [
      "a record that was copied forward",
      (ws) => {
        const [a, b] = [read(ws, "000001.jsonl"), read(ws, "000003.jsonl")];
        write(ws, "000001.jsonl", a.toSpliced(2, 0, b[2] ?? ""));
      },
      ["record 15 stands behind record 2: moved, or put in"],
    ],
    [
      "a segment that is there twice",
      (ws) => write(ws, "000009.jsonl", read(ws, "000001.jsonl")),
      ["records 1 to 6 stand behind record 18: moved, or put in"],
    ],
  ];
  test.each(damage)("%s: that and nothing else is named", async (_, change, named) => {
    using ws = workspace();
    segments(ws);
    expect(await texts(ws)).toEqual([]);
    change(ws);
    expect(await texts(ws)).toEqual(named);
  });
});

describe("what is asked of verify", () => {
  test("is never taken for answered when it was not: words, a key without a checkpoint, a folder without a ledger", async () => {
    using ws = await filled(2);
    ws.write("checkpoint.json", "{}");
    mkdirSync(ws.path("empty"));
    for (const [args, said] of [
      [["checkpoint.json"], "checkpoint.json"],
      [["--key", "their.pub"], "--against"],
      [["--ledger", "empty"], "no ledger in"],
      [["--ledger", "checkpoint.json"], "no ledger in"],
      [["--ledger", "."], ws.ledger],
    ] as const) {
      const ran = await ws.run(["verify", ...args]);
      expect([args, ran.exitCode, ran.stdout]).toEqual([args, 2, ""]);
      expect(ran.stderr).toContain(said);
    }
    for (const command of ["stats", "checkpoint", "watch", "export", "doctor"])
      expect((await ws.run([command, "something"])).stderr).toContain('"something"');
    // One that is gone but known of is not "no ledger".
    rmSync(join(ws.ledger, "current.jsonl"));
    expect((await ws.run(["verify", "--ledger", ws.ledger])).exitCode).toBe(1);
  });
});

describe("strangers in the folder of a ledger", () => {
  const strange: [string, (path: string) => unknown][] = [
    ["a folder", (path) => mkdirSync(path)],
    ["a link to a file", (path) => symlinkSync("/etc/hostname", path)],
    ["a link to itself", (path) => symlinkSync(path, path)],
    ["a pipe", (path) => Bun.spawnSync(["mkfifo", path])],
  ];
  test.each(strange)("%s in the place of a segment is named and holds nobody up", async (_, make) => {
    using ws = await filled(2);
    make(join(ws.ledger, "000001.jsonl"));
    expect(await texts(ws)).toEqual(["000001.jsonl is no segment: not a plain file, or misnamed"]);
    for (const args of [["log"], ["stats"], ["export", "--jsonl"], ["replay"]])
      expect([args, (await ws.run(args)).exitCode]).toEqual([args, 0]);
    expect((await ws.run(["doctor"])).stdout).toContain("is no segment");
    await call(ws);
    expect((await ws.run(["log", "--json"])).stdout.trimEnd().split("\n")).toHaveLength(3);
  });

  test("a number too large for a segment is named, and the last possible one stops the closing, not the evidence", async () => {
    using ws = workspace({ "hookline.yaml": "ledger:\n  segmentMb: 1\n" });
    await call(ws);
    writeFileSync(join(ws.ledger, "999999.jsonl"), "");
    expect(await texts(ws)).toEqual(["999999.jsonl is no segment: not a plain file, or misnamed"]);
    rmSync(join(ws.ledger, "999999.jsonl"));
    writeFileSync(join(ws.ledger, "099999.jsonl"), "");
    const { appendRecord } = await import("../src/ledger/append.ts");
    for (let at = 0; at < 4; at++)
      await appendRecord(
        ws.root,
        { ...decision, filler: "x".repeat(600_000) },
        { HOME: ws.home },
        { limits: { bytes: 1_000_000, days: 30 } },
      );
    const ran = await call(ws, "ls evidence");
    expect(ran.stderr).toContain("no number left");
    expect(ws.records().filter((record) => JSON.stringify(record).includes("ls evidence"))).toHaveLength(1);
    expect(
      readdirSync(ws.ledger)
        .filter((name) => name.endsWith(".jsonl"))
        .sort(),
    ).toEqual(["099999.jsonl", "current.jsonl"]);
  });

  test("links in the ledger's folder lead nothing out of it", async () => {
    using ws = workspace();
    mkdirSync(ws.ledger, { recursive: true });
    mkdirSync(join(ws.home, "elsewhere"));
    for (const name of ["contents", "policies"])
      symlinkSync(join(ws.home, "elsewhere"), join(ws.ledger, name));
    symlinkSync(join(ws.home, "opened"), join(ws.ledger, ".opening"));
    const ran = await ws.run(
      ["run"],
      claude(ws.root, "Write", { file_path: ws.path("a.md"), content: "x ".repeat(5000) }),
    );
    expect(ran.stderr).toContain("is a link to somewhere else");
    expect(readdirSync(join(ws.home, "elsewhere"))).toEqual([]);
    expect(existsSync(join(ws.home, "opened"))).toBe(false);
    expect(ws.records()).toHaveLength(1);
  });
});

describe("what cannot be read", () => {
  test("is said as the system says it, and is not taken for nothing", async () => {
    using ws = await filled(2);
    // A loop of links is closed to everybody, whoever runs this.
    rmSync(ws.ledger, { recursive: true });
    symlinkSync(ws.ledger, ws.ledger);
    for (const args of [
      ["verify"],
      ["log"],
      ["stats"],
      ["export", "--jsonl"],
      ["verify", "--ledger", ws.ledger],
    ]) {
      const ran = await ws.run(args);
      expect([args, ran.exitCode]).toEqual([args, 2]);
      expect(ran.stderr).toContain("ELOOP");
      expect(ran.stderr).not.toContain("bug of ours");
    }
    writeFileSync(join(ws.home, ".config"), "");
    expect((await ws.run(["keys", "new"])).exitCode).toBe(2);
  });

  test("a key that is none, or of another kind, is named", async () => {
    using ws = await filled(2);
    await ws.run(["keys", "new"]);
    expect((await ws.run(["checkpoint", "--out", "checkpoint.json"])).exitCode).toBe(0);
    const { generateKeyPairSync } = await import("node:crypto");
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const folder = join(ws.home, ".config/hookline/keys");
    writeFileSync(join(folder, "rsa.key"), privateKey.export({ type: "pkcs8", format: "pem" }));
    writeFileSync(ws.path("rsa.pub"), publicKey.export({ type: "spki", format: "pem" }));
    writeFileSync(join(folder, "bad.key"), "nonsense");
    writeFileSync(join(folder, "bad.pub"), "nonsense");
    mkdirSync(join(folder, "folder.pub"));
    for (const args of [
      ["checkpoint", "--key", "rsa"],
      ["checkpoint", "--key", "bad"],
      ["verify", "--against", "checkpoint.json", "--key", "rsa.pub"],
      ["keys", "new", "one", "two"],
    ]) {
      const ran = await ws.run(args);
      expect([args, ran.exitCode, ran.stdout]).toEqual([args, 2, ""]);
      expect(ran.stderr).toMatch(/of the kind Ed25519|one too many/);
    }
    expect((await ws.run(["keys", "list"])).stdout).toMatch(/bad +\(no public key/);
    expect((await ws.run(["verify", "--against", "checkpoint.json"])).exitCode).toBe(0);
  });
});
