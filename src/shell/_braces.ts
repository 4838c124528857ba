const most = 64;

/** The words `{a,b}` and `{1..3}` stand for; the text itself when it has no complete brace. */
export function expandBraces(text: string): string[] {
  const found = firstBrace(text);
  if (!found) return [text];
  const { start, end, options } = found;
  const before = text.slice(0, start);
  const rests = expandBraces(text.slice(end + 1));
  const all: string[] = [];
  for (const option of options) {
    for (const middle of expandBraces(option)) {
      for (const rest of rests) {
        if (all.length >= most) return all;
        all.push(before + middle + rest);
      }
    }
  }
  return all;
}

function firstBrace(text: string): { start: number; end: number; options: string[] } | undefined {
  for (let start = text.indexOf("{"); start !== -1; start = text.indexOf("{", start + 1)) {
    if (text[start - 1] === "$" || text[start - 1] === "\\") continue;
    const end = closing(text, start);
    if (end === -1) continue;
    const inner = text.slice(start + 1, end);
    const options = splitTop(inner);
    if (options.length > 1) return { start, end, options };
    const range = /^(-?\d+)\.\.(-?\d+)$/.exec(inner);
    if (range) return { start, end, options: numbers(Number(range[1]), Number(range[2])) };
  }
  return undefined;
}

function closing(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "{") depth++;
    else if (text[at] === "}" && --depth === 0) return at;
  }
  return -1;
}

function splitTop(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "{") depth++;
    else if (text[at] === "}") depth--;
    else if (text[at] === "," && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}

function numbers(from: number, to: number): string[] {
  const step = from <= to ? 1 : -1;
  const all: string[] = [];
  for (let at = from; all.length < most; at += step) {
    all.push(String(at));
    if (at === to) break;
  }
  return all;
}
