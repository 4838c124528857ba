import { dirname, join } from "node:path";
import { beforeTool } from "../../core/event.ts";
import { defineRule } from "../../core/rule.ts";
import { feedbackReader, feedbackWrites } from "./_feedback.ts";
import { logHookError } from "./_hook-errors.ts";
import { batch, feedback } from "./_state-examples.ts";

const folder = `.ralph-sessions/260215-173319/${batch}`;

export default defineRule({
  summary: "Lets the Artifacts Index of a batch of feedback name only files that lie beside it.",
  why: "Whoever works on the feedback looks for its evidence there, and works without it if it is not there.",
  since: "0.1.0",
  outcome: "block",
  presets: { "ralph/all": {} },
  on: { events: beforeTool, actions: ["write"] },
  options: (v) => v.strictObject({}),
  catalogue: {
    number: 28,
    title: "Feedback Artifact Index Check",
    tier: "P2",
    lifecycle: "PreTool",
    serves: "integrity",
  },
  messages: {
    missing: {
      what: "{flaws}.",
      instead: "Put the file into {path} first, or take the row out of the index.",
    },
  },
  examples: {
    catches: [
      { write: `${folder}/feedbacks.md`, text: feedback },
      {
        files: { [`${folder}/app.log`]: "" },
        write: `${folder}/feedbacks.md`,
        text: `${feedback}| ../../progress.md | the state |\n`,
      },
    ],
    allows: [
      { files: { [`${folder}/app.log`]: "" }, write: `${folder}/feedbacks.md`, text: feedback },
      { write: `${folder}/feedbacks.md`, text: feedback.replace("| `app.log` | the failing run |\n", "") },
    ],
  },
  onFailure: logHookError(28),
  load: feedbackReader,
  *check({ event, world, loaded }) {
    for (const { path, file, text } of feedbackWrites(event, world)) {
      const coming = event.actions.flatMap((action) =>
        action.kind === "write" ? (action.target?.real ?? []) : [],
      );
      const isThere = (name: string): boolean => {
        const artifact = join(dirname(file), name);
        return coming.includes(artifact) || world.stat(artifact) !== undefined;
      };
      const flaws = text === undefined ? [] : (loaded?.artifactFlaws(text, isThere) ?? []);
      if (flaws.length > 0)
        yield { message: "missing", data: { flaws: flaws.join("; "), path: dirname(path) } };
    }
  },
});
