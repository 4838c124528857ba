/** Who works in a session. */
export const roles = ["Orchestrator", "Planner", "Questioner", "Executor", "Reviewer", "Librarian"] as const;

export type Role = (typeof roles)[number];

/**
 * The role behind an agent's name, whatever version and runtime stand around it: `Ralph-v2-Executor`, `Ralph-Executor`,
 * `executor`. `Ralph-v2` alone is the orchestrator.
 */
export function roleOf(name: string): Role | undefined {
  const text = name
    .trim()
    .replace(/^@(?:agent\s+)?/i, "")
    .toLowerCase();
  const found = roles.find((role) => text.includes(role.toLowerCase()));
  if (found) return found;
  return /^ralph(?:[-_ ]?v\d+)?$/.test(text) ? "Orchestrator" : undefined;
}

/** One of the workflow's subagents; its orchestrator takes no mode. */
export function isRalphSubagent(name: string): boolean {
  const role = /ralph/i.test(name) ? roleOf(name) : undefined;
  return role !== undefined && role !== "Orchestrator";
}
