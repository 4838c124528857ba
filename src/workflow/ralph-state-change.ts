import type { Action, WriteAction } from "../core/action.ts";
import type { Event } from "../core/event.ts";
import { imagesOf, type Images } from "../core/images.ts";
import type { Json } from "../core/json.ts";
import type { World } from "../core/world.ts";
import { iterationFiles, placeOf, sessionFolder } from "./ralph-layout.ts";
import { readMetadata, stateIn } from "./ralph-metadata.ts";

// This module brings the YAML library along: import it only when a session's metadata.yaml is written.

/** A step of the orchestrator, as a write of its `metadata.yaml` takes it, whoever writes and by whatever tool. */
export interface StateChange {
  readonly id: string;
  /** The session's folder. */
  readonly session: string;
  /** Absent for a session that begins. */
  readonly from?: string;
  readonly to: string;
  readonly before: Json;
  readonly after: Json;
}

/** The changes of state in an event: what the file says now against what it will say. */
export function stateChangesIn(event: Event, world: World): StateChange[] {
  const images = imagesOf(event.actions, world);
  return event.actions.flatMap((action): StateChange[] => {
    const id = metadataOf(event, action, world);
    if (id === undefined || action.kind !== "write" || !action.target) return [];
    const after = mappingIn(textAfter(action, images));
    const to = after && stateIn(after);
    if (!after || to === undefined) return [];
    const before = mappingIn(images.before(action)) ?? {};
    const from = stateIn(before);
    if (from === to) return [];
    const session = sessionFolder(event.root, id);
    return [{ id, session, ...(from === undefined ? {} : { from }), to, before, after }];
  });
}

/** The session whose own metadata an action writes. */
export function metadataOf(event: Event, action: Action, world: World): string | undefined {
  if (action.kind !== "write" || !action.target?.real.endsWith("metadata.yaml")) return undefined;
  const place = placeOf(world.realPath(event.root), action.target.real);
  return place?.kind === "session-metadata" ? place.session : undefined;
}

function textAfter(action: WriteAction, images: Images): string | undefined {
  const image = images.after(action);
  return image?.whole === true ? image.text : undefined;
}

const mappingIn = (text: string | undefined): Json | undefined => {
  const read = text === undefined ? undefined : readMetadata(text);
  return read && "data" in read ? read.data : undefined;
};

export const iterationIn = (data: Json): number | undefined =>
  typeof data["iteration"] === "number" && Number.isInteger(data["iteration"]) && data["iteration"] > 0
    ? data["iteration"]
    : undefined;

/** The progress of an iteration as it will be when the event is over: it may be written by the same call. */
export function progressAfter(
  event: Event,
  session: string,
  iteration: number,
  world: World,
): string | undefined {
  const path = iterationFiles(session, iteration).progress;
  const write = event.actions.findLast(
    (action): action is WriteAction =>
      action.kind === "write" && action.target?.real === world.realPath(path),
  );
  return (
    (write && textAfter(write, imagesOf(event.actions, world))) ??
    world.read(path) ??
    world.read(`${session}/progress.md`)
  );
}
