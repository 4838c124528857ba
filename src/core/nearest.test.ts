import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { nearest } from "./nearest.ts";

const events = ["SessionStart", "SessionStop", "SessionEnd", "PreToolUse", "PostToolUse", "Stop"];
const rules = ["safety/workspace-boundary", "git/no-force-push", "ralph/path-allowlist"];

describe("nearest", () => {
  test.each([
    ["PreToolUes", "PreToolUse"], // a swap is one slip
    ["PretoolUse", "PreToolUse"],
    ["pretooluse", "PreToolUse"],
    ["PostToolUsed", "PostToolUse"],
    ["Sotp", "Stop"],
    ["SessionStrt", "SessionStart"],
  ])("%s suggests %s", (word, meant) => {
    expect(nearest(word, events)).toBe(meant);
  });

  test("a bare rule name finds its full id", () => {
    expect(nearest("workspace-boundary", rules)).toBe("safety/workspace-boundary");
    expect(nearest("No-Force-Push", rules)).toBe("git/no-force-push");
    expect(nearest("workspace-boundry", rules)).toBe("safety/workspace-boundary");
    expect(nearest("git/no-force-psuh", rules)).toBe("git/no-force-push");
  });

  test("of equally near candidates the one with the longer common start wins", () => {
    expect(nearest("cat", ["bat", "car"])).toBe("car");
    expect(nearest("cat", ["car", "bat"])).toBe("car");
  });

  test("an exact match in another case wins over a near one", () => {
    expect(nearest("STOP", ["Step", "Stop"])).toBe("Stop");
  });

  test("nothing is suggested for a word too far away, empty or very long", () => {
    expect(nearest("Banana", events)).toBeUndefined();
    expect(nearest("PreTool", events)).toBeUndefined(); // three of seven letters short
    expect(nearest("", events)).toBeUndefined();
    expect(nearest("a", ["bcd"])).toBeUndefined();
    expect(nearest("Stop", [])).toBeUndefined();
    expect(nearest("x".repeat(101), ["x".repeat(101)])).toBeUndefined();
    expect(nearest("x".repeat(100), ["x".repeat(99)])).toBe("x".repeat(99));
  });

  test("a candidate with one slip is always found again", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...events),
        fc.nat(30),
        fc.constantFrom("drop", "double", "swap"),
        (event, seed, slip) => {
          const at = seed % (event.length - 1);
          const [head, a, b, tail] = [
            event.slice(0, at),
            event.charAt(at),
            event.charAt(at + 1),
            event.slice(at + 2),
          ];
          const word = head + { drop: b, double: a + a + b, swap: b + a }[slip] + tail;
          expect(nearest(word, events)).toBe(event);
        },
      ),
    );
  });

  test("the answer is always one of the candidates", () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (word, candidates) => {
        const found = nearest(word, candidates);
        expect(found === undefined || candidates.includes(found)).toBe(true);
      }),
    );
  });
});
