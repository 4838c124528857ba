import type { Effect } from "./effect.ts";
import type { Outcome } from "./outcome.ts";

/** Why a rule could not give an answer of its own. */
export interface Failure {
  readonly kind: "crash" | "timeout" | "bad-output";
  readonly detail: string;
}

/** What one rule reports about one event, rendered for people and agents. */
export interface Finding {
  readonly rule: string;
  readonly outcome: Outcome;
  /** Three short sentences: what was stopped, why, what to do instead. */
  readonly message: string;
  /** The id of the message within its rule. */
  readonly id: string;
  readonly data: Readonly<Record<string, string>>;
  readonly failure?: Failure;
}

/** What a rule or hook adds to the answer besides its findings. */
export interface Contribution {
  /** For the model. */
  readonly context?: string;
  /** For the person. */
  readonly notice?: string;
  /** The whole tool input, rewritten. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Who has rewritten it, where the call must not be made as it was. */
  readonly by?: string;
  /** The tool's output as the model shall see it. */
  readonly output?: unknown;
  /** End the turn, with this reason. */
  readonly stop?: string;
  /** Where the host can refuse but cannot be given context, or refuses anyway, the context is the reason of a refusal. */
  readonly insist?: true;
  /**
   * Carried out before this is said, and only if the host can be told. If it fails, somebody else was faster, and this stays
   * unsaid.
   */
  readonly after?: Effect;
  /** Keys of one host's own answer, passed on where that host knows them for the event. */
  readonly native?: Readonly<Record<string, unknown>>;
}
