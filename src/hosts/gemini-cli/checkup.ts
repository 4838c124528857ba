import { defineCheckup, objectIn, valueAt, withParents, type Look } from "../../core/checkup.ts";

export default defineCheckup({
  canary: {
    event: "BeforeTool",
    payload: (command, cwd) => ({
      session_id: "hookline-canary",
      transcript_path: "",
      cwd,
      hook_event_name: "BeforeTool",
      timestamp: "1970-01-01T00:00:00.000Z",
      tool_name: "run_shell_command",
      tool_input: { command },
    }),
    refuses({ exitCode, stdout, stderr }) {
      const { decision } = objectIn(stdout || stderr);
      if (decision !== undefined) return decision === "deny" || decision === "block";
      return exitCode >= 2 && (stdout + stderr).trim() !== "";
    },
  },
  switchedOff(look) {
    const { root, env } = look.machine;
    const files = [
      env("GEMINI_CLI_SYSTEM_SETTINGS_PATH") || "/etc/gemini-cli/settings.json",
      `${root}/.gemini/settings.json`,
      `${ownFolder(look)}/settings.json`,
    ];
    return files.flatMap((place) => {
      const hooks = look.read(place)?.["hooksConfig"];
      if (valueAt(hooks, "enabled") === false)
        return [{ place, text: "`hooksConfig.enabled` switches every hook off", instead: "Take it out." }];
      const disabled = [valueAt(hooks, "disabled")].flat();
      return disabled.some((name) => name === "hookline" || /\bhookline run\b/.test(String(name)))
        ? [
            {
              place,
              text: "`hooksConfig.disabled` names ours",
              instead: "Take it out, or switch it on in `/hooks`.",
            },
          ]
        : [];
    });
  },
  plugin(look) {
    const { root } = look.machine;
    const extensions = `${ownFolder(look)}/extensions`;
    const place = `${extensions}/hookline/gemini-extension.json`;
    // The last rule that fits a folder counts.
    const rules = valueAt(look.read(`${extensions}/extension-enablement.json`), "hookline", "overrides");
    const last = (Array.isArray(rules) ? rules.map(String) : []).findLast((rule) => fits(rule, root));
    return look.read(place) === undefined || last?.startsWith("!") ? undefined : place;
  },
  distrust(look) {
    const { root, env } = look.machine;
    // Without a word about it an untrusted folder stops a headless run (seen with 0.61.0).
    if (
      valueAt(look.read(`${ownFolder(look)}/settings.json`), "security", "folderTrust", "enabled") === false
    )
      return [];
    if (env("GEMINI_CLI_TRUST_WORKSPACE") === "true") return [];
    const place = env("GEMINI_CLI_TRUSTED_FOLDERS_PATH") || `${ownFolder(look)}/trustedFolders.json`;
    const trusted = look.read(place);
    const [own, ...above] = withParents(root);
    const says = own === undefined ? undefined : trusted?.[own];
    const isTrusted =
      says === "TRUST_FOLDER" ||
      says === "TRUST_PARENT" ||
      (says === undefined &&
        above.some((folder) => trusted?.[folder] === "TRUST_FOLDER" || trusted?.[folder] === "TRUST_PARENT"));
    if (isTrusted) return [];
    return [
      {
        place,
        text: "this folder is not trusted, and no hook runs in it",
        instead: "Start `gemini` here and trust the folder; `--skip-trust` would leave these hooks out.",
      },
    ];
  },
});

const ownFolder = ({ machine: { home, env } }: Look): string => `${env("GEMINI_CLI_HOME") || home}/.gemini`;

/** `!/home/me/*` is about all folders below it. */
const fits = (rule: string, folder: string): boolean => {
  const wanted = rule.replace(/^!/, "").replace(/\*$/, "");
  return `${folder}/`.startsWith(wanted.endsWith("/") ? wanted : `${wanted}/`);
};
