import type { World } from "../core/world.ts";
import { join } from "node:path";

/**
 * The number of the current iteration without parsing the whole file: what `metadata.yaml` says, else the highest iteration
 * there is.
 */
export function currentIteration(session: string, world: World): number | undefined {
  const said = /^iteration:[ \t]*["']?(\d{1,6})["']?[ \t]*(?:#.*)?\r?$/m.exec(
    world.read(join(session, "metadata.yaml")) ?? "",
  )?.[1];
  if (said !== undefined && Number(said) > 0) return Number(said);
  return iterationsIn(session, world).at(-1);
}

/** The iterations of a session, in order. */
export const iterationsIn = (session: string, world: World): number[] =>
  (world.list(join(session, "iterations")) ?? [])
    .filter((name) => /^[1-9]\d{0,5}$/.test(name))
    .map(Number)
    .toSorted((a, b) => a - b);
