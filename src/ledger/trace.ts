import type { Action } from "../core/action.ts";
import { imagesOf } from "../core/images.ts";
import type { World } from "../core/world.ts";
import { sha256 } from "../platform/digest.ts";
import { lookAt } from "../platform/files.ts";

/** What a refused call would have left behind, for seeing later whether it came about. */
export function traceOf(actions: readonly Action[], world: World): Trace[] {
  const images = imagesOf(actions, world);
  return actions.flatMap((action): Trace[] => {
    if ((action.kind !== "write" && action.kind !== "delete") || !action.target) return [];
    const path = action.target.real;
    if (action.kind === "delete") return lookAt(path) !== "missing" ? [{ kind: "delete", path }] : [];
    const image = images.after(action);
    if (!image?.whole || !image.last) return [];
    const bytes = new TextEncoder().encode(image.text);
    return [{ kind: "write", path, sha256: sha256(bytes), bytes: bytes.length }];
  });
}

export type Trace =
  | { readonly kind: "delete"; readonly path: string }
  | { readonly kind: "write"; readonly path: string; readonly sha256: string; readonly bytes: number };
