import { loadNested } from "./_nested.ts";
import type { Source } from "./source.ts";

/** Names that are ours as well. */
const shared = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "PostToolUseFailure",
  "Notification",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
  "Stop",
  "SessionEnd",
];
/** Names that are only Claude Code's. */
const own = [
  "Setup",
  "UserPromptExpansion",
  "PermissionDenied",
  "PostToolBatch",
  "MessageDisplay",
  "TaskCreated",
  "TaskCompleted",
  "TeammateIdle",
  "PostCompact",
  "PreModelSwitch",
  "PostModelSwitch",
  "Elicitation",
  "ElicitationResult",
  "ConfigChange",
  "InstructionsLoaded",
  "CwdChanged",
  "FileChanged",
  "DirectoryAdded",
  "WorktreeCreate",
  "WorktreeRemove",
];
const events = {
  ...Object.fromEntries([...shared, ...own].map((name) => [name, name])),
  StopFailure: "ErrorOccurred",
};

/** `.claude/settings.json` and `settings.local.json`. */
export const claude: Source = {
  name: "claude",
  files: [".claude/settings.json", ".claude/settings.local.json"],
  load: (file) =>
    loadNested(file, {
      source: "claude",
      events,
      prefix: file.file.includes(".local.") ? "local/" : "",
      usualTimeout: 60_000,
      folder: file.root,
      profileOf: () => "plugin",
      matcherOf,
    }),
};

/** Names alone are a list of exact ones; anything else is a regular expression, unanchored. */
function matcherOf(matcher: string): string {
  if (!/^[\w\-, |]+$/.test(matcher)) return matcher;
  const names = matcher.split(/[|,]/).map((name) => oldNames[name.trim()] ?? name.trim());
  return `^(?:${names.filter(Boolean).join("|")})$`;
}

const oldNames: Readonly<Record<string, string>> = {
  Task: "Agent",
  KillShell: "TaskStop",
  KillBash: "TaskStop",
};
