import type { Run } from "./command.ts";
import type { Hunk } from "./patch.ts";

/** A path as the agent wrote it, as an absolute path, and with every symbolic link resolved. */
export interface Target {
  readonly given: string;
  readonly path: string;
  /** Equals `path` when the links could not be followed; then `trouble` says why. */
  readonly real: string;
  readonly trouble?: string;
  /** The pattern, as given, that the file is there for; the pattern itself has a target of its own. */
  readonly fits?: string;
}

export interface Edit {
  readonly old: string;
  readonly new: string;
  readonly all?: boolean;
}

/** How a file changes: by a whole new text, by edits to what is there, or in a way nobody can tell. */
export type Change =
  | { readonly by: "text"; readonly text: string }
  | { readonly by: "edits"; readonly edits: readonly Edit[] }
  | { readonly by: "append"; readonly text: string }
  | { readonly by: "insert"; readonly line: number; readonly text: string }
  | { readonly by: "hunks"; readonly hunks: readonly Hunk[]; readonly from: string }
  | { readonly by: "sed"; readonly script: string; readonly extended: boolean }
  | { readonly by: "unknown"; readonly fragment?: string };

/** A missing target is a target that cannot be known. */
export interface WriteAction {
  readonly kind: "write";
  readonly target?: Target;
  readonly change: Change;
  /** What comes there: a file, a folder with all that is in it, what fits a pattern; a patch that cannot be read. */
  readonly from?: Target;
  /** The command that does it, when it is done by a shell. */
  readonly by?: Run;
}

export interface DeleteAction {
  readonly kind: "delete";
  readonly target?: Target;
  readonly recursive: boolean;
  readonly by?: Run;
}

export interface ReadAction {
  readonly kind: "read";
  readonly target?: Target;
  readonly by?: Run;
}

export interface ExecAction {
  readonly kind: "exec";
  readonly command: string;
  readonly shell: Shell;
  readonly cwd: string;
  /** The commands that will really run; none for a command line that is plainly harmless. */
  readonly commands: readonly Run[];
  /** Why part of the text could not be understood. */
  readonly troubles: readonly string[];
}

export interface FetchAction {
  readonly kind: "fetch";
  /** Absent when it is only known when it runs. */
  readonly url?: string;
  /** Does it carry something out, too? */
  readonly sends?: boolean;
  readonly by?: Run;
}

export interface DelegateAction {
  readonly kind: "delegate";
  readonly agent?: string;
  readonly prompt: string;
}

/** Something on the agent's own list of what is to do. */
export interface Todo {
  /** Tells it from others where the text may change. */
  readonly id?: string;
  /** Absent where they stay as they were. */
  readonly text?: string;
  readonly done?: boolean;
}

export interface TodoAction {
  readonly kind: "todo";
  readonly items: readonly Todo[];
  /** The items are the whole list; otherwise they are what changes in it. */
  readonly whole?: true;
}

export type Shell = "posix" | "powershell";

/** What a tool call will really do, whatever the tool is called and whoever the host is. */
export type Action =
  | WriteAction
  | DeleteAction
  | ReadAction
  | ExecAction
  | FetchAction
  | DelegateAction
  | TodoAction;

export type ActionKind = Action["kind"];
