import type { Workflow } from "../../workflow/declared/model.ts";

export const releaseFile = "release.yaml";

const nothing = { watch: {}, remember: "session", stop: [], retries: [], schemas: [] } as const;

/** A workflow for examples, as a policy would be compiled to it: draft, review, published. */
export const release: Workflow = {
  name: "release",
  state: { by: "key", file: releaseFile, key: ["phase"] },
  initial: "draft",
  states: {
    draft: {
      forbid: [
        {
          actions: {},
          run: ["npm publish", "git push"],
          except: [],
          unless: [],
          instead: "Have it reviewed first.",
        },
      ],
      requires: [{ is: "file", file: "CHANGELOG.md", line: [], without: [] }],
    },
    review: {
      forbid: [
        {
          actions: { edit: ["src/**"] },
          run: [],
          except: ["src/**/*.test.ts"],
          unless: [],
          why: "Reviewed is what is there.",
        },
      ],
      requires: [],
    },
    published: { forbid: [], requires: [], final: true },
  },
  transitions: [
    { from: ["draft"], to: "review", when: [] },
    { from: ["review"], to: "draft", when: [] },
    {
      from: ["review"],
      to: "published",
      by: ["main"],
      when: [{ is: "file", file: "REVIEW.md", line: ["Verdict: approved"], without: [] }],
    },
  ],
  ...nothing,
};

const tests = { watch: "tests" } as const;

/** Another: no source before a failing test, no end while tests fail. Kept by Hookline itself. */
export const testFirst: Workflow = {
  ...nothing,
  name: "test-first",
  state: { by: "record" },
  initial: "start",
  states: {
    start: { forbid: [], requires: [] },
    red: { forbid: [], requires: [] },
    green: { forbid: [], requires: [] },
  },
  transitions: [
    { from: ["start", "green"], to: "red", when: [], on: { ...tests, result: "failed" } },
    { from: ["red"], to: "green", when: [], on: { ...tests, result: "passed" } },
  ],
  watch: { tests: { run: ["npm test"], edit: [], except: [], delegate: [], passed: [], failed: [] } },
  stop: [{ in: ["red"], needs: [], most: 3 }],
  retries: [{ run: ["npm run deploy"], delegate: [], in: [], most: 2, handOff: "Ask the user." }],
};

/** Nothing left to do by a file before the agent stops. */
export const stopGates: Workflow = {
  ...nothing,
  name: "stop",
  bare: true,
  state: { by: "record" },
  initial: "work",
  states: { work: { forbid: [], requires: [], final: true } },
  transitions: [],
  stop: [{ in: [], needs: [{ is: "todos", file: "TODO.md" }], most: 3 }],
};

/** What Hookline has seen for it. */
export const seenLog = (...entries: readonly object[]): Readonly<Record<string, string>> => ({
  ".hookline/seen/test-first/_no-session.jsonl": entries
    .map((entry) => `${JSON.stringify(entry)}\n`)
    .join(""),
});
