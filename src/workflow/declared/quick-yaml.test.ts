import { expect, test } from "bun:test";
import fc from "fast-check";
import { readYaml } from "../yaml.ts";
import { quickKey } from "./quick-yaml.ts";

const at = (value: unknown, key: readonly string[]): unknown =>
  key.reduce<unknown>(
    (inner, name) =>
      typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>)[name] : undefined,
    value,
  );

const line = fc.constantFrom(
  "a: x",
  "a:",
  "b: y",
  "  a: z",
  "  b:",
  "    a: deep",
  "  b: 'q'",
  '  c: "d e"',
  "- one",
  "  - two",
  "  - k: v",
  "a: 1",
  "b: true",
  "a: [x]",
  "a: {b: c}",
  "# note",
  "",
  "---",
  "...",
  "\ta: x",
  "a: &x y",
  "b: *x",
  "a: |",
  "  text",
  "a: x # note",
  "a : x",
  "? a",
  "a: x: y",
  "a: -",
  "b: a-b/c.d",
  "'a': x",
  "a: null",
  "a:x",
  "b:   spaced  ",
  "a: x\r",
  "a: !t x",
  "a: %x",
  "b: x,y",
  "a: @x",
  "a: ~",
  "<<: x",
  "  ? b",
);

test("a glance says what the library says, or nothing", () => {
  let told = 0;
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 6 }).map((lines) => lines.join("\n")),
      fc.constantFrom(["a"], ["b"], ["a", "b"], ["b", "a"], ["a", "b", "a"], ["c"]),
      (text, key) => {
        const quick = quickKey(text, key);
        if (!quick) return;
        told++;
        const read = readYaml(text);
        expect("error" in read ? read.error : undefined).toBeUndefined();
        expect(at("value" in read ? read.value : undefined, key) ?? undefined).toEqual(quick.value);
      },
    ),
    { numRuns: 20_000 },
  );
  expect(told).toBeGreaterThan(500);
});

test("state files as people write them are read at a glance", () => {
  for (const text of [
    "phase: draft\n",
    "---\nphase: draft\n",
    "# where we are\nname: A release\nphase: draft # for now\ntags:\n  - one\n  - two\n",
    "phase: draft\r\nother: 1\r\n",
    "version: 1\nupdated: 2026-01-01T10:00:00Z\nphase: draft\n",
  ])
    expect(quickKey(text, ["phase"])).toEqual({ value: "draft" });
  expect(quickKey('orchestrator:\n  state: PLANNING\n  note: "x"\n', ["orchestrator", "state"])).toEqual({
    value: "PLANNING",
  });
});
