// What the ledger must survive, tried for as long as it takes.
//
//   npm run test:soak               32 writers of 10,000 records, 500 kills, 1,000 damages of each kind
//   npm run test:soak -- --short    a minute of the same, for every change
//
// Exits 1 when anything did not hold. Needs root for the small and the read-only file system, or says what it could not try.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile } from "./build.ts";
import { root as project } from "./runtime.ts";

const short = process.argv.includes("--short");
const writers = short ? 16 : 32;
const perWriter = short ? 1000 : 10_000;
const kills = short ? 60 : 500;
const damages = short ? 400 : 4000;

const hookline = join(project, "dist/hookline");
const scratch = mkdtempSync(join(tmpdir(), "hookline-soak-"));
let failures = 0;
let checks = 0;

function check(what: string, holds: boolean, detail: unknown = ""): void {
  checks++;
  if (holds) return;
  failures++;
  console.log(
    `  FAILED  ${what}  ${typeof detail === "string" ? detail : JSON.stringify(detail)}`.slice(0, 1000),
  );
}

async function section(name: string, work: () => Promise<string>): Promise<void> {
  const [start, before] = [performance.now(), failures];
  const said = await work();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${failures === before ? "ok    " : "FAILED"}  ${name}: ${said} (${seconds} s)`);
}

interface Place {
  readonly root: string;
  readonly home: string;
  readonly ledger: string;
}

function places(name: string): Place {
  const root = join(scratch, name, "workspace");
  return { root, home: join(scratch, name, "home"), ledger: join(root, ".hookline/ledger") };
}

function place(name: string): Place {
  const { root, home, ledger } = places(name);
  mkdirSync(join(root, ".git"), { recursive: true });
  writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  mkdirSync(home);
  return { root, home, ledger };
}

const payload = (root: string, command = "ls"): string =>
  JSON.stringify({
    session_id: "soak",
    transcript_path: "/nowhere",
    cwd: root,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: `t${Math.random()}`,
  });

function run({ root, home }: Place, args: string[], stdin = "", program = hookline) {
  const ran = Bun.spawnSync([program, ...args], {
    cwd: root,
    env: { HOME: home, PATH: process.env["PATH"] ?? "" },
    stdin: new TextEncoder().encode(stdin),
    stdout: "pipe",
    stderr: "pipe",
  });
  return { exitCode: ran.exitCode, stdout: ran.stdout.toString(), stderr: ran.stderr.toString() };
}

interface Verified {
  ok: boolean;
  ledgers: {
    records: number;
    torn: number;
    segments: number;
    flaws: { text: string; line?: number; from?: number; to?: number }[];
  }[];
}

function verify(where: Place): Verified {
  const { stdout, stderr } = run(where, ["verify", "--json"]);
  try {
    return JSON.parse(stdout) as Verified;
  } catch {
    throw new Error(`verify said: ${stdout}${stderr}`);
  }
}

function namesIn(ledger: string): Map<string, number> {
  const names = new Map<string, number>();
  for (const file of readdirSync(ledger).filter((name) => name.endsWith(".jsonl"))) {
    for (const [, name = ""] of readFileSync(join(ledger, file), "latin1").matchAll(/"writer":"([^"]+)"/g))
      names.set(name, (names.get(name) ?? 0) + 1);
  }
  return names;
}

/** Keeps writers going, kills them at random and starts them again where they were. */
async function writersAndKills(): Promise<string> {
  const where = place("kills");
  const acknowledged = new Set<string>();
  let left = kills;
  let elsewhere = 0;
  const one = async (name: string): Promise<void> => {
    for (let from = 0; from < perWriter;) {
      const child = Bun.spawn(
        [
          process.execPath,
          join(import.meta.dir, "soak/writer.ts"),
          where.root,
          where.home,
          name,
          String(from),
          String(perWriter - from),
        ],
        { stdio: ["ignore", "pipe", "inherit"], env: { PATH: process.env["PATH"] ?? "" } },
      );
      const doomed =
        left > 0
          ? setTimeout(() => child.kill("SIGKILL"), 150 + Math.random() * (short ? 600 : 4000))
          : undefined;
      if (doomed) left--;
      const said = await child.stdout.text();
      clearTimeout(doomed);
      await child.exited;
      const lines = said.split("\n").slice(0, -1);
      for (const line of lines) {
        if (line.startsWith("elsewhere")) elsewhere++;
        else acknowledged.add(line);
      }
      const last = lines.at(-1)?.match(/-(\d+)(?: |$)/)?.[1];
      // What was being written when it died may or may not be there; it is not written again.
      const died = child.signalCode === null ? 0 : 1;
      from = (last === undefined ? from : Number(last) + 1) + died;
      if (!died && last === undefined) break;
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, at) => one(`w${at}`)));
  const { ok, ledgers } = verify(where);
  check("the ledger is whole", ok, ledgers.flatMap(({ flaws }) => flaws).slice(0, 5));
  const names = namesIn(where.ledger);
  const lost = [...acknowledged].filter((name) => !names.has(name));
  check("every acknowledged record is there", lost.length === 0, lost.slice(0, 5));
  check(
    "none is there twice",
    [...names.values()].every((count) => count === 1),
  );
  // What somebody was making when he died goes away when the next segment is opened a minute later.
  const parts = readdirSync(where.ledger).filter((name) => name.endsWith(".part"));
  check("little is left half done", parts.length <= 10, parts);
  const [own] = ledgers;
  return `${writers} writers, ${acknowledged.size} records acknowledged, ${own?.records ?? 0} on record in ${own?.segments ?? 0} segments, ${kills - left} kills, ${own?.torn ?? 0} torn, ${elsewhere} went to the fallback`;
}

/** Whoever looks things up may be killed at any moment, too: the next one finds what there is. */
async function lookingThings(): Promise<string> {
  const where = places("kills");
  const looks = short ? 10 : 40;
  let killed = 0;
  for (let at = 0; at < looks; at++) {
    const child = Bun.spawn([hookline, "log", "--limit", "1"], {
      cwd: where.root,
      env: { HOME: where.home, PATH: process.env["PATH"] ?? "" },
      stdout: "ignore",
      stderr: "ignore",
    });
    const doomed = setTimeout(() => child.kill("SIGKILL"), Math.random() * (short ? 300 : 1500));
    await child.exited;
    clearTimeout(doomed);
    if (child.signalCode !== null) killed++;
  }
  const { stdout } = run(where, ["stats", "--json", "--ledger", where.ledger]);
  const { decisions } = JSON.parse(stdout) as { decisions: number };
  const there = namesIn(where.ledger).size;
  check("everything is found", decisions === there, { decisions, there });
  return `${killed} of ${looks} looks killed, then ${decisions} of ${there} found`;
}

/** The executable itself, killed while it answers. */
async function callsAndKills(): Promise<string> {
  const where = place("calls");
  const count = short ? 150 : 2000;
  let answered = 0;
  const one = async (): Promise<void> => {
    const child = Bun.spawn([hookline, "run"], {
      cwd: where.root,
      env: { HOME: where.home, PATH: process.env["PATH"] ?? "" },
      stdin: new TextEncoder().encode(payload(where.root, "rm -rf /")),
      stdout: "pipe",
      stderr: "ignore",
    });
    const doomed =
      Math.random() < 0.3 ? setTimeout(() => child.kill("SIGKILL"), Math.random() * 60) : undefined;
    const said = await child.stdout.text();
    clearTimeout(doomed);
    await child.exited;
    if (said.includes('"deny"')) answered++;
  };
  for (let at = 0; at < count; at += 8) await Promise.all(Array.from({ length: 8 }, one));
  const { ok, ledgers } = verify(where);
  check("the ledger is whole", ok, ledgers.flatMap(({ flaws }) => flaws).slice(0, 5));
  const decisions = ledgers.reduce((sum, { records, segments }) => sum + records - segments, 0);
  check("every answer is on record", decisions >= answered, { decisions, answered });
  return `${count} calls, ${answered} answered, ${decisions} on record`;
}

/** Each kind of damage at random places, one at a time. */
async function damage(): Promise<string> {
  const where = place("damage");
  const { appendRecord } = await import("../src/ledger/append.ts");
  const { bareRecord } = await import("../src/ledger/record.ts");
  for (let at = 0; at < 300; at++)
    await appendRecord(
      where.root,
      bareRecord({ writer: `d-${at}`, filler: "y".repeat(at % 700) }),
      { HOME: where.home },
      { limits: { bytes: 60_000, days: 30 } },
    );
  const files = readdirSync(where.ledger).filter((name) => name.endsWith(".jsonl"));
  const whole = new Map(files.map((name) => [name, readFileSync(join(where.ledger, name))]));
  check("it is whole before", verify(where).ok);
  const kinds = ["flip", "cut", "swap", "remove"] as const;
  const counts: Record<string, number> = {};
  for (let at = 0; at < damages; at++) {
    const kind = kinds[at % kinds.length] ?? "flip";
    const file = files[Math.floor(Math.random() * files.length)] ?? "";
    const before = whole.get(file) ?? Buffer.alloc(0);
    const { bytes, line } = damaged(before, kind);
    writeFileSync(join(where.ledger, file), bytes);
    const { ok, ledgers } = verify(where);
    const flaws = ledgers[0]?.flaws ?? [];
    const seq = seqAt(before, line);
    const named = flaws.some(
      ({ from = -1, to = -1, line: said = -1 }) =>
        (from - 1 <= seq && seq <= to + 1) || Math.abs(said - line) <= 1,
    );
    check(`${kind} at line ${line} of ${file} is found`, !ok);
    check(`${kind} at line ${line} of ${file} is named`, named, { seq, flaws: flaws.slice(0, 3) });
    counts[kind] = (counts[kind] ?? 0) + 1;
    writeFileSync(join(where.ledger, file), before);
  }
  check("it is whole again", verify(where).ok);
  return Object.entries(counts)
    .map(([kind, count]) => `${count} × ${kind}`)
    .join(", ");
}

const newline = 10;

function damaged(before: Buffer, kind: "flip" | "cut" | "swap" | "remove"): { bytes: Buffer; line: number } {
  const lines = before.toString("latin1").split("\n").slice(0, -1);
  const line = Math.floor(Math.random() * lines.length);
  const joined = (all: readonly string[]): Buffer => Buffer.from(`${all.join("\n")}\n`, "latin1");
  if (kind === "flip") {
    const bytes = Buffer.from(before);
    const at = Math.floor(Math.random() * bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(Math.random() * 8));
    return { bytes, line: before.subarray(0, at).filter((byte) => byte === newline).length + 1 };
  }
  if (kind === "cut") {
    const text = lines[line] ?? "";
    const cut = text.slice(0, Math.floor(Math.random() * text.length));
    return { bytes: joined(lines.with(line, cut)), line: line + 1 };
  }
  if (kind === "remove") return { bytes: joined(lines.toSpliced(line, 1)), line: line + 1 };
  const other = line === lines.length - 1 ? line - 1 : line + 1;
  return {
    bytes: joined(lines.with(line, lines[other] ?? "").with(other, lines[line] ?? "")),
    line: line + 1,
  };
}

const seqAt = (bytes: Buffer, line: number): number =>
  Number(/"seq":(\d+)/.exec(bytes.toString("latin1").split("\n")[line - 1] ?? "")?.[1] ?? -1);

async function jumpyClock(): Promise<string> {
  const where = place("clock");
  const count = short ? 200 : 2000;
  const all = Array.from({ length: 4 }, (_, at) =>
    Bun.spawn(
      [
        process.execPath,
        join(import.meta.dir, "soak/writer.ts"),
        where.root,
        where.home,
        `c${at}`,
        "0",
        String(count),
        "jumpy",
      ],
      {
        stdio: ["ignore", "ignore", "inherit"],
      },
    ),
  );
  await Promise.all(all.map((child) => child.exited));
  const { ok, ledgers } = verify(where);
  check("the ledger is whole", ok, ledgers[0]?.flaws.slice(0, 3));
  check("every record is there", namesIn(where.ledger).size === 4 * count);
  return `${4 * count} records by clocks that jump`;
}

async function twoVersions(): Promise<string> {
  const where = place("versions");
  const other = join(scratch, "other-version");
  await compile("src/app/main.ts", other, { version: "0.0.9" });
  const count = short ? 20 : 200;
  const calls = Array.from({ length: count }, (_, at) => (at % 2 === 0 ? hookline : other));
  for (let at = 0; at < count; at += 6) {
    const batch = calls.slice(at, at + 6).map((program) =>
      Bun.spawn([program, "run"], {
        cwd: where.root,
        env: { HOME: where.home, PATH: process.env["PATH"] ?? "" },
        stdin: new TextEncoder().encode(payload(where.root)),
        stdout: "ignore",
        stderr: "inherit",
      }),
    );
    await Promise.all(batch.map((child) => child.exited));
  }
  const { ok, ledgers } = verify(where);
  check("the ledger is whole", ok, ledgers[0]?.flaws.slice(0, 3));
  const lines = readFileSync(join(where.ledger, "current.jsonl"), "utf8");
  const versions = new Set([...lines.matchAll(/"engine":"([^"]+)"/g)].map(([, version]) => version));
  check("both have written", versions.size === 2, [...versions]);
  check("every call is on record", ledgers[0]?.records === count + 1, ledgers[0]?.records);
  return `${count} calls by ${[...versions].join(" and ")}`;
}

function fillUp(file: string): void {
  try {
    writeFileSync(file, "f".repeat(300_000));
  } catch {
    // Now it is full.
  }
}

function mount(...args: string[]): boolean {
  return Bun.spawnSync(["mount", ...args], { stdout: "ignore", stderr: "ignore" }).exitCode === 0;
}

async function fullDisk(): Promise<string> {
  const where = place("full");
  const folder = join(where.root, ".hookline");
  mkdirSync(folder);
  if (!mount("-t", "tmpfs", "-o", "size=256k", "hookline-soak", folder)) return notRoot();
  try {
    let elsewhere = 0;
    for (let at = 0; at < (short ? 60 : 400); at++) {
      const { stdout, exitCode, stderr } = run(
        where,
        ["run"],
        payload(where.root, `rm -rf / # ${"z".repeat(2000)}`),
      );
      check("the denial goes out", exitCode === 0 && stdout.includes('"deny"'), { exitCode, stderr });
      if (stderr.includes("the record went to")) elsewhere++;
      // A disk that fills up from outside as well.
      if (at === 20) fillUp(join(folder, "filler"));
    }
    check("it did fill up", elsewhere > 0);
    const { ok, ledgers } = verify(where);
    check("both ledgers are whole", ok && ledgers.length === 2, ledgers);
    rmSync(join(folder, "filler"), { force: true });
    run(where, ["run"], payload(where.root));
    check("it goes on when there is room again", verify(where).ok);
    return `${elsewhere} records went to the fallback`;
  } finally {
    Bun.spawnSync(["umount", folder]);
  }
}

async function readOnly(): Promise<string> {
  const where = place("read-only");
  run(where, ["run"], payload(where.root));
  const folder = join(where.root, ".hookline");
  if (!mount("--bind", folder, folder) || !mount("-o", "remount,ro,bind", folder)) return notRoot();
  try {
    const { stdout, stderr, exitCode } = run(where, ["run"], payload(where.root, "rm -rf /"));
    check("the denial goes out", exitCode === 0 && stdout.includes('"deny"'), { exitCode, stdout, stderr });
    check("the trouble is said", stderr.includes("the record went to"), stderr);
    const { ok, ledgers } = verify(where);
    check("both ledgers are whole", ok && ledgers.length === 2, ledgers);
    return "the record went to the fallback";
  } finally {
    Bun.spawnSync(["umount", folder]);
  }
}

function notRoot(): string {
  check("a file system can be mounted", false, "run as root, or in a container that may mount");
  return "could not be tried";
}

try {
  if (!existsSync(hookline)) throw new Error("Nothing to try: run npm run build first.");
  await section("writers and kills", writersAndKills);
  await section("looks and kills", lookingThings);
  await section("calls and kills", callsAndKills);
  await section("damage", damage);
  await section("clock", jumpyClock);
  await section("two versions", twoVersions);
  await section("full disk", fullDisk);
  await section("read-only", readOnly);
  console.log(`${checks - failures} passed, ${failures} failed`);
} finally {
  if (failures > 0) {
    const kept = join(project, "dist/soak-failed");
    rmSync(kept, { recursive: true, force: true });
    cpSync(scratch, kept, { recursive: true });
    console.log(`What was left is in ${kept}`);
  }
  rmSync(scratch, { recursive: true, force: true });
}
process.exit(failures > 0 ? 1 : 0);
