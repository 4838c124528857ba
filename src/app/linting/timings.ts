import { join } from "node:path";
import { isObject } from "../../core/json.ts";
import { workspaceFolder } from "../../ledger/places.ts";
import { segmentsOf } from "../../ledger/read.ts";
import type { Timing } from "../../lint/lint.ts";
import { lastLines } from "../../platform/last-lines.ts";

/** Enough to tell, and read in a moment. */
const mostRuns = 1000;

/** And no more lines than that, however long the ledger has become. */
const mostLines = 500_000;

/** How long each hook has taken lately, by source and id, in all segments of the ledger. */
export function timingsOf(root: string): ReadonlyMap<string, Timing> {
  const taken = new Map<string, number[]>();
  let left = mostLines;
  for (const line of linesBack(workspaceFolder(root))) {
    if (left-- <= 0) break;
    if (!line.includes('"hooks":[')) continue;
    for (const { key, ms } of runsIn(line)) {
      const known = taken.get(key);
      if (!known) taken.set(key, [ms]);
      else if (known.length < mostRuns) known.push(ms);
    }
  }
  return new Map([...taken].map(([key, all]) => [key, { runs: all.length, p95: p95(all) }]));
}

/** The lines of a ledger, the latest first. */
function* linesBack(folder: string): Generator<string> {
  for (const segment of segmentsIn(folder).toReversed()) {
    try {
      yield* lastLines(join(folder, segment));
    } catch {
      // Gone meanwhile, or no plain file: what it held is not known.
    }
  }
}

function segmentsIn(folder: string): readonly string[] {
  try {
    return segmentsOf(folder);
  } catch {
    // No ledger, nothing known.
    return [];
  }
}

export const timingKey = (source: string, id: string): string => `${source} ${id}`;

function runsIn(line: string): { key: string; ms: number }[] {
  try {
    const record: unknown = JSON.parse(line);
    const hooks = isObject(record) && Array.isArray(record["hooks"]) ? (record["hooks"] as unknown[]) : [];
    return hooks.filter(isObject).flatMap(({ hook, raw }) => {
      if (!isObject(hook) || !isObject(raw) || typeof raw["ms"] !== "number") return [];
      return [{ key: timingKey(String(hook["source"]), String(hook["id"])), ms: raw["ms"] }];
    });
  } catch {
    return [];
  }
}

const p95 = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[Math.ceil(all.length * 0.95) - 1] ?? 0;
