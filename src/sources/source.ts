import type { HookDefinition, SourceName } from "../core/hook.ts";
import { plainName } from "../core/plain-name.ts";

/** A file of a hook format, as it was found. */
export interface HookFile {
  /** As people name it: below the workspace, with slashes. */
  readonly file: string;
  readonly path: string;
  readonly text: string;
  /** The workspace. */
  readonly root: string;
}

/** A mistake in a hook file, or something that is probably one. */
export interface HookProblem {
  readonly file: string;
  readonly line: number;
  readonly level: "error" | "warning";
  readonly text: string;
  readonly hint: string;
  readonly code: HookProblemCode;
  /** The hook it is about, where one can be told. */
  readonly hook?: string;
}

/** Stable names of what can be wrong with a hook file. */
export type HookProblemCode =
  | "HL_HOOK_UNREADABLE"
  | "HL_HOOK_TOO_LONG"
  | "HL_HOOK_TOO_MANY"
  | "HL_HOOK_SYNTAX"
  | "HL_HOOK_FIELD"
  | "HL_HOOK_EVENT"
  | "HL_HOOK_MATCHER"
  | "HL_HOOK_HANDLER"
  | "HL_HOOK_TIMEOUT"
  | "HL_HOOK_DUPLICATE"
  | "HL_HOOK_NAME"
  | "HL_HOOK_NOT_EXECUTABLE"
  | "HL_HOOK_POLICY";

export interface Loaded {
  readonly definitions: readonly HookDefinition[];
  readonly problems: readonly HookProblem[];
}

/** Where a format's files lie, and how one of them is read. */
export interface Source {
  readonly name: SourceName;
  /** Paths below the workspace; `*` stands for one name. */
  readonly files: readonly string[];
  /** Of several places for one file only the first that is there counts. */
  readonly firstOnly?: true;
  load(file: HookFile): Loaded;
}

/** `.system/hooks/x.yaml:3  event_type: unknown event "Pre" (HL_HOOK_EVENT)` and, below it, what to do. */
export const showHookProblem = ({ file, line, level, text, hint, code }: HookProblem): string =>
  `${plainName(file)}:${line}  ${level === "warning" ? "warning: " : ""}${plainName(text)} (${code})\n  ${plainName(hint)}`;
