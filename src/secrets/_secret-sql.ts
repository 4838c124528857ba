// Passwords in SQL, where no sign stands between the name and the value: `IDENTIFIED BY '…'`,
// `ALTER ROLE app PASSWORD '…'`, `PASSWORD('…')`.

import { closedBy, quotedAt, type Span } from "./_secret-span.ts";

/** A word that opens no name of a secret, but a clause of SQL that holds one. */
export const sqlStem = "identified";

/** Where the value begins that a word of SQL stands in front of, and whether it must be quoted. */
export function sqlValueAfter(text: string, name: Span): { at: number; bare: boolean } | undefined {
  const word = text.slice(name.start, name.end);
  if (word.length > 12) return undefined;
  const lower = word.toLowerCase();
  if (lower !== sqlStem && lower !== "password" && lower !== "old_password") return undefined;
  const clause = lower === sqlStem ? identified : password;
  clause.lastIndex = name.end;
  if (!clause.test(text)) return undefined;
  const before = text.slice(Math.max(0, name.start - 200), name.start);
  if (lower !== sqlStem) return statement.test(before) ? { at: clause.lastIndex, bare: false } : undefined;
  // "A row is identified by 'id'" is prose.
  const bare = /\b(?:create|alter)\s{1,8}user\s{1,8}\S{1,60}\s{1,8}$/i.test(before);
  return bare || word === "IDENTIFIED" || statement.test(before) ? { at: clause.lastIndex, bare } : undefined;
}

const identified = /\s{1,8}(?:with\s{1,8}\S{1,60}\s{1,8})?(?:by|as)\s{1,8}(?:(?:password|values)\s{1,8})?/iy;
const password = /(?:\s{1,8}|\s{0,2}\(\s{0,2})(?=\\{0,7}')/y;
const statement =
  /\b(?:create\s+(?:user|role|login)|alter\s+(?:user|role|login)|set|encrypted|grant|select|values)\b/i;

/** What the quotes hold: SQL doubles a quote within them, and a shell may have broken out of its own. */
export function sqlQuotedAt(text: string, from: number): Span | undefined {
  if (text.startsWith("'\\''", from)) return closedBy(text, from + 4, "'\\''");
  const found = quotedAt(text, from);
  if (!found) return undefined;
  const quote = text.charAt(found.start - 1);
  let { end } = found;
  while (text[end] === quote && text[end + 1] === quote) {
    const more = closedBy(text, end + 2, quote);
    if (!more) break;
    end = more.end;
  }
  return { start: found.start, end };
}
