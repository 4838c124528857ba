import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { defineRule, type Context, type Rule, type Yield } from "../core/rule.ts";
import { mistakesIn, problemsWithAllow, problemsWithCatch, type Catch } from "./rule-tester.ts";

/** A rule with a check of its own; everything else does not matter here. */
const ruleWith = (check: (context: Context) => Iterable<Yield<"found">>, more: Partial<Rule> = {}): Rule => ({
  ...defineRule({
    summary: "Tries the tester.",
    why: "A tester nobody tests proves nothing.",
    since: "0.1.0",
    outcome: "block",
    presets: {},
    on: { events: ["PreToolUse", "UserPromptSubmit", "SessionStart"] },
    options: () => v.strictObject({ word: v.optional(v.string(), "x") }),
    messages: { found: { what: "`{path}` was found." } },
    examples: { catches: [], allows: [] },
    check,
  }),
  ...more,
});

const silent = ruleWith(() => []);
const loud = ruleWith(() => [{ message: "found", data: { path: "a", size: 1 } }]);
const write = { write: "a", text: "" } as const;

const catching = (rule: Rule, given: Catch = write): Promise<string[]> =>
  problemsWithCatch("try/rule", rule, given);
const allowing = (rule: Rule, given: Catch = write): Promise<string[]> =>
  problemsWithAllow("try/rule", rule, given);

test("a catch that is caught and an allowed case that is left alone are fine", async () => {
  expect(await catching(loud)).toEqual([]);
  expect(await allowing(silent)).toEqual([]);
});

test("a catch without a finding fails, an allowed case with one as well", async () => {
  expect(await catching(silent)).toEqual(["nothing was found"]);
  expect(await allowing(loud)).toEqual([expect.stringContaining("found: [")]);
});

test("message, data, outcome and count of a catch are compared", async () => {
  expect(
    await catching(loud, {
      ...write,
      message: "found",
      data: { path: "a", size: "1" },
      outcome: "block",
      count: 1,
    }),
  ).toEqual([]);
  expect(await catching(loud, { ...write, message: "other" })).toHaveLength(1);
  expect(await catching(loud, { ...write, data: { path: "b" } })).toHaveLength(1);
  expect(await catching(loud, { ...write, outcome: "warn" })).toHaveLength(1);
  expect(await catching(loud, { ...write, count: 2 })).toHaveLength(1);
});

test("a crash fails every case but the one that expects it", async () => {
  const crash = (): never => {
    throw new Error("no idea");
  };
  expect(await catching(ruleWith(crash))).toEqual(["the rule failed (crash: no idea)"]);
  expect(await allowing(ruleWith(crash))).toContain("the rule failed (crash: no idea)");
  for (const failMode of ["open", "closed"] as const) {
    expect(await catching(ruleWith(crash, { failMode }), { ...write, fails: "crash" })).toEqual([]);
  }
  expect(await catching(loud, { ...write, fails: "crash" })).toContain(
    "the rule did not fail, but crash was expected",
  );
});

test("a rule that changes its event or its options fails", async () => {
  const changing = [
    ({ event }: Context) => void Object.assign(event, { name: "Stop" }),
    ({ event }: Context) => void Object.assign(event.actions[0] ?? {}, { kind: "read" }),
    ({ options }: Context) => void Object.assign(options as object, { word: "y" }),
  ];
  for (const change of changing) {
    const rule = ruleWith((context) => {
      change(context);
      return [];
    });
    expect(await allowing(rule)).toContainEqual(expect.stringContaining("the rule failed (crash"));
  }
});

test("a rule that looks at the disk itself is found out by the replay", async () => {
  const sly = ruleWith(({ event }) => (existsSync(join(event.root, "a")) ? [{ message: "found" }] : []));
  expect(await catching(sly, { files: { a: "" }, delete: "a" })).toEqual([
    expect.stringContaining("judged from the record alone it came out differently"),
  ]);
  const honest = ruleWith(({ event, world }) =>
    world.stat(join(event.root, "a")) ? [{ message: "found" }] : [],
  );
  expect(await catching(honest, { files: { a: "" }, delete: "a" })).toEqual([]);
});

test("a rule with a memory of its own is found out by the replay", async () => {
  let calls = 0;
  expect(await catching(ruleWith(() => [{ message: "found", data: { calls: calls++ } }]))).toHaveLength(1);
});

test("files, links, options, home and whatever is prepared are there when the rule looks", async () => {
  const rule = ruleWith(({ event, world, options }) => {
    const text = [
      world.read(join(event.root, "link/a")),
      world.read(join(world.folders().home, "b")),
      world.read(join(event.root, "c")),
      world.read(join(event.root, "../d")),
      (options as { word: string }).word,
    ];
    return [
      { message: "found", data: { text: text.join(" "), cwd: event.cwd, session: event.session ?? "" } },
    ];
  });
  const given: Catch = {
    files: { "folder/a": "one", "~/b": "two", "../d": "four" },
    links: { link: "folder" },
    prepare: (workspace) => void Bun.spawnSync(["sh", "-c", "printf three > c"], { cwd: workspace }),
    cwd: "folder/deep",
    session: "s-1",
    read: "x",
    data: { text: "one two three four x", cwd: "<workspace>/folder/deep", session: "s-1" },
  };
  expect(await catching(rule, given)).toEqual([]);
  expect(await catching(rule, { ...given, options: { word: "y" } })).toHaveLength(1);
});

test("effects are compared where a case names them", async () => {
  const rule = ruleWith(({ event }) => [
    { effect: { do: "append", path: join(event.root, "log"), text: "x" } },
  ]);
  expect(
    await allowing(rule, { ...write, effects: [{ do: "append", path: "<workspace>/log", text: "x" }] }),
  ).toEqual([]);
  expect(await allowing(rule, { ...write, effects: [] })).toEqual([
    expect.stringContaining("other effects than expected"),
  ]);
});

test("a case becomes the event it describes", async () => {
  const rule = ruleWith(({ event }) => [
    {
      message: "found",
      data: { said: `${event.name} ${event.prompt ?? event.actions.map(({ kind }) => kind).join()}` },
    },
  ]);
  const said = (given: Catch, text: string) => catching(rule, { ...given, data: { said: text } });
  expect(await said({ prompt: "hello" }, "UserPromptSubmit hello")).toEqual([]);
  expect(await said({ event: "SessionStart" }, "SessionStart ")).toEqual([]);
  expect(await said({ write: "a", edit: { old: "x", new: "y" } }, "PreToolUse write")).toEqual([]);
  expect(
    await said(
      { shell: "ls", operations: [{ do: "fetch", url: "https://example.com" }] },
      "PreToolUse exec,fetch",
    ),
  ).toEqual([]);
  expect(
    await said({ patch: "*** Begin Patch\n*** Delete File: a\n*** End Patch" }, "PreToolUse delete"),
  ).toEqual([]);
  expect(said({ files: {} }, "")).rejects.toThrow("neither what is done nor which event");
});

test("a case cannot make files outside its own folder", () => {
  expect(catching(silent, { ...write, files: { "../../x": "" } })).rejects.toThrow("outside its own folder");
  expect(catching(silent, { ...write, links: { "/etc/x": "a" } })).rejects.toThrow("outside its own folder");
});

test("nothing is left behind", async () => {
  let workspace = "";
  await catching(loud, { ...write, prepare: (path) => void (workspace = path) });
  expect(workspace).not.toBe("");
  expect(existsSync(workspace)).toBe(false);
});

test("the same case twice and an empty side are mistakes", () => {
  const [a, b] = [{ shell: "ls" }, { shell: "pwd" }];
  expect(mistakesIn([a], [b])).toEqual([]);
  expect(mistakesIn([a, b], [{ ...b }])).toEqual([expect.stringContaining("the same case twice")]);
  expect(mistakesIn([a, { ...a, title: "again", message: "found" }], [b])).toHaveLength(1);
  expect(mistakesIn([], [b])).toEqual(["there is nothing to catch"]);
  expect(mistakesIn([a], [])).toEqual(["there is nothing to allow"]);
  expect(mistakesIn([a], [b], { catches: [] })).toHaveLength(1);
});
