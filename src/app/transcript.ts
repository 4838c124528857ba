import type { Host } from "../core/host.ts";
import { isObject } from "../core/json.ts";
import { lastLines } from "../platform/last-lines.ts";

/**
 * What the agent said last, by the end of its transcript. A line that is cut short, garbled or endless is passed over;
 * nothing when there is no transcript, or nobody has said anything in it.
 */
export function saidIn(path: string, host: Host): string | undefined {
  try {
    for (const line of lastLines(path)) {
      const entry = parsed(line);
      const said = isObject(entry) ? host.said?.(entry) : undefined;
      if (said !== undefined) return said;
    }
  } catch {
    // A transcript nobody can read says nothing.
  }
  return undefined;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
