import { isOneOf } from "../../core/one-of.ts";
import type { Target } from "../../core/action.ts";
import { isInside } from "../../core/paths.ts";
import type { World } from "../../core/world.ts";

const systemFolders = new Set(
  "bin boot dev etc home lib lib32 lib64 media mnt opt proc root run sbin srv sys usr var Applications Library System Users Volumes private cores".split(
    " ",
  ),
);

/** What would be lost with a folder that holds more than the task is about; nothing for an ordinary one. */
export function preciousAt(target: Target, root: string, world: World): string | undefined {
  const all = wholeFolder(target.path);
  const real = all === target.path ? target.real : (safeReal(all, world) ?? all);
  const { home } = world.folders();
  if (real === "/" || /^[A-Za-z]:\\?$/.test(real)) return "the whole file system";
  const parts = real.split("/").filter(Boolean);
  if (parts.length === 1 && systemFolders.has(parts[0] ?? "")) return "a folder of the system";
  if (
    parts.length > 1 &&
    systemFolders.has(parts[0] ?? "") &&
    !isOrdinary(parts) &&
    !isInside(safeReal(root, world) ?? root, real)
  )
    return "a folder of the system";
  const homes = [home, safeReal(home, world) ?? home];
  if (homes.some((each) => isInside(real, each))) return "the home folder";
  const realRoot = safeReal(root, world) ?? root;
  if (isInside(real, realRoot)) return "the whole repository";
  if (isInside(`${realRoot}/.git`, real) || /\/\.git$/.test(real)) return "a repository's history";
  return undefined;
}

// Below /home, /Users, /mnt and their like are people's own folders, below /var/tmp and /run/user scratch.
const isOrdinary = ([first, second]: readonly string[]): boolean =>
  isOneOf(first ?? "", "home Users root mnt media Volumes srv opt private") ||
  (first === "var" && isOneOf(second ?? "", "tmp folders www")) ||
  (first === "run" && second === "user");

/** `x/*` and `x/.*` stand for all of `x`. */
const wholeFolder = (path: string): string =>
  path.replace(/\/(?:\.?\*|\{\*,\.\*\}|\.\[!\.\]\*|\*\*)$/, "") || "/";

function safeReal(path: string, world: World): string | undefined {
  try {
    return world.realPath(path);
  } catch {
    return undefined;
  }
}

/** Is a place scratch space, where everybody may do as they like? */
export const isScratch = (real: string, root: string, world: World): boolean =>
  world.folders().temp.some((folder) => {
    const temp = safeReal(folder, world) ?? folder;
    return (
      isInside(temp, real) &&
      real !== temp &&
      (!isInside(temp, root) ||
        real.split("/")[temp.split("/").length] !== root.split("/")[temp.split("/").length])
    );
  });
