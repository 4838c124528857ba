/** What stands in the place of a secret: `mask("password")` is `"[masked:password]"`. */
export const mask = (kind: string): string => `[masked:${kind}]`;

export const isMask = (text: string): boolean => /^\[masked:[a-z-]{1,40}\]$/.test(text);
