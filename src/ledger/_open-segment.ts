import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { append } from "../platform/files.ts";
import { version } from "../platform/version.ts";
import { recordVersion } from "./chain.ts";
import { beginning, readTail, tailLength, toLine, type Link } from "./chain.ts";
import { readHead } from "./head.ts";
import { current, isNumbered } from "./places.ts";
import { locked } from "./segment.ts";

/**
 * Makes the segment that is written to, complete with its first record or not at all. One at a time: somebody who was
 * held up could otherwise put one in place that goes on from where the chain was long ago.
 */
export async function openSegment(folder: string, head: string): Promise<void> {
  const path = join(folder, ".opening");
  append(path, "", 0o600);
  const lock = await locked(path);
  try {
    if (!fs.existsSync(join(folder, current))) create(folder, head);
  } finally {
    if (lock !== "missing") lock.close();
  }
}

function create(folder: string, head: string): void {
  const names = fs.readdirSync(folder);
  for (const name of names.filter(isPart)) removeIfForgotten(join(folder, name));
  const last = names.filter(isNumbered).sort().at(-1);
  const before = latest(last === undefined ? undefined : tailOf(join(folder, last)), readHead(head));
  const opening = {
    v: recordVersion,
    kind: "opened",
    time: new Date().toISOString(),
    engine: version,
    ...(last === undefined ? {} : { after: last }),
  };
  const part = join(folder, `.${randomBytes(8).toString("hex")}.part`);
  fs.writeFileSync(part, toLine(opening, before), { mode: 0o600, flag: "wx" });
  try {
    // Unlike a rename this fails when somebody else was faster.
    fs.linkSync(part, join(folder, current));
  } catch (error) {
    if ((error as { code?: unknown }).code !== "EEXIST")
      fs.copyFileSync(part, join(folder, current), fs.constants.COPYFILE_EXCL);
  } finally {
    fs.rmSync(part, { force: true });
  }
}

const isPart = (name: string): boolean => /^\.[0-9a-f]{16}\.part$/.test(name);

/** Whoever made it has died. */
function removeIfForgotten(path: string): void {
  const made = fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  if (Date.now() - made > 60_000) fs.rmSync(path, { force: true });
}

/** Where the chain goes on. A head that knows of later records is right: they are gone, and that must show. */
function latest(tail: Link | undefined, head: Link | undefined): Link {
  if (!head) return tail ?? beginning;
  return tail && tail.seq >= head.seq ? tail : head;
}

function tailOf(path: string): Link | undefined {
  const file = fs.openSync(path, "r");
  try {
    const bytes = new Uint8Array(tailLength);
    const from = Math.max(0, fs.fstatSync(file).size - tailLength);
    return readTail(bytes.subarray(0, fs.readSync(file, bytes, 0, tailLength, from)));
  } finally {
    fs.closeSync(file);
  }
}
