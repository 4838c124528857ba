/** One place where a file breaks its schema. */
export interface Violation {
  readonly severity: "block" | "warn";
  readonly text: string;
  readonly field: string;
  readonly expected: string;
  readonly actual: string;
}

const allowed = "[ ], [/], [P], [x], [F], [C]";
// A list item whose text, after an optional bracket group, starts with `task-`.
const taskLine = /^\s*(?:[-*+]|\d+[.)])\s*(\[[^\]]*\])?\s*(task-[\w-]*)/u;
const wellFormed = /^\s*- \[([ /PxFC])\] task-\d+/u;
const oneMarker = /^\[(?:.)\]$/u;

export function checkProgress(text: string): Violation[] {
  const found: Violation[] = [];
  const seen = new Set<string>();
  for (const line of text.split(/\r?\n/)) {
    const match = taskLine.exec(line);
    if (!match) continue;
    const marker = match[1];
    const id = match[2] ?? "";
    if (!wellFormed.test(line)) found.push(malformed(line, marker, id));
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
