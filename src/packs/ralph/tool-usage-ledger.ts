import type { Event } from "../../core/event.ts";
import { defineRule } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { logEffects, shortened } from "../../workflow/ralph-logs.ts";
import { logHookError } from "./_hook-errors.ts";
import { folderOption } from "./_log-folder.ts";

const files = { ".ralph-sessions/260215-173319/metadata.yaml": "iteration: 1\n" };

export default defineRule({
  summary:
    "Adds every tool call to the session's `logs/tool-usage.jsonl`, with its arguments and how it ended.",
  why: "What a session did, how long it took and what failed can be told afterwards, and counted.",
  since: "0.1.0",
  outcome: "warn",
  presets: { "ralph/p1": {} },
  on: { events: ["PostToolUse", "PostToolUseFailure"] },
  options: (v) => v.strictObject({ folder: folderOption(v) }),
  catalogue: { number: 17, title: "Tool Usage Ledger", tier: "P1", lifecycle: "PostTool", serves: "audit" },
  messages: { logged: { what: "the call of `{tool}` is in `logs/tool-usage.jsonl`." } },
  examples: {
    catches: [
      { event: "PostToolUse", files, shell: "npm test", output: "12 passed" },
      { event: "PostToolUseFailure", files, shell: "npm test", error: "Exit code 1" },
    ],
    allows: [
      { event: "PostToolUse", shell: "npm test" },
      { event: "PreToolUse", files, shell: "npm test" },
    ],
  },
  onFailure: logHookError(17),
  *check({ event, world, options }) {
    const { tool } = event;
    if (!tool) return;
    const failed =
      event.name === "PostToolUseFailure" || tool.error !== undefined || (tool.exitCode ?? 0) !== 0;
    const entry = {
      args: shortened(tool.input),
      duration_ms: durationOf(event, world),
      status: failed ? "failure" : "success",
      exit_status: tool.exitCode ?? null,
      result: shortened(tool.error ?? tool.output),
    };
    for (const effect of logEffects(event, world, "tool-usage.jsonl", entry, options.folder)) {
      yield { effect };
      yield { message: "logged", outcome: "pass", data: { tool: tool.name } };
    }
  },
});

/** What the host says, else the time since the call was announced. */
function durationOf({ tool, call }: Event, world: World): number | null {
  if (tool?.duration !== undefined) return tool.duration;
  const announced = call === undefined ? undefined : world.earlier(call)?.time;
  return announced === undefined ? null : Math.max(0, world.now() - announced);
}
