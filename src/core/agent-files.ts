/**
 * What belongs to the agents themselves. A pattern is a path of segments, `*` stands for one segment,
 * a final `/` for everything below.
 */
interface AgentFiles {
  /** Files that switch hooks on or off, at any depth: a project may be opened from any of its folders. */
  readonly settings: readonly string[];
  /** Absolute places of an organisation's settings. */
  readonly system: readonly string[];
  /** Plans and memory the agent keeps in the user's home; its own business. */
  readonly own: readonly string[];
}

export const agentFiles: Readonly<Record<string, AgentFiles>> = {
  "claude-code": {
    settings: [".claude/settings.json", ".claude/settings.local.json", ".claude/plugins/"],
    system: ["/etc/claude-code/", "/Library/Application Support/ClaudeCode/", "C:/Program Files/ClaudeCode/"],
    own: [".claude/plans/", ".claude/projects/*/memory/", ".claude/agent-memory/"],
  },
  copilot: {
    settings: [
      ".github/hooks/",
      ".github/copilot/settings.json",
      ".github/copilot/settings.local.json",
      ".copilot/hooks/",
      ".copilot/settings.json",
      ".copilot/config.json",
    ],
    system: ["/etc/github-copilot/", "C:/ProgramData/GitHub/Copilot/"],
    own: [".copilot/session-state/"],
  },
  cursor: {
    settings: [".cursor/hooks.json"],
    system: ["/etc/cursor/", "/Library/Application Support/Cursor/hooks.json", "C:/ProgramData/Cursor/hooks.json"],
    own: [".cursor/plans/"],
  },
  codex: {
    settings: [".codex/hooks.json", ".codex/config.toml"],
    system: ["/etc/codex/"],
    own: [".codex/memories/"],
  },
  "gemini-cli": {
    settings: [".gemini/settings.json"],
    system: ["/etc/gemini-cli/", "/Library/Application Support/GeminiCli/", "C:/ProgramData/gemini-cli/"],
    own: [".gemini/tmp/", ".gemini/GEMINI.md"],
  },
  "qwen-code": {
    settings: [".qwen/settings.json"],
    system: ["/etc/qwen-code/", "/Library/Application Support/QwenCode/", "C:/ProgramData/qwen-code/"],
    own: [".qwen/tmp/", ".qwen/QWEN.md", ".qwen/memories/"],
  },
  opencode: {
    settings: [
      "opencode.json",
      "opencode.jsonc",
      ".opencode/opencode.json",
      ".opencode/opencode.jsonc",
      ".opencode/plugin/",
      ".opencode/plugins/",
      ".config/opencode/",
    ],
    system: ["/etc/opencode/"],
    own: [".local/share/opencode/"],
  },
  windsurf: {
    settings: [".windsurf/hooks.json", ".codeium/windsurf/hooks.json", ".codeium/hooks.json", ".devin/hooks.v1.json"],
    system: ["/etc/windsurf/", "/Library/Application Support/Windsurf/hooks.json", "C:/ProgramData/Windsurf/hooks.json"],
    own: [".codeium/windsurf/memories/", ".windsurf/plans/"],
  },
  harness: { settings: [".harness/settings.json"], system: [], own: [] },
};

const segmentsOf = (path: string): string[] => path.toLowerCase().split(/[\\/]+/).filter(Boolean);

/** Does the pattern name the start of `path` (`from: 0`), or any place within it? Letter case never matters. */
export function matchesPlace(pattern: string, path: string, anywhere: boolean): boolean {
  const want = segmentsOf(pattern);
  const have = segmentsOf(path);
  const below = pattern.endsWith("/");
  for (let from = 0; from <= (anywhere ? have.length - want.length : 0); from++) {
    if (!want.every((segment, at) => segment === "*" || segment === have[from + at])) continue;
    // Deleting or replacing the folder itself is as good as editing what is in it.
    if (below || from + want.length === have.length) return true;
  }
  return false;
}
