import { defineInstall, limitSeconds } from "../../core/install.ts";

const managed: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "/Library/Application Support/Cursor/hooks.json",
  win32: "C:/ProgramData/Cursor/hooks.json",
};
const layout = { kind: "json", fresh: { version: 1 } } as const;

export default defineInstall({
  files: ({ root, home, platform }) => ({
    repo: { path: `${root}/.cursor/hooks.json`, layout },
    user: { path: `${home}/.cursor/hooks.json`, layout },
    managed: { path: managed[platform] ?? "/etc/cursor/hooks.json", layout },
  }),
  signs: {
    repo: [".cursor", ".cursorrules"],
    home: ({ home }) => [`${home}/.cursor`],
    programs: ["cursor", "cursor-agent"],
  },
  // Only names of the reference: 2.6 rejects the whole file for one it does not know. A shell command fires both the generic event, which
  // alone can change it, and its own, which alone can ask.
  events: {
    sessionStart: "tell",
    beforeSubmitPrompt: "gate",
    preToolUse: "gate",
    beforeShellExecution: "gate",
    beforeMCPExecution: "gate",
    beforeReadFile: "gate",
    beforeTabFileRead: "gate",
    postToolUse: "tell",
    postToolUseFailure: "tell",
    subagentStart: "gate",
    subagentStop: "tell",
    preCompact: "tell",
    stop: "tell",
    sessionEnd: "tell",
  },
  shell: ["sh", "-c"],
  entry: (_event, purpose, { native }, { platform }) => ({
    // On Windows a name without an extension opens a dialog (reported for 2.x).
    command: platform === "win32" ? native.replace(/^hookline /, "hookline.exe ") : native,
    timeout: limitSeconds,
    ...(purpose === "gate" ? { failClosed: true } : {}),
  }),
  trust: "Cursor runs a repository's hooks only in a workspace you trust: open it once and agree.",
});
