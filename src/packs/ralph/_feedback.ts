import type { Action, WriteAction } from "../../core/action.ts";
import type { Event } from "../../core/event.ts";
import { imageAfter } from "../../core/image.ts";
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
  return event.actions.filter(isWrite).flatMap((action): FeedbackWrite[] => {
    const file = action.target?.real;
    const place =
      file?.endsWith("feedbacks.md") === true ? placeOf(world.realPath(event.root), file) : undefined;
    if (file === undefined || place?.kind !== "feedback") return [];
    const image = imageAfter(action, world);
    const text = image?.whole === true ? image.text : action.from && world.read(action.from.real);
    return [{ path: place.path, file, ...(text === undefined ? {} : { text }) }];
  });
}

const isWrite = (action: Action): action is WriteAction => action.kind === "write";

const load = () => import("../../workflow/ralph-feedback.ts");

/** Loads what reads feedback, when an event writes some. */
export const feedbackReader = (event: Event, world: World): ReturnType<typeof load> | undefined =>
  feedbackWrites(event, world).length > 0 ? load() : undefined;
