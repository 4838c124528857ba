import { join } from "node:path";
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
    if (lookAt(path) === "missing") writeNew(path, text);
    else touch(path);
  }
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
