import { defineInstall, limitSeconds } from "../../core/install.ts";

const managed: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "/Library/Application Support/GeminiCli/settings.json",
  win32: "C:/ProgramData/gemini-cli/settings.json",
};
// It does not start where there is anything else (observed with 0.61.0).
const layout = { kind: "json", fresh: {}, reads: ["comments"] } as const;

export default defineInstall({
  files: ({ root, home, platform, env }) => ({
    repo: { path: `${root}/.gemini/settings.json`, layout },
    user: { path: `${env("GEMINI_CLI_HOME") || home}/.gemini/settings.json`, layout },
    managed: {
      path: env("GEMINI_CLI_SYSTEM_SETTINGS_PATH") || (managed[platform] ?? "/etc/gemini-cli/settings.json"),
      layout,
    },
  }),
  signs: {
    repo: [".gemini", "GEMINI.md"],
    home: ({ home, env }) => [`${env("GEMINI_CLI_HOME") || home}/.gemini/settings.json`],
    programs: ["gemini"],
  },
  // Not PreCompress and the events of the model: they come with every request, and can be told nothing.
  events: {
    SessionStart: "tell",
    BeforeAgent: "gate",
    BeforeTool: "gate",
    AfterTool: "tell",
    Notification: "tell",
    AfterAgent: "tell",
    SessionEnd: "tell",
  },
  // An exit code of 2 with a text refuses; anything else that goes wrong is consent (observed with 0.61.0).
  refusesByExit: true,
  shell: ["bash", "-c"],
  entry: (event, _purpose, { native }) => ({
    ...(/Tool$/.test(event) ? { matcher: "*" } : {}),
    // In milliseconds.
    hooks: [{ type: "command", name: "hookline", command: native, timeout: limitSeconds * 1000 }],
  }),
  trust:
    "Gemini CLI runs a repository's hooks only in a folder you trust: start `gemini` here once and agree; `--skip-trust` leaves its hooks out.",
});
