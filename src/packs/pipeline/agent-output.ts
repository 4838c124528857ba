import * as v from "valibot";
import { isObject } from "../../core/json.ts";
import { defineRule } from "../../core/rule.ts";
import { runningPipeline } from "../../workflow/pipeline-state.ts";
import { active } from "./_examples.ts";

const shortest = 50;
const delegate = { agent: "design-reviewer", prompt: "Review the design." };
const prose = "The design is well thought out and covers the cases that matter most to us.";

export default defineRule({
  summary: "Warns of an agent's answer that is empty or lacks the verdict its phase is about.",
  why: "A pipeline that goes on without it builds on nothing.",
  since: "0.1.0",
  outcome: "warn",
  presets: { pipeline: {} },
  on: { events: ["PostToolUse"], actions: ["delegate"] },
  options: () => v.strictObject({}),
  messages: {
    short: {
      what: `WARNING: Agent output for {phase} appears empty or too short (< ${shortest} chars). Consider retrying this phase per Error Handling rules.`,
      verbatim: true,
    },
    review: {
      what: "WARNING: Review agent output for {phase} does not contain APPROVE, APPROVE_WITH_NOTES, or REVISE verdict. The output may be malformed.",
      verbatim: true,
    },
    verdict: {
      what: "WARNING: Implementation review output does not contain PASS or FAIL verdict. The output may be malformed.",
      verbatim: true,
    },
  },
  examples: {
    catches: [
      { event: "PostToolUse", files: active("phase-3"), delegate, output: "short" },
      { event: "PostToolUse", files: active("phase-3b"), delegate, output: prose },
      { event: "PostToolUse", files: active("phase-4b"), delegate, output: `I disapprove. ${prose}` },
      { event: "PostToolUse", files: active("phase-6"), delegate, output: `It was bypassed. ${prose}` },
    ],
    allows: [
      { event: "PostToolUse", delegate, output: "" },
      { event: "PostToolUse", files: active("phase-3"), delegate, output: prose },
      { event: "PostToolUse", files: active("phase-3b"), delegate, output: `${prose} Approve_with_notes.` },
      { event: "PostToolUse", files: active("phase-6"), delegate, output: `PASS_WITH_NOTES: ${prose}` },
      { event: "PostToolUse", files: active("phase-3b", "awaiting_human"), delegate, output: "" },
    ],
  },
  *check({ event, world }) {
    const pipeline = runningPipeline(event.root, world);
    if (!pipeline) return;
    const { phase } = pipeline;
    const text = textOf(event.tool?.output).trim();
    if (text.length < shortest) {
      yield { message: "short", data: { phase } };
      return;
    }
    const isReview = phase === "phase-3b" || phase === "phase-4b";
    if (isReview && !reviewed.test(text)) yield { message: "review", data: { phase } };
    if (phase === "phase-6" && !judged.test(text)) yield { message: "verdict" };
  },
});

const reviewed = /\b(?:APPROVE|APPROVE_WITH_NOTES|REVISE)\b/i;
const judged = /\b(?:PASS|PASS_WITH_NOTES|FAIL)\b/i;

/** What an agent answered: a text, or blocks of text as hosts send them. */
function textOf(output: unknown): string {
  if (typeof output === "string") return output;
  if (Array.isArray(output)) return output.map(textOf).join("\n");
  if (!isObject(output)) return output === undefined || output === null ? "" : JSON.stringify(output);
  for (const key of ["text", "content", "textResultForLlm"]) if (key in output) return textOf(output[key]);
  return JSON.stringify(output);
}
