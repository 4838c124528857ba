import { defineInstall, limitSeconds } from "../../core/install.ts";

// A file with anything else in it is skipped without a word (observed with 1.0.102).
const layout = { kind: "json", fresh: { version: 1 }, reads: [] } as const;

export default defineInstall({
  // The CLI, the cloud agent, JetBrains and VS Code all read the repository's file.
  files: ({ root, home, platform, env }) => ({
    repo: { path: `${root}/.github/hooks/hookline.json`, own: true, layout },
    user: { path: `${env("COPILOT_HOME") || `${home}/.copilot`}/hooks/hookline.json`, own: true, layout },
    managed: {
      path:
        platform === "win32"
          ? "C:/ProgramData/GitHub/Copilot/policy.d/hookline.json"
          : "/etc/github-copilot/policy.d/hookline.json",
      own: true,
      layout,
    },
  }),
  signs: {
    repo: [".github/copilot-instructions.md", ".github/copilot", ".github/hooks", ".github/agents"],
    home: ({ home, env }) => [env("COPILOT_HOME") || `${home}/.copilot`],
    programs: ["copilot"],
  },
  // In camelCase: the only spelling JetBrains knows, and one the others know too.
  events: {
    sessionStart: "tell",
    userPromptSubmitted: "gate",
    preToolUse: "gate",
    permissionRequest: "gate",
    postToolUse: "tell",
    postToolUseFailure: "tell",
    subagentStart: "tell",
    subagentStop: "tell",
    preCompact: "tell",
    notification: "tell",
    errorOccurred: "tell",
    agentStop: "tell",
    sessionEnd: "tell",
  },
  namesEvent: true,
  // VS Code takes any exit code but 2 for consent.
  refusesByExit: true,
  shell: ["bash", "-c"],
  entry: (_event, _purpose, { posix, powershell }) => ({
    type: "command",
    bash: posix,
    powershell,
    timeoutSec: limitSeconds,
  }),
  trust:
    "Copilot runs a repository's hooks only in a folder you trust: start `copilot` here once and agree, or pass --trust-folder.",
});
