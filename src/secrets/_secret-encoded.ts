import { mask } from "./_mask.ts";

/**
 * Masks what is a text with a secret in it once base64 is taken off. One layer: who wraps a secret twice hides it from
 * everybody. Most runs of such letters are no text at all, and their first bytes tell.
 */
export function maskEncoded(text: string, holdsSecret: (plain: string) => boolean): string {
  if (!run.test(text)) return text;
  return text.replaceAll(runs, (found) => {
    const plain = found.length > largest ? undefined : plainOf(found);
    return plain !== undefined && holdsSecret(plain) ? mask("encoded") : found;
  });
}

/** At least as long as a run that makes anybody look closely at a text. */
const run = /\w{20}/;
const runs = /[\w+/-]{24,}={0,2}/g;
const largest = 64 * 1024;

function plainOf(found: string): string | undefined {
  if (!isPlain(decode(found.slice(0, 24)))) return undefined;
  const plain = decode(found);
  return isPlain(plain) ? plain : undefined;
}

// Takes both alphabets, and every byte as a letter.
const decode = (found: string): string => Buffer.from(found, "base64").toString("latin1");

const isPlain = (text: string): boolean => /^[\t\n\r -~]*$/.test(text);
