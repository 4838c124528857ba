import type { Host } from "../core/host.ts";
import { isObject, type Json } from "../core/json.ts";
import { isMissing } from "../platform/files.ts";
import { lastLines } from "../platform/last-lines.ts";

/** Observed with Copilot CLI 1.0.102: the last words, and at first the whole file, come while the hook is already running. */
const patienceMs = 400;
const pauseMs = 10;

/**
 * What the agent said last, by the end of its transcript. A line that is cut short, garbled or endless is passed over;
 * nothing when there is no transcript, or nobody has said anything in it. With an event's payload a transcript that has not yet come so
 * far is waited for a little.
 */
export function saidIn(path: string, host: Host, payload?: Json): string | undefined {
  for (const until = performance.now() + patienceMs; ;) {
    const { said, lags } = lastIn(path, host, payload);
    if (!lags || payload === undefined || performance.now() > until) return said;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  }
}

function lastIn(path: string, host: Host, payload: Json = {}): { said?: string; lags: boolean } {
  let lags: boolean | undefined;
  try {
    for (const line of lastLines(path)) {
      const entry = parsed(line);
      if (!isObject(entry)) continue;
      lags ??= host.lags?.(entry, payload) === true;
      const said = host.said?.(entry);
      if (said !== undefined) return { said, lags };
    }
  } catch (error) {
    // A transcript nobody can read says nothing; one that is not there may come.
    return { lags: isMissing(error) };
  }
  return { lags: lags ?? true };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
