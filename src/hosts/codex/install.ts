import { defineInstall, limitSeconds } from "../../core/install.ts";

// A key it does not know makes Codex drop the whole file (observed with 0.166.0), and so do comments.
const layout = { kind: "json", fresh: {}, strict: true } as const;

export default defineInstall({
  // Beside config.toml: two forms in one layer work, and hooks.json is ours alone in most of them.
  files: ({ root, home, env }) => ({
    repo: { path: `${root}/.codex/hooks.json`, layout },
    user: { path: `${env("CODEX_HOME") || `${home}/.codex`}/hooks.json`, layout },
  }),
  signs: {
    repo: [".codex"],
    home: ({ home, env }) => [env("CODEX_HOME") || `${home}/.codex`],
    programs: ["codex"],
  },
  // Not the events of the model, which come with every request and can be told nothing.
  events: {
    SessionStart: "tell",
    UserPromptSubmit: "gate",
    PreToolUse: "gate",
    PermissionRequest: "gate",
    PostToolUse: "tell",
    SubagentStart: "tell",
    SubagentStop: "tell",
    PreCompact: "tell",
    Stop: "tell",
    SessionEnd: "tell",
  },
  // Exit code 2 with a text refuses; anything else that goes wrong is consent (observed with 0.166.0).
  refusesByExit: true,
  // Not as a login shell, which would set another PATH (observed with 0.166.0).
  shell: ["$SHELL", "-c"],
  entry: (event, _purpose, { posix, cmd }) => ({
    ...(/Tool|Permission/.test(event) ? { matcher: "*" } : {}),
    hooks: [
      {
        type: "command",
        command: posix,
        commandWindows: cmd,
        // The end of a session gets three seconds at most, and a warning for more.
        timeout: event === "SessionEnd" ? 3 : limitSeconds,
      },
    ],
  }),
  trust:
    "Codex runs no hook you have not trusted, and says nothing: start `codex` here, trust the project, and trust each hook under `/hooks`.",
});
