import { closeSync, constants, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { DoneEffect, Effect } from "../core/effect.ts";
import { isInside } from "../core/paths.ts";
import type { World } from "../core/world.ts";

/** Carries out effects, each only inside the workspace as it really is. What fails is reported, not thrown. */
export function carryOut(effects: readonly Effect[], root: string, world: World): DoneEffect[] {
  return effects.map((effect) => {
    try {
      if (!isInside(world.realPath(root), world.realPath(effect.path))) throw new Error("leads out of the workspace");
      perform(effect);
      return { effect };
    } catch (error) {
      return { effect, error: error instanceof Error ? error.message : String(error) };
    }
  });
}

function perform(effect: Effect): void {
  if (effect.do === "make-directory") {
    mkdirSync(effect.path, { recursive: true });
    return;
  }
  mkdirSync(dirname(effect.path), { recursive: true });
  const handle = openSync(effect.path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o644);
  try {
    writeSync(handle, effect.text);
  } finally {
    closeSync(handle);
  }
}
