import type { World } from "../core/world.ts";
import { sessionFiles } from "./ralph-layout.ts";
import { sectionOf } from "./markdown.ts";

/** What a session was told in `.ralph-sessions/<id>.instructions.md`. */
export interface Instructions {
  /** Paths and globs the session may edit besides its own: the source of `allowlist_overrides`. */
  readonly targetFiles: readonly string[];
  /** Settings it has by name, such as `max_subagent_retries`. */
  readonly settings: Readonly<Partial<Record<SettingName, number>>>;
}

const settingNames = [
  "max_parallel_executors",
  "max_parallel_reviewers",
  "max_parallel_questioners",
  "max_cycles",
  "max_subagent_retries",
  "task_wip_minutes",
] as const;

export type SettingName = (typeof settingNames)[number];

export function readInstructions(root: string, id: string, world: World): Instructions {
  const text = world.read(sessionFiles(root, id).instructions) ?? "";
  const settings: Partial<Record<SettingName, number>> = {};
  for (const name of settingNames) {
    const value = new RegExp(`\\b${name}\\b[\`*"]*\\s*[:=]\\s*[\`*"]*(\\d{1,6})`).exec(text)?.[1];
    if (value !== undefined) settings[name] = Number(value);
  }
  return { targetFiles: pathsIn(sectionOf(text, "Target Files")), settings };
}

/** The paths under `## Target Files` of the session's instructions. */
export const targetFiles = (root: string, id: string, world: World): readonly string[] =>
  readInstructions(root, id, world).targetFiles;

/** ``- `src/app.ts`: the entry`` names `src/app.ts`. */
function pathsIn(section: string): string[] {
  return section.split(/\r?\n/).flatMap((line) => {
    const item = /^\s*[-*+]\s+(?:\[[ x]\]\s+)?(.*)$/.exec(line)?.[1]?.trim() ?? "";
    const quoted = /^[*_]{0,2}`([^`]+)`/.exec(item)?.[1];
    const path = quoted ?? item.split(/\s+(?:[-–—(#:]|$)/, 1)[0] ?? "";
    return path.trim() === "" ? [] : [path.trim()];
  });
}
