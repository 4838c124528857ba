// Hook files come with a repository: before anybody has trusted them they may be slow, never in the way of an answer.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { patternCost, dearest } from "../src/sources/_pattern-cost.ts";
import { loadHooks } from "../src/sources/load-hooks.ts";
import { usualSources } from "../src/sources/places.ts";
import { growsTooFast } from "../src/testing/growth.ts";
import { claude, workspace, type Workspace } from "./support/hookline.ts";
import { hooked } from "./support/hooks.ts";

/** An endless piece of work would be ended by the limit, which is far from what any of these takes. */
const limit = 30_000;

const plugin = (matcher: string, more: object = {}): string =>
  JSON.stringify({
    hooks: { PreToolUse: [{ matcher, hooks: [{ type: "command", command: "true", timeout: 5, ...more }] }] },
  });

/** As many as there is room for: on any machine they take longer than a hook file may. */
const manyLists = `  k: [${"[],".repeat(340_000)}]`;

const hostile: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "a matcher with more ways to fail than there is time": {
    "plugins/p/hooks/hooks.json": plugin(
      `^(${Array(400)
        .fill(String.raw`\w`)
        .join("|")})*!$`,
    ),
  },
  "a permission rule with many stars": {
    "plugins/p/hooks/hooks.json": plugin("Bash", { if: `Bash(${"*a".repeat(12)}*!)` }),
  },
  "a command line of digits": {
    "plugins/p/hooks/hooks.json": plugin("Bash", { command: "1".repeat(900_000) }),
  },
  "a script that imports a long emptiness": {
    "settings.json": JSON.stringify({ hooks: { PreToolUse: [{ path: "hooks/x.ts" }] } }),
    "hooks/x.ts": `import${" ".repeat(900_000)}`,
  },
  "a definition with a third of a million lists": {
    ".system/hooks/a.yaml": `id: a\nevent_type: PreAbilityCall\nmatch:\n${manyLists}\n`,
  },
  "thirty of them": Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [
      `.system/hooks/a${at}.yaml`,
      `id: a${at}\nevent_type: PreAbilityCall\nmatch:\n${manyLists}\n`,
    ]),
  ),
};

describe("X4 hook files nobody has trusted do not keep an answer back", () => {
  test.each(Object.keys(hostile))(
    "%s",
    async (name) => {
      using place = workspace(hostile[name]);
      const command = `rm -rf / ${"a".repeat(2000)}`;
      const ran = await place.run(["run"], claude(place.root, "Bash", { command }));
      expect(ran.json().permissionDecision).toBe("deny");
    },
    limit,
  );

  const keys = Array.from({ length: 60_000 }, (_, at) => `k${at}: x\n`).join("");
  const pages: Readonly<Record<string, string>> = {
    "sixty thousand keys": `---\nname: other\n${keys}---\n`,
    "no YAML, with lists that never end": `---\nname: x\nd: a: b\n${"tools: [a\n".repeat(90_000)}---\n`,
    "brackets in brackets": `---\nname: other\nx: ${"[".repeat(200_000)}\n---\n`,
  };
  test.each(Object.keys(pages))(
    "S4-C8 the page of a component with %s, and twenty of them",
    async (name) => {
      using place = workspace({
        "hookline.yaml": "sources:\n  components: on\n",
        ".claude/agents/guarded.md": "---\nname: x\ntools: [Read]\n---\n",
        ...Object.fromEntries(
          Array.from({ length: 20 }, (_, at) => [`.claude/agents/a${at}.md`, pages[name] ?? ""]),
        ),
      });
      const call = { ...claude(place.root, "Bash", { command: "ls" }), agent_id: "a", agent_type: "x" };
      const ran = await place.run(["run"], call);
      expect(ran.json().permissionDecisionReason).toContain("Blocked by hooks/agent/x");
    },
    limit,
  );

  test(
    "a policy with sixty thousand keys, which is said to be wrong",
    async () => {
      using place = workspace({ "hookline.yaml": keys });
      const ran = await place.run(["run"], claude(place.root, "Bash", { command: "rm -rf /" }));
      expect(ran.json().permissionDecision).toBe("deny");
      expect(ran.json().systemMessage).toContain("the policy has problems");
    },
    limit,
  );

  test(
    "many matchers, each of which just passes",
    async () => {
      const matchers = Array.from({ length: 400 }, (_, at) => `(?:.|.)?.*.*.*${at}!`);
      const hooks = [{ type: "command", command: "true", timeout: 5 }];
      const PreToolUse = matchers.map((matcher) => ({ matcher, hooks }));
      using place = workspace({ "plugins/p/hooks/hooks.json": JSON.stringify({ hooks: { PreToolUse } }) });
      const write = { file_path: "/etc/passwd", content: "x" };
      const ran = await place.run(["run"], claude(place.root, `mcp__${"a".repeat(120)}`, write));
      expect(ran.json().permissionDecision).toBe("deny");
    },
    limit,
  );

  test(
    "what could not be read is said",
    async () => {
      using place = workspace(hostile["a definition with a third of a million lists"]);
      const ran = await place.run(["run"], claude(place.root, "Bash", { command: "ls" }));
      expect(ran.json().systemMessage).toContain(".system/hooks/a.yaml:1  not read: it takes too long");
    },
    limit,
  );

  test("a matcher that could take for ever is a mistake with file and line", async () => {
    using place = workspace({ "plugins/p/hooks/hooks.json": plugin(String.raw`(\w+)*!`) });
    const { exitCode, stdout } = await place.run(["hooks", "validate"]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain(
      "plugins/p/hooks/hooks.json:1  hooks.PreToolUse.0.matcher: a regular expression that could take for ever",
    );
  });
});

describe("S1-R23 so many hooks nobody has trusted that each event would have to wait for them", () => {
  const registry = (id: string, event = "PreAbilityCall", more = ""): string =>
    `id: ${id}\nevent_type: ${event}\n${more}handler:\n  kind: script\n  command: ./hook.sh\n`;
  const junk = (count: number): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`.system/hooks/a${at}.yaml`, registry(`a${at}`)]),
    );
  const hook = { "hook.sh": '#!/bin/sh\necho \'{"error": "no"}\'\n' };

  test(
    "files beyond what is read are reported, and take nothing away from what somebody trusts",
    async () => {
      using place = await hooked({
        ...hook,
        ".system/hooks/z_guard.yaml": registry("z_guard", "PreAbilityCall", "blocking: true\n"),
        "plugins/p/hooks/hooks.json": plugin("Bash", { command: "exit 2" }),
      });
      for (const [name, text] of Object.entries(junk(4500))) place.write(name, text);
      await Bun.sleep(250);
      for (let time = 0; time < 2; time++) {
        const { exitCode, json } = await place.run(["emit", "PreAbilityCall"], { ability_id: "x" });
        expect(exitCode).toBe(2);
        expect(JSON.stringify(json())).toContain("hooks/z_guard");
        const called = await place.run(["run"], claude(place.root, "Bash", { command: "ls" }));
        expect(called.json().permissionDecision).toBe("deny");
        expect(called.json().systemMessage).toContain(".system/hooks:1  50");
      }
      // What nobody trusts fills neither the record nor the answer.
      const record = place.records().find(({ event }) => event.name === "PreAbilityCall");
      expect(record?.["hooks"].length).toBe(101);
      expect(record?.["notes"].join()).toContain("more hooks did not run: nobody trusts them");
      const found = await place.run(["hooks", "validate"]);
      expect(found.stdout).toContain("files in it are not read: there are too many");
    },
    limit,
  );

  test("hooks beyond what is asked about are reported", async () => {
    // Over several files: a busy machine may not be able to read so much of one in time.
    const hooks = Array.from({ length: 1000 }, (_, at) => ({ type: "command", command: `echo ${at}` }));
    const file = JSON.stringify({ hooks: { PreToolUse: [{ matcher: "Bash", hooks }] } });
    const names = [1, 2, 3, 4, 5, 6].map((name) => [`plugins/p${name}/hooks/hooks.json`, file]);
    using place = workspace(Object.fromEntries(names));
    const { json } = await place.run(["run"], claude(place.root, "Bash", { command: "ls" }));
    expect(json().systemMessage).toContain("4990 more hooks did not run");
    expect(json().systemMessage).toContain("there are more than 5000 in the workspace");
  });

  test(
    "what took too long is not waited for again at the next event",
    async () => {
      using place = workspace(hostile["thirty of them"]);
      await Bun.sleep(250);
      const call = () => place.run(["run"], claude(place.root, "Bash", { command: "ls" }));
      const index = (): string =>
        readdirSync(`${place.home}/.cache/hookline/hooks`, { recursive: true })
          .map(String)
          .filter((name) => name.endsWith("index.json"))
          .map((name) => readFileSync(`${place.home}/.cache/hookline/hooks/${name}`, "utf8"))
          .join();
      const first = (await call()).json().systemMessage;
      expect(first).toContain("it takes too long");
      const kept = index();
      expect(JSON.parse(kept).until).toBeGreaterThan(Date.now());
      expect((await call()).json().systemMessage).toBe(first);
      expect(index()).toBe(kept);
    },
    limit,
  );

  test("a name with a line break keeps nothing from being kept", async () => {
    using place = await hooked({ ...hook, ".system/hooks/a.yaml": registry("a") });
    place.write(".system/hooks/b\nc.yaml", registry("b"));
    await Bun.sleep(250);
    const { json } = await place.run(["run"], claude(place.root, "Bash", { command: "ls" }));
    expect(json().systemMessage).toContain("names have line breaks");
    const names = readdirSync(`${place.home}/.cache/hookline/hooks`, { recursive: true }).map(String);
    expect(names.some((name) => name.endsWith("index.json"))).toBe(true);
  });

  test("reading them grows with their number and no faster", () => {
    const made: Workspace[] = [];
    const files = (count: number): string => {
      const place = workspace(junk(count));
      made.push(place);
      return place.root;
    };
    const hooks = (count: number): string => {
      const all = Array.from({ length: count }, (_, at) => ({ type: "command", command: `echo ${at}` }));
      const text = JSON.stringify({ hooks: { PreToolUse: [{ matcher: "Bash", hooks: all }] } });
      const place = workspace({ "plugins/p/hooks/hooks.json": text });
      made.push(place);
      return place.root;
    };
    try {
      const load = (root: string): unknown => loadHooks(root, usualSources, new Set());
      expect(growsTooFast(load, files, 400)).toBe(false);
      expect(growsTooFast(load, hooks, 500)).toBe(false);
    } finally {
      for (const place of made) place[Symbol.dispose]();
    }
  });
});

test("S1-R20 a link that leads nowhere and a file of several documents are named", async () => {
  using place = workspace({ ".system/hooks/two.yaml": "id: a\n---\nid: b\n" });
  symlinkSync("/nowhere/x.yaml", place.path(".system/hooks/lost.yaml"));
  const { exitCode, stdout } = await place.run(["hooks", "validate"]);
  expect(exitCode).toBe(1);
  expect(stdout).toContain(".system/hooks/lost.yaml:1  cannot be read (ENOENT)");
  expect(stdout).toContain(".system/hooks/two.yaml:2  more than one document");
});

describe("the cost of a pattern", () => {
  const fine = [
    "Bash",
    "Write|Edit|MultiEdit",
    "^(?:Write|Edit)$",
    "mcp__.*__(?:get|list|read).*",
    "^(?!Read$|Grep$).*",
    String.raw`^mcp__[\w\]*+-]+__\w{1,40}$`,
    "(Notebook)?Edit",
    "(?<name>a)+",
  ];
  test.each(fine)("%s is affordable", (pattern) => expect(patternCost(pattern)).toBeLessThanOrEqual(dearest));

  const dear = [
    "(a+)+$",
    "(a|a)*$",
    String.raw`(\w|\w){40}`,
    ".*.*.*.*x",
    "(a?){30}b",
    "((a|b)c){8,}",
    "(?:(?:a*)b?)*c",
  ];
  test.each(dear)("%s is not", (pattern) => expect(patternCost(pattern)).toBeGreaterThan(dearest));
});

test("S4-F4 a permission rule's stars stand for anything, in order", async () => {
  const { permits } = await import("../src/sources/_permission.ts");
  const fits = (rule: string, command: string): boolean | undefined =>
    permits(
      `Bash(${rule})`,
      { tool: {}, root: "/", actions: [{ kind: "exec", command, commands: [] }] } as never, // all it looks at
      "Bash",
    );
  expect(
    ["git *", "git*h", "*push*", "git push", "*", "g*t*p*h", "git push *"].every((rule) =>
      fits(rule, "git push"),
    ),
  ).toBe(true);
  expect(["git", "push", "*git", "git push*push", "p*", "*x*"].some((rule) => fits(rule, "git push"))).toBe(
    false,
  );
});
