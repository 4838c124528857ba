import { join } from "node:path";
import type { Effect } from "../core/effect.ts";
import type { Event } from "../core/event.ts";
import type { FollowUp, HookResult, HookRun } from "../core/hook.ts";

interface Logged {
  readonly run: HookRun;
  readonly result?: HookResult;
}

/** A line for each run of a registry hook, and for each thing it logged, where its document says they belong. */
export function logEffects(logged: readonly Logged[], event: Event): Effect[] {
  const time = new Date().toISOString();
  const lines = logged.flatMap(({ run, result }) => {
    const base = { timestamp: time, hook_id: run.hook.id, event_type: event.name };
    const ran = { ...base, status: run.status, duration_ms: Math.round(run.raw?.ms ?? 0) };
    return [ran, ...(result?.logs ?? []).map(({ level, message }) => ({ ...base, level, message }))];
  });
  if (lines.length === 0) return [];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  return [{ do: "append", path: join(event.root, ".system", "logs", "hooks.log"), text }];
}

/** Follow-up actions wait here for whoever wants to take them up. Nothing of ours does. */
export function queueEffects(actions: readonly FollowUp[], event: Event): Effect[] {
  if (actions.length === 0) return [];
  const time = new Date().toISOString();
  const lines = actions.map((action) => `${JSON.stringify({ time, session: event.session, ...action })}\n`);
  return [{ do: "append", path: join(event.root, ".hookline", "follow-ups.jsonl"), text: lines.join("") }];
}
