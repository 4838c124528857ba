import type { Action, WriteAction } from "./action.ts";
import { imageAfter, type Image } from "./image.ts";
import { WorldError, type World } from "./world.ts";

/** A post-image among others of its event. */
export interface ImageAmong extends Image {
  /** False when the same call goes on writing the file: what is missing may still come. */
  readonly last: boolean;
}

export interface Images {
  /** The file as the write leaves it. Nothing if nobody can tell. */
  after(action: WriteAction): ImageAmong | undefined;
  /** The file as the write finds it; nothing if there is none, or nobody can tell. */
  before(action: WriteAction): string | undefined;
}

/** The files of an event's writes, before and after each: a write goes on from what those before it have left. */
export function imagesOf(actions: readonly Action[], world: World): Images {
  const places = placesIn(actions);
  const known = new Map<WriteAction, Image | undefined>();
  const imageOf = (action: WriteAction): Image | undefined => {
    if (!known.has(action))
      known.set(
        action,
        untold(() => imageAfter(action, worldAt(action))),
      );
    return known.get(action);
  };
  const worldAt = (action: WriteAction) => ({ read: (path: string) => textAt(path, action) });
  /** What a file says when an action comes to it. */
  const textAt = (path: string, action: WriteAction): string | undefined => {
    const at = actions.indexOf(action);
    const earlier = places.get(path)?.findLast(
      (each) =>
        each.at < at &&
        // What a move takes away is what it brings.
        !(each.action.kind === "delete" && each.action.by !== undefined && each.action.by === action.by),
    );
    if (!earlier) return world.read(path);
    if (earlier.action.kind === "delete") return undefined;
    const image = imageOf(earlier.action);
    if (image?.whole !== true) throw new Untold(`what is in ${path} by then cannot be told`);
    return image.text;
  };
  return {
    after(action) {
      const image = imageOf(action);
      const writes = places.get(action.target?.real ?? "") ?? [];
      return image && { ...image, last: (writes.at(-1)?.action ?? action) === action };
    },
    before(action) {
      const path = action.target?.real;
      return path === undefined ? undefined : untold(() => textAt(path, action));
    },
  };
}

class Untold extends WorldError {}

function untold<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (error instanceof Untold) return undefined;
    throw error;
  }
}

interface Place {
  readonly at: number;
  readonly action: Extract<Action, { kind: "write" | "delete" }>;
}

function placesIn(actions: readonly Action[]): Map<string, Place[]> {
  const places = new Map<string, Place[]>();
  for (const [at, action] of actions.entries()) {
    if ((action.kind !== "write" && action.kind !== "delete") || !action.target) continue;
    const there = places.get(action.target.real);
    if (there) there.push({ at, action });
    else places.set(action.target.real, [{ at, action }]);
  }
  return places;
}
