// Somebody changes the ledger behind its back.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, place, short, verify } from "./trial.ts";

const damages = short ? 400 : 4000;

/** Each kind of damage at random places, one at a time. */
export async function damage(): Promise<string> {
  const where = place("damage");
  const { appendRecord } = await import("../../src/ledger/append.ts");
  const { bareRecord } = await import("../../src/ledger/record.ts");
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
