import type { ConfigFile, Machine, Scope } from "./install.ts";
import type { Json } from "./json.ts";

/** What a checkup may look at. Nothing for a file that is missing or cannot be read. */
export interface Look {
  readonly machine: Machine;
  /** A file as JSON with comments, or by its name as TOML. */
  readonly read: (path: string) => Json | undefined;
  readonly list: (folder: string) => readonly string[];
  readonly sha256: (text: string) => string;
}

/** A configuration of ours. */
export interface Installed {
  readonly scope: Scope;
  readonly file: ConfigFile;
  readonly config: Json;
}

export interface Observation {
  readonly text: string;
  readonly place?: string;
  readonly instead: string;
  /** Worth knowing, and nothing wrong. */
  readonly isNote?: true;
}

/** What came back from a call. */
export interface Answered {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How to see whether a host really asks us, beyond what stands in its configuration. Data, and functions that only compute. */
export interface Checkup {
  /** A shell command as the host announces it, and whether an answer keeps it from running, as the host reads it. */
  readonly canary: {
    readonly event: string;
    payload(command: string, cwd: string): Json;
    refuses(answer: Answered): boolean;
  };
  /** Settings and variables that switch the host's hooks off, where they do. */
  switchedOff(look: Look, installed: readonly Installed[]): readonly Observation[];
  /** Why the host does not run hooks of ours that stand in its configuration. */
  distrust?(look: Look, installed: Installed): readonly Observation[];
  /** What is worth knowing about hooks of ours that stand in its configuration, and nothing wrong. */
  advice?(look: Look, installed: Installed): readonly Observation[];
  /** Where it stands that our plugin is on, for hosts that have plugins. */
  plugin?(look: Look): string | undefined;
  /** The first version that holds what we rely on. */
  readonly needs?: { readonly version: string; readonly why: string };
}

export const defineCheckup = (checkup: Checkup): Checkup => checkup;

/** Standard output as the object it holds. */
export function objectIn(stdout: string): Json {
  try {
    const value: unknown = JSON.parse(stdout);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
  } catch {
    return {};
  }
}

/** The value at a path of keys. */
export function valueAt(value: unknown, ...keys: readonly string[]): unknown {
  let found = value;
  for (const key of keys)
    found =
      typeof found === "object" && found !== null && Object.hasOwn(found, key)
        ? (found as Json)[key]
        : undefined;
  return found;
}

/** A folder and those above it, the innermost first. */
export function withParents(folder: string): string[] {
  const above = folder.replace(/[\\/][^\\/]*$/, "");
  return above === folder || above === "" ? [folder] : [folder, ...withParents(above)];
}
