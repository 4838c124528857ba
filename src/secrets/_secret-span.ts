/** A stretch of a text: from `start` up to, not including, `end`. */
export type Span = { start: number; end: number };

export function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\t") at++;
  return at;
}

/** What stands between the quotes that begin at this place, on one line; nothing when there are none. */
export function quotedAt(text: string, from: number): Span | undefined {
  // String prefixes such as f"…", $'…' and N'…'.
  let at = /[fbrune$@]/i.test(text.charAt(from)) && /["']/.test(text.charAt(from + 1)) ? from + 1 : from;
  // In JSON within JSON the quote has backslashes before it, and so has the one that ends the value.
  const open = at;
  while (text[at] === "\\" && at < open + 15) at++;
  const quote = text.charAt(at);
  if (quote !== '"' && quote !== "'" && quote !== "`") return undefined;
  return closedBy(text, at + 1, text.slice(open, at + 1));
}

/** From here to the text that closes it, on the same line. */
export function closedBy(text: string, start: number, close: string): Span | undefined {
  for (let end = start; end < text.length && text[end] !== "\n"; end++) {
    if (text.startsWith(close, end)) return { start, end };
    if (close.length === 1 && text[end] === "\\") end++;
  }
  return undefined;
}
