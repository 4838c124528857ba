import { defineLint } from "./lint.ts";

/** What is wrong with the file itself is said by whoever reads it; this is the name it goes by. */
export const brokenFile = defineLint({
  id: "broken-file",
  severity: "error",
  summary: "A hook file cannot be read, or an entry of it is not what its format says.",
  why: "What is not understood does not run, and nobody is told when it matters.",
  fix: "Mend the entry; `hookline hooks validate` says what was expected.",
  examples: {
    bad: [
      { files: { "plugins/p/hooks/hooks.json": '{\n  "hooks": {\n' }, at: "plugins/p/hooks/hooks.json:3" },
      {
        files: { ".system/hooks/track.yaml": "id: track\nevent_type: SessionStop\n" },
        at: ".system/hooks/track.yaml:1",
      },
    ],
    good: [{ files: { "plugins/p/hooks/hooks.json": '{ "hooks": {} }' } }],
  },
  *check() {},
});
