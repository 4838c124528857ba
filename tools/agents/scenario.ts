import type { EventName } from "../../src/core/event.ts";
import type { Ability, HostFacts } from "../../src/core/host.ts";
import type { Agent, Stage } from "./agent.ts";
import type { Turn } from "./model.ts";
import type { Seen } from "./stage.ts";

/** Says whether something holds; what does not is a failure of the scenario. */
export type Check = (what: string, holds: boolean) => void;

/** What the model does, in nobody's words; each driver has its own for them. */
export interface Moves {
  readonly say: (text: string, meanwhile?: Turn["meanwhile"]) => Turn;
  readonly shell: (command: string, meanwhile?: Turn["meanwhile"]) => Turn;
  readonly write: (path: string, text: string) => Turn;
  /** Starts a subagent, and waits until it is done. */
  readonly delegate: (task: string, turns: readonly Turn[]) => readonly Turn[];
}

export interface Setting {
  readonly agent: Agent;
  readonly facts: HostFacts;
}

/** One thing an agent is to be seen doing, written once for all of them. */
export interface Scenario {
  /** As a row of the table says it. */
  readonly title: string;
  /** Part of the short form. */
  readonly short?: true;
  /** Started before the others, which can be done in the meantime. */
  readonly isSlow?: true;
  /** What the host has to be told for it; where it cannot be, that is what has to be seen. */
  readonly needs?: readonly [event: EventName, ability: Ability];
  readonly prompt?: string;
  readonly policy?: Readonly<Record<string, unknown>>;
  /** Asks `hookline doctor` beforehand. */
  readonly asksDoctor?: true;
  /** Changes the hooks' configuration after `init`, before anything looks at it. */
  readonly alters?: (config: string) => string;
  turns(moves: Moves, stage: Stage, setting: Setting): readonly Turn[];
  /** Checks what was seen. What it returns stands in the table instead of `yes`. */
  holds(seen: Seen, check: Check, setting: Setting): string | void;
  /** Checks what was seen of an agent whose host cannot be told. */
  otherwise?(seen: Seen, check: Check, setting: Setting): void;
}
