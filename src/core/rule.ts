import type { GenericSchema, InferOutput } from "valibot";
import type { ActionKind } from "./action.ts";
import type { Effect } from "./effect.ts";
import type { Event, EventName } from "./event.ts";
import type { Contribution, Failure, Finding } from "./finding.ts";
import type { Outcome } from "./outcome.ts";
import type { World } from "./world.ts";

export type FailMode = "open" | "closed";

/** What was stopped, and what to do instead; why is the rule's, unless the message has a better one. */
export interface Message {
  readonly what: string;
  readonly why?: string;
  readonly instead?: string;
  /** `what` is said as it stands, without a heading: it is an instruction, not an objection. */
  readonly verbatim?: true;
}

/** A finding in the rule's own terms; the engine renders the message. */
export interface Remark<Id extends string = string> {
  readonly message: Id;
  readonly data?: Readonly<Record<string, string | number>>;
  /** Milder than the rule's own outcome, for a lesser offence. */
  readonly outcome?: Outcome;
}

/** What a check yields: a finding, an effect for after the verdict, or something to add to the answer. */
export type Yield<Id extends string = string> =
  | Remark<Id>
  | { readonly effect: Effect }
  | { readonly add: Contribution };

export interface Context<Options = unknown, Loaded = unknown> {
  readonly event: Event;
  readonly world: World;
  /** What the other rules have said, for a rule that is about refusals. */
  readonly findings: readonly Finding[];
  readonly options: Options;
  /** What the policy declares beside its rules, for the rules that are about it: its workflows. */
  readonly declared: unknown;
  /** What `load` brought; `undefined` when it had nothing to bring. */
  readonly loaded: Loaded | undefined;
}

/** A situation to try a rule on. Paths are relative to a throw-away workspace; `~` is a throw-away home. */
export interface Example {
  readonly files?: Readonly<Record<string, string>>;
  /** Symbolic links: path to target. */
  readonly links?: Readonly<Record<string, string>>;
  readonly event?: EventName;
  /** The host's id of the call. */
  readonly id?: string;
  readonly write?: string;
  readonly text?: string;
  readonly edit?: { readonly old: string; readonly new: string };
  readonly delete?: string;
  readonly read?: string;
  readonly shell?: string;
  readonly patch?: string;
  readonly delegate?: { readonly agent?: string; readonly prompt: string };
  /** A call of a tool that does nothing we could tell, such as an MCP server's. */
  readonly tool?: { readonly name: string; readonly input: Readonly<Record<string, unknown>> };
  readonly prompt?: string;
  /** What the agent said last. */
  readonly said?: string;
  /** The kind of subagent that acts. */
  readonly agent?: string;
  /** What came out of the tool, or went wrong with it; for events after it. */
  readonly output?: unknown;
  readonly error?: string;
  /** How the command ended. */
  readonly exitCode?: number;
  /** The rule that has refused the event, and its message. */
  readonly denied?: { readonly rule: string; readonly message: string };
  readonly options?: Readonly<Record<string, unknown>>;
  /** What the policy declares for the rule, where it is about that. */
  readonly declared?: unknown;
}

/** A numbered proposal of a source document. */
export interface Catalogue {
  readonly number: number;
  readonly title: string;
  readonly tier: "P0" | "P1" | "P2";
  readonly lifecycle: string;
  /** What it is for: files that stay sound, work that stays in its scope, a record of it, a way back after failures. */
  readonly serves: "integrity" | "scope" | "audit" | "recovery";
  /** What goes wrong without it, where the document says so. */
  readonly risk?: string;
}

export interface ContractOutput {
  readonly verdict: "PASS" | "WARN" | "BLOCK";
  readonly reason: string | null;
  readonly [field: string]: unknown;
}

/** A rule's literal input and output, as a document states them; `hookline rules eval` speaks it. */
export interface Contract<Input = never> {
  input(v: SchemaLibrary): GenericSchema<unknown, Input>;
  judge(input: Input, world: World, options: unknown): Judged | Promise<Judged>;
}

export interface Judged {
  readonly output: ContractOutput;
  readonly effects?: readonly Effect[];
}

/** What a rule is about, as data, so that nobody has to load it to find out. */
export interface About {
  readonly events: readonly EventName[];
  /** Any of these actions. */
  readonly actions?: readonly ActionKind[];
  /**
   * For `exec`: the programs it is about, with `*` at the end of a name for all that begin so. `?` stands for a
   * command line that could not be followed. Without it, every command line that was unfolded. In the index of rules, which
   * every call loads, they are one text with a bar around each: `|git|hg|`.
   */
  readonly programs?: readonly string[] | string;
  /** Calls of these tools alone, by how their names end: what an MCP server's name stands in front of differs by host. */
  readonly tools?: readonly string[];
  /** Asked when the event has been refused, with the findings in hand; it cannot change the verdict any more. */
  readonly denied?: true;
}

/** What schemas are made with. */
export type SchemaLibrary = typeof import("valibot");

/** A rule as the engine sees it. Its id is where its file lies: `packs/safety/x.ts` is `safety/x`. */
export interface Rule {
  readonly summary: string;
  readonly why: string;
  readonly since: string;
  readonly outcome: Outcome;
  readonly failMode: FailMode;
  /** The presets it belongs to, each with the options that preset gives it. */
  readonly presets: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly on: About;
  /** A function, because only compiling a policy needs the schema and every event would pay for making it and its library. */
  options(v: SchemaLibrary): GenericSchema;
  readonly messages: Readonly<Record<string, Message>>;
  readonly examples: { readonly catches: readonly Example[]; readonly allows: readonly Example[] };
  /** Rules whose finding about the same path makes this rule's superfluous. */
  readonly yieldsTo?: readonly string[];
  readonly catalogue?: Catalogue;
  readonly contract?: Contract<never>;
  /** Code the check needs for this event only, so that other events do not pay for it. */
  load?(event: Event, world: World, declared: unknown): unknown;
  /** Effects that follow when the rule itself fails. */
  onFailure?(event: Event, world: World, failure: Failure): readonly Effect[];
  check(context: Context): Iterable<Yield>;
}

type Shape<Id extends string, Options extends GenericSchema, Input, Loaded> = Omit<
  Rule,
  "messages" | "options" | "check" | "contract" | "failMode" | "load"
> & {
  readonly failMode?: FailMode;
  options(v: SchemaLibrary): Options;
  readonly messages: Readonly<Record<Id, Message>>;
  readonly contract?: Contract<Input>;
  load?(event: Event, world: World, declared: unknown): Loaded | Promise<Loaded> | undefined;
  check(context: Context<InferOutput<Options>, Loaded>): Iterable<Yield<Id>>;
};

/**
 * Defines a rule: metadata first, a pure `check` last.
 *
 * @example
 * export default defineRule({ summary: "…", …, *check({ event }) { yield { message: "outside" }; } });
 */
export function defineRule<
  const Id extends string,
  Options extends GenericSchema,
  Input = never,
  Loaded = undefined,
>(rule: Shape<Id, Options, Input, Loaded>): Rule {
  // The engine hands `check` what `options` and `load` of the same rule produced, so the narrower types hold.
  return Object.assign(rule, { failMode: rule.failMode ?? "open" }) as unknown as Rule;
}

/** The names of a rule's options. */
export function optionNames(rule: Rule, v: SchemaLibrary): string[] {
  const schema = rule.options(v);
  return "entries" in schema ? Object.keys(schema.entries as object) : [];
}
