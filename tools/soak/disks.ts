// Disks that are full or not to be written.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, payload, place, run, short, verify } from "./trial.ts";

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

export async function fullDisk(): Promise<string> {
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

/** The disk of the fallback is full, too, and so is the cache. */
export async function nowhere(): Promise<string> {
  const where = place("nowhere");
  run(where, ["run"], payload(where.root));
  const folder = join(where.root, ".hookline");
  const kept = readFileSync(join(where.ledger, "current.jsonl"));
  if (!mount("-t", "tmpfs", "-o", "size=64k", "hookline-soak", folder)) return notRoot();
  try {
    if (!mount("-t", "tmpfs", "-o", "size=64k", "hookline-soak", where.home)) return notRoot();
    mkdirSync(where.ledger);
    writeFileSync(join(where.ledger, "current.jsonl"), kept);
    for (const full of [folder, where.home]) fillUp(join(full, "filler"));
    const { stdout, stderr, exitCode } = run(
      where,
      ["run"],
      payload(where.root, `rm -rf / # ${"z".repeat(9000)}`),
    );
    check("the denial goes out", exitCode === 0 && stdout.includes('"deny"'), { exitCode, stdout, stderr });
    check("the trouble is said", stderr.includes("no record could be written"), stderr);
    const looked = run(where, ["log", "--json"]);
    check("records are still found", looked.exitCode === 0 && looked.stdout.includes('"decision"'), looked);
    return "the denial went out, and that there is no record of it";
  } finally {
    for (const mounted of [where.home, folder]) Bun.spawnSync(["umount", mounted]);
  }
}

export async function readOnly(): Promise<string> {
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
