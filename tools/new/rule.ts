/** The files of a new rule, by their paths. Its check is a real one, so that everything works before the first change. */
export function ruleFiles(id: string, since: string): Record<string, string> {
  return {
    [`src/packs/${id}.ts`]: source(since),
    [`src/packs/${id}.test.ts`]: test(id),
  };
}

/** What a person writes below the generated head of the page. */
export const pageSections = "\n## Why it exists\n\n## What it does not catch\n";

const source = (since: string): string => `import { beforeTool } from "../../core/event.ts";
import { defineRule } from "../../core/rule.ts";

export default defineRule({
  summary: "Stops a write to a file that a merge tool has left behind.",
  why: "Nobody reads such a file again, so the change is lost.",
  since: "${since}",
  outcome: "block",
  presets: { preview: {} },
  on: { events: beforeTool, actions: ["write"] },
  options: (v) =>
    v.strictObject({
      endings: v.pipe(
        v.optional(v.array(v.string()), [".orig"]),
        v.description("How the names of such files end."),
      ),
    }),
  messages: {
    leftover: {
      what: "\`{path}\` is a leftover of a merge.",
      instead: "Change the file it was made from.",
    },
  },
  examples: {
    catches: [
      { write: "src/app.ts.orig", text: "" },
      { write: "src/app.ts.rej", text: "", options: { endings: [".rej"] } },
    ],
    allows: [
      { write: "src/app.ts", text: "" },
      { read: "src/app.ts.orig" },
    ],
  },
  *check({ event, options }) {
    for (const action of event.actions) {
      if (action.kind !== "write" || !action.target) continue;
      const { given, real } = action.target;
      if (options.endings.some((ending) => real.endsWith(ending))) {
        yield { message: "leftover", data: { path: given } };
      }
    }
  },
});
`;

const test = (id: string): string => `import { ruleTester } from "../../testing/rule-tester.ts";

ruleTester("${id}", {
  catches: [
    { write: "new/folder/größe.md.orig", text: "", message: "leftover" },
    { links: { "notes.md": "notes.md.orig" }, write: "notes.md", text: "", data: { path: "notes.md" } },
  ],
  allows: [{ write: "original", text: "" }, { write: "a.orig/b", text: "" }],
});
`;
