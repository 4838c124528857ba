import { isAbsolute, resolve } from "node:path";
import type { Handler } from "../core/hook.ts";

/** What only a shell can make sense of. */
const shellish = /[|&;<>()$`\\*?[\]#~\n{}]/;

/**
 * How a command of a format that wants a path is started. A path may be followed by arguments; anything a shell has
 * to read goes to a shell as it stands.
 */
export function commandWords(
  command: string,
  more: readonly string[],
  folder: string,
): Extract<Handler, { kind: "command" }> {
  if (shellish.test(command)) return { kind: "command", shell: command, args: more };
  const [first = "", ...args] = splitWords(command);
  const isPath = first.includes("/") || isAbsolute(first) || (args.length === 0 && /\.\w+$/.test(first));
  return isPath
    ? { kind: "command", script: resolve(folder, first), args: [...args, ...more] }
    : { kind: "command", args: [first, ...args, ...more] };
}

/** Words apart, quotes taken off. */
export function splitWords(text: string): string[] {
  const words = text.match(/(?:"[^"]*"|'[^']*'|[^\s"']+)+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}
