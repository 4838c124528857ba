import { beforeTool } from "../../core/event.ts";
import { defineRule } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { iterationsIn } from "../../workflow/ralph-iteration.ts";
import type { StateChange } from "../../workflow/ralph-state-change.ts";
import { logHookError } from "./_hook-errors.ts";
import { stateChanges } from "./_state-changes.ts";
import { batch, feedback, session, writesMetadata } from "./_state-examples.ts";

export default defineRule({
  summary: "Lets a session go to REPLANNING only with feedback that can be read.",
  why: "A plan made over feedback nobody can read misses what it was made for.",
  since: "0.1.0",
  outcome: "block",
  presets: { "ralph/p1": {} },
  on: { events: ["StateTransition", ...beforeTool], actions: ["write"] },
  options: (v) => v.strictObject({}),
  catalogue: {
    number: 25,
    title: "Replanning Trigger Guard",
    tier: "P1",
    lifecycle: "StateTransition",
    serves: "integrity",
  },
  messages: {
    none: {
      what: "REPLANNING needs feedback, and there is none in {folder}.",
      instead: "Put a batch with its feedbacks.md there, or ask the user to.",
    },
    invalid: {
      what: "REPLANNING needs a valid feedbacks.md: {flaws}.",
      instead: "Mend the feedback, or ask the user to, then go to REPLANNING.",
    },
  },
  examples: {
    catches: [
      {
        files: session("COMPLETE", "- [x] task-1\n", { [`${batch}/app.log`]: "" }),
        ...writesMetadata("COMPLETE", "REPLANNING"),
      },
      {
        files: session("COMPLETE", "- [x] task-1\n", {
          [`${batch}/feedbacks.md`]: feedback.replace("## Quality Issues (Non-blockers)\n\n", ""),
          [`${batch}/app.log`]: "",
        }),
        ...writesMetadata("COMPLETE", "REPLANNING"),
      },
      {
        files: session("COMPLETE", "- [x] task-1\n", { [`${batch}/feedbacks.md`]: feedback }),
        ...writesMetadata("COMPLETE", "REPLANNING"),
      },
    ],
    allows: [
      {
        files: session("COMPLETE", "- [x] task-1\n", {
          [`${batch}/feedbacks.md`]: feedback,
          [`${batch}/app.log`]: "",
        }),
        ...writesMetadata("COMPLETE", "REPLANNING"),
      },
      {
        files: session("BATCHING", "- [F] task-1\n"),
        ...writesMetadata("BATCHING", "REPLANNING"),
      },
      { files: session("PLANNING"), ...writesMetadata("PLANNING", "BATCHING") },
    ],
  },
  onFailure: logHookError(25),
  load: (event, world) => modules(stateChanges(event, world)),
  *check({ event, world, loaded }) {
    for (const change of loaded?.stateChangesIn(event, world) ?? []) {
      if (change.to !== "REPLANNING" || !loaded) continue;
      const [before, after] = [loaded.iterationIn(change.before), loaded.iterationIn(change.after)];
      const found = detected(change, before, after, world).map((iteration) => ({
        iteration,
        batches: loaded.feedbackBatches(change.session, iteration, world),
      }));
      const flaws = found.flatMap(({ iteration, batches }) =>
        loaded.batchFlaws(change.session, iteration, batches, world),
      );
      if (flaws.length > 0) yield { message: "invalid", data: { flaws: flaws.slice(0, 8).join("; ") } };
      // A session that is complete has no other reason to plan again; one that is not may have run out of retries.
      else if (change.from === "COMPLETE" && found.every(({ batches }) => batches.length === 0))
        yield { message: "none", data: { folder: `iterations/${(before ?? 0) + 1}/feedbacks/` } };
    }
  },
});

async function modules(changes: ReturnType<typeof stateChanges>) {
  if (!changes) return undefined;
  return {
    ...(await changes),
    ...(await import("../../workflow/ralph-feedback.ts")),
    ...(await import("../../workflow/ralph-documents.ts")),
  };
}

/** Feedback waits for the iteration that is to come; a session that was moved on already has it in its own. */
function detected(
  { session: folder }: StateChange,
  before: number | undefined,
  after: number | undefined,
  world: World,
): number[] {
  const later = iterationsIn(folder, world).filter((each) => each > (before ?? 0));
  return later.length > 0 ? later : after === undefined ? [] : [after];
}
