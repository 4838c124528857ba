import { join } from "node:path";
import { isObject } from "../../core/json.ts";
import { current, workspaceFolder } from "../../ledger/places.ts";
import type { Timing } from "../../lint/lint.ts";
import { lastLines } from "../../platform/last-lines.ts";

/** Enough to tell, and read in a moment. */
const mostRuns = 1000;

/** How long each hook has taken lately, by source and id. */
export function timingsOf(root: string): ReadonlyMap<string, Timing> {
  const taken = new Map<string, number[]>();
  try {
    for (const line of lastLines(join(workspaceFolder(root), current))) {
      if (!line.includes('"hooks":[')) continue;
      for (const { key, ms } of runsIn(line)) {
        const known = taken.get(key);
        if (!known) taken.set(key, [ms]);
        else if (known.length < mostRuns) known.push(ms);
      }
    }
  } catch {
    // No ledger, nothing known.
  }
  return new Map([...taken].map(([key, all]) => [key, { runs: all.length, p95: p95(all) }]));
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
