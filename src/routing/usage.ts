import { isObject } from "../core/json.ts";
import { readFile, type Files } from "./_files.ts";

/** Where calls of abilities are counted. */
const usageFile = ".system/cache/ability_usage.json";

/** How often an ability was called, and how that went. */
export interface Usage {
  readonly calls: number;
  readonly failures: number;
  readonly total_ms: number;
  /** When it was called last. */
  readonly last: string;
}

/** What is counted, by ability. A cache somebody has broken counts as none: it is only a cache. */
export function readUsage(root: string, files: Files): Readonly<Record<string, Usage>> {
  const { text } = readFile(usageFile, root, files);
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    if (!isObject(value)) return {};
    return Object.fromEntries(
      Object.entries(value).flatMap(([id, each]) => (isObject(each) ? [[id, toUsage(each)]] : [])),
    );
  } catch {
    return {};
  }
}

const toUsage = (value: Readonly<Record<string, unknown>>): Usage => ({
  calls: count(value["calls"]),
  failures: count(value["failures"]),
  total_ms: count(value["total_ms"]),
  last: typeof value["last"] === "string" ? value["last"] : "",
});

const count = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
