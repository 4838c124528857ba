import { join } from "node:path";
import type { Effect } from "../../core/effect.ts";
import type { World } from "../../core/world.ts";
import { iterationFiles, sessionFiles, sessionsFolder } from "../../workflow/ralph-layout.ts";
import { newIterationMetadata, newSessionMetadata } from "../../workflow/ralph-metadata.ts";
import { ralphProfiles, type RalphProfileName } from "../../workflow/ralph-profiles.ts";
import { newProgress } from "../../workflow/ralph-progress.ts";
import { timeDigits } from "../../workflow/ralph-signals.ts";
import { localIso } from "../signals.ts";

/** The id of a session that starts now. */
export function idNow(world: World): string {
  const digits = timeDigits(world.now());
  return `${digits.slice(0, 6)}-${digits.slice(6, 12)}`;
}

/** What makes a session: its folders, its metadata, its first iteration, its instructions, and the mark that it is the active one. */
export function createEffects(
  root: string,
  id: string,
  { targets, profile }: { readonly targets: readonly string[]; readonly profile: RalphProfileName },
  world: World,
): Effect[] {
  const { folder, metadata, instructions } = sessionFiles(root, id);
  const now = localIso(world.now());
  const fresh = (path: string, text: string): Effect => ({ do: "replace", path, text, was: null });
  return [
    ...ralphProfiles[profile].scaffold.map((name): Effect => ({
      do: "make-directory",
      path: join(folder, name),
    })),
    fresh(metadata, newSessionMetadata(id, now)),
    ...iterationEffects(folder, 1, now, world),
    ...(world.stat(instructions) ? [] : [fresh(instructions, instructionsOf(id, targets))]),
    { do: "replace", path: join(root, sessionsFolder, ".active-session"), text: `${id}\n` },
  ];
}

/** The files an iteration begins with, as far as they are not there. */
export function iterationEffects(session: string, iteration: number, now: string, world: World): Effect[] {
  const files = iterationFiles(session, iteration);
  const missing: [string, string][] = [
    [files.metadata, newIterationMetadata(iteration, now)],
    [files.progress, newProgress(iteration)],
  ];
  return [
    { do: "make-directory", path: files.tasks },
    ...missing
      .filter(([path]) => !world.stat(path))
      .map(([path, text]): Effect => ({ do: "replace", path, text, was: null })),
  ];
}

const instructionsOf = (id: string, targets: readonly string[]): string =>
  [
    "---",
    `applyTo: "${sessionsFolder}/${id}/**"`,
    "---",
    "",
    `# Session ${id}`,
    "",
    "## Concurrency",
    "- max_parallel_executors: 3",
    "- max_parallel_reviewers: 3",
    "- max_parallel_questioners: 3",
    "",
    "## Planning",
    "- max_cycles: 2",
    "",
    "## Retries",
    "- max_subagent_retries: 4",
    "",
    "## Timeouts",
    "- task_wip_minutes: 60",
    "",
    "## Target Files",
    ...targets.map((path) => `- \`${path}\``),
    "",
  ].join("\n");
