// The block below a key of YAML: `password: |` and the lines that are indented deeper than it.

import type { Span } from "./_secret-span.ts";

interface Block extends Span {
  /** The lines without their indentation, as far as they were read. */
  readonly lines: readonly string[];
  /** Did the block go on? */
  readonly cut: boolean;
}

interface Layout {
  readonly from: number;
  readonly newline: string;
  /** In a patch every line of it begins with a plus. */
  readonly mark: string;
  readonly indent: number;
}

/**
 * The block whose sign (`|` or `>`) stands at this place, unless `isHarmless` says so of its beginning. Only one
 * that is not, and so will be masked and never read again, is followed to its end.
 */
export function blockAt(
  text: string,
  key: number,
  sign: number,
  isHarmless: (lines: readonly string[], cut: boolean) => boolean,
): Span | undefined {
  header.lastIndex = sign;
  const found = header.exec(text);
  const line = keyLine.exec(text.slice(Math.max(0, key - 100), key));
  if (!found || !line) return undefined;
  const layout: Layout = {
    from: header.lastIndex,
    newline: found[1] ?? "\n",
    mark: line[1] ?? "",
    indent: (line[2] ?? "").length,
  };
  const block = linesOf(text, layout, 400);
  if (block.lines.length === 0 || isHarmless(block.lines, block.cut)) return undefined;
  return block.cut ? linesOf(text, layout, Infinity) : block;
}

// The line may end as in text that was escaped for JSON.
const header = /[|>][-+\d]{0,2}[ \t]{0,20}(?:#[^\n]{0,100}?)?\r?(\n|\\r\\n|\\n)/y;
const keyLine = /(?:^|\n|\\n)(\+?)([ \t]*(?:- +)*)["']?$/;

function linesOf(text: string, { from, newline, mark, indent }: Layout, reach: number): Block {
  const lines: string[] = [];
  let start = from;
  let end = from;
  for (let at = from; at < text.length;) {
    if (at - from > reach) return { start, end, lines, cut: true };
    if (!text.startsWith(mark, at)) break;
    const next = text.indexOf(newline, at);
    const stop = next === -1 ? text.length : next;
    let first = at + mark.length;
    while (first < stop && (text[first] === " " || text[first] === "\t")) first++;
    const isBlank = first >= stop || text[first] === "\r";
    if (!isBlank) {
      if (first - at - mark.length <= indent) break;
      if (lines.length === 0) start = first;
      end = text[stop - 1] === "\r" ? stop - 1 : stop;
      lines.push(text.slice(first, Math.min(end, first + 100)));
    }
    at = stop + newline.length;
  }
  return { start, end, lines, cut: false };
}
