import { LineCounter } from "yaml";
import { parseYaml } from "../../core/yaml-parse.ts";
import { offsetOf, type Path } from "../../core/yaml-place.ts";
import { readText } from "../../platform/files.ts";
import type { Workflow } from "../../workflow/declared/model.ts";

/** `hookline.yaml:12:3`, for a place in a workflow; nothing when it stands in none of the files. */
export function placeFinder(
  files: readonly string[],
): (workflow: Workflow, path: Path) => string | undefined {
  const read = new Map<string, ReturnType<typeof readFile>>();
  const fileOf = (file: string) => {
    const known = read.get(file) ?? readFile(file);
    read.set(file, known);
    return known;
  };
  return ({ name, file, bare }, path) => {
    const place = bare ? [] : ["workflows", name];
    const from = file ?? files.findLast((each) => fileOf(each)?.document.hasIn(bare ? [name] : place));
    const found = from === undefined ? undefined : fileOf(from);
    if (from === undefined || !found) return undefined;
    const whole = file === undefined ? [...place, ...path] : path;
    const { line, col } = found.lines.linePos(offsetOf(found.document, whole));
    return `${from}:${line}:${col}`;
  };
}

function readFile(file: string) {
  const text = readText(file, 4 * 1024 * 1024);
  if (text === undefined) return undefined;
  const lines = new LineCounter();
  return {
    lines,
    document: parseYaml(text, lines),
  };
}
