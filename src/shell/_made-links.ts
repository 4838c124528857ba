import { isOneOf } from "../core/one-of.ts";
import { dirname, resolve } from "node:path";
import type { Action, Target, WriteAction } from "../core/action.ts";
import { isInside, toTarget } from "../core/paths.ts";
import type { World } from "../core/world.ts";
import type { Run } from "./model.ts";

interface Link {
  readonly path: string;
  readonly leadsTo: string;
}

/**
 * Actions with those that go through a symbolic link the same command line makes: on disk there is no such link yet, so
 * its path leads nowhere else. In which order the commands run is not looked at.
 */
export function throughLinks(actions: readonly Action[], world: World): readonly Action[] {
  const links: Link[] = [];
  for (const action of actions) if (action.kind === "write") links.push(...madeBy(action));
  if (links.length === 0) return actions;
  return actions.flatMap((action) => [action, ...links.flatMap((link) => through(link, action, world))]);
}

function madeBy({ by, from, target }: WriteAction): Link[] {
  if (!by || !from || !target || !makesLinks(by)) return [];
  // What a link says is read from where it lies.
  return [{ path: target.path, leadsTo: resolve(dirname(target.path), from.given) }];
}

const makesLinks = ({ program, args }: Run): boolean =>
  isOneOf(program, "gln gcp ln cp") &&
  args.some(({ text }) => /^-[a-zA-Z]*s/.test(text) || /^--sym/.test(text));

function through(link: Link, action: Action, world: World): Action[] {
  if (action.kind !== "write" && action.kind !== "delete" && action.kind !== "read") return [];
  const { target } = action;
  if (!target || !isInside(link.path, target.path)) return [];
  // The link itself is made, or removed.
  const isItself = target.path === link.path;
  if (isItself && (action.kind === "delete" || (action.by !== undefined && makesLinks(action.by)))) return [];
  return [{ ...action, target: moved(target, link, world) }];
}

const moved = (target: Target, { path, leadsTo }: Link, world: World): Target => ({
  ...toTarget(leadsTo + target.path.slice(path.length), "/", world),
  given: target.given,
});
