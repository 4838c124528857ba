import { createTwoFilesPatch } from "diff";
import type { Change } from "./change.ts";

/** Longer differences are cut: what matters is what is added, and that is at most a few hundred lines. */
const mostLines = 400;

/** A change as a unified diff. */
export function asDiff({ path, before, after }: Change, shown: string): string {
  const from = before === undefined ? "/dev/null" : shown;
  const to = after === undefined ? "/dev/null" : shown;
  const patch = createTwoFilesPatch(from, to, visible(before), visible(after), undefined, undefined, {
    context: 2,
  });
  const lines = patch.split("\n").filter((line) => !/^(?:Index: |={67}$|\\ No newline)/.test(line));
  if (lines.length <= mostLines) return lines.join("\n").trimEnd();
  return [...lines.slice(0, mostLines), `… ${lines.length - mostLines} more lines of ${path}`].join("\n");
}

/** No line of a file may move the cursor or pretend to be another line. */
const visible = (text = ""): string =>
  text.replace(/\r\n/g, "\n").replace(/[^\P{C}\n\t]|[\u2028\u2029]/gu, "\u00b7");
