import type { Action, WriteAction } from "../core/action.ts";
import { imagesOf } from "../core/images.ts";
import type { World } from "../core/world.ts";
import { fingerprintOf, fingerprintOfCopy, isLike, type Fingerprint } from "./fingerprint.ts";
import { isGone } from "./recall.ts";

/** What a refused call would have left behind, for seeing later whether it came about. */
export function traceOf(actions: readonly Action[], world: World): Trace[] {
  const images = imagesOf(actions, world);
  return actions.flatMap((action): Trace[] => {
    if ((action.kind !== "write" && action.kind !== "delete") || !action.target) return [];
    const path = action.target.real;
    if (action.kind === "delete") return isGone(path) === false ? [{ kind: "delete", path }] : [];
    // Not read as a text: it may be a program of many megabytes.
    if (isCopyAlone(action, actions))
      return traceOfWrite(path, fingerprintOfCopy(action.from?.real ?? "", path));
    const image = images.after(action);
    if (!image?.whole || !image.last) return [];
    const left = fingerprintOf(new TextEncoder().encode(image.text));
    // None where the file is so already: nobody could see whether it came about.
    return traceOfWrite(path, isLike(path, { ...left }) ? undefined : left);
  });
}

/** A file that is copied or moved as it lies there, and touched by nothing else. */
const isCopyAlone = (action: WriteAction, all: readonly Action[]): boolean =>
  action.change.by === "unknown" &&
  action.change.fragment === undefined &&
  action.from !== undefined &&
  !all.some(
    (other) =>
      other !== action &&
      (other.kind === "write" || (other.kind === "delete" && other.by !== action.by)) &&
      (other.target?.real === action.target?.real || other.target?.real === action.from?.real),
  );

const traceOfWrite = (path: string, left: Fingerprint | undefined): Trace[] =>
  left === undefined ? [] : [{ kind: "write", path, ...left }];

export type Trace =
  | { readonly kind: "delete"; readonly path: string }
  | ({ readonly kind: "write"; readonly path: string } & Fingerprint);
