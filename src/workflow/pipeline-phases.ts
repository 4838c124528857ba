/** The phases of a pipeline in order, each with what people call it. `completed` stands behind the last one. */
const labels = {
  setup: "Setup",
  "phase-1": "Situation Analysis",
  "phase-2": "Investigation",
  "phase-3": "Design",
  "phase-3b": "Design Review",
  "checkpoint-a": "Design Checkpoint",
  "phase-4": "Task Decomposition",
  "phase-4b": "Tasks AI Review",
  "checkpoint-b": "Tasks Checkpoint",
  "phase-5": "Implementation",
  "phase-6": "Code Review",
  "phase-7": "Comprehensive Review",
  "final-verification": "Final Verification",
  "pr-creation": "PR Creation",
  "final-summary": "Final Summary",
  "post-to-source": "Post to Source",
  "final-commit": "Final Commit",
  completed: "Completed",
} as const;

export type Phase = keyof typeof labels;

export const phaseLabels: Readonly<Record<Phase, string>> = labels;

// Keys of an object literal come in the order they are written.
export const phases = Object.keys(labels) as readonly Phase[];

export const isPhase = (name: string): name is Phase => Object.hasOwn(labels, name);

/** What must be in the workspace before a phase can be completed. */
export const artifacts: Readonly<Partial<Record<Phase, string>>> = {
  "phase-1": "analysis.md",
  "phase-2": "investigation.md",
  "phase-3": "design.md",
  "phase-3b": "review-design.md",
  "phase-4": "tasks.md",
  "phase-4b": "review-tasks.md",
  "phase-7": "comprehensive-review.md",
  "final-summary": "summary.md",
};

export const statuses = [
  "pending",
  "in_progress",
  "completed",
  "failed",
  "awaiting_human",
  "abandoned",
] as const;
export type PhaseStatus = (typeof statuses)[number];
