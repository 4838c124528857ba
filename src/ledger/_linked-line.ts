import { sha256 } from "../platform/digest.ts";
import type { Link } from "./chain.ts";

const linked = /^(,"closed":true)?,"seq":(\d{1,15}),"prev":"([0-9a-f]{64})","link":"([0-9a-f]{64})"\}$/;

/** The end of a line, which links it to the one before. */
export interface Linked extends Link {
  readonly prev: string;
  readonly closed: boolean;
  /** Does its own link fit what stands before it? */
  readonly sound: boolean;
}

/** Parses the end of a line. Its fields have fixed lengths but for the number, which is looked for. */
export function parseLinked(bytes: Uint8Array): Linked | undefined {
  const start = bytes.subarray(Math.max(0, bytes.length - 256));
  const text = latin.decode(start);
  const at = text.lastIndexOf(',"seq":');
  if (at === -1) return undefined;
  const closed = text.endsWith(closedMark, at) ? closedMark.length : 0;
  const found = linked.exec(text.slice(at - closed));
  if (!found) return undefined;
  const [, , seq, prev = "", link = ""] = found;
  const hashed = bytes.subarray(0, bytes.length - linkLength);
  return { seq: Number(seq), prev, link, closed: closed > 0, sound: sha256(hashed) === link };
}

const closedMark = ',"closed":true';
const linkLength = ',"link":""}'.length + 64;
const latin = new TextDecoder("latin1");
