import { beforeTool } from "../../core/event.ts";
import { defineRule } from "../../core/rule.ts";
import { feedbackReader, feedbackWrites } from "./_feedback.ts";
import { logHookError } from "./_hook-errors.ts";
import { batch, feedback } from "./_state-examples.ts";

const file = `.ralph-sessions/260215-173319/${batch}/feedbacks.md`;

export default defineRule({
  summary: "Lets a batch of feedback be written only with its frontmatter and its four sections.",
  why: "The next plan is made from these sections; what stands elsewhere is not found.",
  since: "0.1.0",
  outcome: "block",
  presets: { "ralph/all": {} },
  on: { events: beforeTool, actions: ["write"] },
  options: (v) => v.strictObject({}),
  catalogue: {
    number: 27,
    title: "Feedback Directory Schema Check",
    tier: "P2",
    lifecycle: "PreTool",
    serves: "integrity",
  },
  messages: {
    invalid: {
      what: "{flaws}.",
      instead:
        "Write {path} with `iteration` and `timestamp` in its frontmatter and the sections Critical Issues, Quality Issues, New Requirements and Artifacts Index.",
    },
    unknown: {
      what: "what this call leaves in `{path}` cannot be told.",
      instead: "Write the feedback with a plain file tool.",
    },
  },
  examples: {
    catches: [
      { write: file, text: feedback.replace(/^---[\s\S]*?---\n/, "") },
      { write: file, text: feedback.replace("## New Requirements Discovered\n\n", "") },
      { files: { [file]: feedback }, write: file, edit: { old: "iteration: 2", new: "iteration: two" } },
    ],
    allows: [
      { write: file, text: feedback },
      { write: "docs/feedbacks.md", text: "anything" },
    ],
  },
  onFailure: logHookError(27),
  load: feedbackReader,
  *check({ event, world, loaded }) {
    for (const { path, text } of feedbackWrites(event, world)) {
      if (text === undefined) {
        yield { message: "unknown", outcome: "warn", data: { path } };
        continue;
      }
      const flaws = loaded?.feedbackFlaws(text) ?? [];
      if (flaws.length > 0) yield { message: "invalid", data: { flaws: flaws.join("; "), path } };
    }
  },
});
