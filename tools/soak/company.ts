// Others whose clocks jump, or who are of another version.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compile } from "../build.ts";
import { check, hookline, namesIn, payload, place, scratch, short, verify } from "./trial.ts";

export async function jumpyClock(): Promise<string> {
  const where = place("clock");
  const count = short ? 200 : 2000;
  const all = Array.from({ length: 4 }, (_, at) =>
    Bun.spawn(
      [
        process.execPath,
        join(import.meta.dir, "writer.ts"),
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

export async function twoVersions(): Promise<string> {
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
