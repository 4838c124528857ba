import { describe } from "bun:test";
import { ruleTester } from "../../testing/rule-tester.ts";
import { batch, feedback } from "./_state-examples.ts";

const folder = `.ralph-sessions/260215-173319/${batch}`;
const file = `${folder}/feedbacks.md`;
const there = { [`${folder}/app.log`]: "" };

describe("S0-R36 S0-F40 the Artifacts Index names files that are there", () => {
  ruleTester("ralph/feedback-artifact-index-check", {
    catches: [
      {
        title: "the row and its file are named",
        files: there,
        write: file,
        text: `${feedback}| shot.png | the page |\n`,
        data: {
          flaws: "Artifacts Index, row 2: 'shot.png' does not exist in the folder of feedbacks.md",
          path: batch,
        },
      },
      { files: { ...there, etc: "" }, write: file, text: `${feedback}| /etc | all |\n` },
      {
        title: "the template's four columns",
        write: file,
        text: feedback.replace(
          "| File | Description |\n|---|---|",
          "| File | Description | Relevant Issues | Lines/Regions |\n|---|---|---|---|",
        ),
      },
    ],
    allows: [
      {
        title: "a file written by the same call",
        operations: [
          { do: "write", path: `${folder}/app.log`, text: "" },
          { do: "write", path: file, text: feedback },
        ],
      },
      { files: there, write: file, text: `${feedback}| none | - |\n` },
      {
        files: { ...there, [`${folder}/shots/a.png`]: "" },
        write: file,
        text: `${feedback}| \`shots/a.png\` | - |\n`,
      },
    ],
  });
});
