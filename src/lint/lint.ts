import type { Finding } from "../core/finding.ts";
import type { HookDefinition } from "../core/hook.ts";
import type { Action } from "../core/action.ts";
import type { Script } from "./script.ts";

export const severities = ["note", "warning", "error"] as const;
export type Severity = (typeof severities)[number];

/** The six items a hook is to be checked for before it is used. */
export const checklist = {
  input: "Input validation: everything from TOOL_INPUT or FILE_PATH is checked",
  timeout: "Timeout protection: command hooks have a time limit",
  errors: "Error handling: failures end with the right exit code",
  paths: "Path security: files are named by ${CLAUDE_PLUGIN_ROOT}",
  permissions: "Permission awareness: the restrictions of the parent are kept",
  audit: "Audit trail: what a hook refuses is logged",
} as const;

/** What a safety rule would say, and the line of a script it would say it about, where one alone can be named. */
export interface Objection extends Finding {
  readonly line?: number;
}

/** A text that runs, understood: what it does, and what the safety rules would say to an agent that did it. */
export interface Understood {
  readonly actions: readonly Action[];
  readonly objections: readonly Objection[];
}

/** How long a hook has taken, by the ledger. */
export interface Timing {
  readonly runs: number;
  /** What 95 of 100 runs stay below, in milliseconds. */
  readonly p95: number;
}

/** What a lint looks at: a hook with the script it runs, or a script nobody has named yet. */
export interface Subject {
  readonly hook?: HookDefinition;
  /** The hook's command line as it is written. */
  readonly command?: string;
  readonly commandMeans?: Understood;
  readonly script?: Script;
  readonly scriptMeans?: Understood;
  /** The file the hook names, when it is not there. */
  readonly missing?: string;
  readonly timing?: Timing;
  /** Names of tools the host has, with those of servers in the form `mcp__server__tool`. */
  readonly tools: readonly string[];
}

/** What a lint has to say. Without a line: where the hook stands, or the first line of its script. */
export interface Remark {
  readonly text: string;
  readonly in?: "hook" | "script";
  readonly line?: number;
  readonly severity?: Severity;
}

/** A situation to try a lint on: files of a workspace, and where it has to speak. */
export interface LintExample {
  readonly files: Readonly<Record<string, string>>;
  /** Lines of the ledger. */
  readonly ledger?: readonly object[];
  /** `file:line` of the finding. */
  readonly at?: string;
  /** Only for the tests; the page shows the others. */
  readonly hidden?: true;
}

/** One thing that can be wrong with a hook. */
export interface Lint {
  readonly id: string;
  readonly severity: Severity;
  readonly summary: string;
  readonly why: string;
  readonly fix: string;
  readonly item?: keyof typeof checklist;
  readonly examples: { readonly bad: readonly LintExample[]; readonly good: readonly LintExample[] };
  check(subject: Subject): Iterable<Remark>;
}

/**
 * Defines a lint: what is wrong and what to do about it first, the check last.
 *
 * @example
 * defineLint({ id: "no-matcher", severity: "note", …, *check({ hook }) { if (!hook?.match) yield { text: "…" }; } });
 */
export const defineLint = (lint: Lint): Lint => lint;

/** A finding with its place, ready to be shown. */
export interface LintFinding {
  readonly rule: string;
  readonly severity: Severity;
  readonly file: string;
  readonly line: number;
  readonly hook?: string;
  readonly message: string;
  readonly fix: string;
}
