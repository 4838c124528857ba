/** A name of a repository's choosing, without what could move the cursor or turn the text around where it is shown. */
export const plainName = (name: string): string =>
  name.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]/gu, "\ufffd");

/**
 * A text of a repository's choosing, line by line, without what a terminal would obey, what turns a text around, and what nobody can see but
 * a model reads. Joiners stay: languages are written with them.
 */
export const plainText = (text: string): string =>
  /[^\n\t -~]/.test(text)
    ? text.replace(/(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]/gu, "\ufffd")
    : text;
