import * as v from "valibot";
import { beforeTool } from "../../core/event.ts";
import { isObject } from "../../core/json.ts";
import { defineRule } from "../../core/rule.ts";
import { activePipeline } from "../../workflow/pipeline-state.ts";
import { active } from "./_examples.ts";

const starting = (phase: string) => ({ name: "mcp__forge-state__phase_start", input: { phase } });

export default defineRule({
  summary: "Reminds of the effort before a pipeline starts its first phase.",
  why: "The effort decides which phases are skipped; without it none is.",
  since: "0.1.0",
  outcome: "warn",
  presets: { pipeline: {} },
  on: { events: beforeTool, tools: ["phase_start"] },
  options: () => v.strictObject({}),
  messages: {
    missing: {
      what: "WARNING: effort is not set. Call set_effort before starting phase-1 to enable flow template selection.",
      verbatim: true,
    },
  },
  examples: {
    catches: [
      { files: active("phase-1", "pending"), tool: starting("phase-1") },
      {
        files: active("setup", "failed", { effort: null }),
        tool: { name: "mcp__plugin_forge_state__phase_start", input: { phase: "phase-1" } },
      },
    ],
    allows: [
      { tool: starting("phase-1") },
      { files: active("phase-1", "pending", { effort: "M" }), tool: starting("phase-1") },
      { files: active("phase-1", "pending"), tool: starting("phase-2") },
    ],
  },
  *check({ event, world }) {
    const input = event.tool?.input;
    if (!isObject(input) || input["phase"] !== "phase-1") return;
    const pipeline = activePipeline(event.root, world);
    const effort = pipeline?.state["effort"];
    if (pipeline && (effort === undefined || effort === null || effort === "")) yield { message: "missing" };
  },
});
