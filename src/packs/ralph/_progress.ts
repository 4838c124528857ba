import { taskIn } from "../../workflow/ralph-progress.ts";

/** One place where a file breaks its schema. */
export interface Violation {
  readonly severity: "block" | "warn";
  readonly text: string;
  readonly field: string;
  readonly expected: string;
  readonly actual: string;
}

export const allowed = "[ ], [/], [P], [x], [F], [C]";
const wellFormed = /^- \[([ /PxFC])\] task-\d+/u;
const oneMarker = /^\[(?:.)\]$/u;

export function checkProgress(text: string): Violation[] {
  const found: Violation[] = [];
  const seen = new Set<string>();
  for (const line of text.split(/\r?\n/)) {
    const task = taskIn(line);
    if (!task) continue;
    const { marker, id } = task;
    if (!wellFormed.test(line.trimStart())) found.push(malformed(line, marker, id));
    else if (seen.has(id)) {
      found.push({
        severity: "warn",
        text: `Duplicate task id ${id}`,
        field: id,
        expected: "each task id once",
        actual: "several lines",
      });
    }
    seen.add(id);
  }
  return found;
}

/** By the resolved name or by the given one: a link must not hide either. */
export const isProgress = (...paths: readonly string[]): boolean =>
  paths.some((path) => /(?:^|[\\/])progress\.md[\\/]*$/i.test(path));

function malformed(line: string, marker: string | undefined, id: string): Violation {
  const isWrongStatus = marker !== undefined && oneMarker.test(marker) && !/^\[[ /PxFC]\]$/.test(marker);
  if (isWrongStatus) {
    return {
      severity: "block",
      text: `Invalid status '${marker}' for ${id}. Allowed: ${allowed}`,
      field: `${id}.status`,
      expected: allowed,
      actual: marker,
    };
  }
  const actual = line.trim().slice(0, 120);
  const expected = "- [<status>] task-<number>";
  return {
    severity: "block",
    text: `Malformed task line '${actual}'. Expected: ${expected}`,
    field: id,
    expected,
    actual,
  };
}
