import { expect, test } from "bun:test";
import { growsTooFast, repeated } from "./growth.ts";

/** Looks at every letter `times` times. */
function look(text: string, times: number): void {
  let sum = 0;
  for (let n = 0; n < times; n++) for (let at = 0; at < text.length; at++) sum += text.charCodeAt(at);
  expect(sum).toBeGreaterThan(0);
}

test("work that looks at each letter once more for every letter grows too fast, at either factor", () => {
  const square = (text: string): void => look(text, text.length / 4);
  expect(growsTooFast(square, repeated("ab"), 4)).toBe(true);
  expect(growsTooFast(square, repeated("ab"), 4, 8)).toBe(true);
}, 60_000);

test("work that looks at each letter a number of times does not", () => {
  const line = (text: string): void => look(text, 200);
  expect(growsTooFast(line, repeated("ab"), 16)).toBe(false);
  expect(growsTooFast(line, repeated("ab"), 16, 8)).toBe(false);
}, 60_000);
