// Whoever writes, looks or answers is killed at random.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { check, hookline, namesIn, payload, place, places, run, short, verify } from "./trial.ts";

const writers = short ? 16 : 32;
const perWriter = short ? 1000 : 10_000;
const kills = short ? 60 : 500;

/** Keeps writers going, kills them at random and starts them again where they were. */
export async function writersAndKills(): Promise<string> {
  const where = place("kills");
  const acknowledged = new Set<string>();
  let left = kills;
  let elsewhere = 0;
  const one = async (name: string): Promise<void> => {
    for (let from = 0; from < perWriter;) {
      const child = Bun.spawn(
        [
          process.execPath,
          join(import.meta.dir, "writer.ts"),
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
export async function lookingThings(): Promise<string> {
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
export async function callsAndKills(): Promise<string> {
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
