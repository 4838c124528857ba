import { basename, dirname, join, matchesGlob, resolve, sep } from "node:path";
import type { Target } from "../../core/action.ts";
import { findPlace, hookSettings, managedSettings, patternsOf } from "../../core/agent-files.ts";
import { isInside } from "../../core/paths.ts";
import type { World } from "../../core/world.ts";

/** Could the text spell out a protected place? A cheap look before a thorough one. */
export function mayNameProtected(text: string): boolean {
  const lower = text.toLowerCase();
  if (lower.length > 4096) return false;
  if (lower.includes("hookline") || lower.includes("/etc/") || lower.includes("librar")) return true;
  for (const first in hookSettings) if (lower.includes(first)) return true;
  return false;
}

/** What an agent could switch the guard off with: what the path is or lies in, by its given and resolved name. */
export function protectedAt(target: Target, root: string, world: World): string | undefined {
  const found = protectedPath(target.path, root, world);
  return found !== undefined || target.real === target.path ? found : protectedPath(target.real, root, world);
}

/** The protected thing that goes away when a whole folder, or all that fits a pattern, does. */
export function protectedBelow(
  { path: folder, real }: Target,
  root: string,
  world: World,
): string | undefined {
  // An agent's own folder is nothing but settings, there already or not.
  if (agentsOwn.test(folder) || agentsOwn.test(real)) return hookSettingsName;
  const places = placesFrom([root, ...bothNames(world.folders().home, world)], root, world);
  if (/[*?[]/.test(folder)) {
    const agents = Object.keys(hookSettings).filter(
      (first) => first.startsWith(".") && first !== ".github" && first !== ".config",
    );
    if (!/\/\*+$/.test(folder) && agents.some((first) => matchesGlob(join(root, first), folder)))
      return hookSettingsName;
    return /\/\*+$/.test(folder) ? undefined : places.find(({ path }) => matchesGlob(path, folder))?.what;
  }
  return places.find(({ path }) => (isInside(folder, path) || isInside(real, path)) && world.stat(path))
    ?.what;
}

/** Everything protected in a folder, whether it is there or not. */
export const protectedPlaces = (folder: string, root: string, world: World): Place[] =>
  placesFrom([...new Set([root, ...bothNames(world.folders().home, world), folder])], root, world).filter(
    ({ path }) => isInside(folder, path),
  );

interface Place {
  readonly path: string;
  readonly what: string;
}

function placesFrom(bases: readonly string[], root: string, world: World): Place[] {
  const settings = bases.flatMap((base) => patternsOf(hookSettings).map((pattern) => resolve(base, pattern)));
  const managed = patternsOf(managedSettings).map((pattern) => sep + pattern);
  return [
    ...ownFiles(root, world, "hookline"),
    ...settings.map((path) => ({ path, what: hookSettingsName })),
    ...managed.map((path) => ({ path, what: managedName })),
  ];
}

/** What is protected among all that a `*` in a folder fits: files that are there and not hidden. */
export const protectedDirectlyIn = ({ path, real }: Target, root: string, world: World): string | undefined =>
  agentsOwn.test(path) || agentsOwn.test(real)
    ? hookSettingsName
    : protectedPlaces(path, root, world).find(
        (place) =>
          dirname(place.path) === path && !basename(place.path).startsWith(".") && world.stat(place.path),
      )?.what;

const agentsOwn = /\/\.(?:claude|copilot|cursor|codex|gemini|qwen|opencode|windsurf|harness|hookline)\/?$/i;

const hookSettingsName = "an agent's hook settings";
const managedName = "an agent's managed settings";

function protectedPath(path: string, root: string, world: World): string | undefined {
  const own = ownFiles(root, world, path).find((each) => isSameOrBelow(each.path, path));
  if (own) return own.what;
  if (findPlace(hookSettings, path, true) !== undefined) return hookSettingsName;
  return findPlace(managedSettings, path, false) === undefined ? undefined : managedName;
}

/**
 * Our own files under the names we look for them by, and where links lead from there. Those outside the workspace
 * are called after us, so a path that does not name us is not worth following their links.
 */
function ownFiles(root: string, world: World, named: string): Place[] {
  const { executable, guarded } = world.folders();
  const guardedNames = /hookline/i.test(named) ? guarded.flatMap((each) => bothNames(each, world)) : guarded;
  return [
    ...bothNames(join(root, "hookline.yaml"), world).map((path) => ({ path, what: "the policy" })),
    ...bothNames(join(root, ".hookline"), world).map((path) => ({ path, what: "the ledger and the rules" })),
    ...guardedNames.map((path) => ({ path, what: "the guard's own policy and records" })),
    { path: executable, what: "the guard's executable" },
  ];
}

function bothNames(path: string, world: World): string[] {
  try {
    const real = world.realPath(path);
    return real === path ? [path] : [path, real];
  } catch {
    // A loop of links leads nowhere else.
    return [path];
  }
}

// Letter case is ignored: on macOS and Windows it names the same file.
const isSameOrBelow = (place: string, path: string): boolean =>
  isInside(place.toLowerCase(), path.toLowerCase());
