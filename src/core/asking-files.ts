/** The files in which it stands that an agent asks us: in a project, in a home, on the machine. */
export interface Asking {
  readonly project: readonly string[];
  readonly home: readonly string[];
  readonly machine: readonly string[];
  /** A variable that names the folder the home's files lie in, and that folder otherwise. */
  readonly moved?: readonly [variable: string, folder: string];
}

/** By the agent's program. */
export const askingFiles: Readonly<Record<string, Asking>> = {
  claude: {
    project: [".claude/settings.json", ".claude/settings.local.json"],
    home: [".claude/settings.json"],
    machine: [
      "/etc/claude-code/managed-settings.d/hookline.json",
      "/etc/claude-code/managed-settings.json",
      "/Library/Application Support/ClaudeCode/managed-settings.d/hookline.json",
      "C:/Program Files/ClaudeCode/managed-settings.d/hookline.json",
    ],
    moved: ["CLAUDE_CONFIG_DIR", ".claude"],
  },
  copilot: {
    project: [".github/hooks/hookline.json", ".github/copilot/settings.json", ".claude/settings.json"],
    home: [".copilot/hooks/hookline.json", ".copilot/settings.json", ".copilot/config.json"],
    machine: [
      "/etc/github-copilot/policy.d/hookline.json",
      "C:/ProgramData/GitHub/Copilot/policy.d/hookline.json",
    ],
    moved: ["COPILOT_HOME", ".copilot"],
  },
  codex: {
    project: [".codex/hooks.json", ".codex/config.toml"],
    home: [".codex/hooks.json", ".codex/config.toml"],
    machine: ["/etc/codex/requirements.toml", "/etc/codex/config.toml"],
    moved: ["CODEX_HOME", ".codex"],
  },
  gemini: {
    project: [".gemini/settings.json"],
    home: [".gemini/settings.json", ".gemini/extensions/hookline/hooks/hooks.json"],
    moved: ["GEMINI_CLI_HOME", ""],
    machine: [
      "/etc/gemini-cli/settings.json",
      "/Library/Application Support/GeminiCli/settings.json",
      "C:/ProgramData/gemini-cli/settings.json",
    ],
  },
  qwen: {
    project: [".qwen/settings.json"],
    home: [".qwen/settings.json"],
    moved: ["QWEN_HOME", ".qwen"],
    machine: [
      "/etc/qwen-code/settings.json",
      "/Library/Application Support/QwenCode/settings.json",
      "C:/ProgramData/qwen-code/settings.json",
    ],
  },
  opencode: {
    project: [".opencode/plugin/hookline.js", ".opencode/plugins/hookline.js"],
    home: [".config/opencode/plugin/hookline.js", ".config/opencode/plugins/hookline.js"],
    machine: [],
    moved: ["XDG_CONFIG_HOME", ".config"],
  },
  "cursor-agent": {
    project: [".cursor/hooks.json", ".claude/settings.json"],
    home: [".cursor/hooks.json"],
    machine: [
      "/etc/cursor/hooks.json",
      "/Library/Application Support/Cursor/hooks.json",
      "C:/ProgramData/Cursor/hooks.json",
    ],
  },
};
