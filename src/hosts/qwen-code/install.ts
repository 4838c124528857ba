import { defineInstall, limitSeconds } from "../../core/install.ts";

const managed: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "/Library/Application Support/QwenCode/settings.json",
  win32: "C:/ProgramData/qwen-code/settings.json",
};
// For anything else it leaves the file out and goes on (observed with 0.24.4).
const layout = { kind: "json", fresh: {}, reads: ["comments", "a mark"] } as const;

export default defineInstall({
  files: ({ root, home, platform, env }) => ({
    repo: { path: `${root}/.qwen/settings.json`, layout },
    user: { path: `${env("QWEN_HOME") || `${home}/.qwen`}/settings.json`, layout },
    managed: {
      path: env("QWEN_CODE_SYSTEM_SETTINGS_PATH") || (managed[platform] ?? "/etc/qwen-code/settings.json"),
      layout,
    },
  }),
  signs: {
    repo: [".qwen", "QWEN.md"],
    home: ({ home, env }) => [env("QWEN_HOME") || `${home}/.qwen`],
    programs: ["qwen"],
  },
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
    StopFailure: "tell",
    Stop: "tell",
    SessionEnd: "tell",
  },
  // Exit code 2 with a text refuses; anything else that goes wrong is consent (observed with 0.24.4).
  refusesByExit: true,
  shell: ["bash", "-c"],
  entry: (event, _purpose, { native }) => ({
    ...(/Tool|Permission/.test(event) ? { matcher: "*" } : {}),
    // Seconds since 0.24, milliseconds before; a thousand and more is milliseconds in both.
    hooks: [{ type: "command", name: "hookline", command: native, timeout: limitSeconds * 1000 }],
  }),
  trust:
    "Qwen Code runs a repository's hooks only in a folder you trust, where folder trust is on: start `qwen` here once and agree.",
});
