/** What stands in the place of a secret: `mask("password")` is `"[masked:password]"`. */
export const mask = (kind: string): string => `[masked:${kind}]`;

/** Where the mask that begins at this place ends, or -1. */
export function maskEnd(text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

export const isMask = (text: string): boolean => maskEnd(text, 0) === text.length;

const pattern = /\[masked:[a-z-]{1,40}\]/y;
