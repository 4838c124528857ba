import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { checkWorkflow } from "./check.ts";
import type { Condition, State, Transition, Workflow } from "./model.ts";

const names = ["a", "b", "c", "d", "e"];
const files = ["f1", "f2", "f3"];

const hasFile = (file: string): Condition => ({ is: "file", file, line: [], without: [] });
const keyIs = (value: number): Condition => ({
  is: "key",
  file: "k.json",
  key: ["k"],
  values: [value],
  isNot: [],
});

const positive = fc.oneof(fc.constantFrom(...files).map(hasFile), fc.constantFrom(1, 2).map(keyIs));
const anything = fc.oneof(
  positive,
  fc.constantFrom(...files).map((file): Condition => ({ is: "absent", file })),
  positive.map((of): Condition => ({ is: "not", of })),
  fc.array(positive, { minLength: 1, maxLength: 2 }).map((of): Condition => ({ is: "any", of })),
);

function workflows(condition: fc.Arbitrary<Condition>): fc.Arbitrary<Workflow> {
  const conditions = fc.array(condition, { maxLength: 2 });
  const state: fc.Arbitrary<State> = fc.record({
    forbid: fc
      .subarray(files)
      .map((edit) => (edit.length === 0 ? [] : [{ actions: { edit }, run: [], except: [], unless: [] }])),
    requires: conditions,
  });
  const step: fc.Arbitrary<Transition> = fc.record({
    from: fc.subarray(names, { minLength: 1, maxLength: 2 }),
    to: fc.constantFrom(...names),
    when: conditions,
  });
  return fc
    .record({
      states: fc.tuple(state, state, state, state, state),
      transitions: fc.array(step, { maxLength: 10 }),
    })
    .map(({ states, transitions }) => ({
      name: "made",
      state: { by: "key", file: "state.json", key: ["at"] },
      initial: "a",
      states: Object.fromEntries(names.map((name, at) => [name, states[at] ?? { forbid: [], requires: [] }])),
      transitions,
      watch: {},
      remember: "session",
      stop: [],
      retries: [],
      schemas: [],
    }));
}

/** A workspace: which files are there, and what the key says, 0 for nothing. */
interface Place {
  readonly at: string;
  readonly has: readonly string[];
  readonly key: number;
}

function isSo(condition: Condition, { has, key }: Place): boolean {
  switch (condition.is) {
    case "file":
      return has.includes(condition.file);
    case "absent":
      return !has.includes(condition.file);
    case "key":
      return key !== 0 && condition.values.includes(key);
    case "not":
      return !isSo(condition.of, { at: "", has, key });
    case "any":
      return condition.of.some((each) => isSo(each, { at: "", has, key }));
    default:
      throw new Error(condition.is);
  }
}

/** Every state that some sequence of allowed actions leads to, found by trying all of them. */
function reachedByTrying({ states, transitions }: Workflow): Set<string> {
  const start: Place = { at: "a", has: [], key: 0 };
  const seen = new Set([JSON.stringify(start)]);
  const waiting = [start];
  for (const place of waiting) {
    const { at, has, key } = place;
    const closed = (states[at]?.forbid ?? []).flatMap(({ actions }) => actions.edit ?? []);
    const open = files.filter((file) => !closed.includes(file));
    const next: Place[] = [
      ...open.map((file) => ({
        at,
        key,
        has: has.includes(file) ? has.filter((each) => each !== file) : [...has, file].toSorted(),
      })),
      ...[0, 1, 2].map((value) => ({ at, has, key: value })),
      ...transitions
        .filter(
          ({ from, to, when }) =>
            from.includes(at) &&
            to !== at &&
            [...(states[at]?.requires ?? []), ...when].every((each) => isSo(each, place)),
        )
        .map(({ to }) => ({ at: to, has, key })),
    ];
    for (const each of next) {
      const name = JSON.stringify(each);
      if (seen.has(name)) continue;
      seen.add(name);
      waiting.push(each);
    }
  }
  return new Set(waiting.map(({ at }) => at));
}

const unreachableIn = (workflow: Workflow): string[] =>
  checkWorkflow(workflow, [workflow])
    .filter(({ code }) => code === "unreachable")
    .map(({ path }) => String(path[1]));

describe("what check calls unreachable", () => {
  test("is what trying every sequence of actions never reaches, and nothing else", () => {
    fc.assert(
      fc.property(workflows(positive), (workflow) => {
        const reached = reachedByTrying(workflow);
        expect(unreachableIn(workflow).toSorted()).toEqual(names.filter((name) => !reached.has(name)));
      }),
      { numRuns: 500 },
    );
  });

  test("is never reached, also where conditions take each other back", () => {
    fc.assert(
      fc.property(workflows(anything), (workflow) => {
        const reached = reachedByTrying(workflow);
        expect(unreachableIn(workflow).filter((name) => reached.has(name))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

describe("check finds", () => {
  const base: Workflow = {
    name: "one",
    state: { by: "key", file: "state.json", key: ["at"] },
    initial: "a",
    states: { a: { forbid: [], requires: [] }, b: { forbid: [], requires: [], final: true } },
    transitions: [{ from: ["a"], to: "b", when: [] }],
    watch: {
      tests: { run: ["npm test"], edit: [], except: [], delegate: [], passed: [], failed: [] },
      edits: { run: [], edit: ["**"], except: [], delegate: [], passed: [], failed: [] },
    },
    remember: "session",
    stop: [],
    retries: [],
    schemas: [],
  };
  const when = (...conditions: Condition[]): Workflow => ({
    ...base,
    transitions: [{ from: ["a"], to: "b", when: conditions }],
  });
  const codes = (workflow: Workflow): string[] => checkWorkflow(workflow, [workflow]).map(({ code }) => code);

  test("nothing in a sound workflow", () => expect(checkWorkflow(base, [base])).toEqual([]));

  test.each<[string, Condition[]]>([
    ["two values of one key", [keyIs(1), keyIs(2)]],
    [
      "the state's own key at another state",
      [{ is: "key", file: "state.json", key: ["at"], values: ["a"], isNot: [] }],
    ],
    ["a value that is ruled out", [{ is: "key", file: "k.json", key: ["k"], values: [1], isNot: [1] }]],
    ["a file that must be there and must not", [hasFile("f1"), { is: "absent", file: "f*" }]],
    [
      "a line that must be there and must not",
      [{ is: "file", file: "f1", line: ["x: 1"], without: ["x: *"] }],
    ],
    [
      "two branches",
      [
        { is: "branch", branch: ["main"] },
        { is: "branch", branch: ["release/*"] },
      ],
    ],
    [
      "passed and failed at once",
      [
        { is: "last", sight: { watch: "tests", result: "passed" }, after: [] },
        { is: "last", sight: { watch: "tests", result: "failed" }, after: [] },
      ],
    ],
    ["a result of something that has none", [{ is: "seen", sight: { watch: "edits", result: "failed" } }]],
    ["a condition and its opposite", [hasFile("f1"), { is: "not", of: hasFile("f1") }]],
    ["any of what cannot be", [{ is: "any", of: [{ is: "file", file: "f1", line: ["x"], without: ["x"] }] }]],
  ])("a guard that can never hold: %s", (_, conditions) => {
    expect(codes(when(...conditions))).toContain("never-holds");
  });

  test("a required artifact that the state forbids to write, unless a person puts it there", () => {
    const forbid = [{ actions: { edit: ["docs/**"] }, run: [], except: [], unless: [] }];
    const closed = (condition: Condition): Workflow => ({
      ...base,
      states: { ...base.states, a: { forbid, requires: [condition] } },
    });
    expect(codes(closed(hasFile("docs/plan.md")))).toEqual(["never-holds", "unreachable"]);
    expect(codes(closed({ ...hasFile("docs/plan.md"), byHand: true } as Condition))).toEqual([]);
    expect(codes(closed(hasFile("plan.md")))).toEqual([]);
  });

  test("a step that is kept in a file its state forbids to write", () => {
    const closed = (except: string[], unless: Condition[] = []): Workflow => ({
      ...base,
      states: {
        ...base.states,
        a: { forbid: [{ actions: { edit: ["**"] }, run: [], except, unless }], requires: [] },
      },
    });
    expect(codes(closed([]))).toContain("never-holds");
    expect(codes(closed(["state.json"]))).toEqual([]);
    expect(codes(closed([], [hasFile("f1")]))).toEqual([]);
  });

  test("what has to be seen, and is forbidden wherever it could be", () => {
    const forbid = [{ actions: {}, run: ["npm test"], except: [], unless: [] }];
    const watch = {
      tests: { run: ["npm test -- all"], edit: [], except: [], delegate: [], passed: [], failed: [] },
    };
    const seen: Condition = { is: "seen", sight: { watch: "tests", result: "passed" } };
    const guarded = (states: Workflow["states"]): Workflow => ({
      ...base,
      watch,
      states: { ...base.states, ...states },
      transitions: [{ from: ["a"], to: "b", when: [seen] }],
    });
    expect(codes(guarded({ a: { forbid, requires: [] } }))).toContain("never-holds");
    expect(codes(guarded({}))).not.toContain("never-holds");
    const on = (closed: boolean): Workflow => ({
      ...guarded(closed ? { a: { forbid, requires: [] } } : {}),
      state: { by: "record" },
      transitions: [{ from: ["a"], to: "b", when: [], on: { watch: "tests", result: "passed" } }],
    });
    expect(codes(on(true))).toContain("never-holds");
    expect(codes(on(false))).not.toContain("never-holds");
  });

  test("steps nobody may take", () => {
    expect(codes({ ...base, transitions: [{ from: ["a"], to: "b", when: [], by: [] }] })).toContain("nobody");
    const forbid = [{ actions: { delegate: ["*"] }, run: [], except: [], unless: [] }];
    const silent = { ...base, states: { ...base.states, a: { forbid, requires: [], by: ["reviewer"] } } };
    expect(codes(silent)).toContain("nobody");
    expect(
      codes({ ...silent, states: { ...silent.states, a: { forbid, requires: [], by: ["main"] } } }),
    ).toEqual([]);
  });

  test("dead ends, other workflows that are not there, globs that fit nothing, states without a place", () => {
    expect(codes({ ...base, states: { ...base.states, b: { forbid: [], requires: [] } } })).toEqual([
      "dead-end",
    ]);
    expect(codes(when({ is: "state", workflow: "two", states: ["x"] }))).toContain("unknown-name");
    const forbid = [{ actions: { edit: [" src/**"] }, run: [], except: [], unless: [] }];
    expect(codes({ ...base, states: { ...base.states, a: { forbid, requires: [] } } })).toEqual([
      "never-matches",
    ]);
    expect(codes({ ...base, state: { by: "branch", branches: {} } })).toEqual(["unreachable"]);
    expect(codes({ ...base, state: { by: "branch", branches: { a: ["*"], b: ["main"] } } })).toContain(
      "unreachable",
    );
  });

  test("what a stop needs and can never be", () => {
    expect(codes({ ...base, stop: [{ in: [], needs: [keyIs(1), keyIs(2)], most: 3 }] })).toEqual(["no-stop"]);
  });

  test("ten thousand states in a chain, and a way out from each, within the time of a test", () => {
    const many = Array.from({ length: 10_000 }, (_, at) => `s${at}`);
    const workflow: Workflow = {
      ...base,
      initial: "s0",
      states: Object.fromEntries(
        many.map((name, at) => [
          name,
          { forbid: [], requires: [hasFile("f1")], ...(at === many.length - 1 ? { final: true } : {}) },
        ]),
      ) as Workflow["states"],
      transitions: [
        ...many.slice(1).map((to, at) => ({ from: [many[at] ?? ""], to, when: [] })),
        { from: ["*"], to: "s0", when: [], anyway: true },
      ],
    };
    expect(checkWorkflow(workflow, [workflow])).toEqual([]);
  });
});
