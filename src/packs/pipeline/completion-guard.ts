import { join } from "node:path";
import * as v from "valibot";
import { defineRule } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import {
  activePipeline,
  namesOf,
  newest,
  pipelinesIn,
  type Pipeline,
} from "../../workflow/pipeline-state.ts";
import { hostsLimit, isNear, noticeOf } from "../../workflow/hosts-limit.ts";
import { holdsBefore } from "../../workflow/signals.ts";
import { active } from "./_examples.ts";

const posted = { completedPhases: ["final-summary", "post-to-source"] };
const summary = { ".specs/20260115-cart/summary.md": "# Summary\n" };

export default defineRule({
  summary:
    "Keeps an agent from stopping before its pipeline is through, waits for somebody, or is abandoned.",
  why: "A pipeline that ends half way leaves a branch nobody has reviewed and nobody is told about.",
  since: "0.1.0",
  outcome: "block",
  presets: { pipeline: {} },
  on: { events: ["Stop"] },
  options: () =>
    v.strictObject({
      blockAgain: v.pipe(
        v.optional(v.boolean(), false),
        v.description(
          "Refuse also when the agent is only at work because it was refused before, up to eight times in a row or as often as the agent takes it. Otherwise the second time is a warning.",
        ),
      ),
    }),
  messages: {
    unfinished: {
      what: "Claude-forge is still active at {phase} ({status}). Workspace: {workspace}. Use Claude Code to call mcp__forge-state__abandon with workspace: {workspace}, or delete {workspace}/state.json manually to reset.",
      instead:
        "Go on with {phase}; `hookline pipeline abandon` gives the pipeline up, and is for the user to decide.",
    },
    unsummed: {
      what: "the pipeline in {workspace} is completed and has no summary.md.",
      why: "Nobody can read what it did.",
      instead: "Write {workspace}/summary.md.",
    },
  },
  examples: {
    catches: [
      { event: "Stop", files: active("phase-3") },
      { event: "Stop", files: active("phase-5", "failed") },
      { event: "Stop", files: { ...active("final-summary"), ...summary } },
      { event: "Stop", files: active("final-commit", "in_progress", posted) },
    ],
    allows: [
      { event: "Stop" },
      { event: "Stop", files: active("phase-3", "abandoned") },
      { event: "Stop", files: active("checkpoint-a", "awaiting_human") },
      { event: "Stop", files: { ...active("final-commit", "in_progress", posted), ...summary } },
      { event: "Stop", files: { ...active("final-summary", "completed"), ...summary } },
    ],
  },
  *check({ event, world, options }) {
    const pipeline = activePipeline(event.root, world);
    if (!pipeline) {
      const last = newest(pipelinesIn(event.root, world));
      if (last && isUnsummed(last, world))
        yield { message: "unsummed", outcome: "warn", data: { workspace: last.folder } };
      return;
    }
    const { phase, status, folder: workspace } = pipeline;
    if (status === "awaiting_human" || (isPosted(pipeline) && hasSummary(pipeline, world))) return;
    // Whoever was refused once and still stops has a reason, and must not be held for ever.
    const limit = hostsLimit(event, world, most);
    const isLet = options.blockAgain ? limit?.left === 0 : holdsBefore(event, world) > 0;
    yield {
      message: "unfinished",
      data: { phase, status, workspace },
      ...(isLet ? { outcome: "warn" as const } : {}),
    };
    if (!isLet && limit && isNear(limit)) yield { add: { notice: noticeOf(limit) } };
  },
});

/** How often in a row where the host itself knows no end. */
const most = 8;

const isPosted = (pipeline: Pipeline): boolean =>
  [...namesOf(pipeline, "completedPhases"), ...namesOf(pipeline, "skippedPhases")].includes("post-to-source");

const hasSummary = ({ folder }: Pipeline, world: World): boolean =>
  world.stat(join(folder, "summary.md"))?.type === "file";

const day = 24 * 60 * 60 * 1000;

/** On the day it was completed: later nobody can do anything about it. */
function isUnsummed(pipeline: Pipeline, world: World): boolean {
  if (pipeline.status !== "completed" || namesOf(pipeline, "skippedPhases").includes("final-summary"))
    return false;
  const age = world.now() - Date.parse(pipeline.updated);
  return age >= -day && age < day && !hasSummary(pipeline, world);
}
