import { basename, dirname, join } from "node:path";
import { errorCode, nodeFs, readText } from "./files.ts";

/**
 * Puts a whole new text in the place of a file, at once or not at all. With `was`, only if the file still reads so: whoever
 * writes by this function waits for the others who do, so that of two changes of the same text one is refused.
 */
export function replaceFile(path: string, text: string, was?: string | null): void {
  const fs = nodeFs();
  const there = fs.lstatSync(path, { throwIfNoEntry: false });
  if (there && !there.isFile()) throw new Error(`${path} is not a plain file`);
  const release = was === undefined ? undefined : lock(`${path}.lock`);
  const part = `${path}.${process.pid}.part`;
  try {
    if (was !== undefined && (readText(path, largest) ?? null) !== was)
      throw new FileChanged(`${path} has changed in the meantime`);
    fs.writeFileSync(part, text, { mode: there ? there.mode & 0o777 : 0o644 });
    fs.renameSync(part, path);
    removeLeft(path);
  } finally {
    fs.rmSync(part, { force: true });
    release?.();
  }
}

/** Whoever was ended between writing a part and giving it its name has left it there. */
function removeLeft(path: string): void {
  const fs = nodeFs();
  for (const name of fs.readdirSync(dirname(path))) {
    if (!name.startsWith(`${basename(path)}.`) || !name.endsWith(".part")) continue;
    const pid = Number(name.slice(basename(path).length + 1, -".part".length));
    if (Number.isInteger(pid) && pid > 0 && !isAlive(pid))
      fs.rmSync(join(dirname(path), name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) !== "ESRCH";
  }
}

class FileChanged extends Error {
  override readonly name = "FileChanged";
}

const largest = 32 * 1024 * 1024;
const patience = 2000;
const deadAfter = 10_000;

/** Whoever makes the file has the lock. */
function lock(path: string): () => void {
  const fs = nodeFs();
  const until = Date.now() + patience;
  for (;;) {
    try {
      fs.closeSync(fs.openSync(path, "wx", 0o600));
      return () => fs.rmSync(path, { force: true });
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
    // Nobody needs that long: whoever made it has died.
    const made = fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - made > deadAfter) fs.rmSync(path, { force: true });
    else if (Date.now() > until) throw new Error(`${path} is held by somebody else`);
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  }
}
