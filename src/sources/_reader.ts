import { nearest } from "../core/nearest.ts";
import type { Path } from "../core/yaml-place.ts";
import type { Parsed } from "./_document.ts";
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
