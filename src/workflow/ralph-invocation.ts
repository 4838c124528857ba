/** What the text of a subagent call asks for, as far as it can be read; each mode and task once, as first written. */
export interface Invocation {
  readonly modes: readonly string[];
  readonly taskIds: readonly string[];
}

/**
 * Reads the `KEY: value` lines of a subagent call: one or several keys to a line, plain, in bold, in a list or as JSON. What
 * stands at the beginning of a line outweighs what prose says, and a code block or a quotation counts only when there is
 * nothing else. With the reach `lines` nothing counts but such lines.
 *
 * @example
 * readInvocation("MODE: EXECUTE\nTASK_ID: task-1, task-2"); // { modes: ["EXECUTE"], taskIds: ["task-1", "task-2"] }
 */
export function readInvocation(text: string, reach: "anywhere" | "lines" = "anywhere"): Invocation {
  const entries = entriesOf(text);
  const valuesAt = (field: Field, place: Place): string[] =>
    distinct(
      entries
        .filter((entry) => entry.field === field && entry.place === place)
        .flatMap(({ value }) => (field === "MODE" ? modesIn(value) : taskIdsIn(value))),
    );
  const outside: readonly Place[] = reach === "lines" ? ["line"] : ["line", "prose", "loose"];
  const valuesOf = (field: Field): string[] =>
    outside.map((place) => valuesAt(field, place)).find((values) => values.length > 0) ?? [];
  const found = { modes: valuesOf("MODE"), taskIds: valuesOf("TASK_ID") };
  if (reach === "lines" || found.modes.length + found.taskIds.length > 0) return found;
  return { modes: valuesAt("MODE", "quoted"), taskIds: valuesAt("TASK_ID", "quoted") };
}

/** Modes and task ids are the same in whatever letters they are written. */
export function distinct(names: readonly string[]): string[] {
  const seen = new Map<string, string>();
  for (const name of names) {
    const key = name.toLowerCase();
    if (!seen.has(key)) seen.set(key, name);
  }
  return [...seen.values()];
}

type Field = "MODE" | "TASK_ID";

/** `loose` is a key at the beginning of a line, but not in capitals. */
type Place = "line" | "prose" | "loose" | "quoted";

interface Entry {
  readonly field: Field;
  readonly value: string;
  readonly place: Place;
}

const fields: Readonly<Record<string, Field>> = {
  MODE: "MODE",
  MODES: "MODE",
  TASK_ID: "TASK_ID",
  TASK_IDS: "TASK_ID",
};

// Keys whose values are short, so that another key behind one on the same line is a key and not a part of a sentence.
const shortKeys = new Set(
  (
    "MODE MODES TASK_ID TASK_IDS SESSION_ID SESSION_PATH ITERATION ATTEMPT_NUMBER REPORT_PATH CYCLE FEEDBACK_PATHS STATUS " +
    "ORCHESTRATOR_STATE"
  ).split(" "),
);

// A prompt can be as long as it likes, so no pattern in this file looks at a character more than a few times.
const keyPattern = /(?<![\w-])([A-Z][A-Z_]+)[*`"']*[ \t]*([:=])(?!=)/g;
const looseMode = /^modes?[*`"']*[ \t]*:/i;
const quotes: Readonly<Record<string, string>> = {
  "`": "`",
  '"': '"',
  "'": "'",
  "“": "”",
  "‘": "’",
  "«": "»",
};

function entriesOf(text: string): Entry[] {
  const lines = text.split(/\r\n?|\n/);
  const found: Entry[] = [];
  let fence: string | undefined;
  for (const [at, line] of lines.entries()) {
    const mark = fenceIn(line);
    if (mark !== undefined && (fence === undefined || closes(line, mark, fence))) {
      fence = fence === undefined ? mark : undefined;
      continue;
    }
    const isQuoted = fence !== undefined || line.trimStart().startsWith(">");
    for (const entry of entriesIn(line, isQuoted, () => valueBelow(lines, at + 1))) found.push(entry);
  }
  return found;
}

function fenceIn(line: string): string | undefined {
  const text = line.trim();
  const mark = /^(?:`{3,}|~{3,})/.exec(text)?.[0];
  // With a backtick further on it is a piece of code within a line.
  return mark?.startsWith("`") && text.includes("`", mark.length) ? undefined : mark;
}

const closes = (line: string, mark: string, fence: string): boolean =>
  line.trim() === mark && mark.startsWith(fence);

function entriesIn(line: string, isQuoted: boolean, below: () => string): Entry[] {
  const body = withoutOrnament(line);
  const keys = [...body.matchAll(keyPattern)];
  const found: Entry[] = [];
  let isInvocation = false;
  let quotedTo = 0;
  for (const [at, match] of keys.entries()) {
    const key = (match[1] ?? "").replace(/_{1,2}$/, "");
    const start = match.index + match[0].length;
    const isFirst = match.index === 0;
    const before = isFirst ? line.at(-body.length - 1) : body[match.index - 1];
    const closing = match[0].includes(before ?? " ") ? undefined : closingOf(before);
    if (closing !== undefined && !isInvocation && match.index >= quotedTo)
      quotedTo = indexOf(body, closing, start);
    // A whole line in quotes is a line; with more behind them, as in "`MODE: UPDATE` is not for you", it speaks of one.
    const isKey: boolean = isFirst ? quotedTo === 0 || !hasWords(body.slice(quotedTo + 1)) : isInvocation;
    isInvocation = isKey && shortKeys.has(key);
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (!field) continue;
    const given = body.slice(start, keys[at + 1]?.index);
    // `MODE=debug npm test` is a command as likely as not.
    const isLine = isKey && match[2] === ":";
    const value = isLine && at === keys.length - 1 && bare(given).trim() === "" ? below() : given;
    const isSaid = !isQuoted && (isKey || match.index >= quotedTo);
    found.push({ field, value, place: isSaid ? (isLine ? "line" : "prose") : "quoted" });
  }
  const loose = keys[0]?.index === 0 ? null : looseMode.exec(body);
  if (!loose) return found;
  const value = body.slice(loose[0].length, keys[0]?.index);
  return [...found, { field: "MODE", value, place: isQuoted ? "quoted" : "loose" }];
}

/** A line without its bullet, number, heading marks, quotes and emphasis. */
function withoutOrnament(line: string): string {
  const text = line.replace(/^[^\p{L}\p{N}]+/u, "");
  return text.replace(/^\d{1,9}[.)]/, "").replace(/^[^\p{L}\p{N}]+/u, "");
}

const closingOf = (opening: string | undefined): string | undefined =>
  opening !== undefined && Object.hasOwn(quotes, opening) ? quotes[opening] : undefined;

/** Where a text stands, or the end if nowhere. */
function indexOf(text: string, part: string, from: number): number {
  const at = text.indexOf(part, from);
  return at === -1 ? text.length : at;
}

const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/** The value of a key with nothing behind it: the list below it, or the one word on the next line. */
function valueBelow(lines: readonly string[], from: number): string {
  const start = lines[from]?.trim() === "" ? from + 1 : from;
  const items: string[] = [];
  for (let at = start; at < lines.length; at++) {
    const line = (lines[at] ?? "").trim();
    const isItem = /^(?:[-*+]|\d{1,9}[.)])\s/.test(line);
    const text = withoutOrnament(line);
    if (!isItem && (at > start || /\s/.test(bare(text).trim()))) break;
    if (/^[A-Z][A-Z_]+[*`"']*[ \t]*[:=]/.test(text)) break;
    items.push(text);
    if (!isItem) break;
  }
  return items.join(", ");
}

/** A value without quotes, brackets and emphasis. */
const bare = (value: string): string => value.replaceAll("->", ",").replace(/[*`"'“”‘’«»[\]{}<>\\]/g, "");

const isNone = (value: string): boolean => /^(?:none|null|nil|n\/a|-+)?$/i.test(value.trim());

/** The modes of every version and agent. What is none of them is a mode, too, where it can be nothing else. */
const knownModes = new Set(
  (
    "INITIALIZE UPDATE TASK_BREAKDOWN REBREAKDOWN REBREAKDOWN_TASK UPDATE_METADATA REPAIR_STATE SPLIT_TASK TASK_CREATE " +
    "BRAINSTORM RESEARCH FEEDBACK-ANALYSIS FEEDBACK_ANALYSIS EXECUTE TASK_REVIEW SESSION_REVIEW ITERATION_REVIEW TIMEOUT_FAIL " +
    "COMMIT STAGE PROMOTE EXTRACT CURATE"
  ).split(" "),
);

const isKnown = (word: string): boolean => knownModes.has(word.toUpperCase());

/** `EXECUTE`, `EXECUTE, TASK_REVIEW`, `EXECUTE and then TASK_REVIEW`; a word of the sentence behind them is no mode. */
function modesIn(given: string): string[] {
  const value = bare(given);
  if (isNone(value)) return [];
  const start = value.search(/\p{L}/u);
  const list = value.slice(Math.max(start, 0)).split(/[(#—–:]|\.\s/, 1)[0] ?? "";
  const items = list
    .replace(/\b(?:and|then|or|plus)\b/gi, ",")
    .split(/[,;/|+&→]/)
    .map((item) => item.split(/\s+/).filter((word) => word !== ""))
    .filter((words) => words.length > 0);
  const found: string[] = [];
  let inCapitals = false;
  for (const [at, words] of items.entries()) {
    for (const [place, word] of words.entries()) {
      const mode = toMode(word);
      if (mode === undefined) return found;
      if (at === 0 && place === 0) inCapitals = mode === mode.toUpperCase();
      else if (inCapitals && mode !== mode.toUpperCase()) return found;
      else if (place > 0 ? !(inCapitals && isKnown(mode)) : !(words.length === 1 || isKnown(mode)))
        return found;
      found.push(mode);
    }
  }
  return found;
}

const toMode = (word: string): string | undefined =>
  /^_{0,2}(\p{L}[\p{L}\p{N}_-]{0,59}?)_{0,2}(?![\p{L}\p{N}_-])/u.exec(word)?.[1];

const connectors = new Set(["and", "then", "or", "to", "through", "plus"]);

/** `task-1`, `task-1, task-2`, `task-1 and task-2`; an id further on in a sentence is not the call's own. */
function taskIdsIn(given: string): string[] {
  const value = bare(given).replaceAll("..", " to ").trim();
  if (isNone(value)) return [];
  const list = value.replace(/^\(/, "").split("(", 1)[0] ?? "";
  const found: string[] = [];
  let before = 0;
  for (const word of list.split(/[\s,;/|+&→]+/)) {
    const id = /^#?(task-[\w-]+|[a-z]{0,20}[-_]?\d[\w-]*)/i.exec(word.slice(0, 80))?.[1];
    const isOther = id === undefined || (found[0] !== undefined && kindOf(id) !== kindOf(found[0]));
    if (!isOther) found.push(id);
    else if (found.length > 0 && !connectors.has(word.toLowerCase())) break;
    // A few words may lead to the first one: "both task-1 and task-2".
    else if (found.length === 0 && ++before > 3) break;
  }
  return found;
}

const kindOf = (id: string): string =>
  /^task-/i.test(id) ? "task-" : id.slice(0, id.search(/\d/)).toLowerCase();
