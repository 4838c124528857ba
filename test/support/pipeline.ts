import { workspace, type Ran, type Workspace } from "./hookline.ts";

export const spec = ".specs/test-pipeline";

/** The state of a pipeline, as its engine writes it. */
export const state = (
  phase: string,
  status = "in_progress",
  more: Readonly<Record<string, unknown>> = {},
): string =>
  JSON.stringify({
    version: 1,
    specName: "test-pipeline",
    workspace: spec,
    currentPhase: phase,
    currentPhaseStatus: status,
    timestamps: { lastUpdated: "2026-01-15T10:00:00Z" },
    ...more,
  });

export const tasks = (mode: string, count = 1): { tasks: Record<string, object> } => ({
  tasks: Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      String(at + 1),
      { title: `task ${at + 1}`, executionMode: mode, implStatus: "in_progress" },
    ]),
  ),
});

export const scripts = ["pre-tool-hook", "post-agent-hook", "post-bash-hook", "stop-hook"] as const;
export type Script = (typeof scripts)[number];

/** How a script is called, given a workspace. */
export type Calling = (ws: Workspace, script: Script, payload: object | string) => Promise<Ran>;

const events: Record<Script, string> = {
  "pre-tool-hook": "PreToolUse",
  "post-agent-hook": "PostToolUse",
  "post-bash-hook": "PostToolUse",
  "stop-hook": "Stop",
};

export const byRun: Calling = (ws, script, payload) =>
  ws.run(["run", "--as", "pipeline", "--event", events[script]], payload, { CLAUDE_PROJECT_DIR: ws.root });

/** A workspace with a pipeline at this phase, and nothing else. */
export const at = (
  phase: string,
  status?: string,
  more?: Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, string>> = {},
): Workspace => workspace({ [`${spec}/state.json`]: state(phase, status, more), ...files });
