import { join } from "node:path";
import type { SourceName } from "../core/hook.ts";
import { lookAt } from "../platform/files.ts";

/** Which formats are read. `always` also under an agent that runs such a file by itself. */
export const sourceWords = ["on", "off", "always"] as const;
export type SourceWord = (typeof sourceWords)[number];

export type FileSource = Exclude<SourceName, "inline">;

export interface SourceSettings extends Readonly<Record<FileSource, SourceWord>> {
  /** Where the Harness settings are, if neither place of theirs is meant. */
  readonly harnessSettings?: string;
}

/** The documents' own places are looked at; what agents run by themselves is not, unless asked for. */
export const usualSources: SourceSettings = {
  registry: "on",
  harness: "on",
  plugins: "on",
  claude: "off",
  copilot: "off",
  components: "off",
};

/** One look tells whether there can be anything of a format. */
const places: Readonly<Record<FileSource, readonly string[]>> = {
  registry: [".system/hooks"],
  harness: [".harness/settings.json", "settings.json"],
  plugins: ["plugins"],
  claude: [".claude"],
  copilot: [".github/hooks"],
  components: [".claude", ".github", "plugins"],
};

/** On the way of every event, so it asks for no more than whether a place is there. */
export function mayHaveHooks(sources: SourceSettings, root: string): boolean {
  for (const name in places) if (mayHave(name as FileSource, sources, root)) return true;
  return false;
}

/** The same for one format. */
export function mayHave(source: FileSource, sources: SourceSettings, root: string): boolean {
  if (sources[source] === "off") return false;
  for (const place of harnessPlaces(source, sources))
    if (lookAt(join(root, place)) !== "missing") return true;
  return false;
}

const harnessPlaces = (source: FileSource, { harnessSettings }: SourceSettings): readonly string[] =>
  source === "harness" && harnessSettings !== undefined ? [harnessSettings] : places[source];

/** Agents that run the hooks of a format by themselves: there, `on` would run them twice. */
export const runsItself: Readonly<Partial<Record<SourceName, readonly string[]>>> = {
  claude: ["claude-code", "copilot"],
  copilot: ["copilot"],
  components: ["claude-code", "copilot"],
};
