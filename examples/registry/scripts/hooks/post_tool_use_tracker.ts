#!/usr/bin/env bun
// Hook: post_tool_use_tracker
// Event: PostAbilityCall
// Description: Records every ability call in a log and counts them in a cache.
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from "node:fs";

const log = ".system/logs/tool_call.md";
const cache = ".system/cache/ability_usage.json";

interface Usage {
  calls: number;
  failures: number;
  total_ms: number;
  last: string;
}

const context = JSON.parse(readFileSync(0, "utf8")) as Record<string, unknown>;
const text = (key: string): string => {
  const value = context[key];
  return typeof value === "string" ? value.replace(/\s+/g, " ").slice(0, 500) : "";
};
const ability = text("ability_id");
if (ability === "") {
  console.log(JSON.stringify({ error: "the context has no ability_id", usage_recorded: false }));
  process.exit(0);
}
const status = text("status") || "success";
const ms = typeof context["duration_ms"] === "number" ? context["duration_ms"] : 0;
const time = text("timestamp") || new Date().toISOString();

mkdirSync(".system/logs", { recursive: true });
mkdirSync(".system/cache", { recursive: true });
const facts = [status, `${ms} ms`, text("input_summary"), text("output_summary"), text("tool_call_path")];
appendFileSync(log, `- ${time} **${ability}** ${facts.filter(Boolean).join(" | ")}\n`);

const usage = locked(() => {
  const all = readUsage();
  const before = all[ability] ?? { calls: 0, failures: 0, total_ms: 0, last: "" };
  const now: Usage = {
    calls: before.calls + 1,
    failures: before.failures + (status === "failure" ? 1 : 0),
    total_ms: before.total_ms + ms,
    last: time,
  };
  writeFileSync(`${cache}.${process.pid}`, `${JSON.stringify({ ...all, [ability]: now }, null, 2)}\n`);
  renameSync(`${cache}.${process.pid}`, cache);
  return now;
});

console.log(
  JSON.stringify({
    logs: [{ level: "info", message: `Recorded ${ability} in ${log}` }],
    usage_recorded: true,
    ...(usage.calls >= 3
      ? {
          update_matcher_suggestions: [
            { ability_id: ability, signal: "frequent_usage", weight: Math.min(1, usage.calls / 10) },
          ],
        }
      : {}),
  }),
);

function readUsage(): Record<string, Usage> {
  try {
    return JSON.parse(readFileSync(cache, "utf8")) as Record<string, Usage>;
  } catch {
    // The first call, or a cache somebody has broken: counting starts again.
    return {};
  }
}

/** Two calls may end at the same moment; a folder can be made by one of them only. */
function locked<T>(work: () => T): T {
  const lock = `${cache}.lock`;
  for (let attempt = 0; ; attempt++) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if ((error as { code?: unknown }).code !== "EEXIST") throw error;
      if (attempt > 200) throw new Error(`${lock} is held by somebody else`, { cause: error });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
  try {
    return work();
  } finally {
    rmdirSync(lock);
  }
}
