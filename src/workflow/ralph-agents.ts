const roles = ["planner", "questioner", "executor", "reviewer", "librarian"] as const;

/** Versions and runtimes stand around the role in a name: `Ralph-v2-Executor`, `Ralph-Executor`. */
export const hasRole = (agent: string, role: (typeof roles)[number]): boolean =>
  agent.toLowerCase().includes(role);

/** One of the workflow's subagents; its orchestrator takes no mode. */
export const isRalphSubagent = (agent: string): boolean =>
  /ralph/i.test(agent) && roles.some((role) => hasRole(agent, role));
