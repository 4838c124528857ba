/** Longer than any system takes a command line; within it, and the limits below, the parser is quick enough. */
export const maxLength = 256 * 1024;

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

/** More here-documents than anybody writes, counted naively as well; each makes the others slower. */
export function hasManyHereDocuments(text: string): boolean {
  let count = 0;
  for (let at = text.indexOf("<<"); at !== -1; at = text.indexOf("<<", at + 2))
    if (++count > 2000) return true;
  return false;
}
