import { isOurHandler } from "../../core/command-lines.ts";
import {
  defineCheckup,
  objectIn,
  valueAt,
  withParents,
  type Look,
  type Observation,
} from "../../core/checkup.ts";
import { asText, isObject, type Json } from "../../core/json.ts";

export default defineCheckup({
  canary: {
    event: "PreToolUse",
    payload: (command, cwd) => ({
      session_id: "hookline-canary",
      turn_id: "1",
      transcript_path: null,
      cwd,
      hook_event_name: "PreToolUse",
      model: "canary",
      permission_mode: "default",
      tool_name: "Bash",
      tool_input: { command },
      tool_use_id: "hookline_canary",
    }),
    refuses({ exitCode, stdout, stderr }) {
      if (exitCode === 2) return stderr.trim() !== "";
      const said = objectIn(stdout);
      const { permissionDecision, permissionDecisionReason } = isObject(said["hookSpecificOutput"])
        ? said["hookSpecificOutput"]
        : {};
      return exitCode === 0 && permissionDecision === "deny" && Boolean(permissionDecisionReason);
    },
  },
  switchedOff(look, installed) {
    const { root } = look.machine;
    const found: Observation[] = [];
    for (const place of [
      `${homeOf(look)}/config.toml`,
      `${root}/.codex/config.toml`,
      "/etc/codex/config.toml",
    ]) {
      const features = look.read(place)?.["features"];
      if (valueAt(features, "hooks") === false || valueAt(features, "codex_hooks") === false)
        found.push({ place, text: "`[features] hooks` switches every hook off", instead: "Take it out." });
    }
    const required = "/etc/codex/requirements.toml";
    if (look.read(required)?.["allow_managed_hooks_only"] === true && installed.length > 0)
      found.push({
        place: required,
        text: "`allow_managed_hooks_only` keeps all hooks from running but managed ones",
        instead: "Put ours into that file.",
      });
    return found;
  },
  distrust(look, { scope, file, config }) {
    const { root } = look.machine;
    const place = `${homeOf(look)}/config.toml`;
    const user = look.read(place);
    const found: Observation[] = [];
    if (
      scope === "repo" &&
      !withParents(root).some((folder) => valueAt(user, "projects", folder, "trust_level") === "trusted")
    )
      found.push({
        place,
        text: "this project is not trusted, and Codex runs none of its hooks",
        instead: "Start `codex` here and trust it.",
      });
    const state = valueAt(user, "hooks", "state");
    const hooks = hooksOf(config);
    const skipped = hooks.flatMap(({ event, key, hash }) => {
      const known = valueAt(state, `${file.path}:${key}`);
      const isTrusted = valueAt(known, "trusted_hash") === `sha256:${look.sha256(hash)}`;
      return isTrusted && valueAt(known, "enabled") !== false ? [] : [event];
    });
    const which = skipped.length === hooks.length ? "all of ours" : skipped.join(", ");
    if (skipped.length > 0)
      found.push({
        place,
        text: `Codex skips hooks that are switched off or that nobody has agreed to, without a word: ${which}`,
        instead: "Start `codex` here and agree to each under `/hooks`.",
      });
    return found;
  },
});

const homeOf = ({ machine: { home, env } }: Look): string => env("CODEX_HOME") || `${home}/.codex`;

/** Each hook of ours with the key Codex keeps it under, and the text whose digest it trusts (recomputed and equal with 0.166.0). */
function hooksOf(config: Json): { event: string; key: string; hash: string }[] {
  const events = isObject(config["hooks"]) ? Object.entries(config["hooks"]) : [];
  return events.flatMap(([event, groups]) =>
    (Array.isArray(groups) ? (groups as unknown[]) : []).flatMap((group, at) => {
      if (!isObject(group) || !Array.isArray(group["hooks"])) return [];
      const name = event.replace(/(?<=.)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
      return (group["hooks"] as unknown[]).flatMap((handler, inner) =>
        isObject(handler) && isOurHandler(handler)
          ? [{ event, key: `${name}:${at}:${inner}`, hash: hashed(name, group["matcher"], handler) }]
          : [],
      );
    }),
  );
}

/** Compact, with sorted keys. */
const hashed = (name: string, matcher: unknown, { type, command, timeout, async = false }: Json): string =>
  JSON.stringify({
    event_name: name,
    hooks: [{ async, command, timeout, type }],
    ...(asText(matcher) === undefined ? {} : { matcher }),
  });
