import { sha256 } from "../platform/digest.ts";

/** Of the shape of records. */
export const recordVersion = 2;

/** A place in the chain: the number of a record and what the next one must name. */
export interface Link {
  readonly seq: number;
  readonly link: string;
}

/** What the end of a segment says about where the chain goes on. */
export interface Tail extends Link {
  /** The segment is closed: nothing may come behind. */
  readonly closed: boolean;
}

/** What the very first record names as the one before it. */
export const beginning: Link = { seq: 0, link: "0".repeat(64) };

/** Enough of the end of a file to hold the end of its last line. */
export const tailLength = 256;

/**
 * The line of a record. Its last fields are its number, the link of the record before it, and its own link: the SHA-256
 * of everything before that in the line, so that nothing in it, and nothing before it, can change unseen.
 */
export function toLine(record: Readonly<Record<string, unknown>>, before: Link, closed = false): string {
  const body = JSON.stringify(record).slice(0, -1);
  const linked = `${body},${closed ? '"closed":true,' : ""}"seq":${before.seq + 1},"prev":"${before.link}"`;
  return `${linked},"link":"${sha256(linked)}"}\n`;
}

/**
 * Reads the end of a file; nothing when its last line is no whole record. No pattern: to compile one costs more than the
 * rest of writing a record.
 */
export function readTail(bytes: Uint8Array): Tail | undefined {
  const text = decoder.decode(bytes);
  const at = text.lastIndexOf(numberMark);
  const behind = text.length - (linkMark.length + prevMark.length + 2 * digestLength + 3);
  const seq = text.slice(at + numberMark.length, behind);
  const link = text.slice(-digestLength - 3, -3);
  const isWhole =
    at !== -1 &&
    text.endsWith('"}\n') &&
    text.startsWith(prevMark, behind) &&
    text.startsWith(linkMark, behind + prevMark.length + digestLength) &&
    isDigest(link) &&
    Number(seq) <= largestNumber;
  return isWhole ? { seq: Number(seq), link, closed: text.slice(0, at).endsWith(closedMark) } : undefined;
}

/** One more still has fifteen digits, as every reader expects. */
export const largestNumber = 999_999_999_999_998;

const numberMark = ',"seq":';
const prevMark = ',"prev":"';
const linkMark = '","link":"';
const closedMark = ',"closed":true';
const digestLength = 64;

/** Sixty-four hexadecimal digits, and so nothing that could end a text in JSON. */
export const isDigest = (text: string): boolean =>
  text.length === digestLength && Number.isFinite(Number(`0x${text}`)) && !text.includes(" ");

const decoder = new TextDecoder();
