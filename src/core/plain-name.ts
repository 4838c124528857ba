/** A name of a repository's choosing, without what could move the cursor or turn the text around where it is shown. */
export const plainName = (name: string): string =>
  name.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]/gu, "\ufffd");
