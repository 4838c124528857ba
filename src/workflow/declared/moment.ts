import { join } from "node:path";
import type { Action, DeleteAction, WriteAction } from "../../core/action.ts";
import { imagesOf } from "../../core/images.ts";
import { isInside, pathBelow } from "../../core/paths.ts";
import type { BranchChanges, Unpushed, World } from "../../core/world.ts";
import { hasPattern, mayBe } from "../../shell/globs.ts";
import { alternatives, fitsGlob, isGlob, segmentsOf } from "./glob.ts";

/** What a file says; or that there is none, or that nobody can tell. */
export type Content = { readonly text: string } | "missing" | "untold";

/** The workspace as it is once some of an event's actions are done. Paths are relative to its root, with forward slashes. */
export interface Moment {
  content(path: string): Content;
  /** The files that fit a glob, in order; a plain path that is there is one. `untold` when some may fit that nobody can tell. */
  files(glob: string): readonly string[];
  /** The branch that is checked out; `?` when nobody can tell. */
  branch(): string | undefined;
  /** What git says before anything happens. */
  readonly git: GitAnswers;
}

/** Answers that take git a process; nothing when nobody can tell. */
export interface GitAnswers {
  isRepository(): boolean;
  changed(): readonly string[] | undefined;
  unpushed(): Unpushed | undefined;
  branchChanges(): BranchChanges | undefined;
}

type Change = WriteAction | DeleteAction;

/** The workspace after the first `count` actions, and on a branch if one of them checks one out. */
export function momentAfter(
  actions: readonly Action[],
  count: number,
  root: string,
  world: World,
  branch?: string,
): Moment {
  const done = actions.slice(0, count);
  const changes = done.filter(
    (action): action is Change => action.kind === "write" || action.kind === "delete",
  );
  const images = imagesOf(done, world);
  const place = realRoot(root, world);
  const content = (path: string): Content => {
    const real = realOr(join(place, path), world);
    // What lies elsewhere is nobody's state here.
    if (real === undefined || !isInside(place, real)) return "untold";
    const last = changes.findLast((change) => touches(change, real));
    if (!last) return asIs(real, world);
    if (last.kind === "delete") return "missing";
    if (last.target?.real !== real) return "untold";
    const image = quietly(() => images.after(last));
    return image?.whole === true ? { text: image.text } : "untold";
  };
  return {
    content,
    files(glob) {
      if (!isGlob(glob)) return isThere(content(glob), glob, place, world, changes) ? [glob] : [];
      const made = changes.flatMap((change) =>
        change.kind === "write" && change.target ? (pathBelow(place, change.target.real) ?? []) : [],
      );
      const all = new Set([...filesNow(glob, place, world), ...made.filter((path) => fitsGlob(glob, path))]);
      return [...all].filter((path) => content(path) !== "missing").toSorted();
    },
    branch: () => branch ?? quietly(() => world.git(root)?.branch),
    git: {
      isRepository: () => quietly(() => world.git(root)) !== undefined,
      changed: () => quietly(() => world.changed(root)),
      unpushed: () => quietly(() => world.unpushed(root)),
      branchChanges: () => quietly(() => world.branchChanges(root)),
    },
  };
}

export const realRoot = (root: string, world: World): string => realOr(root, world) ?? root;

/** Does an action change a file, or a folder it is in? */
export function touches(change: Change, real: string): boolean {
  const path = change.target?.real;
  if (path === undefined) return false;
  if (path === real) return true;
  if (hasPattern(path)) return mayBe(path, real) || (change.kind === "delete" && mayBe(`${path}/**`, real));
  return isInside(path, real) && (change.kind === "delete" || !onlyMakes(change));
}

/** To make a folder changes nothing that is in it. */
const onlyMakes = ({ by }: WriteAction): boolean =>
  by !== undefined && ["mkdir", "install", "touch", "chmod", "chown", "chgrp"].includes(by.program);

function asIs(real: string, world: World): Content {
  try {
    const text = world.read(real);
    return text === undefined ? "missing" : { text };
  } catch {
    return "untold";
  }
}

/** A folder counts as there, too. */
function isThere(
  content: Content,
  path: string,
  place: string,
  world: World,
  changes: readonly Change[],
): boolean {
  if (content !== "untold") return content !== "missing";
  const real = realOr(join(place, path), world);
  if (real === undefined || !isInside(place, real)) return false;
  if (changes.some((change) => touches(change, real))) return true;
  return quietly(() => world.stat(real)) !== undefined;
}

const mostEntries = 5000;
const deepest = 12;

/** Files of the disk that fit a glob. Only folders it leads through are looked at, and not without end. */
function filesNow(glob: string, place: string, world: World): string[] {
  const found: string[] = [];
  let looked = 0;
  const walk = (folder: string, segments: readonly string[], depth: number): void => {
    const [segment, ...rest] = segments;
    if (segment === undefined || depth > deepest) return;
    if (segment !== "**" && !isGlob(segment)) {
      const path = folder === "" ? segment : `${folder}/${segment}`;
      if (rest.every((each) => each === "**")) {
        if (quietly(() => world.stat(join(place, path)))?.type === "file") found.push(path);
      }
      if (rest.length > 0) walk(path, rest, depth + 1);
      return;
    }
    for (const name of quietly(() => world.list(join(place, folder))) ?? []) {
      if (++looked > mostEntries) return;
      if (name === ".git") continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      const isFolder = world.isDirectory(join(place, path));
      if (!isFolder && fitsGlob(glob, path)) found.push(path);
      if (isFolder) walk(path, segment === "**" ? segments : rest, depth + 1);
    }
  };
  for (const each of alternatives(glob)) walk("", segmentsOf(each), 0);
  return found;
}

function realOr(path: string, world: World): string | undefined {
  try {
    return world.realPath(path);
  } catch {
    return undefined;
  }
}

function quietly<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
