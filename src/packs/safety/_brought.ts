import { isOneOf } from "../../core/one-of.ts";
import { basename, dirname, join, matchesGlob, relative } from "node:path";
import type { Target, WriteAction } from "../../core/action.ts";
import type { Run } from "../../core/command.ts";
import type { Event } from "../../core/event.ts";
import { onceFor } from "../../core/once-for.ts";
import { isInside, toTarget } from "../../core/paths.ts";
import type { World } from "../../core/world.ts";
import { protectedBelow, protectedPlaces } from "./_protected.ts";
import { feedersOf } from "./_runs.ts";

export interface Brought {
  readonly path: string;
  readonly what: string;
  /** It cannot be told whether it is among what comes. */
  readonly unseen?: true;
}

/** The protected thing a copied, moved or linked tree, or a patch nobody can read, would bring into its place. */
export function broughtBy(
  action: WriteAction,
  event: Event,
  root: string,
  world: World,
): Brought | undefined {
  const { target, from, by } = action;
  if (!target) {
    // A patch. What git itself prints or the user has made is daily work; what comes from elsewhere is not.
    const here = toTarget(".", by?.cwd ?? event.cwd, world);
    const isForeign =
      (by !== undefined && feedersOf(by).some(fetches)) || (from !== undefined && isFetched(from, event));
    const what = isForeign ? protectedBelow(here, root, world) : undefined;
    return what === undefined ? undefined : { path: here.given, what, unseen: true };
  }
  if (!from) return undefined;
  const pattern = /[*?[]/.test(basename(from.path)) ? basename(from.path) : undefined;
  const folder = pattern === undefined ? from : toTarget(dirname(from.path), "/", world);
  const place = pattern === undefined ? target : toTarget(dirname(target.path), "/", world);
  if (!world.isDirectory(folder.real)) return unseen(folder, place);
  for (const base of new Set([place.path, place.real])) {
    for (const { path, what } of protectedPlaces(base, root, world)) {
      const rest = relative(base, path);
      if (rest === "" || rest.startsWith("..") || (pattern !== undefined && !fits(rest, pattern))) continue;
      const source = join(folder.path, rest);
      if (isThere(source, world) || isWritten(source, event)) return { path: join(target.given, rest), what };
    }
  }
  return unseen(folder, place);

  function unseen(source: Target, to: Target): Brought | undefined {
    const what = isFetched(source, event) ? protectedBelow(to, root, world) : undefined;
    return what === undefined ? undefined : { path: to.path, what, unseen: true };
  }
}

/** The protected file that a `find` takes away by its name, at whatever depth it lies. */
export function foundBelow(
  { path }: Target,
  by: Run,
  text: string,
  root: string,
  world: World,
): string | undefined {
  const name = basename(path);
  const isFound =
    by.program === "find" ||
    by.via.some((via) => via.startsWith("find") || (isOneOf(via, "xargs parallel") && /\bfind\b/.test(text)));
  if (!isFound || name === "*" || /-maxdepth\s+[01]\b/.test(text)) return undefined;
  const isLeftOut = (first: string): boolean =>
    text.includes(first) && /-prune\b|(?:!|-not)\s+-i?(?:path|wholename|name)\b/.test(text);
  const folder = dirname(path);
  const fitsName = (each: string): boolean => matchesGlob(basename(each), name);
  return protectedPlaces(folder, root, world).find(
    (place) =>
      (fitsName(place.path) || listIn(place.path, world).some(fitsName)) &&
      !isLeftOut(relative(folder, place.path).split("/")[0] ?? "") &&
      isThere(place.path, world),
  )?.what;
}

function listIn(folder: string, world: World): readonly string[] {
  try {
    return world.isDirectory(folder) ? (world.list(folder) ?? []) : [];
  } catch {
    return [];
  }
}

/** Does a pattern of the shell fit the first part of a path? It leaves hidden names alone unless it says so. */
function fits(path: string, pattern: string): boolean {
  const first = path.split("/")[0] ?? "";
  return first.startsWith(".") === pattern.startsWith(".") && matchesGlob(first, pattern);
}

function isThere(path: string, world: World): boolean {
  try {
    return world.stat(path) !== undefined;
  } catch {
    // Something is, or nobody could have trouble with it.
    return true;
  }
}

const isWritten = (path: string, event: Event): boolean =>
  event.actions.some(
    (action) => action.kind === "write" && action.target && isInside(path, action.target.path),
  );

/** Does the same command line bring it from elsewhere, or unpack it? */
const isFetched = (source: Target, event: Event): boolean =>
  fetchedPlaces(event).some((place) => isInside(source.path, place) || isInside(place, source.path));

/** Found once: a command may copy thousands of files. */
const fetchedPlaces = onceFor(({ actions }: Event) =>
  actions.flatMap((action) =>
    action.kind === "write" &&
    action.target !== undefined &&
    action.by !== undefined &&
    (fetches(action.by) || isOneOf(action.by.program, "tar gtar bsdtar unzip cpio 7z"))
      ? [action.target.path]
      : [],
  ),
);

const fetches = (run: Run): boolean =>
  isOneOf(run.program, "curl wget aria2c http https xh nc ncat scp sftp svn hg") ||
  (run.program === "git" && run.args.some((arg) => arg.text === "clone")) ||
  (run.program === "gh" && run.args.some((arg) => isOneOf(arg.text, "clone diff download api")));
