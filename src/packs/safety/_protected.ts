import { join, relative, resolve } from "node:path";
import type { Target } from "../../core/action.ts";
import { agentFiles, matchesPlace } from "../../core/agent-files.ts";
import { isInside } from "../../core/paths.ts";
import type { World } from "../../core/world.ts";

/** What an agent could switch the guard off with. */
export interface Protected {
  readonly what: string;
}

const everywhere = Object.entries(agentFiles).flatMap(([agent, files]) =>
  files.settings.map((pattern) => ({ pattern, what: `the hook settings of ${agent}` })),
);
const systemWide = Object.entries(agentFiles).flatMap(([agent, files]) =>
  files.system.map((pattern) => ({ pattern, what: `the managed hook settings of ${agent}` })),
);

/** The protected thing a path is or lies in, by its given and by its resolved name. */
export function protectedAt(target: Target, root: string, world: World): Protected | undefined {
  return protectedPath(target.path, root, world) ?? protectedPath(target.real, root, world);
}

/** The protected thing that goes away when a whole folder does. */
export function protectedBelow(folder: string, root: string, world: World): Protected | undefined {
  for (const { path, what } of concrete(root, world)) {
    if (isInside(folder, path) && world.stat(path)) return { what };
  }
  return undefined;
}

function protectedPath(path: string, root: string, world: World): Protected | undefined {
  const found =
    ownFiles(root, world).find((own) => sameOrBelow(own.path, path)) ??
    everywhere.find(({ pattern }) => matchesPlace(pattern, path, true)) ??
    systemWide.find(({ pattern }) => matchesPlace(pattern, path, false));
  return found && { what: found.what };
}

function ownFiles(root: string, world: World): { path: string; what: string }[] {
  const { executable, guarded } = world.folders();
  return [
    { path: join(root, "hookline.yaml"), what: "the policy" },
    { path: join(root, ".hookline"), what: "the ledger and the rules" },
    ...guarded.map((path) => ({ path, what: "the guard's own policy and records" })),
    { path: executable, what: "the guard's executable" },
  ];
}

/** Every protected place this workspace could have, as a path to look for. */
function concrete(root: string, world: World): { path: string; what: string }[] {
  const home = world.folders().home;
  return [
    ...ownFiles(root, world),
    ...everywhere.flatMap(({ pattern, what }) => [root, home].map((base) => ({ path: resolve(base, pattern), what }))),
    ...systemWide.map(({ pattern, what }) => ({ path: resolve(pattern), what })),
  ];
}

// Letter case is ignored: on macOS and Windows it names the same file.
function sameOrBelow(place: string, path: string): boolean {
  const rest = relative(place.toLowerCase(), path.toLowerCase());
  return rest === "" || (!rest.startsWith("..") && resolve(rest) !== rest);
}
