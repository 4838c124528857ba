import { LineCounter } from "yaml";
import { parseYaml } from "./yaml-parse.ts";
import { offsetOf, type Path } from "./yaml-place.ts";

/** A file of YAML or JSON: its value, and where each part of it stands. */
export interface Parsed {
  readonly value: unknown;
  readonly lineOf: (path: Path) => number;
  readonly error?: { readonly line: number; readonly text: string };
}

/** Reads YAML, and JSON as the YAML it is, since that parser knows where everything stands. */
export function parseText(text: string): Parsed {
  const lines = new LineCounter();
  const document = parseYaml(text, lines);
  const lineOf = (path: Path): number => lines.linePos(offsetOf(document, path)).line;
  const [first] = document.errors;
  if (first) {
    const line = lines.linePos(first.pos[0]).line;
    const text = first.code === "MULTIPLE_DOCS" ? "more than one document" : inWords(first);
    return { value: undefined, lineOf, error: { line, text } };
  }
  try {
    return { value: document.toJS({ maxAliasCount: 100 }), lineOf };
  } catch (error) {
    return { value: undefined, lineOf, error: { line: 1, text: inWords(error) } };
  }
}

/** What the parser says, and in plain words what it says of texts that were made to exhaust it. */
function inWords(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  if (/^Maximum call stack/.test(said)) return "nested too deeply";
  if (/^Excessive alias count/.test(said)) return "its aliases would become more than anybody could read";
  return said.split("\n")[0] ?? said;
}

/** Reads JSON. YAML forgives what JSON does not, and agents read these files as JSON. */
export function parseJson(text: string): Parsed {
  const parsed = parseText(text.replaceAll("\t", " "));
  try {
    const { lineOf } = parsed;
    return { value: JSON.parse(text.replace(/^\uFEFF/, "")), lineOf };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return { ...parsed, value: undefined, error: parsed.error ?? { line: 1, text: `not JSON (${said})` } };
  }
}
