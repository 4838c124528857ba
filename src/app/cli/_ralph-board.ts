import { legend } from "../../workflow/ralph-progress.ts";
import { paint, table } from "./_table.ts";
import type { Board } from "../ralph/board.ts";

/** The board as a person reads it. */
export function showBoard(board: Board): string {
  const { signals } = board;
  const head = [
    ["Session", board.session],
    ["State", [board.state ?? "unknown", board.status ? `(${board.status})` : ""].join(" ").trim()],
    ["Iteration", board.iteration === null ? "none yet" : String(board.iteration)],
    ["Version", `${board.version ?? "?"}${board.updated_at === null ? "" : `, updated ${board.updated_at}`}`],
  ];
  const trouble = [
    ...(board.trouble === null ? [] : [`metadata.yaml cannot be read: ${board.trouble}`]),
    ...(signals.paused === null ? [] : [`Paused by ${signals.paused}; APPROVE, SKIP or STEER goes on.`]),
    ...(signals.aborted === null ? [] : [`Aborted by ${signals.aborted}.`]),
    ...board.overdue.map(
      ({ task, minutes, limit }) =>
        `${task} is in progress for ${minutes} minutes, and ${limit} are allowed: call the reviewer with MODE: TIMEOUT_FAIL.`,
    ),
    ...board.recovery.map(
      ({ key, decision, failures }) =>
        `Needs recovery: ${String(key)} (${String(decision)} after ${String(failures)} failures).`,
    ),
  ];
  return [
    table(head),
    ...(trouble.length === 0 ? [] : ["", ...trouble.map((line) => `${paint("!", "yellow")} ${line}`)]),
    "",
    "Tasks",
    ...Object.entries(board.tasks).map(
      ([status, ids]) =>
        `  [${status}] ${(legend as Record<string, string>)[status]?.padEnd(15) ?? ""} ${ids.length === 0 ? "-" : ids.join(", ")}`,
    ),
    ...(board.planning.length === 0
      ? []
      : ["", `Planning  ${board.planning.map(({ id, status }) => `[${status}] ${id}`).join("  ")}`]),
    ...(board.waves.length === 0
      ? []
      : [
          "",
          "Waves",
          ...board.waves.map(
            (wave, at) =>
              `  ${at + 1}  ${wave.map(({ id, status }) => `[${status ?? "?"}] ${id}`).join("  ")}`,
          ),
        ]),
    "",
    `Signals   ${signals.pending.length} pending, ${signals.processed} handled${signals.broken.length === 0 ? "" : `, ${signals.broken.length} unreadable`}`,
    ...signals.pending.map(
      ({ name, type, target, message }) => `  ${name}  ${type} for ${target}: ${message}`,
    ),
    ...(board.feedbacks.length === 0 ? [] : [`Feedback  ${board.feedbacks.join(", ")}`]),
    `Denials   ${board.denials.count}${board.denials.last.map(({ rule, tool }) => `\n  ${String(rule)} (${String(tool)})`).join("")}`,
    `Failures  ${board.errors} errors, ${board.timeouts} timeouts, ${board.hook_errors} of hooks, ${board.snapshots} snapshots`,
    "",
    paint(board.label, "dim"),
  ].join("\n");
}
