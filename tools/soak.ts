// What the ledger must survive, tried for as long as it takes.
//
//   npm run test:soak               32 writers of 10,000 records, 500 kills, 1,000 damages of each kind
//   npm run test:soak -- --short    a minute of the same, for every change
//
// Exits 1 when anything did not hold. Small and read-only file systems are mounted: without the right to do so, it starts
// itself again in a namespace of its own where it has it.
import { existsSync, rmSync } from "node:fs";
import { twoVersions, jumpyClock } from "./soak/company.ts";
import { damage } from "./soak/damage.ts";
import { fullDisk, nowhere, readOnly } from "./soak/disks.ts";
import { callsAndKills, lookingThings, writersAndKills } from "./soak/kills.ts";
import { conclude, hookline, scratch, section } from "./soak/trial.ts";

if (!existsSync(hookline)) throw new Error("Nothing to try: run npm run build first.");
let exitCode: number;
try {
  exitCode = process.getuid?.() === 0 ? await soak() : await inNamespace();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.exit(exitCode);

async function soak(): Promise<number> {
  await section("writers and kills", writersAndKills);
  await section("looks and kills", lookingThings);
  await section("calls and kills", callsAndKills);
  await section("damage", damage);
  await section("clock", jumpyClock);
  await section("two versions", twoVersions);
  await section("full disk", fullDisk);
  await section("no disk at all", nowhere);
  await section("read-only", readOnly);
  return conclude();
}

async function inNamespace(): Promise<number> {
  const again = [
    "unshare",
    "--map-root-user",
    "--mount",
    process.execPath,
    import.meta.path,
    ...process.argv.slice(2),
  ];
  return Bun.spawn(again, { stdio: ["ignore", "inherit", "inherit"] }).exited;
}
