import { defineInstall } from "../../core/install.ts";

const managed: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "/Library/Application Support/Windsurf/hooks.json",
  win32: "C:/ProgramData/Windsurf/hooks.json",
};
const layout = { kind: "json", fresh: {} } as const;

export default defineInstall({
  files: ({ root, home, platform }) => ({
    repo: { path: `${root}/.windsurf/hooks.json`, layout },
    user: { path: `${home}/.codeium/windsurf/hooks.json`, layout },
    managed: { path: managed[platform] ?? "/etc/windsurf/hooks.json", layout },
  }),
  signs: {
    repo: [".windsurf", ".windsurfrules"],
    home: ({ home }) => [`${home}/.codeium/windsurf`, `${home}/.windsurf`],
    programs: ["windsurf"],
  },
  events: {
    pre_user_prompt: "gate",
    pre_read_code: "gate",
    pre_write_code: "gate",
    pre_run_command: "gate",
    pre_mcp_tool_use: "gate",
    post_read_code: "tell",
    post_write_code: "tell",
    post_run_command: "tell",
    post_mcp_tool_use: "tell",
    post_cascade_response: "tell",
  },
  shell: ["sh", "-c"],
  // Exactly 2 refuses; anything else that goes wrong is consent. There is no time limit to set.
  refusesByExit: true,
  entry: (_event, _purpose, { posix, powershell }) => ({ command: posix, powershell, show_output: false }),
});
