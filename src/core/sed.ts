import { posixPattern, NotFollowed, type PosixPattern } from "./posix-pattern.ts";

/**
 * A text as a script of `sed` leaves it: substitutions, deletions and added lines, each with an address or two. Nothing when
 * the script has something else in it, or takes too long.
 */
export function sedResult(text: string, script: string, extended: boolean): string | undefined {
  if (text.length > largest) return undefined;
  try {
    const commands = readScript(script, extended);
    return commands && edited(text, commands);
  } catch (error) {
    if (error instanceof NotFollowed) return undefined;
    throw error;
  }
}

const largest = 1024 * 1024;

type Address = { readonly line: number } | { readonly last: true } | { readonly fits: PosixPattern };

interface Command {
  readonly from?: Address;
  readonly to?: Address;
  readonly not: boolean;
  readonly does:
    | {
        readonly do: "substitute";
        readonly pattern: PosixPattern;
        readonly by: readonly Piece[];
        readonly nth: number;
        readonly all: boolean;
      }
    | { readonly do: "delete" }
    | { readonly do: "add"; readonly where: "before" | "behind" | "instead"; readonly text: string };
  /** Within a range of lines. */
  state: { inside: boolean; until?: number };
}

/** A piece of what comes in: a text, or what a group has found. */
type Piece = string | number;

function readScript(script: string, extended: boolean): Command[] | undefined {
  let at = 0;
  const skip = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(script)?.[0] ?? "";
    at += found.length;
    return found;
  };
  /** To the delimiter, which does not count behind a backslash or, in a pattern, as one of several characters. */
  const upTo = (delimiter: string, inPattern: boolean): string | undefined => {
    let found = "";
    while (at < script.length && script[at] !== delimiter) {
      const several = inPattern && script[at] === "[" ? skip(/\[\^?\]?(?:\[:\w+:\]|[^\]\n])*\]/y) : "";
      if (several !== "") found += several;
      else if (script[at] === "\\") {
        const next = script[at + 1] ?? "";
        found += next === delimiter ? next : `\\${next}`;
        at += 2;
      } else found += script[at++];
    }
    if (at >= script.length) return undefined;
    at++;
    return found;
  };
  const pattern = (source: string, flags: string): PosixPattern | undefined =>
    // An empty one means the last one used, and `M` changes what a line is.
    source === "" || flags.includes("M")
      ? undefined
      : posixPattern(source, { extended, ignoreCase: /i/i.test(flags) });
  const address = (): Address | undefined | "none" => {
    if (skip(/\$/y) !== "") return { last: true };
    const line = skip(/\d{1,7}/y);
    if (line !== "") return Number(line) === 0 ? undefined : { line: Number(line) };
    if (skip(/\//y) === "") return "none";
    const source = upTo("/", true);
    const fits = source === undefined ? undefined : pattern(source, skip(/[IM]*/y));
    return fits && { fits };
  };
  const commands: Command[] = [];
  for (;;) {
    skip(/[\s;]+/y);
    if (at >= script.length) return commands;
    const from = address();
    const to = from !== "none" && skip(/\s*,\s*/y) !== "" ? address() : "none";
    const not = skip(/\s*!?\s*/y).includes("!");
    if (!from || !to) return undefined;
    const does = action();
    if (!does || (does.do === "add" && to !== "none" && does.where === "instead")) return undefined;
    commands.push({
      ...(from === "none" ? {} : { from }),
      ...(to === "none" ? {} : { to }),
      not,
      does,
      state: { inside: false },
    });
    if (skip(/[ \t]*(?:[;\n]|$)/y) === "" && at < script.length) return undefined;
  }

  function action(): Command["does"] | undefined {
    const name = script.charAt(at++);
    if (name === "d") return { do: "delete" };
    if (name === "a" || name === "i" || name === "c") {
      const text = /^\\?\n?[ \t]*(\S[^\n\\]*)$/.exec(script.slice(at))?.[1];
      at = script.length;
      const where = name === "i" ? "before" : name === "a" ? "behind" : "instead";
      return text === undefined ? undefined : { do: "add", where, text };
    }
    if (name !== "s") return undefined;
    const delimiter = script.charAt(at++);
    if (!/[^\\\n\w]/.test(delimiter)) return undefined;
    const source = upTo(delimiter, true);
    const given = source === undefined ? undefined : upTo(delimiter, false);
    const flags = skip(/[gIi\d]*/y);
    const by = given === undefined ? undefined : piecesOf(given);
    const found = source === undefined ? undefined : pattern(source, flags);
    if (!found || !by) return undefined;
    return {
      do: "substitute",
      pattern: found,
      by,
      nth: Number(/\d+/.exec(flags)?.[0] ?? 1),
      all: flags.includes("g"),
    };
  }
}

function piecesOf(given: string): Piece[] | undefined {
  const pieces: Piece[] = [];
  for (const part of given.match(/\\[\s\S]|&|[^\\&]+/g) ?? []) {
    if (part === "&") pieces.push(0);
    else if (!part.startsWith("\\")) pieces.push(part);
    else if (/\d/.test(part[1] ?? "")) pieces.push(Number(part[1]));
    else if (part === "\\n" || part === "\\\n") pieces.push("\n");
    else if (part === "\\t") pieces.push("\t");
    // `\U` and its like change the letters.
    else if (/[a-z]/i.test(part[1] ?? "")) return undefined;
    else pieces.push(part.slice(1));
  }
  return pieces;
}

function edited(text: string, commands: readonly Command[]): string {
  const lines = text.split("\n");
  // What follows the last line end is no line.
  const hasEnd = lines.at(-1) === "";
  if (hasEnd) lines.pop();
  let result = "";
  for (const [index, line] of lines.entries()) {
    const isLast = index === lines.length - 1;
    const { before, now, behind } = editedLine(line, index + 1, isLast, commands);
    // A last line without an end stays so, unless something follows it.
    const own = now === undefined ? [] : [isLast && !hasEnd && behind.length === 0 ? now : `${now}\n`];
    result += [...before.map(ended), ...own, ...behind.map(ended)].join("");
  }
  return result;
}

const ended = (line: string): string => `${line}\n`;

interface EditedLine {
  readonly before: readonly string[];
  /** Nothing when the line itself is gone. */
  readonly now?: string;
  readonly behind: readonly string[];
}

function editedLine(line: string, number: number, isLast: boolean, commands: readonly Command[]): EditedLine {
  const [before, behind]: [string[], string[]] = [[], []];
  let now = line;
  for (const command of commands) {
    if (applies(command, now, number, isLast) === command.not) continue;
    const { does } = command;
    if (does.do === "delete") return { before, behind };
    if (does.do === "substitute") now = substituted(now, does);
    else if (does.where === "instead") return { before: [...before, does.text], behind };
    else (does.where === "before" ? before : behind).push(does.text);
  }
  return { before, now, behind };
}

function applies({ from, to, state }: Command, line: string, number: number, isLast: boolean): boolean {
  if (!from) return true;
  const isAt = (address: Address): boolean => {
    if ("line" in address) return address.line === number;
    return "last" in address ? isLast : address.fits.find(Array.from(line), 0) !== undefined;
  };
  if (!to) return isAt(from);
  if (state.inside) {
    // A range ends with the line it names; one that names a line further up has ended where it began.
    if ("line" in to ? number >= to.line : isAt(to)) state.inside = false;
    return "line" in to ? number <= to.line : true;
  }
  if (!isAt(from)) return false;
  state.inside = !("line" in to && to.line <= number);
  return true;
}

function substituted(
  line: string,
  { pattern, by, nth, all }: Extract<Command["does"], { do: "substitute" }>,
): string {
  const text = Array.from(line);
  let [result, at, count] = ["", 0, 0];
  let last = -1;
  while (at <= text.length) {
    const found = pattern.find(text, at);
    const [start, end] = found?.[0] ?? [text.length, -1];
    if (!found || end === -1) break;
    // Between the bytes of one character some find nothing, and some do not.
    if (start === end && nth + Number(all) > 1 && text.some((each) => each > "\x7F")) throw new NotFollowed();
    result += text.slice(at, start).join("");
    // Nothing is found a second time where something has just ended.
    const counts = !(start === end && start === last);
    if (counts) count++;
    const isMeant = counts && (all ? count >= nth : count === nth);
    const put = by
      .map((piece) => (typeof piece === "string" ? piece : text.slice(...(found[piece] ?? [0, 0])).join("")))
      .join("");
    result += isMeant ? put : text.slice(start, end).join("");
    last = end;
    at = end;
    if (start === end) {
      result += text[end] ?? "";
      at++;
    }
    if (isMeant && !all) break;
  }
  return result + text.slice(at).join("");
}
