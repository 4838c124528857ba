import { describe } from "bun:test";
import { ruleTester } from "../../testing/rule-tester.ts";
import { batch, feedback, session, writesMetadata } from "./_state-examples.ts";

const go = writesMetadata("COMPLETE", "REPLANNING");
const at = (text: string) =>
  session("COMPLETE", "- [x] task-1\n", { [`${batch}/feedbacks.md`]: text, [`${batch}/app.log`]: "" });

describe("S0-R33 REPLANNING needs feedback that can be read", () => {
  ruleTester("ralph/replanning-trigger-guard", {
    catches: [
      {
        title: "a complete session without any",
        files: session("COMPLETE", "- [x] task-1\n"),
        ...go,
        message: "none",
        data: { folder: "iterations/2/feedbacks/" },
      },
      {
        title: "a batch without its file",
        files: session("COMPLETE", "", { [`${batch}/shot.png`]: "" }),
        ...go,
        data: { flaws: `${batch}/feedbacks.md is missing` },
      },
      {
        title: "a section that is missing is named",
        files: at(feedback.replace("## Critical Issues (Blockers)", "## Issues")),
        ...go,
        data: { flaws: `${batch}: feedbacks.md lacks the section '## Critical Issues'` },
      },
      {
        title: "a second batch that is wrong",
        files: {
          ...at(feedback),
          ".ralph-sessions/260215-173319/iterations/2/feedbacks/20260217-080000/feedbacks.md": "nothing",
        },
        ...go,
      },
      {
        title: "a session that counts the new iteration at once",
        files: at(feedback.replace("timestamp: 2026-02-16T10:15:00+07:00", "timestamp: soon")),
        write: ".ralph-sessions/260215-173319/metadata.yaml",
        text: "version: 2\niteration: 2\norchestrator:\n  state: REPLANNING\n",
      },
    ],
    allows: [
      {
        title: "feedback that was replanned before does not count again",
        files: {
          ...at(feedback),
          ".ralph-sessions/260215-173319/iterations/1/feedbacks/20260101-000000/feedbacks.md":
            "an older form",
        },
        ...go,
      },
      { title: "another state", files: at("nothing"), ...writesMetadata("COMPLETE", "PLANNING") },
    ],
  });
});
