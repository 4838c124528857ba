import {
  defineCheckup,
  objectIn,
  valueAt,
  withParents,
  type Look,
  type Observation,
} from "../../core/checkup.ts";

const managedFolder: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "/Library/Application Support/ClaudeCode",
  win32: "C:/Program Files/ClaudeCode",
};

export default defineCheckup({
  canary: {
    event: "PreToolUse",
    payload: (command, cwd) => ({
      session_id: "hookline-canary",
      transcript_path: `${cwd}/hookline-canary.jsonl`,
      cwd,
      permission_mode: "default",
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command },
      tool_use_id: "toolu_hookline_canary",
    }),
    refuses({ exitCode, stdout }) {
      const { hookEventName, permissionDecision } = Object(objectIn(stdout)["hookSpecificOutput"]) as Record<
        string,
        unknown
      >;
      return exitCode === 2 || (hookEventName === "PreToolUse" && permissionDecision === "deny");
    },
  },
  switchedOff(look, installed) {
    const { root, home, env } = look.machine;
    const user = `${env("CLAUDE_CONFIG_DIR") || `${home}/.claude`}/settings.json`;
    const managed = managedFiles(look);
    const found: Observation[] = [];
    // Of several files the first one that says something counts.
    const files = [...managed, `${root}/.claude/settings.local.json`, `${root}/.claude/settings.json`, user];
    const place = files.find((file) => typeof look.read(file)?.["disableAllHooks"] === "boolean");
    if (place !== undefined && look.read(place)?.["disableAllHooks"] === true)
      found.push({ place, text: "`disableAllHooks` switches every hook off", instead: "Take it out." });
    const only = managed.find((file) => look.read(file)?.["allowManagedHooksOnly"] === true);
    if (only !== undefined && installed.every(({ scope }) => scope !== "managed"))
      found.push({
        place: only,
        text: "`allowManagedHooksOnly` keeps all hooks from running but managed ones, and ours is none",
        instead: "Install it for the machine: hookline init --scope managed",
      });
    return found;
  },
  advice(look, { scope }) {
    const { root, home, env } = look.machine;
    const state = `${env("CLAUDE_CONFIG_DIR") || home}/.claude.json`;
    const projects = valueAt(look.read(state), "projects");
    const isTrusted = withParents(root).some(
      (folder) => valueAt(projects, folder, "hasTrustDialogAccepted") === true,
    );
    if (scope === "managed" || isTrusted) return [];
    return [
      {
        isNote: true,
        text: "you have not said yet that you trust this folder; until then an interactive session runs no hook, `-p` does",
        instead: "Start `claude` here and agree.",
      },
    ];
  },
  plugin(look) {
    const { root, home, env } = look.machine;
    const user = `${env("CLAUDE_CONFIG_DIR") || `${home}/.claude`}/settings.json`;
    const files = [
      ...managedFiles(look),
      `${root}/.claude/settings.local.json`,
      `${root}/.claude/settings.json`,
      user,
    ];
    const says = (file: string): boolean | undefined => {
      const plugins = Object.entries(Object(look.read(file)?.["enabledPlugins"]) as Record<string, unknown>);
      const [, isOn] = plugins.find(([name]) => name.startsWith("hookline@")) ?? [];
      return typeof isOn === "boolean" ? isOn : undefined;
    };
    const place = files.find((file) => says(file) !== undefined);
    return place !== undefined && says(place) === true ? place : undefined;
  },
  // From a news page; older versions go ahead when the guard fails.
  needs: {
    version: "2.1.295",
    why: '`onFailure: "block"` is unknown to it, so a call goes ahead when Hookline cannot be started',
  },
});

function managedFiles({ machine, list }: Look): string[] {
  const folder = managedFolder[machine.platform] ?? "/etc/claude-code";
  const parts = list(`${folder}/managed-settings.d`).filter((name) => name.endsWith(".json"));
  return [
    ...parts.toReversed().map((name) => `${folder}/managed-settings.d/${name}`),
    `${folder}/managed-settings.json`,
  ];
}
