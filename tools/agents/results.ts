import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { versionOf, type Agent } from "./agent.ts";

const results = v.strictObject({
  /** Of the agent. */
  version: v.string(),
  /** What was seen, by scenario. */
  seen: v.record(v.string(), v.string()),
});
export type Results = v.InferOutput<typeof results>;

const fileOf = (id: string): string => join(import.meta.dir, `seen/${id}.json`);

/** What an earlier run has seen of an agent. docs/agents.md is made of it. */
export function remembered(id: string): Results | undefined {
  const file = fileOf(id);
  return existsSync(file) ? v.parse(results, JSON.parse(readFileSync(file, "utf8"))) : undefined;
}

export function remember(agent: Agent, seen: Readonly<Record<string, string>>): void {
  const sorted = Object.fromEntries(Object.entries(seen).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(
    fileOf(agent.id),
    `${JSON.stringify({ version: versionOf(agent), seen: sorted }, null, 2)}\n`,
  );
}
