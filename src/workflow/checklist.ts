import type { Todo } from "../core/action.ts";

const box = /^\s*(?:>\s*)*(?:[-*+]|\d{1,9}[.)])\s+\[([^\]])\](?:\s+(.*))?$/;
const fence = /^\s*(?:>\s*)*(`{3,}|~{3,})/;

/** The boxes of a Markdown text; what stands in a block of code is none. */
export function checklistIn(markdown: string): Todo[] {
  const found: Todo[] = [];
  let open: string | undefined;
  for (const line of markdown.split(/\r?\n/)) {
    const mark = fence.exec(line)?.[1];
    if (open !== undefined) {
      if (mark?.startsWith(open)) open = undefined;
      continue;
    }
    if (mark !== undefined) {
      open = mark;
      continue;
    }
    const [, sign, text = ""] = box.exec(line) ?? [];
    // Signs of people's own, such as `[-]` for what is not done any more, count as ticked.
    if (sign !== undefined) found.push({ text: text.trim(), done: sign !== " " });
  }
  return found;
}
