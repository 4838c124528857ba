import type { Action, WriteAction } from "../core/action.ts";
import { imagesOf } from "../core/images.ts";
import { WorldError, type World } from "../core/world.ts";
import { sha256 } from "../platform/digest.ts";
import { holds, isGone } from "./recall.ts";

/** What a refused call would have left behind, for seeing later whether it came about. */
export function traceOf(actions: readonly Action[], world: World): Trace[] {
  const images = imagesOf(actions, world);
  return actions.flatMap((action): Trace[] => {
    if ((action.kind !== "write" && action.kind !== "delete") || !action.target) return [];
    const path = action.target.real;
    if (action.kind === "delete") return isGone(path) === false ? [{ kind: "delete", path }] : [];
    if (isCopyAlone(action, actions)) return traceOfCopy(path, action.from?.real ?? "", world);
    const image = images.after(action);
    if (!image?.whole || !image.last) return [];
    const bytes = new TextEncoder().encode(image.text);
    return traceOfWrite(path, sha256(bytes), bytes.length);
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

/** Not read as a text: it may be a program of many megabytes. */
function traceOfCopy(path: string, from: string, world: World): Trace[] {
  try {
    const digest = world.digest(from);
    const bytes = world.stat(from)?.size;
    return digest === undefined || bytes === undefined ? [] : traceOfWrite(path, digest, bytes);
  } catch (error) {
    if (!(error instanceof WorldError)) throw error;
    return [];
  }
}

/** None where the file is so already: nobody could see whether it came about. */
const traceOfWrite = (path: string, digest: string, bytes: number): Trace[] =>
  holds(path, digest, bytes) ? [] : [{ kind: "write", path, sha256: digest, bytes }];

export type Trace =
  | { readonly kind: "delete"; readonly path: string }
  | { readonly kind: "write"; readonly path: string; readonly sha256: string; readonly bytes: number };
