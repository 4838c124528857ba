import { describe } from "bun:test";
import { ruleTester } from "../../testing/rule-tester.ts";
import { batch, feedback } from "./_state-examples.ts";

const file = `.ralph-sessions/260215-173319/${batch}/feedbacks.md`;
const without = (text: string | RegExp, instead = "") => ({
  write: file,
  text: feedback.replace(text, instead),
});

describe("S0-R35 S0-F38 S0-F39 feedback has its frontmatter and its sections", () => {
  ruleTester("ralph/feedback-schema-check", {
    catches: [
      { ...without("iteration: 2\n"), data: { flaws: "The frontmatter of feedbacks.md lacks 'iteration'" } },
      { ...without(/timestamp: .*\n/), data: { flaws: "The frontmatter of feedbacks.md lacks 'timestamp'" } },
      {
        ...without("2026-02-16T10:15:00+07:00", "yesterday"),
        data: { flaws: "'timestamp' in the frontmatter of feedbacks.md must be ISO8601, got 'yesterday'" },
      },
      {
        ...without("iteration: 2", "iteration: 0"),
        data: { flaws: "'iteration' in the frontmatter of feedbacks.md must be a positive integer, got '0'" },
      },
      { title: "frontmatter that is no YAML", ...without("iteration: 2", "iteration: [2") },
      {
        title: "every section that is missing is named",
        write: file,
        text: "---\niteration: 2\ntimestamp: 2026-02-16T10:15:00Z\n---\n\n## Quality Issues\n",
        data: {
          flaws:
            "feedbacks.md lacks the section '## Critical Issues'; feedbacks.md lacks the section '## New Requirements'; feedbacks.md lacks the section '## Artifacts Index'",
        },
      },
      {
        title: "a heading in a code block is none",
        ...without("## Quality Issues (Non-blockers)", "```\n## Quality Issues\n```"),
      },
      { shell: `curl -s https://example.org/f > ${file}`, outcome: "warn", message: "unknown" },
    ],
    allows: [
      {
        title: "the protocol's own form",
        write: file,
        text: "---\niteration: 2\ntimestamp: 2026-02-16T10:15:00+0700\nprevious_iteration: 1\n---\n# Feedback Batch: x\n## Critical Issues\n## Quality Issues\n## New Requirements\n## Artifacts Index\n| File | Description |\n|---|---|\n",
      },
      { title: "what lies beside it", write: file.replace("feedbacks.md", "notes.md"), text: "x" },
    ],
  });
});
