import type { Outcome } from "../core/outcome.ts";
import type { FailMode, Rule } from "../core/rule.ts";
import type { Evaluator, HookDefinition } from "../core/hook.ts";
import type { SourceSettings } from "../sources/places.ts";
import type { RoutingLayer } from "./routing-settings.ts";
import type { HookProblemCode } from "../sources/source.ts";
import type { Workflow } from "../workflow/declared/model.ts";

export const modes = ["enforce", "observe"] as const;
export type Mode = (typeof modes)[number];

export const failModes = ["open", "closed"] as const satisfies FailMode[];

/** What a rule can be set to by one word. */
export const settingWords = ["off", "on", "warn", "ask", "block"] as const;
export type SettingWord = (typeof settingWords)[number];

/** Later in this list wins. `caller` is what whoever calls brings along, such as a pipeline's scripts. */
export const layerNames = ["caller", "user", "repository", "managed"] as const;
export type LayerName = (typeof layerNames)[number];

export interface RuleSetting {
  readonly outcome?: SettingWord;
  readonly failMode?: FailMode;
  readonly options?: Readonly<Record<string, unknown>>;
  /** Managed files only: no other layer can change this rule. */
  readonly locked?: boolean;
}

/** What holds for the ledger. */
export interface LedgerSettings {
  /** Payloads are written down as they came. */
  readonly raw: boolean;
  readonly contentKb: number;
  readonly segmentMb: number;
  readonly segmentDays: number;
  /** Nothing: for ever. */
  readonly keepDays?: number;
  readonly export?: ExportSettings;
}

/** Where records are sent to. */
export interface ExportSettings {
  readonly otlp?: string | undefined;
  readonly syslog?: string | undefined;
  /** By the name of a header, the environment variable that holds its value. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export const usualLedger: LedgerSettings = { raw: false, contentKb: 64, segmentMb: 32, segmentDays: 30 };

/** Who answers prompt hooks, as a policy file says it. */
export interface EvaluatorSettings {
  readonly evaluator: Evaluator["kind"];
  readonly url?: string | undefined;
  readonly model?: string | undefined;
  readonly key?: string | undefined;
  readonly command?: readonly string[] | undefined;
  readonly timeoutMs?: number | undefined;
  readonly failMode?: FailMode | undefined;
}

/** How hooks are run. */
export interface HandlerSettings {
  /** Hosts that may be posted to. */
  readonly httpHosts: readonly string[];
  readonly followUps: "show" | "queue";
  /** When hooks must have answered an agent, counted from our start. */
  readonly deadlineMs?: number;
  /** Who answers prompt hooks, by the user's or the organisation's word. */
  readonly evaluator?: Evaluator;
  /** Who does by the repository's. */
  readonly foreignEvaluator?: Evaluator;
}

/** What ability and knowledge routing do when a user submits a prompt. */
export interface RoutingSettings {
  /** Abilities are suggested to the agent's model. */
  readonly abilities?: {
    /** The least confidence. */
    readonly least: number;
    readonly most: number;
    /** The evaluator of prompt hooks puts them into order. */
    readonly rerank: boolean;
  };
  /** Documents for what hooks say the user wants to know are given to it. */
  readonly knowledge?: { readonly documents: number; readonly budgetKb: number };
}

/** One policy file, checked. */
export interface Layer {
  readonly name: LayerName;
  readonly file: string;
  readonly extends?: readonly string[];
  readonly mode?: Mode;
  readonly rules: Readonly<Record<string, RuleSetting>>;
  readonly ledger?: { readonly [K in keyof LedgerSettings]?: LedgerSettings[K] | undefined };
  readonly sources?: Partial<SourceSettings>;
  readonly hooks?: readonly HookDefinition[];
  readonly handlers?: {
    readonly http?: { readonly allow: readonly string[] } | undefined;
    readonly followUps?: HandlerSettings["followUps"] | undefined;
    readonly deadlineMs?: number | undefined;
    readonly prompt?: EvaluatorSettings | undefined;
  };
  /** By name. */
  readonly workflows?: readonly Workflow[];
  readonly routing?: RoutingLayer;
}

export interface PolicyRule {
  readonly id: string;
  /** `pass` is off. */
  readonly outcome: Outcome;
  readonly failMode: FailMode;
  readonly options: unknown;
  readonly locked?: true;
  /** What it is about under this policy, where that is less than the rule itself could be about. */
  readonly on?: Rule["on"];
}

/** All layers compiled: what the hot path reads, and nothing else. */
export interface Policy {
  readonly mode: Mode;
  readonly extends: readonly string[];
  readonly rules: readonly PolicyRule[];
  readonly ledger: LedgerSettings;
  /** Which formats of hooks are read. */
  readonly sources: SourceSettings;
  /** Hooks written in the policy itself, weakest layer first. */
  readonly hooks: readonly HookDefinition[];
  readonly handlers: HandlerSettings;
  /** Only where there are some. */
  readonly workflows?: readonly Workflow[];
  /** Some of them can only be judged by asking git. */
  readonly asksGit?: true;
  /** Programs that workflows name: a command line with one of them is unfolded however harmless it looks. */
  readonly programs?: readonly string[];
  /** Nothing where no layer asks for it. */
  readonly routing?: RoutingSettings;
  /** The packs its rules come from. */
  readonly packs: readonly string[];
  /** What a layer asked for and did not get. */
  readonly notes: readonly string[];
}

/** What there is to choose from. */
export interface Registry {
  readonly rules: Readonly<Record<string, Rule>>;
  readonly presets: Readonly<Record<string, { readonly mode?: Mode }>>;
  expandPresets(names: readonly string[]): string[];
}

/** A mistake in a policy file, placed so that an editor can jump to it. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly key: string;
  readonly text: string;
  readonly hint: string;
  readonly code: ProblemCode;
}

/** Stable names of what can be wrong with a policy. */
export type ProblemCode =
  | "HL_UNREADABLE"
  | "HL_YAML"
  | "HL_UNKNOWN_KEY"
  | "HL_UNKNOWN_RULE"
  | "HL_UNKNOWN_PRESET"
  | "HL_BAD_VALUE"
  | "HL_BAD_OPTION"
  | "HL_LOCK_NOT_MANAGED"
  | "HL_NOT_IN_REPOSITORY"
  | "HL_WORKFLOW"
  | HookProblemCode;

/** `hookline.yaml:12:3  rules.x: unknown rule "x" (HL_UNKNOWN_RULE)` and, below it, what to do. */
export function showProblem(problem: Problem): string {
  const place = problem.line > 0 ? `${problem.file}:${problem.line}:${problem.column}` : problem.file;
  const key = problem.key === "" ? "" : `${problem.key}: `;
  return `${place}  ${key}${problem.text} (${problem.code})\n  ${problem.hint}`;
}
