import { defineInstall, limitSeconds, type Layout } from "../../core/install.ts";
import { isObject, type Json } from "../../core/json.ts";

// Codex drops the whole file for whatever it does not expect there, and says nothing (observed with 0.166.0).
const layout: Layout = { kind: "json", fresh: {}, reads: [], spoilt };

export default defineInstall({
  // Beside config.toml: two forms in one layer work, and hooks.json is ours alone in most of them.
  files: ({ root, home, env }) => ({
    repo: { path: `${root}/.codex/hooks.json`, layout },
    user: { path: `${env("CODEX_HOME") || `${home}/.codex`}/hooks.json`, layout },
  }),
  signs: {
    repo: [".codex"],
    home: ({ home, env }) => [env("CODEX_HOME") || `${home}/.codex`],
    programs: ["codex"],
  },
  // Not the events of the model, which come with every request and can be told nothing.
  events: {
    SessionStart: "tell",
    UserPromptSubmit: "gate",
    PreToolUse: "gate",
    PermissionRequest: "gate",
    PostToolUse: "tell",
    SubagentStart: "tell",
    SubagentStop: "tell",
    PreCompact: "tell",
    Stop: "tell",
    SessionEnd: "tell",
  },
  // Exit code 2 with a text refuses; anything else that goes wrong is consent (observed with 0.166.0).
  refusesByExit: true,
  // Not as a login shell, which would set another PATH (observed with 0.166.0).
  shell: ["$SHELL", "-c"],
  entry: (event, _purpose, { posix, cmd }) => ({
    ...(/Tool|Permission/.test(event) ? { matcher: "*" } : {}),
    hooks: [
      {
        type: "command",
        command: posix,
        commandWindows: cmd,
        // The end of a session gets three seconds at most, and a warning for more.
        timeout: event === "SessionEnd" ? 3 : limitSeconds,
      },
    ],
  }),
  trust:
    "Codex runs no hook you have not trusted, and says nothing: start `codex` here, trust the project, and trust each hook under `/hooks`.",
});

function spoilt(config: Json): string | undefined {
  const unknown = Object.keys(config).find((key) => key !== "hooks" && key !== "description");
  if (unknown !== undefined) return `holds the key \`${unknown}\`, for which Codex drops the whole file`;
  const hooks = isObject(config["hooks"]) ? config["hooks"] : {};
  const event = Object.keys(hooks).find((each) => !isList(hooks[each], isGroup));
  return event === undefined
    ? undefined
    : `holds something at \`hooks.${event}\` for which Codex drops the whole file`;
}

const isList = (value: unknown, isRight: (each: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isRight);

const isGroup = (value: unknown): boolean =>
  isObject(value) &&
  (value["matcher"] === undefined || typeof value["matcher"] === "string") &&
  (value["hooks"] === undefined || isList(value["hooks"], isHandler));

const isHandler = (value: unknown): boolean =>
  isObject(value) &&
  typeof value["type"] === "string" &&
  (value["type"] !== "command" || typeof value["command"] === "string") &&
  (value["timeout"] === undefined || typeof value["timeout"] === "number");
