import type { Board } from "../pipeline/board.ts";
import { paint, table } from "./_table.ts";

const marks: Readonly<Record<string, string>> = {
  completed: "✓",
  skipped: "–",
  in_progress: "▶",
  awaiting_human: "‖",
  failed: "✗",
  abandoned: "✗",
};

/** The board as a person reads it. */
export function showBoard(board: Board): string {
  const head = [
    ["Pipeline", board.name ?? "without a name"],
    ["Workspace", board.workspace],
    ["Phase", `${board.phase} (${board.status})`],
    ["Effort", [board.effort ?? "not set", board.flow === null ? "" : `(${board.flow})`].join(" ").trim()],
    ...(board.branch === null ? [] : [["Branch", board.branch]]),
    ["Updated", board.updated || "unknown"],
  ];
  const rows = board.phases.map(({ id, label, status, artifact, present }) => [
    `  ${marks[status] ?? "·"}`,
    id,
    label,
    status,
    present
      ? (artifact ?? "")
      : artifact === null || status === "skipped"
        ? ""
        : paint(`${artifact} is not there`, "dim"),
  ]);
  const tasks = board.tasks.map(({ id, title, mode, impl, review }) => [
    `  ${id}`,
    title ?? "",
    mode ?? "",
    impl ?? "pending",
    `review ${review ?? "pending"}`,
  ]);
  return [
    table(head),
    "",
    table(rows),
    ...(tasks.length === 0 ? [] : ["", "Tasks", table(tasks)]),
    ...(board.status === "awaiting_human" ? ["", "It waits for a person: hookline pipeline approve."] : []),
  ].join("\n");
}
