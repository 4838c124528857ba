import { join } from "node:path";
import type { Effect } from "../../core/effect.ts";
import type { Json } from "../../core/json.ts";
import { nearest } from "../../core/nearest.ts";
import type { World } from "../../core/world.ts";
import { isActive, newest, pipelinesIn, specsFolder, type Pipeline } from "../../workflow/pipeline-state.ts";
import { carryOut } from "../effects.ts";
import { UsageError } from "./_command.ts";

const nameOf = ({ folder }: Pipeline): string => folder.slice(folder.lastIndexOf("/") + 1);

/** The pipeline that is named, or else the active one. `orLast` also takes one that has ended. */
export function choosePipeline(
  root: string,
  named: string | undefined,
  world: World,
  orLast = false,
): Pipeline {
  const all = pipelinesIn(root, world);
  const names = all.map(nameOf);
  if (named === undefined) {
    const found = newest(all.filter(isActive)) ?? (orLast ? newest(all) : undefined);
    if (found) return found;
    const there =
      names.length === 0 ? "there is none (hookline pipeline init NAME)" : `there are ${names.join(", ")}`;
    throw new UsageError(`no pipeline is active in ${join(root, specsFolder)}; ${there}`);
  }
  // A path to the workspace is as good as its name.
  const name = named.replace(/\/+$/, "").split("/").at(-1) ?? named;
  const found = all.find((each) => nameOf(each) === name);
  if (found) return found;
  const near = nearest(name, names);
  const hint = near === undefined ? `there are ${names.join(", ") || "none"}` : `did you mean ${near}?`;
  throw new UsageError(
    `there is no pipeline ${name} whose state.json can be read in ${join(root, specsFolder)}; ${hint}`,
  );
}

export const asFile = (state: Json): string => `${JSON.stringify(state, undefined, 2)}\n`;

/** The pipeline's new state, unless somebody else has written one since it was read. */
export function writeState({ folder, text: was }: Pipeline, state: Json, root: string, world: World): void {
  writeAll([{ do: "replace", path: join(folder, "state.json"), text: asFile(state), was }], root, world);
}

export function writeAll(effects: readonly Effect[], root: string, world: World): void {
  const failed = carryOut(effects, root, world).find(({ error }) => error !== undefined);
  if (failed) throw new UsageError(`nothing was changed: ${failed.error}`);
}
