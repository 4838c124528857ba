import type { World } from "../core/world.ts";
import { iterationFiles } from "./ralph-layout.ts";
import { sectionsIn } from "./markdown.ts";

/** What the six markers mean; the legend of a `progress.md` says the same. */
export const legend = {
  " ": "Not started",
  "/": "In progress",
  P: "Pending review",
  x: "Completed",
  F: "Failed",
  C: "Cancelled",
} as const;

export type Status = keyof typeof legend;

export const isStatus = (status: string): status is Status => Object.hasOwn(legend, status);

export interface TaskStatus {
  readonly id: string;
  /** What stands between the brackets. */
  readonly status: string;
}

export interface ProgressLine extends TaskStatus {
  /** Counted from 1. */
  readonly line: number;
  /** What follows the id: `(Attempt 1, Iteration 1, started: …)`. */
  readonly note: string;
}

export interface Progress {
  /** Headings of the second level. */
  readonly sections: readonly string[];
  /** All of them: failed attempts stay as history. */
  readonly tasks: readonly ProgressLine[];
  /** `plan-…` lines. */
  readonly planning: readonly ProgressLine[];
  /** The markers its legend explains. */
  readonly legend: readonly string[];
}

export function readProgress(text: string): Progress {
  const lines = text.split(/\r?\n/).flatMap((line, at) => {
    const found = itemIn(line);
    return found?.marker === undefined
      ? []
      : [{ id: found.id, status: found.marker.slice(1, -1), note: found.note, line: at + 1 }];
  });
  return {
    sections: sectionsIn(text)
      .filter(({ level }) => level === 2)
      .map(({ title }) => title),
    tasks: lines.filter(({ id }) => id.startsWith("task-")),
    planning: lines.filter(({ id }) => id.startsWith("plan-")),
    legend: [...text.matchAll(/^[ \t]*[-*+][ \t]+`\[(.)\]`/gmu)].map((match) => match[1] ?? ""),
  };
}

/** The progress of an iteration, or of a session older than iterations; nothing if it has none yet. */
export function progressOf(session: string, iteration: number, world: World): Progress | undefined {
  const text =
    world.read(iterationFiles(session, iteration).progress) ?? world.read(`${session}/progress.md`);
  return text === undefined ? undefined : readProgress(text);
}

/** Each task with its last line: what it is now. */
export function currentStatuses(lines: readonly ProgressLine[]): ReadonlyMap<string, ProgressLine> {
  return new Map(lines.map((line) => [line.id, line]));
}

/** The status of every task line that has one, line by line. */
export const statusesIn = (text: string): TaskStatus[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const task = taskIn(line);
    return task?.marker === undefined ? [] : [{ id: task.id, status: task.marker.slice(1, -1) }];
  });

/** A list item whose text, after an optional bracket group, starts with `task-`. */
export function taskIn(line: string): { marker: string | undefined; id: string } | undefined {
  const found = itemIn(line);
  return found?.id.startsWith("task-") === true ? found : undefined;
}

/** Step by step instead of by one pattern, which would take its time over a long run of blanks. */
function itemIn(line: string): { marker: string | undefined; id: string; note: string } | undefined {
  const item = /^(?:[-*+]|\d{1,9}[.)])/.exec(line.trimStart());
  if (!item) return undefined;
  const text = line.trimStart().slice(item[0].length).trimStart();
  const marker = text.startsWith("[") ? /^\[[^\]]*\]/.exec(text)?.[0] : undefined;
  const rest = text.slice(marker?.length ?? 0).trimStart();
  const id = /^(?:task|plan)-[\w-]*/.exec(rest)?.[0];
  return id === undefined ? undefined : { marker, id, note: rest.slice(id.length).trim() };
}

/**
 * The text with another status for a task or planning line, and another note if one is given. Of several lines of an id the
 * last one counts; nothing when there is none.
 */
export function withStatus(text: string, id: string, status: Status, note?: string): string | undefined {
  const lines = text.split("\n");
  const at = lines.findLastIndex((line) => {
    const found = itemIn(line);
    return found?.id === id && found.marker !== undefined;
  });
  const line = lines[at];
  if (line === undefined) return undefined;
  const [marker = "[ ]", end] = [itemIn(line)?.marker, line.endsWith("\r") ? "\r" : ""];
  const changed = line.replace(marker, () => `[${status}]`);
  const head = changed.slice(0, changed.indexOf(id) + id.length);
  lines[at] = note === undefined ? changed : `${head}${note === "" ? "" : ` ${note}`}${end}`;
  return lines.join("\n");
}

/** A `progress.md` to begin an iteration with. */
export function newProgress(iteration: number, tasks: readonly string[] = []): string {
  const planning =
    iteration === 1
      ? ["plan-init", "plan-brainstorm", "plan-research", "plan-breakdown"]
      : ["plan-rebrainstorm", "plan-reresearch", "plan-update", "plan-rebreakdown"];
  const of = `(Iteration ${iteration})`;
  return [
    "# Progress",
    "",
    "## Legend",
    ...Object.entries(legend).map(([mark, meaning]) => `- \`[${mark}]\` ${meaning}`),
    "",
    `## ${iteration === 1 ? "Planning" : "Replanning"} Progress ${of}`,
    ...planning.map((id) => `- [ ] ${id}`),
    "",
    `## Implementation Progress ${of}`,
    ...tasks.map((id) => `- [ ] ${id}`),
    "",
    "## Iterations",
    "| Iteration | Status | Tasks | Feedbacks |",
    "|---|---|---|---|",
    `| ${iteration} | in progress | ${tasks.length} | 0 |`,
    "",
  ].join("\n");
}
