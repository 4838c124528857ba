// The bytes of an encoded text, as a string with one character for each byte. Everything here is forgiving:
// what does not belong is passed over, because a decoder that gives up hides what a lenient one would run.

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

let digits: Int8Array | undefined;

function base64Digits(): Int8Array {
  const table = new Int8Array(128).fill(-1);
  for (let at = 0; at < alphabet.length; at++) table[alphabet.charCodeAt(at)] = at;
  table[45] = 62; // - and _ of the form for addresses
  table[95] = 63;
  return table;
}

export function fromBase64(text: string): string {
  digits ??= base64Digits();
  const bytes: number[] = [];
  let bits = 0;
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 61) break;
    const digit = code < 128 ? (digits[code] ?? -1) : -1;
    if (digit < 0) continue;
    bits = ((bits << 6) | digit) & 0xffff;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push((bits >> count) & 0xff);
    }
  }
  return fromBytes(bytes);
}

export function fromHex(text: string): string {
  const clean = text.replace(/[^\da-fA-F]/g, "");
  const bytes: number[] = [];
  for (let at = 0; at + 1 < clean.length; at += 2) bytes.push(parseInt(clean.slice(at, at + 2), 16));
  return fromBytes(bytes);
}

/** One character for each number; too long for a single call when spread. */
function fromBytes(bytes: readonly number[]): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.slice(at, at + 4096));
  return text;
}

/** Bytes read as UTF-8; bytes that are not stay as they are. */
export function fromUtf8(bytes: string): string {
  if (!/[\x80-\xff]/.test(bytes)) return bytes;
  return bytes.replace(
    /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g,
    (sequence) => {
      const [first = 0, ...rest] = [...sequence].map((byte) => byte.charCodeAt(0));
      const start = first & (0xff >> (sequence.length + 1));
      const code = rest.reduce((code, byte) => (code << 6) | (byte & 0x3f), start);
      return code > 0x10ffff ? sequence : String.fromCodePoint(code);
    },
  );
}

/** Bytes read as UTF-16 with the low byte first. */
export function fromUtf16(bytes: string): string {
  const units: number[] = [];
  for (let at = 0; at + 1 < bytes.length; at += 2)
    units.push((bytes.charCodeAt(at) & 0xff) | ((bytes.charCodeAt(at + 1) & 0xff) << 8));
  return fromBytes(units);
}

export const rot13 = (text: string): string =>
  text.replace(/[a-zA-Z]/g, (letter) => {
    const base = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });

/** `%72m` as `rm`; a percent sign that begins nothing stays. */
export const fromPercent = (text: string): string =>
  fromUtf8(text.replace(/%([\da-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))));

export const reversed = (text: string): string => [...text].toReversed().join("");
