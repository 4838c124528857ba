import type { FailMode } from "./rule.ts";

/** The configuration formats hooks come from. A later one never hides an earlier one: all of them run. */
export const sourceNames = [
  "registry",
  "harness",
  "plugins",
  "claude",
  "copilot",
  "components",
  "inline",
] as const;
export type SourceName = (typeof sourceNames)[number];

/** How a hook is spoken to and how its results are read. */
export type Profile = "ability" | "harness" | "plugin" | "copilot";

/** How a definition runs. Paths are absolute. */
export type Handler =
  | {
      readonly kind: "command";
      /** A shell's command line; nothing of a payload is ever put into it. */
      readonly shell?: string;
      /** A file, started by its shebang or extension, with arguments. */
      readonly script?: string;
      /** A program and its arguments, started without a shell. For a script only the arguments. */
      readonly args?: readonly string[];
      readonly cwd?: string;
      readonly env?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "module"; readonly path: string }
  | {
      readonly kind: "http";
      readonly url: string;
      /** `$NAME` stands for a variable, if it is one of those that may be sent. */
      readonly headers?: Readonly<Record<string, string>>;
      readonly allowedEnvVars?: readonly string[];
    }
  | {
      readonly kind: "prompt";
      readonly prompt: string;
      readonly model?: string;
      /** Who answers, where the repository says so: part of what is trusted. */
      readonly evaluator?: Evaluator;
    };

/** Who answers prompt hooks. */
export interface Evaluator {
  readonly kind: "anthropic" | "openai" | "command";
  readonly url?: string;
  readonly model?: string;
  /** The environment variable that holds the key. The key itself stands nowhere. */
  readonly keyFrom?: string;
  readonly command?: readonly string[];
  readonly timeoutMs?: number;
  readonly failMode?: FailMode;
}

/** When a hook of an event is wanted; all that is given must hold. */
export interface Match {
  /** A regular expression over what the event is about: the tool's name, a session's source … */
  readonly subject?: string;
  /** Dotted paths into the payload, with the values any of which must be there. */
  readonly fields?: Readonly<Record<string, readonly (string | number | boolean)[]>>;
  /** Patterns over ability ids. */
  readonly abilities?: readonly string[];
  readonly operations?: readonly string[];
  readonly minDurationMs?: number;
  /** Patterns one of which a changed file must fit. */
  readonly changedPaths?: readonly string[];
  /** A permission rule such as `Bash(git *)`. */
  readonly permission?: string;
}

/** An agent, a skill or a command, with what it may do. Its hooks may do no more. */
export interface Component {
  readonly kind: "agent" | "skill" | "command";
  readonly name: string;
  /** The name of its file or folder, by which some agents call it whatever its page says. */
  readonly stem?: string;
  readonly permissionMode?: string;
  /** Tools it has, also as `Bash(git add:*)`; absent: all. */
  readonly tools?: readonly string[];
  readonly disallowed?: readonly string[];
  /** The plugin it came with. */
  readonly folder?: string;
  /** Where all this stands. */
  readonly page?: string;
  /** Why its page does not tell what it may do, which then is nothing. */
  readonly trouble?: string;
}

/** One hook, whatever it was written in. */
export interface HookDefinition {
  /** Unique within its source. */
  readonly id: string;
  readonly source: SourceName;
  /** Where it stands: a path below the workspace where it is there, and a line. */
  readonly file: string;
  readonly line: number;
  readonly profile: Profile;
  /** Our names of its events; those of a host that has no such name as the host spells them. */
  readonly events: readonly string[];
  readonly enabled: boolean;
  readonly match?: Match;
  readonly handler: Handler;
  readonly timeoutMs: number;
  /** What a crash means, and for an ability hook also what an error means. */
  readonly blocking: boolean;
  readonly failMode: FailMode;
  /** Absent: all. */
  readonly environments?: readonly string[];
  readonly summary?: string;
  /** Once a session. */
  readonly once?: true;
  /** Started and not waited for. */
  readonly background?: true;
  /** It says of itself that it stops nothing: it runs whatever the hooks before it decided. */
  readonly takesNotes?: true;
  /** The folder of the plugin it belongs to. */
  readonly pluginRoot?: string;
  /** As the format has it, for `hooks register`. */
  readonly written?: Readonly<Record<string, unknown>>;
  /** The agent, skill or command whose own it is. */
  readonly component?: Component;
  /** It stands where only the user or the organisation can write. */
  readonly own?: true;
}

/** The points at which something can still be stopped. */
const gates: readonly string[] = [
  "UserPromptSubmit",
  "PreToolUse",
  "PermissionRequest",
  "PreAbilityCall",
  "PreCompact",
  "Stop",
  "SubagentStop",
  "SessionStop",
];

/** Whether a hook is asked to decide at an event. Any other takes notes, and runs whatever was decided before it. */
export const decides = (
  { background, takesNotes }: Pick<HookDefinition, "background" | "takesNotes">,
  event: string,
): boolean => !background && !takesNotes && gates.includes(event);

/** What a handler brought back, before anybody has made sense of it. */
export interface RawResult {
  /** How it ended. `failed`: it never ran, or what carries it broke. */
  readonly ended: "exit" | "signal" | "timeout" | "failed";
  readonly exitCode?: number;
  readonly signal?: string;
  readonly stdout: string;
  readonly stderr: string;
  /** It said more than is listened to. */
  readonly cut?: true;
  /** What a module returned. */
  readonly value?: unknown;
  /** Why it failed, in words. */
  readonly detail?: string;
  readonly ms: number;
}

export const stages = ["understand", "plan", "act", "review"] as const;
export type Stage = (typeof stages)[number];
export const isStage = (value: unknown): value is Stage => stages.includes(value as Stage);

export const levels = ["debug", "info", "warn", "error"] as const;
export const followUpKinds = ["open_file", "run_command", "create_task"] as const;

export interface FollowUp {
  readonly kind: (typeof followUpKinds)[number];
  readonly payload: Readonly<Record<string, unknown>>;
}

/** What a hook of the registry returns, and what all of them together come to. */
export interface HookResult {
  readonly logs?: readonly { readonly level: (typeof levels)[number]; readonly message: string }[];
  readonly messages_to_user?: readonly string[];
  readonly suggested_abilities?: readonly {
    readonly id: string;
    readonly reason: string;
    readonly confidence?: number;
  }[];
  readonly suggested_documents?: readonly {
    readonly path: string;
    readonly reason: string;
    readonly stage?: Stage;
  }[];
  readonly new_intent?: Readonly<Record<string, unknown>>;
  readonly follow_up_actions?: readonly FollowUp[];
  readonly usage_recorded?: boolean;
  readonly error?: string;
  /** Whatever else it said. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** How one hook fared with one event: what the record keeps, and all that reading it again takes. */
export interface HookRun {
  readonly hook: Pick<
    HookDefinition,
    "id" | "source" | "profile" | "blocking" | "failMode" | "file" | "line"
  >;
  /**
   * `inert`: it was not run, because nobody trusts it as it is. `not-run`: something was refused before its turn came. `stopped`: the
   * same, but it had been started; it was ended, and what it said does not count.
   */
  readonly status:
    | "ok"
    | "blocked"
    | "asked"
    | "warned"
    | "failed"
    | "inert"
    | "started"
    | "not-run"
    | "stopped";
  readonly raw?: RawResult;
  /** Why it was not run, or was stopped. */
  readonly why?: string;
  /** How it was kept to reading, or why it was not. */
  readonly sandbox?: string;
  /** The file it was asked about, where the event is about several. */
  readonly about?: string;
  /** It ran again because a hook before it changed the tool's input. */
  readonly again?: true;
}
