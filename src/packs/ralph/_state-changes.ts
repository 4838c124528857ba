import type { Event } from "../../core/event.ts";
import type { World } from "../../core/world.ts";
import { placeOf } from "../../workflow/ralph-layout.ts";

const load = () => import("../../workflow/ralph-state-change.ts");

/** Loads what reads a session's metadata, when an event writes one. */
export function stateChanges(event: Event, world: World): ReturnType<typeof load> | undefined {
  const isOne = event.actions.some(
    (action) =>
      action.kind === "write" &&
      action.target?.real.endsWith("metadata.yaml") === true &&
      placeOf(world.realPath(event.root), action.target.real)?.kind === "session-metadata",
  );
  return isOne ? load() : undefined;
}
