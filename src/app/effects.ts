import { dirname } from "node:path";
import type { DoneEffect, Effect } from "../core/effect.ts";
import { isInside } from "../core/paths.ts";
import type { World } from "../core/world.ts";
import { append, nodeFs } from "../platform/files.ts";

/** Carries out effects, each only inside the workspace as it really is. What fails is reported, not thrown. */
export function carryOut(effects: readonly Effect[], root: string, world: World): DoneEffect[] {
  return effects.map((effect) => {
    try {
      if (!isInside(world.realPath(root), world.realPath(effect.path)))
        throw new Error("leads out of the workspace");
      perform(effect);
      return { effect };
    } catch (error) {
      return { effect, error: error instanceof Error ? error.message : String(error) };
    }
  });
}

function perform(effect: Effect): void {
  nodeFs().mkdirSync(effect.do === "make-directory" ? effect.path : dirname(effect.path), {
    recursive: true,
  });
  if (effect.do === "append") append(effect.path, effect.text, 0o644);
}
