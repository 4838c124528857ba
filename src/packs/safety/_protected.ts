import { join, resolve, sep } from "node:path";
import type { Target } from "../../core/action.ts";
import { findPlace, hookSettings, managedSettings, patternsOf } from "../../core/agent-files.ts";
import { isInside } from "../../core/paths.ts";
import type { World } from "../../core/world.ts";
import { hasPattern, mayBe, writtenOut } from "../../shell/globs.ts";

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
  const bases = [root, ...bothNames(world.folders().home, world)];
  const settings = bases.flatMap((base) => patternsOf(hookSettings).map((pattern) => resolve(base, pattern)));
  const managed = patternsOf(managedSettings).map((pattern) => sep + pattern);
  const places = [
    ...ownFiles(root, world, "hookline"),
    ...settings.map((path) => ({ path, what: hookSettingsName })),
    ...managed.map((path) => ({ path, what: managedName })),
  ];
  if (hasPattern(folder)) return fittedBy(folder, root, places);
  return places.find(({ path }) => (isInside(folder, path) || isInside(real, path)) && world.stat(path))
    ?.what;
}

/** The protected thing that a pattern may stand for, or whose folder it may be in. */
function fittedBy(
  pattern: string,
  root: string,
  places: readonly { path: string; what: string }[],
): string | undefined {
  // Everything in a folder is looked at file by file.
  if (/\/\*+$/.test(pattern)) return undefined;
  const agents = Object.keys(hookSettings).filter(
    (first) => first.startsWith(".") && first !== ".github" && first !== ".config",
  );
  const segments = pattern.split("/");
  // At any depth, as for names that are written out.
  if (agents.some((first) => mayBe(segments.at(-1) ?? "", first) && isInside(root, pattern)))
    return hookSettingsName;
  const isSettings = patternsOf(hookSettings).some((each) => {
    const want = each.replace(/\/$/, "").split("/");
    return (
      each.startsWith(".") &&
      segments.some(
        (_, at) => at > 0 && mayBe(segments.slice(at, at + want.length).join("/"), want.join("/")),
      )
    );
  });
  if (isSettings) return hookSettingsName;
  return places.find(({ path }) => {
    const depth = path.split("/").length;
    const name = (segments[depth - 1] ?? "").replace(/\.\w+$/, "");
    return writtenOut(name) > 2 && mayBe(segments.slice(0, depth).join("/"), path);
  })?.what;
}

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
function ownFiles(root: string, world: World, named: string): { path: string; what: string }[] {
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
