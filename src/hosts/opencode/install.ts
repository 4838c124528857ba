import { defineInstall, limitSeconds } from "../../core/install.ts";
import { pluginText } from "./plugin.ts";

const layout = {
  kind: "program",
  mark: "// Written by hookline;",
  text: (executable: string) => pluginText({ command: [executable], limitMs: limitSeconds * 1000 }),
  executable(text: string): string | undefined {
    const word = /^const command = \[("(?:[^"\\]|\\.)*")/m.exec(text)?.[1];
    return word === undefined ? undefined : (JSON.parse(word) as string);
  },
} as const;

export default defineInstall({
  files: ({ root, home, env }) => ({
    repo: { path: `${root}/.opencode/plugin/hookline.js`, own: true, layout },
    user: {
      path: `${env("XDG_CONFIG_HOME") || `${home}/.config`}/opencode/plugin/hookline.js`,
      own: true,
      layout,
    },
  }),
  signs: {
    repo: [".opencode", "opencode.json", "opencode.jsonc"],
    home: ({ home, env }) => [
      `${env("XDG_CONFIG_HOME") || `${home}/.config`}/opencode`,
      `${env("XDG_DATA_HOME") || `${home}/.local/share`}/opencode`,
    ],
    programs: ["opencode"],
  },
  // The plugin file has them all.
  events: {},
  shell: [],
  entry: () => ({}),
});
