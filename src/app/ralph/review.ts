import { sectionsIn } from "../../workflow/markdown.ts";
import { iterationFiles, sessionFiles } from "../../workflow/ralph-layout.ts";
import type { Session } from "../signals.ts";
import { boardOf } from "./board.ts";

const sections = [
  "Overall Assessment",
  "Iteration Summary",
  "Goal Achievement",
  "Gaps",
  "Feedback Loop Effectiveness",
  "Recommendations",
  "Next Actions",
];

export interface Finding {
  /** What keeps the session from being reviewed, or what a reviewer should look at. */
  readonly kind: "gate" | "attention";
  readonly text: string;
}

/** Whether a session may be reviewed, and what its logs hold for the one who reviews it. */
export function reviewOf(session: Session) {
  const { root, id, world } = session;
  const board = boardOf(session);
  const { iteration, tasks } = board;
  const open = [" ", "/", "P"].flatMap((status) =>
    (tasks[status] ?? []).map((task) => `${task} [${status}]`),
  );
  const findings: Finding[] = [];
  const say = (kind: Finding["kind"], text: string): number => findings.push({ kind, text });
  if (open.length > 0) say("gate", `SESSION_REVIEW is closed while tasks remain: ${open.join(", ")}`);
  if (Object.values(tasks).every((ids) => ids.length === 0)) say("gate", "progress.md has no task");
  if (board.signals.pending.length > 0) say("attention", `${board.signals.pending.length} signals wait`);
  for (const each of board.recovery)
    say(
      "attention",
      `${String(each.key)} was given up or flagged after ${String(each.failures)} failures (${String(each.decision)})`,
    );
  if ((tasks["F"] ?? []).length > 0) say("attention", `failed: ${(tasks["F"] ?? []).join(", ")}`);
  if (board.denials.count > 0)
    say("attention", `${board.denials.count} calls were refused (logs/policy-denials.jsonl)`);
  if (board.hook_errors > 0) say("attention", `${board.hook_errors} hooks failed (logs/hook-errors.jsonl)`);
  const path =
    iteration === null ? undefined : iterationFiles(sessionFiles(root, id).folder, iteration).review;
  const text = path === undefined ? undefined : world.read(path);
  const titles = text === undefined ? [] : sectionsIn(text).map(({ title }) => title.toLowerCase());
  const missing =
    text === undefined
      ? []
      : sections.filter((name) => !titles.some((title) => title.startsWith(name.toLowerCase())));
  for (const name of missing) say("attention", `review.md lacks the section '${name}'`);
  return {
    session: id,
    iteration,
    state: board.state,
    open: open.length === 0,
    written: text !== undefined,
    tasks,
    findings,
    label: board.label,
  };
}
