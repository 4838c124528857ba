import { errorCode, nodeFs } from "./files.ts";
import { libc } from "./libc.ts";

/** How long a reader that takes its time is waited for, in steps of five milliseconds. */
const patience = 1000;

/** Writes a text to standard output, all of it; says why when that cannot be done. */
export function writeStdout(text: string): string | undefined {
  let rest = new TextEncoder().encode(text);
  for (let waited = 0; rest.length > 0;) {
    try {
      rest = rest.subarray(libc?.writeStdout(rest) ?? nodeFs().writeSync(1, rest));
    } catch (error) {
      // A pipe that does not block and is full.
      if (errorCode(error) !== "EAGAIN" || waited++ >= patience)
        return `standard output cannot be written (${errorCode(error)})`;
      Bun.sleepSync(5);
    }
  }
  return undefined;
}

/** Where standard output was closed the runtime has put this in its place. Linux tells, other systems do not. */
export const isStdoutNowhere = (): boolean => libc?.realPath("/dev/stdout") === "/dev/null";
