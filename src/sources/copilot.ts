import { basename } from "node:path";
import { plainName } from "../core/plain-name.ts";
import { loadNested } from "./_nested.ts";
import type { Source } from "./source.ts";

/** Both spellings; a key in camelCase is answered and told in camelCase. */
const events = {
  sessionStart: "SessionStart",
  sessionEnd: "SessionEnd",
  userPromptSubmitted: "UserPromptSubmit",
  preToolUse: "PreToolUse",
  permissionRequest: "PermissionRequest",
  postToolUse: "PostToolUse",
  postToolUseFailure: "PostToolUseFailure",
  notification: "Notification",
  subagentStart: "SubagentStart",
  subagentStop: "SubagentStop",
  preCompact: "PreCompact",
  agentStop: "Stop",
  errorOccurred: "ErrorOccurred",
} as const;

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** `.github/hooks/*.json`. */
export const copilot: Source = {
  name: "copilot",
  files: [".github/hooks/*.json"],
  load: (file) =>
    loadNested(file, {
      source: "copilot",
      events: {
        ...events,
        ...Object.fromEntries(Object.entries(events).map(([name, ours]) => [pascal(name), ours])),
        UserPromptSubmit: "UserPromptSubmit",
        Stop: "Stop",
      },
      prefix: `${plainName(basename(file.file, ".json"))}/`,
      usualTimeout: 30_000,
      folder: file.root,
      profileOf: (event) => (Object.hasOwn(events, event) ? "copilot" : "plugin"),
      matcherOf: (matcher) => `^(?:${matcher})$`,
      // There, a hook before a tool that errs denies.
      failsClosed: (event) => event === "PreToolUse",
    }),
};
