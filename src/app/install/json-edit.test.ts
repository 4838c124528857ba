import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { oursIn, readConfig, withHooks, withoutHooks } from "./json-edit.ts";

const line = "hookline run --host claude-code";
const group = (matcher?: string) => ({
  ...(matcher === undefined ? {} : { matcher }),
  hooks: [{ type: "command", command: line, timeout: 20 }],
});
const wanted = { PreToolUse: group("*"), Stop: group() };
const install = (text: string) => withHooks(text, {}, wanted);

/** Ours is in, comes in only once, goes again without a trace, and nobody else's entry has changed. */
function holds(text: string): void {
  const after = install(text);
  expect(install(after)).toBe(after);
  expect(oursIn(readConfig(after))).toHaveLength(2);
  expect(withoutHooks(after)).toBe(text);
}

describe("a file of hooks keeps everything but ours", () => {
  const texts: Record<string, string> = {
    "an empty object": "{}",
    "other keys, two blanks": '{\n  "model": "opus",\n  "env": { "A": "1" }\n}\n',
    tabs: '{\n\t"model": "opus"\n}\n',
    "four blanks and CRLF": '{\r\n    "model": "opus"\r\n}\r\n',
    "no line at all": '{"model":"opus","permissions":{"allow":[]}}',
    "a byte order mark": '\uFEFF{\n  "model": "opus"\n}\n',
    comments: '// top\n{\n  // before\n  "model": "opus" // behind\n  /* end */\n}\n// bottom\n',
    "a trailing comma": '{\n  "model": "opus",\n}\n',
    "a trailing comma and a comment": '{\n  "model": "opus", // behind\n}\n',
    "foreign hooks":
      '{\n  "hooks": {\n    "PreToolUse": [\n      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "./a.sh" }] }\n    ]\n  }\n}\n',
    "foreign hooks with comments and commas":
      '{\n  "hooks": {\n    "PreToolUse": [\n      { "hooks": [] }, // one\n      { "hooks": [{ "command": "b" }] }, // two, and last\n    ], // list\n    "Other": [],\n  },\n}\n',
    "foreign hooks in one line":
      '{"hooks":{"PreToolUse":[{"hooks":[{"command":"a"}]}],"Stop":[{"hooks":[{"command":"b"}]}]}}',
    "a key twice":
      '{\n  "hooks": { "Stop": [{ "hooks": [{ "command": "x" }] }] },\n  "hooks": {\n    "Stop": [{ "hooks": [{ "command": "y" }] }]\n  }\n}\n',
    "words that look like ours":
      '{\n  "hooks": {\n    "Stop": [{ "hooks": [{ "type": "command", "command": "echo hookline run" }] }]\n  }\n}\n',
    "names from the prototype":
      '{\n  "constructor": 1,\n  "hooks": { "__proto__": [{}], "toString": [] }\n}\n',
  };
  test.each(Object.entries(texts))("%s", (_, text) => {
    holds(text);
    expect(readConfig(install(text))).toMatchObject(
      JSON.parse(JSON.stringify(withoutHooksKey(readConfig(text)))),
    );
  });
});

const withoutHooksKey = (config: Record<string, unknown>): object => ({ ...config, hooks: undefined });

test("whatever stands in a file, only ours is put in and taken out", () => {
  const handler = fc.record({ type: fc.constant("command"), command: fc.string() });
  const entry = fc.record({ matcher: fc.string(), hooks: fc.array(handler, { minLength: 1, maxLength: 2 }) });
  const hooks = fc.dictionary(
    fc.constantFrom("PreToolUse", "Stop", "Other"),
    fc.array(entry, { minLength: 1, maxLength: 3 }),
    {
      minKeys: 1,
    },
  );
  const config = fc.record({ model: fc.json(), hooks }, { requiredKeys: [] });
  const unit = fc.constantFrom(undefined, 2, 4, "\t");
  const eol = fc.constantFrom("\n", "\r\n");
  fc.assert(
    fc.property(config, unit, eol, (value, indent, end) => {
      holds(JSON.stringify(value, null, indent).replaceAll("\n", end) + end);
    }),
    { numRuns: 300 },
  );
});

test("comments and trailing commas, wherever they stand, stay; so does everybody else's value", () => {
  const command = fc.constantFrom("./a.sh", line, "/old/hookline run --host x", "b");
  const entry = fc.record({ hooks: fc.array(fc.record({ command }), { minLength: 1, maxLength: 3 }) });
  const hooks = fc.dictionary(
    fc.constantFrom("PreToolUse", "Stop", "Other", "More"),
    fc.array(entry, { maxLength: 3 }),
  );
  fc.assert(
    fc.property(
      fc.record({ model: fc.json(), hooks, last: fc.nat() }, { requiredKeys: [] }),
      fc.infiniteStream(fc.nat(7)),
      (value, noise) => {
        const text = commented(value, noise);
        const comments = text.match(/C\d+C/g) ?? [];
        for (const after of [install(text), withoutHooks(text)]) {
          const left = after.match(/C\d+C/g) ?? [];
          // A comment within an entry of ours goes with it.
          if (!text.includes("hookline")) expect(left).toEqual(comments);
          expect(foreign(readConfig(after))).toEqual(foreign(readConfig(text)));
        }
        expect(install(install(text))).toBe(install(text));
        expect(oursIn(readConfig(install(text)))).toHaveLength(2);
        expect(oursIn(readConfig(withoutHooks(text)))).toEqual([]);
      },
    ),
    { numRuns: 500 },
  );
});

/** JSON with comments, blanks and trailing commas at random. */
function commented(value: unknown, noise: Iterator<number>): string {
  let count = 0;
  const some = (): string => {
    const kinds = ["", "", "", " ", "\n  ", ` // C${++count}C, {[\n`, `/* C${count}C ] */`, "\r\n"];
    return kinds[noise.next().value as number] ?? "";
  };
  const list = (parts: string[]): string =>
    parts
      .map(
        (part, at) => some() + part + some() + (at < parts.length - 1 || noise.next().value === 0 ? "," : ""),
      )
      .join("") + some();
  const write = (each: unknown): string => {
    if (Array.isArray(each)) return `[${list(each.map(write))}]`;
    if (typeof each !== "object" || each === null) return JSON.stringify(each);
    return `{${list(Object.entries(each).map(([key, part]) => `${JSON.stringify(key)}${some()}:${some()}${write(part)}`))}}`;
  };
  return some() + write(value) + some();
}

/** What is left when ours is not looked at; empty lists say nothing. */
function foreign(config: Record<string, any>): unknown {
  const hooks = Object.entries(config["hooks"] ?? {}).flatMap(([event, entries]: [string, any]) =>
    entries.flatMap((entry: any) => {
      const rest = entry.hooks.filter(({ command }: any) => !/hookline run/.test(command));
      return rest.length === 0 ? [] : [{ event, rest }];
    }),
  );
  return { ...withoutHooksKey(config), hooks };
}

describe("what is ours is mended in its place", () => {
  const old = (command: string, more: object = {}) => ({ hooks: [{ type: "command", command, ...more }] });
  const text = (stop: unknown[], more: object = {}) =>
    JSON.stringify({ hooks: { Stop: stop, ...more } }, null, 2);

  test.each([
    "/opt/hookline run --host claude-code",
    "'/opt/my tools/hookline' run --host claude-code --event Stop",
    '"C:\\Program Files\\hookline.exe" run --host claude-code',
    "& 'C:\\Program Files\\hookline.exe' run --host claude-code",
    "npx hookline run",
    "node /x/bin/hookline.mjs run --host copilot",
    "/opt/hookline/hookline run --host copilot --event preToolUse || exit 2",
    "hookline run --host copilot --event preToolUse; if ($LASTEXITCODE -ne 0) { exit 2 }",
    `'/it'\\''s/hookline' run --host codex || sh -c 'echo "no" >&2; exit 2'`,
  ])("%s", (command) => {
    const foreign = { hooks: [{ type: "command", command: "./other.sh" }] };
    const after = install(text([foreign, old(command), { hooks: [{ command: "./last.sh" }] }]));
    expect(readConfig(after)["hooks"]).toMatchObject({
      Stop: [foreign, group(), { hooks: [{ command: "./last.sh" }] }],
    });
  });

  test.each([
    "my-hookline run",
    "hookline runaway",
    "hookline run && rm -rf build",
    "cd x; hookline run --host claude-code",
    "hookline run --host $(id)",
    "hookline check run",
    "echo 'hookline' run",
  ])("%s is not ours", (command) => {
    const before = text([old(command)]);
    expect(withoutHooks(before)).toBe(before);
    expect(oursIn(readConfig(install(before)))).toHaveLength(2);
  });

  test("of several the first stays, at events that are no longer wanted none does", () => {
    const twice = text([old("/old/hookline run"), old("hookline run")], {
      Gone: [old("hookline run")],
      Kept: [],
    });
    expect(readConfig(install(twice))["hooks"]).toEqual({
      Stop: [group()],
      Kept: [],
      PreToolUse: [group("*")],
    });
  });

  test("beside somebody else's handler in one entry ours goes to an entry of its own", () => {
    const mixed = text([
      { matcher: "x", hooks: [{ command: "./a" }, { command: line }, { command: "./b" }] },
    ]);
    const rest = { matcher: "x", hooks: [{ command: "./a" }, { command: "./b" }] };
    expect(readConfig(install(mixed))["hooks"]).toMatchObject({ Stop: [rest, group()] });
    expect(readConfig(withoutHooks(mixed))["hooks"]).toEqual({ Stop: [rest] });
  });
});

describe("a shape nobody knows is refused with its place", () => {
  test.each([
    ["[]", "holds an array where an object was expected"],
    ["null", "holds null where an object was expected"],
    ['"x"', "holds a string where an object was expected"],
    ['{"hooks": []}', "holds an array as `hooks` (line 1, column 11) where an object was expected"],
    [
      '{\n  "hooks": { "Stop": {} }\n}',
      "holds an object as `hooks.Stop` (line 2, column 22) where an array was expected",
    ],
    ['{"a": }', "is no valid JSON: ValueExpected at line 1, column 7"],
    ['{"a": 1', "is no valid JSON: CloseBraceExpected at line 1, column 8"],
    ["{} {}", "is no valid JSON: EndOfFileExpected at line 1, column 4"],
    ["[".repeat(200_000), "is nested too deeply to be read"],
  ])("%.20s", (text, message) => {
    expect(() => install(text)).toThrow(message);
  });

  test("a text without anything is a new file", () => {
    expect(install("")).toBe(
      `${JSON.stringify({ hooks: { PreToolUse: [group("*")], Stop: [group()] } }, null, 2)}\n`,
    );
    expect(install("\uFEFF \r\n")).toStartWith("\uFEFF{\r\n");
  });
});
