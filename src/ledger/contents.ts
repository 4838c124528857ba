import { dirname, join } from "node:path";
import { lookAt, nodeFs, readText } from "../platform/files.ts";
import { touch, writeNew } from "../platform/write-new.ts";

/** Texts that records only name by their digest, kept beside them. */
const folderName = "contents";

const pathOf = (ledger: string, digest: string): string =>
  join(ledger, folderName, digest.slice(0, 2), digest.slice(2));

/** Keeps texts by their digests. One that is there already is only marked as still needed. */
export function keepContents(ledger: string, contents: ReadonlyMap<string, string>): void {
  for (const [digest, text] of contents) {
    const path = pathOf(ledger, digest);
    if (lookAt(path) === "missing") keepBeside(path, text);
    else touch(path);
  }
}

/** Puts a text into a folder of the ledger. A link in its place came with the repository, and leads who knows where. */
export function keepBeside(path: string, text: string): void {
  for (const folder of [dirname(path), dirname(dirname(path))])
    if (lookAt(folder) === "link") throw new Error(`${folder} is a link to somewhere else`);
  writeNew(path, text);
}

/** A text by its digest, if it is there; whether it is still the one is for the reader to see. */
export function readContent(ledger: string, digest: string): string | undefined {
  return readText(pathOf(ledger, digest), largest);
}

const largest = 64 * 1024 * 1024;

/** Removes what no record has needed since. */
export function dropContents(ledger: string, before: number): void {
  const fs = nodeFs();
  const folder = join(ledger, folderName);
  if (!fs.existsSync(folder)) return;
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && fs.statSync(path).mtimeMs < before) fs.rmSync(path, { force: true });
  }
}
