import type { Stage } from "./agent.ts";
import type { Turn } from "./model.ts";
import type { Moves } from "./scenario.ts";
import type { Play } from "./stage.ts";

/** A run that is there to see payloads: what is done in it, and in which words, stands in the fixtures. Nothing is refused. */
export interface Tour extends Omit<Play, "turns" | "policy" | "prompt"> {
  readonly prompt?: string;
  /** What the names of its fixtures begin with. */
  readonly prefix?: string;
  readonly turns: (moves: Moves, stage: Stage) => readonly Turn[];
}

/** A tour, and the session that fixtures of its host have. */
export interface Tours {
  readonly session: string;
  /** Fixtures to make besides those there are. */
  readonly also?: readonly string[];
  readonly tours: readonly Tour[];
}
