import { join } from "node:path";
import type { Effect } from "../../core/effect.ts";
import type { Event } from "../../core/event.ts";
import type { Failure } from "../../core/finding.ts";
import type { World } from "../../core/world.ts";
import { isSessionId, ralphSession, sessionFolder } from "../../workflow/ralph-session.ts";

/** The line in the session's `logs/hook-errors.jsonl` that a failed hook leaves behind. */
export const logHookError =
  (hook: number) =>
  (event: Event, world: World, failure: Failure): readonly Effect[] => {
    const session = ralphSession(event, world);
    if (session === undefined || !isSessionId(session)) return [];
    const line = {
      ts: new Date(world.now()).toISOString(),
      hook,
      session_id: session,
      event: event.name,
      tool: event.tool?.name ?? null,
      failure: failure.kind,
      detail: failure.detail,
    };
    const path = join(sessionFolder(event.root, session), "logs", "hook-errors.jsonl");
    return [{ do: "append", path, text: `${JSON.stringify(line)}\n` }];
  };
