import { lazily } from "../core/lazily.ts";

/** Says that a reader for another language is needed, and when it will be there. */
class NeedsReader extends Error {
  override readonly name = "NeedsReader";
  readonly loading: Promise<unknown>;
  constructor(loading: Promise<unknown>) {
    super("a reader is not loaded yet");
    this.loading = loading;
  }
}

const windows = lazily(() => import("./windows.ts"));

/** The reader of PowerShell and cmd texts. Few command lines need it, so it is loaded by the first that does. */
export function windowsReader(): typeof import("./windows.ts") {
  const reader = windows();
  if (reader instanceof Promise) throw new NeedsReader(reader);
  return reader;
}

const code = lazily(() => import("./code.ts"));

/** The reader of interpreters' programs, loaded by the first command line that holds one. */
export function codeReader(): typeof import("./code.ts") {
  const reader = code();
  if (reader instanceof Promise) throw new NeedsReader(reader);
  return reader;
}

/** Is it only that a reader has to be loaded first? */
export const isReaderMissing = (error: unknown): boolean => error instanceof NeedsReader;

/**
 * Does something again whenever a reader it turned out to need is loaded. That one is missing never leaves what watches over
 * the work, which would make much of an error.
 */
export function withReaders<T>(
  work: () => T,
  watched: (work: () => T | NeedsReader) => T | NeedsReader = (each) => each(),
): T | Promise<T> {
  const found = watched(() => {
    try {
      return work();
    } catch (error) {
      if (error instanceof NeedsReader) return error;
      throw error;
    }
  });
  return found instanceof NeedsReader ? found.loading.then(() => withReaders(work, watched)) : found;
}

/** Begins to load what a command line plainly needs: to find that out by reading it means to read it twice. */
export function foreseeReaders(text: string): Promise<unknown> | undefined {
  const reader = namesOne(text, interpreters) && namesOne(text, givenCode) ? code() : undefined;
  return reader instanceof Promise ? reader : undefined;
}

function namesOne(text: string, names: readonly string[]): boolean {
  for (const name of names) if (text.includes(name)) return true;
  return false;
}

const interpreters = ["python", "node", "ruby", "perl", "php", "awk"];
const givenCode = [" -c", " -e", " -r", "<<", "awk "];
