import { isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Target } from "./action.ts";
import type { World } from "./world.ts";

/** Is `path` the folder itself or something in it? Both absolute, links resolved by the caller. */
export function isInside(folder: string, path: string): boolean {
  if (!path.startsWith(folder)) return false;
  return path.length === folder.length || folder.endsWith(sep) || path.startsWith(sep, folder.length);
}

/**
 * Where writing changes no file: what is thrown away or shown. On Windows only the shell knows `NUL`, and no path.
 */
export const isSink = ({ path, given }: Target): boolean =>
  /^\/dev\/(?:null$|stdout$|stderr$|tty$|(?:fd|tcp|udp|pts)\/)/.test(path) ||
  (process.platform === "win32" && given === "NUL");

/** The one way a path given by an agent becomes a target; every path rule compares `real`. */
export function toTarget(given: string, cwd: string, world: World): Target {
  const path = resolve(cwd, asSystemReads(expandHome(fromFileUrl(given), world), world));
  try {
    return { given, path, real: world.realPath(path) };
  } catch (error) {
    return { given, path, real: path, trouble: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Every file a given path may mean. Behind a link `..` means one thing to a tool that tidies the path up first
 * and another to the system: a rule must hold for both.
 */
export function toTargets(given: string, cwd: string, world: World): Target[] {
  const target = toTarget(given, cwd, world);
  // A tool that knows no addresses takes one for a path.
  if (fileUrl.test(given)) return [target, ...toTargets(`./${given}`, cwd, world)];
  if (!given.includes("..")) return [target];
  const raw = expandHome(fromFileUrl(given), world);
  const real = realOr(isAbsolute(raw) ? raw : `${cwd}${sep}${raw}`, world);
  return real === undefined || real === target.real ? [target] : [target, { given, path: real, real }];
}

const realOr = (path: string, world: World): string | undefined => {
  try {
    return world.realPath(path);
  } catch {
    // The tidy form has the same trouble, and says so.
    return undefined;
  }
};

/** `path` below `folder` with forward slashes, or nothing when it is outside. */
export function pathBelow(folder: string, path: string): string | undefined {
  if (!isInside(folder, path)) return undefined;
  return relative(folder, path).split(sep).join("/");
}

export function expandHome(path: string, world: World): string {
  if (path !== "~" && !path.startsWith("~/") && !path.startsWith("~\\")) return path;
  return join(world.folders().home, path.slice(1));
}

const asSystemReads = (path: string, world: World): string =>
  process.platform === "win32" ? asWindowsReads(path, world.folders().temp[0]) : path;

/**
 * Windows ignores dots and blanks at the end of a name, and `name::$DATA` is the file itself. Shells there speak of
 * `/c/work` and `/tmp`.
 */
export function asWindowsReads(given: string, temp = "C:/tmp"): string {
  if (/^[\\/]{2}\?[\\/]/.test(given)) return given;
  const path = given
    .replace(/^\/(?:cygdrive\/)?([a-z])(?:\/|$)/i, "$1:/")
    .replace(/^\/tmp(?=\/|$)/, () => temp);
  const { length } = /^(?:[a-z]:)?/i.exec(path)?.[0] ?? "";
  return (
    path.slice(0, length) +
    path.slice(length).replace(/[^\\/]+/g, (name) => (/^\.{1,2}$/.test(name) ? name : plainName(name)))
  );
}

const plainName = (name: string): string => name.replace(/:.*$/s, "").replace(/[. ]+$/, "") || name;

const fileUrl = /^file:\//i;

function fromFileUrl(given: string): string {
  if (!fileUrl.test(given)) return given;
  try {
    const path = decodeURIComponent(new URL(given).pathname);
    return isAbsolute(path) ? path : given;
  } catch {
    return given;
  }
}
