import { beforeTool } from "../../core/event.ts";
import { defineRule } from "../../core/rule.ts";
import { currentStatuses, readProgress } from "../../workflow/ralph-progress.ts";
import { logHookError } from "./_hook-errors.ts";
import { stateChanges } from "./_state-changes.ts";
import { session, writesMetadata } from "./_state-examples.ts";

export default defineRule({
  summary:
    "Keeps a session out of SESSION_REVIEW while a task is not started, in progress or pending review.",
  why: "A review of unfinished work calls done what nobody has done.",
  since: "0.1.0",
  outcome: "block",
  presets: { "ralph/p1": {} },
  on: { events: ["StateTransition", ...beforeTool], actions: ["write"] },
  options: (v) => v.strictObject({}),
  catalogue: {
    number: 26,
    title: "Session Review Gate",
    tier: "P1",
    lifecycle: "StateTransition",
    serves: "integrity",
  },
  messages: {
    open: {
      what: "SESSION_REVIEW is closed while tasks remain: {tasks}.",
      instead: "Finish, fail or cancel them first: each task must be [x], [F] or [C] in {file}.",
    },
    unknown: {
      what: "there is no progress.md of iteration {iteration}, so nobody can tell whether tasks remain.",
      instead: "Write {file} before the session is reviewed.",
    },
  },
  examples: {
    catches: [
      {
        files: session("BATCHING", "- [x] task-1\n- [ ] task-2\n- [P] task-3\n"),
        ...writesMetadata("BATCHING", "SESSION_REVIEW"),
      },
      {
        files: session("BATCHING", "- [/] task-1\n"),
        patch: [
          "*** Begin Patch",
          "*** Update File: .ralph-sessions/260215-173319/metadata.yaml",
          "@@",
          "-  state: BATCHING",
          "+  state: SESSION_REVIEW",
          "*** End Patch",
        ].join("\n"),
      },
    ],
    allows: [
      {
        files: session("BATCHING", "- [F] task-1\n- [x] task-1\n- [C] task-2\n- [F] task-3\n"),
        ...writesMetadata("BATCHING", "SESSION_REVIEW"),
      },
      { files: session("PLANNING", "- [ ] task-1\n"), ...writesMetadata("PLANNING", "BATCHING") },
    ],
  },
  onFailure: logHookError(26),
  load: stateChanges,
  *check({ event, world, loaded }) {
    for (const change of loaded?.stateChangesIn(event, world) ?? []) {
      if (change.to !== "SESSION_REVIEW") continue;
      const iteration = loaded?.iterationIn(change.after) ?? 1;
      const file = `iterations/${iteration}/progress.md`;
      const text = loaded?.progressAfter(event, change.session, iteration, world);
      if (text === undefined) {
        yield { message: "unknown", outcome: "warn", data: { iteration, file } };
        continue;
      }
      const open = [...currentStatuses(readProgress(text).tasks)].filter(([, { status }]) =>
        " /P".includes(status),
      );
      if (open.length === 0) continue;
      const tasks = open.map(([id, { status }]) => `${id} [${status}]`).join(", ");
      yield { message: "open", data: { tasks, file } };
    }
  },
});
