/**
 * What belongs to the agents themselves, by the first segment of its path so that most paths are dismissed
 * by one look-up. Each rest is a path of segments, `*` stands for one segment or its beginning, a final `/` for all below.
 */
export type Places = Readonly<Record<string, readonly string[]>>;

/** Files that switch hooks on or off, at any depth: a project may be opened from any of its folders. */
export const hookSettings: Places = {
  ".claude": ["settings.json", "settings.local.json", "plugins/"],
  ".claude.json": [""],
  ".github": ["hooks/", "copilot/settings.json", "copilot/settings.local.json"],
  ".copilot": ["hooks/", "settings.json", "config.json", "installed-plugins/"],
  ".cursor": ["hooks.json"],
  ".codex": ["hooks.json", "config.toml", "*.config.toml", "plugins/"],
  // A `.env` there is read at the start, and may name other settings.
  ".gemini": ["settings.json", "trustedfolders.json", "trusted_hooks.json", "extensions/", ".env"],
  ".qwen": ["settings.json", "trustedfolders.json", "extensions/", ".env"],
  ".opencode": ["opencode.json", "opencode.jsonc", "plugin/", "plugins/"],
  ".config": ["opencode/"],
  "opencode.json": [""],
  "opencode.jsonc": [""],
  ".windsurf": ["hooks.json"],
  ".codeium": ["windsurf/hooks.json", "hooks.json"],
  ".devin": ["hooks.v1.json", "config.json"],
  ".harness": ["settings.json"],
};

/** The settings an organisation gives to every user of a machine, as absolute paths. */
export const managedSettings: Places = {
  etc: [
    "claude-code/",
    "github-copilot/",
    "cursor/",
    "codex/",
    "gemini-cli/",
    "qwen-code/",
    "opencode/",
    "windsurf/",
  ],
  library: [
    "application support/claudecode/",
    "application support/cursor/hooks.json",
    "application support/geminicli/",
    "application support/qwencode/",
    "application support/windsurf/hooks.json",
  ],
  "c:": [
    "program files/claudecode/",
    "programdata/github/copilot/",
    "programdata/cursor/hooks.json",
    "programdata/gemini-cli/",
    "programdata/qwen-code/",
    "programdata/windsurf/hooks.json",
  ],
};

/** Plans and memory an agent keeps in the user's home: its own business. */
export const agentFolders: Places = {
  ".claude": ["plans/", "projects/*/memory/", "agent-memory/"],
  ".copilot": ["session-state/"],
  ".cursor": ["plans/"],
  ".codex": ["memories/"],
  ".gemini": ["tmp/", "gemini.md"],
  ".qwen": ["tmp/", "memories/", "qwen.md"],
  ".local": ["share/opencode/"],
  ".codeium": ["windsurf/memories/"],
  ".windsurf": ["plans/"],
};

/** Does a text that makes an agent ask somebody make it ask us? */
export const asksUs = (text: string): boolean =>
  text.includes("hookline") &&
  /hookline(?:-warm|\.exe|\.cmd|\.mjs)?\\?["']? run\b|"hookline@[^"]*":\s*true|^\/\/ Written by hookline;/m.test(
    text,
  );

/** The pattern that names a path: from its start, or at any depth. Letter case never matters. */
export function findPlace(places: Places, path: string, anywhere: boolean): string | undefined {
  const have = path.toLowerCase().replaceAll("\\", "/").split("/");
  const start = have[0] === "" ? 1 : 0;
  for (let from = start; from < (anywhere ? have.length : start + 1); from++) {
    const first = have[from] ?? "";
    if (!Object.hasOwn(places, first)) continue;
    const rest = have.slice(from + 1);
    const found = places[first]?.find((pattern) => isNamed(pattern, rest));
    if (found !== undefined) return found === "" ? first : `${first}/${found}`;
  }
  return undefined;
}

/** All patterns as paths, for looking whether one of them is there. */
export const patternsOf = (places: Places): string[] =>
  Object.entries(places).flatMap(([first, rests]) =>
    rests.map((rest) => (rest === "" ? first : `${first}/${rest}`)),
  );

// The folder of a pattern that ends in `/` counts itself: to replace it is to edit what is in it.
function isNamed(pattern: string, rest: readonly string[]): boolean {
  if (pattern === "") return rest.length === 0;
  const below = pattern.endsWith("/");
  const want = (below ? pattern.slice(0, -1) : pattern).split("/");
  if (below ? rest.length < want.length : rest.length !== want.length) return false;
  return want.every((segment, at) =>
    segment.startsWith("*") ? rest[at]?.endsWith(segment.slice(1)) : segment === rest[at],
  );
}
