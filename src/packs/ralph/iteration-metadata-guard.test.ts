import { describe } from "bun:test";
import { ruleTester } from "../../testing/rule-tester.ts";

const file = ".ralph-sessions/260215-173319/iterations/1/metadata.yaml";
const at = (hour: number): string => `2026-02-15T${hour}:00:00Z`;

describe("S0-R24 the times of an iteration are ISO8601 and in their order", () => {
  ruleTester("ralph/iteration-metadata-guard", {
    catches: [
      {
        title: "both planning and end before the start",
        write: file,
        text: `started_at: ${at(12)}\nplanning_completed_at: ${at(11)}\ncompleted_at: ${at(10)}\n`,
        message: "order",
        count: 2,
      },
      {
        title: "the end before the planning, with nothing known of the start",
        write: file,
        text: `planning_completed_at: ${at(12)}\ncompleted_at: ${at(11)}\n`,
        data: { field: "completed_at", before: "planning_completed_at" },
      },
      { title: "a number", write: file, text: "started_at: 1771150399\n", message: "format" },
      { title: "a mapping", write: file, text: "started_at: {a: 1}\n", data: { value: '{"a":1}' } },
      {
        title: "a day that does not exist",
        write: file,
        text: "started_at: 2026-02-30T10:00:00Z\n",
        message: "format",
      },
      {
        title: "through sed",
        files: { [file]: `started_at: ${at(12)}\ncompleted_at: null\n` },
        shell: `sed -i 's/null/${at(11)}/' ${file}`,
        message: "order",
      },
      {
        title: "through a link",
        files: { [file]: "" },
        links: { "m.yaml": file },
        write: "m.yaml",
        text: "started_at: soon\n",
        message: "format",
      },
    ],
    allows: [
      {
        title: "all at the same time",
        write: file,
        text: `started_at: ${at(12)}\nplanning_completed_at: ${at(12)}\ncompleted_at: ${at(12)}\n`,
      },
      {
        title: "offsets are taken into account",
        write: file,
        text: `started_at: 2026-02-15T18:00:00+0700\ncompleted_at: ${at(11)}\n`,
      },
      { title: "quotes", write: file, text: `started_at: "${at(12)}"\n` },
      { title: "what is no YAML is for another rule", write: file, text: "started_at: [\n" },
      { title: "a piece that has no times", write: file, edit: { old: "nowhere", new: "x: 1" } },
    ],
  });
});
