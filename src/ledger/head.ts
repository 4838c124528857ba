import { dirname } from "node:path";
import { nodeFs, openSmall } from "../platform/files.ts";
import { isDigest, largestNumber, type Link } from "./chain.ts";

/** How far a ledger had come when it was last written to, as remembered outside it. */
export interface Head extends Link {
  /** How long the segment was that is written to. */
  readonly size: number;
}

/** Where that is remembered: opened once, read before a record is written and written to behind it. */
export interface HeadFile {
  readonly head: Head | undefined;
  remember(head: Head): void;
  close(): void;
}

/** Best effort: without it only a cut-off end goes unseen, and `verify` says so. */
export function openHead(path: string): HeadFile {
  try {
    const file = openSmall(path);
    if (file !== "missing")
      return {
        head: parse(file.read()),
        remember: (head) => file.write(toText(head)),
        close: () => file.close(),
      };
  } catch {
    // Then there is none.
  }
  return { head: undefined, remember: (head) => create(path, head), close: () => undefined };
}

/** How far a ledger had come, for those who only look. */
export function readHead(path: string): Head | undefined {
  const file = openHead(path);
  file.close();
  return file.head;
}

/** Of fixed length, so that it can be written over what was there. */
const toText = ({ seq, link, size }: Head): string => `${digits(seq)} ${link} ${digits(size)}\n`;

const digits = (number: number): string => String(number).padStart(15, "0");

function parse(text: string): Head | undefined {
  const [seq, link = "", size] = text.split(" ");
  const head = { seq: Number(seq), link, size: Number(size) };
  return isDigest(link) &&
    head.seq <= largestNumber &&
    Number.isSafeInteger(head.seq) &&
    Number.isSafeInteger(head.size)
    ? head
    : undefined;
}

function create(path: string, head: Head): void {
  try {
    const fs = nodeFs();
    fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    fs.writeFileSync(path, toText(head), { mode: 0o600, flag: "wx" });
  } catch {
    // Nothing to remember it in.
  }
}
