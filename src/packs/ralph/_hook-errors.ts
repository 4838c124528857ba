import type { Effect } from "../../core/effect.ts";
import type { Event } from "../../core/event.ts";
import type { Failure } from "../../core/finding.ts";
import type { World } from "../../core/world.ts";
import { logEffects } from "../../workflow/ralph-logs.ts";

/** The line in the session's `logs/hook-errors.jsonl` that a failed hook leaves behind. */
export const logHookError =
  (hook: number) =>
  (event: Event, world: World, { kind, detail }: Failure): readonly Effect[] =>
    logEffects(event, world, "hook-errors.jsonl", { hook, failure: kind, detail });
