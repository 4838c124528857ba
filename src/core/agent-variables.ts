/** Variables by which agents are started without hooks, or led to other settings than those that ask us. */
interface Variables {
  /** They switch hooks off. */
  readonly off: readonly string[];
  /** They name another home, another folder or another file of settings; whether hooks stand there is not known. */
  readonly moves: readonly string[];
}

/** By the agent's program; read in the packages and documentation of the versions in `src/hosts`. */
export const agentVariables: Readonly<Record<string, Variables>> = {
  claude: {
    off: ["CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE", "CLAUDE_CODE_PERSONAL_HOOKS_OFF"],
    moves: ["CLAUDE_CONFIG_DIR", "CLAUDE_CODE_MANAGED_SETTINGS_PATH"],
  },
  copilot: { off: [], moves: ["COPILOT_HOME"] },
  codex: { off: [], moves: ["CODEX_HOME"] },
  gemini: {
    off: ["GEMINI_RESTRICTED_MODE", "GEMINI_CLI_TRUST_WORKSPACE"],
    moves: [
      "GEMINI_CLI_HOME",
      "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
      "GEMINI_CLI_SYSTEM_DEFAULTS_PATH",
      "GEMINI_CLI_TRUSTED_FOLDERS_PATH",
    ],
  },
  qwen: {
    off: ["QWEN_CODE_SIMPLE", "QWEN_CODE_SAFE_MODE"],
    moves: [
      "QWEN_HOME",
      "QWEN_CODE_SYSTEM_SETTINGS_PATH",
      "QWEN_CODE_SYSTEM_DEFAULTS_PATH",
      "QWEN_CODE_TRUSTED_FOLDERS_PATH",
    ],
  },
  opencode: {
    off: ["OPENCODE_PURE", "OPENCODE_DISABLE_PROJECT_CONFIG"],
    moves: ["OPENCODE_CONFIG_DIR"],
  },
  hookline: { off: [], moves: ["HOOKLINE_MANAGED_POLICY"] },
};

/** The agent a variable is about, and what it does there. */
export function variableOf(name: string): { agent: string; does: keyof Variables } | undefined {
  for (const agent in agentVariables) {
    if (agentVariables[agent]?.off.includes(name)) return { agent, does: "off" };
    if (agentVariables[agent]?.moves.includes(name)) return { agent, does: "moves" };
  }
  return undefined;
}

/** The variables of agents that a text names. */
export const variablesIn = (text: string): string[] =>
  // What they have in common, before anything is looked for in a long text.
  /[A-Z]_[A-Z]/.test(text)
    ? [...new Set(text.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? [])].filter((name) => variableOf(name))
    : [];
