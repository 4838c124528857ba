import { isOurHandler } from "../../core/command-lines.ts";
import {
  defineCheckup,
  objectIn,
  valueAt,
  withParents,
  type Installed,
  type Look,
  type Observation,
} from "../../core/checkup.ts";
import { isObject, type Json } from "../../core/json.ts";

export default defineCheckup({
  canary: {
    event: "PreToolUse",
    payload: (command, cwd) => ({
      session_id: "hookline-canary",
      transcript_path: "",
      cwd,
      hook_event_name: "PreToolUse",
      timestamp: "1970-01-01T00:00:00.000Z",
      permission_mode: "default",
      tool_name: "run_shell_command",
      tool_input: { command, is_background: false },
      tool_use_id: "toolu_hookline_canary",
    }),
    refuses({ exitCode, stdout, stderr }) {
      const said = objectIn(exitCode === 2 ? stderr : stdout);
      const decision = valueAt(said, "hookSpecificOutput", "permissionDecision") ?? said["decision"];
      if (decision !== undefined) return decision === "deny" || decision === "block";
      return exitCode === 2 && stderr.trim() !== "";
    },
  },
  switchedOff(look, installed) {
    return [...filesOf(look), ...installed.map(({ file }) => file.path)]
      .filter((place, at, all) => all.indexOf(place) === at && look.read(place)?.["disableAllHooks"] === true)
      .map((place) => ({
        place,
        text: "`disableAllHooks` switches every hook off",
        instead: "Take it out.",
      }));
  },
  distrust(look, installed) {
    return [...untrusted(look), ...overruled(look, installed)];
  },
});

const ownFolder = ({ machine: { home, env } }: Look): string => env("QWEN_HOME") || `${home}/.qwen`;

const filesOf = (look: Look): string[] => [
  `${look.machine.root}/.qwen/settings.json`,
  `${ownFolder(look)}/settings.json`,
  look.machine.env("QWEN_CODE_SYSTEM_SETTINGS_PATH") || "/etc/qwen-code/settings.json",
];

function untrusted(look: Look): Observation[] {
  const { root, env } = look.machine;
  const isOn =
    valueAt(look.read(`${ownFolder(look)}/settings.json`), "security", "folderTrust", "enabled") === true;
  const place = env("QWEN_CODE_TRUSTED_FOLDERS_PATH") || `${ownFolder(look)}/trustedFolders.json`;
  const trusted = look.read(place);
  if (!isOn || withParents(root).some((folder) => /^TRUST_/.test(String(trusted?.[folder])))) return [];
  return [
    {
      place,
      text: "this folder is not trusted, and no hook runs in it",
      instead: "Start `qwen` here and trust the folder.",
    },
  ];
}

/** Of several hooks the permission that is said last counts (seen with 0.24.4): one behind ours may undo a refusal. */
function overruled(look: Look, { file }: Installed): Observation[] {
  const order = filesOf(look);
  if (!order.includes(file.path)) return [];
  const later = order
    .slice(order.indexOf(file.path) + 1)
    .filter((path) => entriesOf(look.read(path)).length > 0);
  const entries = entriesOf(look.read(file.path));
  const ours = entries.findIndex((handlers) => handlers.some(isOurHandler));
  const behind = entries.slice(ours + 1).some((handlers) => !handlers.every(isOurHandler));
  return [
    ...(behind ? [file.path] : []),
    ...later.filter((path) =>
      entriesOf(look.read(path))
        .flat()
        .some((each) => !isOurHandler(each)),
    ),
  ].map((place) => ({
    place,
    text: "a hook at PreToolUse stands behind ours, and Qwen Code takes the last word: it can undo a refusal",
    instead: "Put it before ours, or where it may not allow anything.",
  }));
}

const entriesOf = (config: Json | undefined): Json[][] => {
  const list = valueAt(config, "hooks", "PreToolUse");
  return (Array.isArray(list) ? list : []).map((entry) => {
    const hooks = valueAt(entry, "hooks");
    return (Array.isArray(hooks) ? hooks : []).filter(isObject);
  });
};
