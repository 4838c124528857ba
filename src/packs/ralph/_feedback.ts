import type { Action, WriteAction } from "../../core/action.ts";
import type { Event } from "../../core/event.ts";
import { imagesOf } from "../../core/images.ts";
import type { World } from "../../core/world.ts";
import { placeOf } from "../../workflow/ralph-layout.ts";

/** A `feedbacks.md` as an event will leave it. */
export interface FeedbackWrite {
  /** Below the session's folder. */
  readonly path: string;
  /** Where it lies. */
  readonly file: string;
  /** Absent when nobody can tell. */
  readonly text?: string;
}

export function feedbackWrites(event: Event, world: World): FeedbackWrite[] {
  const images = imagesOf(event.actions, world);
  return event.actions.filter(isWrite).flatMap((action): FeedbackWrite[] => {
    const file = action.target?.real;
    const place =
      file?.endsWith("feedbacks.md") === true ? placeOf(world.realPath(event.root), file) : undefined;
    if (file === undefined || place?.kind !== "feedback") return [];
    const image = images.after(action);
    // Of a file that is still being written only the end counts.
    if (image?.last === false) return [];
    const text = image?.whole === true ? image.text : undefined;
    return [{ path: place.path, file, ...(text === undefined ? {} : { text }) }];
  });
}

const isWrite = (action: Action): action is WriteAction => action.kind === "write";

const load = () => import("../../workflow/ralph-feedback.ts");

/** Loads what reads feedback, when an event writes some. */
export const feedbackReader = (event: Event, world: World): ReturnType<typeof load> | undefined =>
  feedbackWrites(event, world).length > 0 ? load() : undefined;
