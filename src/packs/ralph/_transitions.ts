import { isStatus, type TaskStatus } from "../../workflow/ralph-progress.ts";

export interface StatusChange extends TaskStatus {
  /** Absent for a line that is new. */
  readonly from?: string;
}

/** The workflow's own steps that the list of valid paths leaves out. */
export const originTransitions = ["[P] -> [F]", "[F] -> [/]", "[F] -> [ ]", "[ ] -> [C]"] as const;

const validPaths: readonly string[] = ["[ ] -> [/]", "[/] -> [P]", "[/] -> [F]", "[P] -> [x]", "[P] -> [/]"];

/**
 * What became of the tasks. A task may have several lines, because failed attempts stay as history: a line that is still
 * there has not changed, and of the others the first becomes the first.
 */
export function changesBetween(before: readonly TaskStatus[], after: readonly TaskStatus[]): StatusChange[] {
  const kept = new Map<string, number>();
  for (const task of before) kept.set(nameOf(task), (kept.get(nameOf(task)) ?? 0) + 1);
  const other = after.filter((task) => {
    const left = kept.get(nameOf(task)) ?? 0;
    kept.set(nameOf(task), left - 1);
    return left <= 0;
  });
  const gone = new Map<string, string[]>();
  for (const task of before.toReversed()) {
    const left = kept.get(nameOf(task)) ?? 0;
    kept.set(nameOf(task), left - 1);
    if (left <= 0) continue;
    const statuses = gone.get(task.id);
    if (statuses) statuses.push(task.status);
    else gone.set(task.id, [task.status]);
  }
  return other.map((task) => {
    const from = gone.get(task.id)?.pop();
    return from === undefined ? task : { ...task, from };
  });
}

const nameOf = ({ id, status }: TaskStatus): string => `${status}] ${id}`;

/** What there is to say about steps that skip another, or lead back from where nothing leads back. */
export function transitionWarning(
  changes: readonly StatusChange[],
  extra: readonly string[],
): string | undefined {
  const expected = [...validPaths, ...extra];
  const unexpected = changes.flatMap(({ id, from, status }) => {
    const isStep = from !== undefined && isStatus(from) && isStatus(status) && from !== status;
    const step = `[${from ?? ""}] -> [${status}]`;
    return isStep && !expected.includes(step) ? [{ id, from, status, step }] : [];
  });
  if (unexpected.length === 0) return undefined;
  const said = unexpected.slice(0, 5).map(({ id, from, step }) => {
    const next = expected.filter((each) => each.startsWith(`[${from}]`)).map((each) => each.slice(-3));
    return `Unexpected status transition for ${id}: ${step}. Expected after [${from}]: ${next.join(" or ") || "no other status"}.`;
  });
  if (unexpected.length > 5) said.push(`And ${unexpected.length - 5} more.`);
  const origin = originTransitions.filter((each) => unexpected.some(({ step }) => step === each));
  if (origin.length > 0)
    said.push(
      `Ralph's own workflow uses ${origin.join(" and ")}: the option \`extra_transitions\` allows that, and is off by default.`,
    );
  return said.join(" ");
}
