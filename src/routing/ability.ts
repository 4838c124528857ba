import type { Json } from "../core/json.ts";

export const highKinds = ["workflow", "agent"] as const;
export const lowKinds = ["script", "mcp", "api"] as const;
export type ImplementationKind = (typeof lowKinds)[number];
export type AbilityKind = (typeof highKinds)[number] | ImplementationKind;

/** High-level: a workflow or an agent, by its id. Low-level: one operation, by its key. */
export type Level = "high" | "low";

/** A row of an `ABILITY.md`. */
export interface AbilityRow {
  readonly level: Level;
  /** The id, or for a low-level ability its operation key. */
  readonly id: string;
  readonly kind: AbilityKind;
  /** Where it belongs, by the row; empty or `all`: anywhere. */
  readonly scopes: readonly string[];
  /** When to use it, in the words of the row. */
  readonly use: string;
  /** Its registry file, below the workspace. Nothing when there is none. */
  readonly registry?: string;
  /** Where the row stands. */
  readonly file: string;
  readonly line: number;
}

/** Words that help to find an ability, or to leave it alone. */
export interface Hints {
  readonly keywords: readonly string[];
  readonly negative: readonly string[];
  readonly scopes: readonly string[];
  /** By a word of the ability, what people say instead. */
  readonly synonyms: Readonly<Record<string, readonly string[]>>;
  readonly notes: string;
}

/** One way an ability is carried out. */
export interface Implementation {
  readonly id: string;
  readonly kind: ImplementationKind;
  readonly operation?: string;
  /** What is called, as the file has it; a text is a command. */
  readonly invocation: Json;
  readonly tags: readonly string[];
  readonly file: string;
  readonly line: number;
}

/** Which implementation counts, and with what parameters. */
export interface AbilityConfig {
  readonly defaultImplementation?: string;
  /** Absent: all. */
  readonly allowedImplementations?: readonly string[];
  /** By environment. */
  readonly parameters: Readonly<Record<string, Json>>;
}

/** What a registry file says of an ability: the truth of it, which the row only points to. */
export interface RegistryEntry {
  readonly level: Level;
  readonly id: string;
  /** A low-level file may leave it to its implementations. */
  readonly kind?: AbilityKind;
  readonly version?: string;
  readonly summary: string;
  readonly scenarios: readonly string[];
  readonly modules: readonly string[];
  /** Absent: every environment. */
  readonly environments?: readonly string[];
  /** The key of a high-level ability, such as `workflow.billing.regression`. */
  readonly operationKey?: string;
  readonly inputSchema?: Json;
  readonly outputSchema?: Json;
  /** Low-level operations a high-level ability may call. */
  readonly operations: readonly string[];
  readonly hints: Hints;
  readonly hooks: {
    readonly preCreate: readonly string[];
    readonly preCall: readonly string[];
    readonly postCall: readonly string[];
  };
  readonly implementations: readonly Implementation[];
  readonly config?: AbilityConfig;
  /** The whole file, for what is not listed here. */
  readonly written: Json;
  readonly file: string;
  readonly line: number;
}

/** An ability with all that is known of it. */
export interface Ability extends AbilityRow {
  readonly entry?: RegistryEntry;
  /** An `ABILITY.md` names it; one that none names is in the pool and is not suggested. */
  readonly listed: boolean;
}
