import { defineInstall, limitSeconds, type Layout } from "../../core/install.ts";
import { wrongSetting } from "./settings.ts";

const managed: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "/Library/Application Support/ClaudeCode",
  win32: "C:/Program Files/ClaudeCode",
};
// For anything else, and for a setting of the wrong kind, `-p` leaves the whole file out and goes on (observed with 2.1.325).
const layout: Layout = { kind: "json", fresh: {}, reads: ["a mark"], spoilt: wrongSetting };

export default defineInstall({
  files: ({ root, home, platform, env }) => ({
    repo: { path: `${root}/.claude/settings.json`, layout },
    user: { path: `${env("CLAUDE_CONFIG_DIR") || `${home}/.claude`}/settings.json`, layout },
    // A file of its own beside managed-settings.json; both are read.
    managed: {
      path: `${managed[platform] ?? "/etc/claude-code"}/managed-settings.d/hookline.json`,
      own: true,
      layout,
    },
  }),
  signs: {
    repo: [".claude", "CLAUDE.md", "CLAUDE.local.md"],
    home: ({ home, env }) => [env("CLAUDE_CONFIG_DIR") || `${home}/.claude`, `${home}/.claude.json`],
    programs: ["claude"],
  },
  // Not WorktreeCreate, which would replace the host's own way of making worktrees, and not MessageDisplay, which comes with every line.
  events: {
    SessionStart: "tell",
    UserPromptSubmit: "gate",
    PreToolUse: "gate",
    PermissionRequest: "gate",
    PostToolUse: "tell",
    PostToolUseFailure: "tell",
    SubagentStart: "tell",
    SubagentStop: "tell",
    PreCompact: "tell",
    Notification: "tell",
    // Settings that change during a session may switch hooks off (observed with 2.1.325).
    ConfigChange: "gate",
    StopFailure: "tell",
    Stop: "tell",
    SessionEnd: "tell",
  },
  // The shell form: Copilot reads this file too, and takes the form with `args` for a failure (observed with 1.0.102).
  shell: ["$SHELL", "-c"],
  entry: (event, purpose, { posix }) => ({
    ...(/Tool|Permission/.test(event) ? { matcher: "*" } : {}),
    hooks: [
      {
        type: "command",
        command: posix,
        timeout: limitSeconds,
        ...(purpose === "gate" ? { onFailure: "block" } : {}),
      },
    ],
  }),
});
