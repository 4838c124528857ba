import type { Effect, Run, Word } from "./model.ts";

/** What a script of sed does besides editing. */
export interface SedScript {
  /** Files it writes by `w`, `W` and the flag of `s`. */
  readonly writes: readonly string[];
}

/** Reads a script of sed command by command, so that the text of one is not taken for another. */
export function readSed(script: string): SedScript {
  const writes: string[] = [];
  let at = 0;
  const skip = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(script)?.[0] ?? "";
    at += found.length;
    return found;
  };
  // Behind a text that ends with the delimiter, unless that is escaped or, in a pattern, one of several characters.
  const toDelimiter = (delimiter: string, inPattern: boolean): void => {
    while (at < script.length && script[at] !== delimiter) {
      if (inPattern && script[at] === "[" && skip(/\[\^?\]?[^\]\n]{0,100}\]/y) !== "") continue;
      at += script[at] === "\\" ? 2 : 1;
    }
    at++;
  };
  const address = (): void => {
    const start = skip(/\s*(?:\d+(?:~\d+)?|\$|[+~]\d+|\/|\\.)/y).trim();
    if (start === "/" || start.startsWith("\\")) {
      toDelimiter(start.at(-1) ?? "/", true);
      skip(/[IM]*/y);
    }
  };
  while (at < script.length) {
    skip(/[\s;{}]+/y);
    const before = at;
    address();
    if (skip(/\s*,/y) !== "") address();
    skip(/[\s!]*/y);
    const command = script.charAt(at++);
    if (command === "s" || command === "y") {
      const delimiter = script.charAt(at++);
      toDelimiter(delimiter, command === "s");
      toDelimiter(delimiter, false);
      if (command === "s" && skip(/[gpiIMme\d]*w?/y).endsWith("w")) writes.push(skip(/[^\n]*/y).trim());
    } else if (command === "w" || command === "W") writes.push(skip(/[^\n]*/y).trim());
    else if (/[rRe]/.test(command)) skip(/[^\n]*/y);
    else if (/[aic]/.test(command)) skip(/(?:\\\n|[^\n])*/y);
    else if (/[:btT]/.test(command)) skip(/[^;\n}]*/y);
    else if (command === "#") skip(/[^\n]*/y);
    if (at <= before) at = before + 1;
  }
  return { writes: writes.filter((path) => path !== "" && !path.startsWith("/dev/std")) };
}

/** The script by which files are edited in place, if it can be followed from the command line alone. */
export function inPlaceEdit(run: Run, scripts: readonly Word[]): Extract<Effect, { do: "write" }>["sed"] {
  let extended = false;
  for (const { text } of run.args) {
    if (text === "--") break;
    if (text === "--regexp-extended") extended = true;
    else if (text.startsWith("--") && !/^--(?:in-place|expression)(?:=|$)|^--separate$/.test(text))
      return undefined;
    if (!/^-\w/.test(text)) continue;
    // Behind `i` is a suffix, behind `e` a script.
    const letters = /^-([^ie]*)/.exec(text)?.[1] ?? "";
    if (/[^Ersu]/.test(letters)) return undefined;
    if (/[Er]/.test(letters)) extended = true;
  }
  // An empty one is the suffix of another sed, whose script comes next.
  const isClear = scripts.length > 0 && scripts.every(({ known, text }) => known && text !== "");
  return isClear ? { script: scripts.map(({ text }) => text).join("\n"), extended } : undefined;
}
