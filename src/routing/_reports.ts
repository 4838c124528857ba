import { nearest } from "../core/nearest.ts";
import { plainText } from "../core/plain-name.ts";
import type { Json } from "../core/json.ts";
import type { Parsed } from "../core/yaml-document.ts";
import type { Path } from "../core/yaml-place.ts";
import type { RoutingCode, RoutingProblem } from "./problem.ts";

/** Where the mistakes of one YAML text are told, each with its line. */
export interface Reports {
  readonly file: string;
  readonly problems: RoutingProblem[];
  lineOf(path: Path): number;
  error(path: Path, code: RoutingCode, text: string, hint: string): undefined;
  warn(path: Path, code: RoutingCode, text: string, hint: string): undefined;
}

/** `above`: how many lines of the file stand before the text that was parsed. */
export function reportsOf(file: string, parsed: Parsed, above = 0): Reports {
  const problems: RoutingProblem[] = [];
  const lineOf = (path: Path): number => parsed.lineOf(path) + above;
  const report =
    (level: RoutingProblem["level"]) =>
    (path: Path, code: RoutingCode, text: string, hint: string): undefined => {
      const key = path.join(".");
      problems.push({
        file,
        line: lineOf(path),
        level,
        text: key === "" ? text : `${key}: ${text}`,
        hint,
        code,
      });
    };
  return { file, problems, lineOf, error: report("error"), warn: report("warning") };
}

/** What a text that is no YAML comes to. */
export const notYaml = (
  file: string,
  { line, text }: NonNullable<Parsed["error"]>,
  above = 0,
): RoutingProblem => ({
  file,
  line: line + above,
  level: "error",
  text,
  hint: "Mend the YAML; until then nothing of it counts.",
  code: "HL_ROUTING_SYNTAX",
});

/** A key that is nearly one of ours is a mistake; any other is somebody's own. */
export function misspelt(value: Json, known: readonly string[], path: Path, reports: Reports): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const near = nearest(key, known);
    if (near !== undefined)
      reports.warn([...path, key], "HL_ROUTING_FIELD", "unknown key", `Did you mean "${near}"?`);
  }
}

const inOneLine = (text: string): string => plainText(text.trim().replace(/\s+/g, " "));

/** A text, or nothing where it is not given. Anything else is reported. */
export function textAt(value: Json, key: string, path: Path, reports: Reports): string | undefined {
  const given = value[key];
  if (given === undefined || given === null) return undefined;
  if (typeof given === "string") return inOneLine(given);
  if (typeof given === "number" || typeof given === "boolean") return String(given);
  return reports.error([...path, key], "HL_ROUTING_FIELD", "not a text", "Expected a text.");
}

/** A list of texts, also given as one text; empty where it is not given. */
export function textsAt(value: Json, key: string, path: Path, reports: Reports): readonly string[] {
  const given = value[key];
  if (given === undefined || given === null) return [];
  const all: unknown[] = Array.isArray(given) ? given : [given];
  return all.flatMap((each, at) => {
    if (typeof each === "string") return [inOneLine(each)].filter((text) => text !== "");
    if (typeof each === "number") return [String(each)];
    reports.error(
      Array.isArray(given) ? [...path, key, at] : [...path, key],
      "HL_ROUTING_FIELD",
      "not a text",
      "Expected a text or a list of texts.",
    );
    return [];
  });
}
