const folder = ".ralph-sessions/260215-173319";

/** A session in a state, for examples. */
export const session = (
  state: string,
  progress = "",
  more: Record<string, string> = {},
): Record<string, string> => ({
  [`${folder}/metadata.yaml`]: `version: 1\niteration: 1\norchestrator:\n  state: ${state}\n`,
  ...(progress === "" ? {} : { [`${folder}/iterations/1/progress.md`]: `# Progress\n\n${progress}` }),
  ...Object.fromEntries(Object.entries(more).map(([name, text]) => [`${folder}/${name}`, text])),
});

/** An edit that takes the session to another state. */
export const writesMetadata = (from: string, to: string) => ({
  write: `${folder}/metadata.yaml`,
  edit: { old: `state: ${from}`, new: `state: ${to}` },
});

/** A batch of feedback nobody can object to. */
export const feedback =
  "---\niteration: 2\ntimestamp: 2026-02-16T10:15:00+07:00\n---\n\n# Feedback Batch: 20260216-101500\n\n## Critical Issues (Blockers)\n\n" +
  "- ISS-001: the login fails\n\n## Quality Issues (Non-blockers)\n\n## New Requirements Discovered\n\n## Artifacts Index\n\n" +
  "| File | Description |\n|---|---|\n| `app.log` | the failing run |\n";

export const batch = "iterations/2/feedbacks/20260216-101500";
