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

export interface TaskStatus {
  readonly id: string;
  /** What stands between the brackets. */
  readonly status: string;
}

/** The status of every task line that has one, line by line. */
export function statusesIn(text: string): TaskStatus[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const task = taskIn(line);
    return task?.marker === undefined ? [] : [{ id: task.id, status: task.marker.slice(1, -1) }];
  });
}

export const isStatus = (status: string): boolean => /^[ /PxFC]$/.test(status);

/** By the resolved name or by the given one: a link must not hide either. */
export const isProgress = (...paths: readonly string[]): boolean =>
  paths.some((path) => /(?:^|[\\/])progress\.md[\\/]*$/i.test(path));

/**
 * A list item whose text, after an optional bracket group, starts with `task-`. Step by step instead of by one
 * pattern, which would take its time over a long run of blanks.
 */
function taskIn(line: string): { marker: string | undefined; id: string } | undefined {
  const item = /^(?:[-*+]|\d{1,9}[.)])/.exec(line.trimStart());
  if (!item) return undefined;
  const text = line.trimStart().slice(item[0].length).trimStart();
  const marker = text.startsWith("[") ? /^\[[^\]]*\]/.exec(text)?.[0] : undefined;
  const rest = text.slice(marker?.length ?? 0).trimStart();
  return rest.startsWith("task-") ? { marker, id: /^task-[\w-]*/.exec(rest)?.[0] ?? "task-" } : undefined;
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
