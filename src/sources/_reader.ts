import type { Match } from "../core/hook.ts";
import { isObject } from "../core/json.ts";
import { nearest } from "../core/nearest.ts";
import type { Path } from "../core/yaml-place.ts";
import type { Parsed } from "../core/yaml-document.ts";
import { dearest, patternCost } from "./_pattern-cost.ts";
import type { HookFile, HookProblem, HookProblemCode } from "./source.ts";

/** Where what is wrong is told. */
export interface Reports {
  readonly error: (path: Path, code: HookProblemCode, text: string, hint: string) => undefined;
  readonly warn: (path: Path, code: HookProblemCode, text: string, hint: string) => undefined;
  readonly lineOf: (path: Path) => number;
}

/** Collects what is wrong with one file, each with its line. */
export interface Reader extends Reports {
  readonly problems: HookProblem[];
  /** Whether an error was found since. */
  hasErrors(): boolean;
}

export function readerOf({ file }: HookFile, parsed: Parsed): Reader {
  const problems: HookProblem[] = [];
  const report =
    (level: HookProblem["level"]) =>
    (path: Path, code: HookProblemCode, text: string, hint: string): undefined => {
      const key = path.join(".");
      const said = key === "" ? text : `${key}: ${text}`;
      problems.push({ file, line: parsed.lineOf(path), level, text: said, hint, code });
    };
  return {
    problems,
    error: report("error"),
    warn: report("warning"),
    lineOf: (path) => parsed.lineOf(path),
    hasErrors: () => problems.some(({ level }) => level === "error"),
  };
}

/** What a file that is no YAML or JSON at all comes to. */
export const unreadable = (
  { file }: HookFile,
  { line, text }: NonNullable<Parsed["error"]>,
): HookProblem => ({
  file,
  line,
  level: "error",
  text,
  hint: "Mend the file; none of its hooks run until then.",
  code: "HL_HOOK_SYNTAX",
});

/** One of some names by the format's own table, or a report with the nearest one. */
export function eventOf(
  value: unknown,
  events: Readonly<Record<string, string>>,
  path: Path,
  reader: Reports,
): string | undefined {
  if (typeof value === "string" && Object.hasOwn(events, value)) return events[value];
  const names = Object.keys(events);
  const near = typeof value === "string" ? nearest(value, names) : undefined;
  return reader.error(
    path,
    "HL_HOOK_EVENT",
    `unknown event ${JSON.stringify(value)}`,
    `${near === undefined ? "" : `Did you mean "${near}"? `}Expected one of ${names.join(", ")}.`,
  );
}

/** A positive number of the format's unit, in milliseconds. */
export function timeoutOf(
  value: unknown,
  unit: "ms" | "s",
  usual: number,
  path: Path,
  reader: Reports,
): number {
  if (value === undefined || value === null) return usual;
  if (typeof value !== "number" || !(value > 0) || !Number.isFinite(value)) {
    reader.error(
      path,
      "HL_HOOK_TIMEOUT",
      `${JSON.stringify(value)} is no time limit`,
      `Expected a positive number of ${unit === "s" ? "seconds" : "milliseconds"}.`,
    );
    return usual;
  }
  // Never converted in silence: what is written counts, and whoever wrote it is told.
  if (unit === "s" && value >= 1000)
    reader.warn(
      path,
      "HL_HOOK_TIMEOUT",
      `${value} seconds; were milliseconds meant?`,
      `This format counts in seconds: ${value / 1000} would be ${value} ms.`,
    );
  if (unit === "ms" && value < 100)
    reader.warn(
      path,
      "HL_HOOK_TIMEOUT",
      `${value} milliseconds; were seconds meant?`,
      `This format counts in milliseconds: ${value * 1000} would be ${value} s.`,
    );
  return Math.min(unit === "s" ? value * 1000 : value, longest);
}

/** A day: what a timer can hold with ease. */
const longest = 86_400_000;

export const textsOf = (value: unknown): readonly string[] | undefined => {
  if (typeof value === "string") return [value];
  return Array.isArray(value) && value.every((each) => typeof each === "string") ? value : undefined;
};

/** `true` or `false`, or a report: a misspelt one must not quietly mean the other. */
export function flagOf(value: unknown, usual: boolean, path: Path, reader: Reports): boolean {
  if (value === undefined) return usual;
  if (typeof value === "boolean") return value;
  reader.error(
    path,
    "HL_HOOK_FIELD",
    `${JSON.stringify(value)} is neither true nor false`,
    "Expected true or false.",
  );
  return usual;
}

/** Names of environments; without any it is all of them. */
export function environmentsOf(value: unknown, path: Path, reader: Reports): readonly string[] | undefined {
  if (value === undefined) return undefined;
  return (
    textsOf(value) ??
    reader.error(
      path,
      "HL_HOOK_FIELD",
      "neither a name nor a list of names",
      "Expected for example `[dev, staging]`.",
    )
  );
}

/** Patterns of a condition. One that cannot be read is a mistake, not a condition that always holds. */
export function globsOf(value: unknown, path: Path, reader: Reports): readonly string[] | undefined {
  if (value === undefined) return undefined;
  return (
    textsOf(value) ??
    reader.error(
      path,
      "HL_HOOK_MATCHER",
      "neither a pattern nor a list of patterns",
      'Expected for example "services/**".',
    )
  );
}

/** How long something took at least. */
export function leastOf(value: unknown, path: Path, reader: Reports): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number" && value >= 0) return value > 0 ? value : undefined;
  return reader.error(
    path,
    "HL_HOOK_MATCHER",
    `${JSON.stringify(value)} is no duration`,
    "Expected a number of milliseconds.",
  );
}

/** Fields of the payload by their dotted paths, each with the values it may have. */
export function fieldsOf(value: unknown, path: Path, reader: Reports): Match["fields"] {
  if (value === undefined || value === null) return undefined;
  const wrong = (): undefined =>
    reader.error(
      path,
      "HL_HOOK_MATCHER",
      "not an object of texts",
      'Expected for example {"tool_name": "Bash"}.',
    );
  if (!isObject(value)) return wrong();
  const fields: Record<string, readonly (string | number | boolean)[]> = {};
  for (const [key, wanted] of Object.entries(value)) {
    const list: unknown[] = Array.isArray(wanted) ? wanted : [wanted];
    if (!list.every(isPlain)) return wrong();
    fields[key] = list;
  }
  return fields;
}

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

/** An address that something can be posted to. */
export const isAddress = (value: unknown): value is string =>
  typeof value === "string" && /^https?:$/.test(URL.parse(value)?.protocol ?? "");

const longestPattern = 10_000;

/** A pattern, checked: a bad one is a mistake, not a match for everything. */
export function patternOf(value: string, path: Path, reader: Reports): string | undefined {
  try {
    if (new RegExp(value).source === "") return undefined;
    if (value.length <= longestPattern && patternCost(value) <= dearest) return value;
    return reader.error(
      path,
      "HL_HOOK_MATCHER",
      "a regular expression that could take for ever",
      "Write it without a repeated group that has a choice in it, and with no more than three of `*` and `+`.",
    );
  } catch (error) {
    return reader.error(
      path,
      "HL_HOOK_MATCHER",
      `not a regular expression (${error instanceof Error ? error.message : String(error)})`,
      "Expected a JavaScript regular expression over tool names, for example `Write|Edit`.",
    );
  }
}
