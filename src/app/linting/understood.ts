import * as v from "valibot";
import type { Action } from "../../core/action.ts";
import { judge, TimeoutError, type SelectedRule } from "../../core/engine.ts";
import type { Event } from "../../core/event.ts";
import { recordWorld, type World } from "../../core/world.ts";
import type { Understood } from "../../lint/lint.ts";
import type { Script } from "../../lint/script.ts";
import { rules } from "../../packs/index.generated.ts";
import { watchedLimits } from "../../platform/limits.ts";
import { liveWorld } from "../../platform/live-world.ts";
import type { Env } from "../../platform/places.ts";
import { unfoldCommands, withReaders } from "../../shell/understand.ts";

/** Rules about what nobody wants done behind his back, wherever it comes from. */
const asked = [
  "safety/database",
  "safety/destructive-delete",
  "safety/disk-and-device",
  "safety/git-history",
  "safety/infrastructure",
  "safety/permissions",
  "safety/publish",
  "safety/remote-code",
  "safety/system-power",
];

/** What a command line does, and what the safety rules would say if an agent ran it. */
export async function understand(command: string, cwd: string, root: string, env: Env): Promise<Understood> {
  const world = recordWorld(liveWorld(env));
  const exec: Action = { kind: "exec", command, shell: "posix", cwd, commands: [], troubles: [] };
  const actions = await withReaders(() => unfolded(exec, root, world));
  const event: Event = {
    name: "PreToolUse",
    native: "PreToolUse",
    host: "lint",
    dialect: "lint",
    cwd,
    root,
    tool: { name: "Bash", input: { command } },
    actions,
    payload: {},
  };
  const { findings } = await judge(event, selected(), world, watchedLimits);
  // What a script deletes or runs by a variable of its own is its own business until somebody says otherwise.
  const objections = findings.filter(
    ({ outcome, id }) => (outcome === "block" || outcome === "ask") && id !== "unknown",
  );
  return { actions, objections };
}

/** What somebody has written to keep us busy says nothing. */
function unfolded(exec: Action, root: string, world: World): readonly Action[] {
  try {
    return watchedLimits.within(watchedLimits.ruleMs, () => unfoldCommands([exec], root, world));
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
    return [exec];
  }
}

let chosen: SelectedRule[] | undefined;

const selected = (): SelectedRule[] =>
  (chosen ??= asked.flatMap((id) => {
    const rule = rules[id];
    if (!rule) return [];
    const options = v.parse(rule.options(v), rule.presets["recommended"] ?? {});
    return [{ id, on: rule.on, rule, outcome: rule.outcome, failMode: rule.failMode, options }];
  }));

/** A script as the command line that would run its text. */
export function commandFor({ language, text }: Script): string | undefined {
  const quoted = `'${text.replaceAll("'", `'\\''`)}'`;
  if (language === "shell") return text;
  if (language === "python") return `python3 -c ${quoted}`;
  return language === "javascript" ? `node -e ${quoted}` : undefined;
}
