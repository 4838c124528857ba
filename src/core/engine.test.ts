import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { watchedLimits } from "../platform/limits.ts";
import { consideredIn } from "./considered.ts";
import { judge, plainLimits, type Limits, type SelectedRule } from "./engine.ts";
import type { Event } from "./event.ts";
import { defineRule, type Rule, type Yield } from "./rule.ts";
import { recordWorld, replayWorld, type World } from "./world.ts";

const event: Event = {
  name: "PreToolUse",
  native: "PreToolUse",
  host: "test",
  dialect: "test",
  cwd: "/w",
  root: "/w",
  actions: [],
  payload: {},
};
const world = () => recordWorld(replayWorld([{ ask: "now", answer: 5 }]));

function rule(check: Rule["check"], more: Partial<Rule> = {}): Rule {
  return {
    ...defineRule({
      summary: "A rule.",
      why: "Because.",
      since: "0.1.0",
      outcome: "block",
      presets: {},
      on: { events: ["PreToolUse"] },
      options: () => v.strictObject({}),
      messages: {
        bad: { what: "`{it}` is bad.", instead: "Be good." },
        worse: { what: "Worse.", why: "Really." },
      },
      examples: { catches: [], allows: [] },
      *check() {},
    }),
    check,
    ...more,
  };
}

const selected = (id: string, made: Rule, more: Partial<SelectedRule> = {}): SelectedRule => ({
  id,
  on: made.on,
  rule: made,
  outcome: made.outcome,
  failMode: made.failMode,
  options: {},
  ...more,
});

const bad = selected(
  "t/bad",
  rule(() => [{ message: "bad", data: { it: "x" } }]),
);
const limits = (ruleMs: number): Limits => ({ ...watchedLimits, ruleMs });

describe("a finding", () => {
  test("is rendered as what, why and what to do instead, with the rule's name", async () => {
    const { findings } = await judge(event, [bad], world());
    expect(findings).toEqual([
      {
        rule: "t/bad",
        outcome: "block",
        id: "bad",
        data: { it: "x" },
        message: "Blocked by t/bad: `x` is bad.\nBecause.\nBe good.",
      },
    ]);
  });

  test("may have a reason of its own, and be milder but never stricter than the policy says", async () => {
    const own = selected(
      "t/own",
      rule(() => [{ message: "worse", outcome: "warn" }]),
    );
    const { findings } = await judge(
      event,
      [own, { ...own, outcome: "ask" }, { ...bad, outcome: "warn" }],
      world(),
    );
    expect(findings.map((finding) => finding.outcome)).toEqual(["warn", "warn", "warn"]);
    expect(findings[0]?.message).toBe("Warning from t/own: Worse.\nReally.");
    const stricter = selected(
      "t/strict",
      rule(() => [{ message: "bad", outcome: "block" }]),
      { outcome: "warn" },
    );
    expect((await judge(event, [stricter], world())).findings[0]?.outcome).toBe("warn");
  });

  test("data cannot reach into the template engine or the message table", async () => {
    const sly = selected(
      "t/sly",
      rule(() => [{ message: "bad", data: { it: "{constructor} $& {it}" } }]),
    );
    expect((await judge(event, [sly], world())).findings[0]?.message).toContain(
      "`{constructor} $& {it}` is bad.",
    );
    const proto = selected(
      "t/proto",
      rule(() => [{ message: "__proto__" }]),
    );
    expect((await judge(event, [proto], world())).findings[0]?.failure?.kind).toBe("bad-output");
  });
});

describe("a rule that fails takes no other with it", () => {
  const cases: [string, string, () => Iterable<Yield>][] = [
    [
      "throws at once",
      "crash",
      () => {
        throw new Error("boom");
      },
    ],
    [
      "throws half-way",
      "crash",
      function* () {
        yield { message: "bad" };
        throw new Error("boom");
      },
    ],
    [
      "throws something strange",
      "crash",
      () => {
        throw Object.create(null);
      },
    ],
    ["yields an unknown message", "bad-output", () => [{ message: "nope" }]],
    ["yields an unknown outcome", "bad-output", () => [{ message: "bad", outcome: "maybe" as never }]],
    ["yields null", "bad-output", () => [null as never]],
    ["yields no list", "crash", () => 5 as never],
    [
      "never returns",
      "timeout",
      () => {
        for (;;);
      },
    ],
    [
      "never returns between two yields",
      "timeout",
      function* () {
        yield { message: "bad" };
        for (;;);
      },
    ],
    [
      "runs out of stack",
      "crash",
      function deep(): Iterable<Yield> {
        return [...deep()];
      },
    ],
  ];
  for (const [name, kind, check] of cases) {
    test(`${name}: on record as ${kind}, closed blocks, open warns`, async () => {
      const failing = rule(check);
      const rules = [selected("t/closed", failing, { failMode: "closed" }), selected("t/open", failing), bad];
      const { findings } = await judge(event, rules, world(), limits(50));
      expect(
        findings.map(({ rule: id, outcome, failure }) => [id, outcome, failure?.kind as string | undefined]),
      ).toEqual([
        ["t/closed", "block", kind],
        ["t/open", "warn", kind],
        ["t/bad", "block", undefined],
      ]);
    });
  }

  test("a load that never comes back is a timeout, one that breaks a crash", async () => {
    const hung = selected(
      "t/hung",
      rule(() => [], { load: () => new Promise(() => {}) }),
    );
    const broken = selected(
      "t/broken",
      rule(() => [], { load: () => Promise.reject(new Error("no such module")) }),
    );
    const { findings } = await judge(event, [hung, broken, bad], world(), limits(30));
    expect(findings.map((finding) => finding.failure?.kind as string | undefined)).toEqual([
      "timeout",
      "crash",
      undefined,
    ]);
  });

  test("a rule set to warn does not block by failing closed", async () => {
    const warns = selected(
      "t/warns",
      rule(() => {
        throw new Error("boom");
      }),
      { outcome: "warn", failMode: "closed" },
    );
    expect((await judge(event, [warns], world())).findings[0]?.outcome).toBe("warn");
  });

  test("its effects of failure are kept, and may fail themselves", async () => {
    const effect = { do: "append", path: "/w/log", text: "x" } as const;
    const boom = () => {
      throw new Error("boom");
    };
    const logs = selected("t/logs", rule(boom, { onFailure: () => [effect] }));
    const worse = selected("t/worse", rule(boom, { onFailure: boom }));
    expect((await judge(event, [logs, worse], world())).effects).toEqual([effect]);
  });
});

test("a rule that yields without end is heard for a while, and that it went on is on record", async () => {
  const endless = rule(function* () {
    for (;;) yield { message: "bad" };
  });
  const { findings } = await judge(event, [selected("t/endless", endless), bad], world(), limits(500));
  expect(findings).toHaveLength(202);
  expect(findings.filter(({ failure }) => failure).map(({ outcome, failure }) => [outcome, failure])).toEqual(
    [["warn", { kind: "bad-output", detail: "it said more than 200 things; the rest was not heard" }]],
  );
  expect(findings.filter((finding) => finding.outcome === "block")).toHaveLength(201);
});

test("an event that concerns no rule does not even get the limits", async () => {
  const other = selected(
    "t/other",
    rule(() => [], { on: { events: ["Stop"] } }),
  );
  let got = 0;
  const get = () => {
    got++;
    return limits(50);
  };
  await judge(event, [other], world(), get);
  expect(got).toBe(0);
  await judge(event, [other, bad], world(), get);
  expect(got).toBe(1);
});

describe("what is considered", () => {
  test("a rule that is off, about another event, or about other actions is skipped, and it says why", async () => {
    const other = selected(
      "t/other",
      rule(() => [], { on: { events: ["Stop"] } }),
    );
    const writes = selected(
      "t/writes",
      rule(() => [], { on: { events: ["PreToolUse"], actions: ["write", "delete"] } }),
    );
    const judgement = await judge(event, [{ ...bad, outcome: "pass" }, other, writes, bad], world());
    const considered = consideredIn(judgement, event);
    expect(considered.map((each) => each.skipped)).toEqual([
      "off",
      "not about PreToolUse",
      "no write or delete",
      undefined,
    ]);
  });

  test("a rule about programs is asked when one of them runs, whatever ran in earlier events", async () => {
    const about = (id: string, on: Omit<Rule["on"], "events">) =>
      selected(
        id,
        rule(() => [], { on: { events: ["PreToolUse"], ...on } }),
      );
    const rules = [
      about("t/git", { actions: ["exec"], programs: ["git", "mkfs*"] }),
      about("t/unclear", { actions: ["exec"], programs: "|hg|?|" }),
      about("t/any", { actions: ["exec"] }),
      about("t/writes", { actions: ["write"], programs: ["git"] }),
    ];
    const askedAt = async (...programs: string[]) => {
      const commands = programs.map((program) => ({
        program,
        called: program,
        args: [],
        redirects: [],
        via: [],
        ...(program === "sh" ? { opaque: true as const } : {}),
      }));
      const exec = { kind: "exec", command: "", shell: "posix", cwd: "/", commands, troubles: [] } as const;
      const write = { kind: "write", change: { by: "unknown" } } as const;
      const actions = programs.includes(">") ? [exec, write] : [exec];
      return (await judge({ ...event, actions }, rules, world())).looked.map((each) => each.rule);
    };
    expect(await askedAt()).toEqual([]);
    // Programs that are called like what rules are about.
    expect(await askedAt("write", "unclear", "any program", "?", "")).toEqual(["t/any"]);
    expect(await askedAt("git")).toEqual(["t/git", "t/any"]);
    expect(await askedAt("ls", "mkfs.ext4")).toEqual(["t/git", "t/any"]);
    expect(await askedAt("hg")).toEqual(["t/unclear", "t/any"]);
    expect(await askedAt("sh")).toEqual(["t/unclear", "t/any"]);
    expect(await askedAt(">")).toEqual(["t/any", "t/writes"]);
  });

  test("each rule's looks at the world are its own", async () => {
    const looks = selected(
      "t/looks",
      rule(({ world: asked }) => {
        asked.now();
        return [];
      }),
    );
    const { looked } = await judge(event, [bad, looks], world());
    expect(looked.map((each) => each.asked.length)).toEqual([0, 1]);
  });

  test("what is left of a time may be a fraction of a millisecond", () => {
    expect(watchedLimits.within(0.4, () => "done")).toBe("done");
    expect(watchedLimits.within(2.5, () => "done")).toBe("done");
  });

  test("without a watchdog the rules are the same", async () => {
    expect((await judge(event, [bad], world(), plainLimits)).findings).toEqual(
      (await judge(event, [bad], world(), watchedLimits)).findings,
    );
  });
});

describe("the world", () => {
  const live = (): World & { asked: number } => {
    const made = {
      asked: 0,
      read: (path: string) => {
        made.asked++;
        if (path === "/forbidden") throw new Error("no permission");
        return path === "/there" ? `text ${made.asked}` : undefined;
      },
      stat: () => undefined,
      list: () => ["a"],
      isDirectory: () => true,
      realPath: (path: string) => path,
      digest: () => undefined,
      mentions: () => [],
      said: () => undefined,
      changed: () => undefined,
      unpushed: () => undefined,
      branchChanges: () => undefined,
      git: () => ({ root: "/w", branch: "main" }),
      now: () => ++made.asked,
      env: (name: string) => (name === "HOME" ? "/home" : undefined),
      folders: () => ({ home: "/home", temp: [], executable: "/x", guarded: [] }),
      policy: () => ({ engine: "1", digest: "d" }),
      earlier: () => ({ told: "pass" as const }),
      happened: () => [],
      holds: () => 0,
    };
    return made;
  };

  test("gives one answer to one question for the length of an event", () => {
    const recorded = recordWorld(live());
    expect([recorded.now(), recorded.now()]).toEqual([1, 1]);
    expect([recorded.read("/there"), recorded.read("/there")]).toEqual(["text 2", "text 2"]);
  });

  test("a replay answers as the recording did, errors and nothings alike, through JSON", () => {
    const recorded = recordWorld(live());
    const ask = (world_: World) => [
      world_.read("/there"),
      world_.read("/missing"),
      attempt(() => world_.read("/forbidden")),
      world_.list("/w"),
      world_.git("/w"),
      world_.now(),
      world_.env("HOME"),
      world_.env("NOPE"),
      world_.folders(),
      world_.stat("/x"),
      world_.isDirectory("/x"),
      world_.realPath("/y"),
    ];
    const first = ask(recorded);
    const replayed = replayWorld(JSON.parse(JSON.stringify(recorded.observations)));
    expect(ask(replayed)).toEqual(first);
    expect(() => replayed.read("/never-asked")).toThrow("no answer to read /never-asked");
  });
});

const attempt = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return (error as Error).message;
  }
};
