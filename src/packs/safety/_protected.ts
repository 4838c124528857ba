import { basename, dirname, join, resolve, sep } from "node:path";
import type { Target } from "../../core/action.ts";
import { findPlace, hookSettings, managedSettings, patternsOf, type Places } from "../../core/agent-files.ts";
import { isInside } from "../../core/paths.ts";
import type { World } from "../../core/world.ts";
import { hasPattern, mayBe, writtenOut } from "../../shell/globs.ts";

/** Could the text spell out a protected place? A cheap look before a thorough one. */
export function mayNameProtected(text: string): boolean {
  const lower = text.toLowerCase();
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
  if (hasPattern(folder)) return fittedBy(folder, root, world);
  // Homes that were moved lie elsewhere; few commands take a folder away there.
  if (!isInside(root, folder) && movedPlaces(world).some(({ path }) => isInside(folder, path)))
    return hookSettingsName;
  return foundAmong(
    of(world, root),
    (base, firsts) =>
      reaches(asFolder(folder), base, firsts) || (real !== folder && reaches(asFolder(real), base, firsts)),
    ({ path }) => (isInside(folder, path) || isInside(real, path)) && world.stat(path) !== undefined,
    of(world, root).hasOwnBelow(folder) || (real !== folder && of(world, root).hasOwnBelow(real)),
  );
}

/** The first protected place that is meant, where a look at the folder that many of them lie in tells most apart. */
function foundAmong(
  all: Protected,
  mayLieIn: (base: string, firsts: Places) => boolean,
  isMeant: (place: Place) => boolean,
  mayBeOwn = true,
): string | undefined {
  const own = mayBeOwn ? all.own.find(isMeant) : undefined;
  if (own) return own.what;
  for (const base of all.bases) {
    const found = mayLieIn(base, hookSettings) ? settingsBelow(base).find(isMeant) : undefined;
    if (found) return found.what;
  }
  return mayLieIn(sep, managedSettings) ? managedPlaces().find(isMeant)?.what : undefined;
}

/** May what begins with a folder be above a base, or lie in one of the first folders below it? */
function reaches(folder: string, base: string, firsts: Places): boolean {
  const top = asFolder(base);
  if (!folder.startsWith(top)) return top.startsWith(folder);
  const end = folder.indexOf(sep, top.length);
  return end === -1 || Object.hasOwn(firsts, folder.slice(top.length, end));
}

const asFolder = (path: string): string => (path.endsWith(sep) ? path : path + sep);

/** Everything protected in a folder, whether it is there or not. */
export function protectedPlaces(folder: string, root: string, world: World): Place[] {
  const { places } = of(world, root);
  return [...new Set([...places, ...settingsBelow(folder)])].filter(({ path }) => isInside(folder, path));
}

/** What is protected among all that a `*` in a folder fits: files that are there and not hidden. */
export const protectedDirectlyIn = ({ path, real }: Target, root: string, world: World): string | undefined =>
  agentsOwn.test(path) || agentsOwn.test(real)
    ? hookSettingsName
    : protectedPlaces(path, root, world).find(
        (found) =>
          dirname(found.path) === path && !basename(found.path).startsWith(".") && world.stat(found.path),
      )?.what;

/** The protected thing that a pattern may stand for, or whose folder it may be in. */
function fittedBy(pattern: string, root: string, world: World): string | undefined {
  // Everything in a folder is looked at file by file.
  if (/\/\*+$/.test(pattern)) return undefined;
  const agents = Object.keys(hookSettings).filter(
    (first) => first.startsWith(".") && first !== ".github" && first !== ".config",
  );
  const segments = pattern.split("/");
  // Something that a search has found in an agent's own folder.
  if (segments.at(-1) === "*.found" && agentsOwn.test(segments.slice(0, -1).join("/")))
    return hookSettingsName;
  // At any depth, as for names that are written out.
  if (agents.some((first) => mayBe(segments.at(-1) ?? "", first) && isInside(root, pattern)))
    return hookSettingsName;
  // Most segments can be the start of none of them, which one look tells.
  const starts = segments.flatMap((segment, at) =>
    at > 0 && (hasPattern(segment) || Object.hasOwn(hookSettings, segment)) ? [at] : [],
  );
  for (const each of starts.length > 0 ? patternsOf(hookSettings) : []) {
    if (!each.startsWith(".")) continue;
    const want = each.replace(/\/$/, "");
    const length = want.split("/").length;
    if (starts.some((at) => mayBe(segments.slice(at, at + length).join("/"), want))) return hookSettingsName;
  }
  const written = segments.slice(0, segments.findIndex(hasPattern));
  const folder = written.length === 0 ? "" : asFolder(written.join("/"));
  // How a place so deep would have to be written; nothing where its name is left open.
  const asDeep = new Map<number, string | undefined>();
  const wantedAt = (depth: number): string | undefined => {
    if (!asDeep.has(depth)) {
      const name = (segments[depth - 1] ?? "").replace(/\.\w+$/, "");
      asDeep.set(depth, writtenOut(name) > 2 ? segments.slice(0, depth).join("/") : undefined);
    }
    return asDeep.get(depth);
  };
  return foundAmong(
    of(world, root),
    (base, firsts) => reaches(folder, base, firsts),
    ({ path }) => {
      const wanted = wantedAt(path.split("/").length);
      return wanted !== undefined && mayBe(wanted, path);
    },
  );
}

const agentsOwn = /\/\.(?:claude|copilot|cursor|codex|gemini|qwen|opencode|windsurf|harness|hookline)\/?$/i;

const hookSettingsName = "an agent's hook settings";
const managedName = "an agent's managed settings";

function protectedPath(path: string, root: string, world: World): string | undefined {
  const lower = path.toLowerCase();
  const { own: all, nearby } = of(world, root);
  const own = (lower.includes("hookline") ? all : nearby).find((each) => isInside(each.lower, lower));
  if (own) return own.what;
  const within = lower.includes("hookline") ? ofRepositoryWithin(path, world) : undefined;
  if (within !== undefined) return within;
  if (findPlace(hookSettings, path, true) !== undefined) return hookSettingsName;
  if (settingsName.test(lower) && movedPlaces(world).some((each) => isInside(each.lower, lower)))
    return hookSettingsName;
  return findPlace(managedSettings, path, false) === undefined ? undefined : managedName;
}

/** A worktree, and a repository within, has a policy of its own. A file of that name elsewhere is an example. */
function ofRepositoryWithin(path: string, world: World): string | undefined {
  const [, folder, name] = /^(.*)[\\/](hookline\.yaml|\.hookline)(?:[\\/].*)?$/i.exec(path) ?? [];
  if (folder === undefined || name === undefined || !isTop(folder, world)) return undefined;
  return name.startsWith(".") ? "the ledger and the rules" : "the policy";
}

function isTop(folder: string, world: World): boolean {
  try {
    return world.git(folder)?.root === folder;
  } catch {
    // A repository that cannot be read is one all the same.
    return true;
  }
}

interface Place {
  readonly path: string;
  /** Letter case is ignored: on macOS and Windows it names the same file. */
  readonly lower: string;
  readonly what: string;
}

const place = (path: string, what: string): Place => ({ path, lower: path.toLowerCase(), what });

/** What is protected in one world, found out when it is first asked for. */
class Protected {
  constructor(
    private readonly world: World,
    private readonly root: string,
  ) {}

  /** Our own files under the names we look for them by, and where links lead from there. */
  get own(): readonly Place[] {
    return (this.#own ??= this.#ownFiles((path) => bothNames(path, this.world)));
  }
  #own: readonly Place[] | undefined;

  /** Is one of them a path, or below it? A yes is to be looked at. */
  hasOwnBelow(path: string): boolean {
    this.#ownText ??= `\n${this.own.map((each) => each.path).join("/\n")}/`;
    return this.#ownText.includes(`\n${asFolder(path)}`);
  }
  #ownText: string | undefined;

  /** Those outside the workspace are called after us: a path that does not name us is not worth following their links. */
  get nearby(): readonly Place[] {
    return (this.#nearby ??= this.#ownFiles((path) => [path]));
  }
  #nearby: readonly Place[] | undefined;

  /** Every protected file there may be, for seeing what lies in a folder. */
  get places(): readonly Place[] {
    if (this.#places) return this.#places;
    return (this.#places = [...this.own, ...this.bases.flatMap(settingsBelow), ...managedPlaces()]);
  }
  #places: readonly Place[] | undefined;

  /** Folders in which agents look for their settings. */
  get bases(): readonly string[] {
    return (this.#bases ??= [this.root, ...bothNames(this.world.folders().home, this.world)]);
  }
  #bases: readonly string[] | undefined;

  #ownFiles(namesOf: (path: string) => string[]): Place[] {
    const { executable, guarded } = this.world.folders();
    const named = (name: string, what: string): Place[] =>
      bothNames(join(this.root, name), this.world).map((path) => place(path, what));
    return [
      ...named("hookline.yaml", "the policy"),
      ...named(".hookline", "the ledger and the rules"),
      ...guarded.flatMap(namesOf).map((path) => place(path, "the guard's own policy and records")),
      place(executable, "the guard's executable"),
      place(join(dirname(executable), "hookline-warm"), "the guard's executable"),
    ];
  }
}

const worlds = new WeakMap<World, Map<string, Protected>>();

function of(world: World, root: string): Protected {
  let roots = worlds.get(world);
  if (!roots) worlds.set(world, (roots = new Map<string, Protected>()));
  let found = roots.get(root);
  if (!found) roots.set(root, (found = new Protected(world, root)));
  return found;
}

/** Names of agents' settings, before variables are asked whether a home was moved: each question is part of the record. */
const settingsName =
  /[\\/](?:settings(?:\.local)?\.json|config\.(?:json|toml)|hooks\.json|trustedfolders\.json|\.env|\.claude\.json)$|[\\/](?:hooks|plugins?|extensions|installed-plugins|opencode)(?:[\\/]|$)/;

/** Agents' settings in homes that a variable has moved, where their folder may be called anything. */
function movedPlaces(world: World): Place[] {
  return moved.flatMap(([variable, names]) => {
    const folder = world.env(variable);
    return folder ? names.split(" ").map((name) => place(resolve(folder, name), hookSettingsName)) : [];
  });
}

const moved: readonly (readonly [variable: string, names: string])[] = [
  ["CLAUDE_CONFIG_DIR", "settings.json settings.local.json plugins .claude.json"],
  ["COPILOT_HOME", "hooks settings.json config.json installed-plugins"],
  ["CODEX_HOME", "hooks.json config.toml plugins"],
  ["QWEN_HOME", "settings.json trustedFolders.json extensions .env"],
  ["GEMINI_CLI_HOME", ".gemini/settings.json .gemini/trustedFolders.json .gemini/extensions"],
  ["XDG_CONFIG_HOME", "opencode"],
];

/** The same for every event of a workspace, and some forty paths. */
const below = new Map<string, Place[]>();

function settingsBelow(base: string): Place[] {
  let found = below.get(base);
  if (!found) {
    found = patternsOf(hookSettings).map((pattern) => place(resolve(base, pattern), hookSettingsName));
    below.set(base, found);
  }
  return found;
}

let managed: Place[] | undefined;

const managedPlaces = (): Place[] =>
  (managed ??= patternsOf(managedSettings).map((pattern) => place(sep + pattern, managedName)));

function bothNames(path: string, world: World): string[] {
  try {
    const real = world.realPath(path);
    return real === path ? [path] : [path, real];
  } catch {
    // A loop of links leads nowhere else.
    return [path];
  }
}
