import { defineCheckup, objectIn, valueAt, withParents, type Look } from "../../core/checkup.ts";

export default defineCheckup({
  canary: {
    event: "preToolUse",
    payload: (command, cwd) => ({
      sessionId: "hookline-canary",
      timestamp: 0,
      cwd,
      toolName: "bash",
      toolArgs: { command, description: "canary" },
    }),
    // VS Code goes by exit code 2 and the nested answer, the CLI by any code and the flat one; ours has to be right for both.
    refuses({ exitCode, stdout }) {
      const said = objectIn(stdout);
      return exitCode === 2 || (said["permissionDecision"] === "deny" && exitCode === 0);
    },
  },
  switchedOff(look, installed) {
    const { root, home, env } = look.machine;
    const own = env("COPILOT_HOME") || `${home}/.copilot`;
    const settings = [
      `${root}/.github/copilot/settings.local.json`,
      `${root}/.github/copilot/settings.json`,
      `${own}/settings.json`,
      ...installed.map(({ file }) => file.path),
    ];
    const off = settings.filter((file) => look.read(file)?.["disableAllHooks"] === true);
    const editors = [`${root}/.vscode/settings.json`, userSettingsOfCode(look)].filter((file) => {
      const editor = look.read(file);
      return (
        editor?.["chat.useHooks"] === false ||
        valueAt(editor?.["chat.hookFilesLocations"], ".github/hooks") === false
      );
    });
    const user = `${own}/settings.json`;
    const disabled = look.read(user)?.["disabledHooks"];
    return [
      ...off.map((place) => ({
        place,
        text: "`disableAllHooks` switches hooks off",
        instead: "Take it out.",
      })),
      ...editors.map((place) => ({
        place,
        text: "VS Code's hooks are switched off here",
        instead: "Take out `chat.useHooks` or `chat.hookFilesLocations`.",
      })),
      ...(Array.isArray(disabled) && disabled.length > 0
        ? [
            {
              isNote: true as const,
              place: user,
              text: `\`disabledHooks\` switches ${disabled.length} off by what is in them; ours may be among them`,
              instead: "See `/hooks` in Copilot.",
            },
          ]
        : []),
    ];
  },
  distrust(look, { scope }) {
    const { root, home, env } = look.machine;
    if (
      scope !== "repo" ||
      env("COPILOT_ALLOW_ALL") === "true" ||
      env("GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS") === "true"
    )
      return [];
    const place = `${env("COPILOT_HOME") || `${home}/.copilot`}/config.json`;
    const config = look.read(place);
    const trusted = [config?.["trustedFolders"], config?.["trusted_folders"]].flat();
    if (withParents(root).some((folder) => trusted.includes(folder))) return [];
    return [
      {
        place,
        text: "this folder is not trusted, and Copilot skips its hooks without a word",
        instead: "Start `copilot` here and agree for future sessions too, or pass --trust-folder.",
      },
    ];
  },
  // Changelog: a crash before a tool is a refusal.
  needs: { version: "1.0.57", why: "a hook that crashes does not stop the call" },
});

/** Where VS Code keeps what a user has set for all workspaces. */
function userSettingsOfCode({ machine: { platform, home, env } }: Look): string {
  const folder: Partial<Record<NodeJS.Platform, string>> = {
    darwin: `${home}/Library/Application Support`,
    win32: env("APPDATA") ?? `${home}/AppData/Roaming`,
  };
  return `${folder[platform] ?? (env("XDG_CONFIG_HOME") || `${home}/.config`)}/Code/User/settings.json`;
}
