/** Deeper than anybody writes; the parser takes ever longer beyond it. */
export const maxNesting = 64;

/** How deep openers are stacked at most, counted naively: quotes and comments only make it larger. */
export function nesting(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 40 || code === 123) deepest = Math.max(deepest, ++depth);
    else if (code === 41 || code === 125) depth = Math.max(0, depth - 1);
  }
  return deepest;
}
