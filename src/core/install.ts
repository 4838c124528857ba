import type { Json } from "./json.ts";

/** Whose configuration is meant: the repository's, the user's, or the one an organisation gives to a machine. */
export const scopes = ["repo", "user", "managed"] as const;
export type Scope = (typeof scopes)[number];

/** What a host's places depend on. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly root: string;
  readonly home: string;
  readonly env: (name: string) => string | undefined;
}

/** One call of Hookline, for each shell a host may use. */
export interface CommandLines {
  readonly posix: string;
  readonly powershell: string;
  readonly cmd: string;
  /** The one for a host that has a single command line: what runs on the machine `init` is run on. */
  readonly native: string;
}

/** A file that holds hooks. */
export interface ConfigFile {
  readonly path: string;
  /** Nothing but ours stands in it, so it goes with ours. */
  readonly own?: true;
  readonly layout: Layout;
}

/** What many readers of JSON put up with; a mark is that of the byte order. */
export type BesideJson = "comments" | "trailing commas" | "a mark";

export type Layout =
  /** `{"hooks": {"<event>": [entry, …]}}`, with comments or without; `fresh` is what a new file begins with. */
  | {
      readonly kind: "json";
      readonly fresh: Json;
      /** What its host reads besides plain JSON, where that is known; for anything else it drops the file, and our hooks with it. */
      readonly reads?: readonly BesideJson[];
      /** What stands in a file that its host drops for it, said of the file. */
      spoilt?(config: Json): string | undefined;
    }
  /** A program that calls us; all of the file. The mark stands in every version of it. */
  | {
      readonly kind: "program";
      readonly mark: string;
      text(executable: string): string;
      /** The executable a text of ours calls. */
      executable(text: string): string | undefined;
    };

/** Why an event is registered: `gate` can still refuse what is about to happen, `tell` can only be told. */
type Purpose = "gate" | "tell";

/** How a host is made to call us. Data, and functions that only compute. */
export interface Install {
  /** The file of each scope; a scope that is missing is one the host does not have. */
  files(machine: Machine): Partial<Record<Scope, ConfigFile>>;
  /** Paths and programs that tell that somebody uses the agent; in the home also by variables that move it. */
  readonly signs: {
    readonly repo: readonly string[];
    home(machine: Machine): readonly string[];
    readonly programs: readonly string[];
  };
  /** The host's events to be called at. */
  readonly events: Readonly<Record<string, Purpose>>;
  /** Whether the command line has to name the event, because the payload does not. */
  readonly namesEvent?: true;
  /** How the host starts a command line, but for Windows; `$SHELL` is the user's own shell. */
  readonly shell: readonly string[];
  /** Whether a call that fails is to end as a refusal by its exit code, because the host would go ahead otherwise. */
  readonly refusesByExit?: true;
  /** What stands in the list of an event. */
  entry(event: string, purpose: Purpose, lines: CommandLines, machine: Machine): Json;
  /** What the user has to do before the host runs the hooks. */
  readonly trust?: string;
}

export const defineInstall = (install: Install): Install => install;

/**
 * How long a host waits for us, in seconds. Hooks of the workspace are ended after eight (`handlers.deadlineMs`); the rest is for
 * a busy machine, because most hosts go ahead when the time is up.
 */
export const limitSeconds = 20;
