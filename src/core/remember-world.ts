import { Answering, Known, observe, type Observation, type RecordingWorld, type World } from "./world.ts";

/**
 * Gives the same answer to the same question as long as it lasts, and keeps no record of who asked: for many events that are
 * judged in one world, and leave no record.
 */
export function rememberWorld(world: World): RecordingWorld {
  return new Remembering(world);
}

class Remembering extends Answering implements RecordingWorld {
  readonly observations: readonly Observation[] = [];
  readonly asked: readonly Observation[] = [];
  private readonly known = new Known();

  constructor(private readonly world: World) {
    super();
  }

  find(ask: keyof World, of?: string): Observation {
    const known = this.known.get(ask, of);
    if (known) return known;
    const seen = observe(this.world, ask, of);
    this.known.add(seen);
    return seen;
  }
}
