import { isAbsolute, join, matchesGlob, resolve } from "node:path";
import type { Action, ExecAction, Target } from "../core/action.ts";
import { onceFor } from "../core/once-for.ts";
import { expandHome, toTarget, toTargets } from "../core/paths.ts";
import type { World } from "../core/world.ts";
import type { Effect, Run } from "./model.ts";
import { isPlain } from "./plain.ts";
import { outputOf } from "./output.ts";
import { homeMark } from "./_system-programs.ts";
import { filesInDiff, stripped } from "./_diff.ts";
import { throughLinks } from "./_made-links.ts";
import { effectsOf } from "./programs.ts";
import { isReaderMissing } from "./readers.ts";
import type { Disk } from "./_walk.ts";
import { unfold } from "./unfold.ts";

export { foreseeReaders, withReaders } from "./readers.ts";

/** Actions with every command line among them unfolded, unless it is plainly harmless. */
export const unfoldCommands = (
  actions: readonly Action[],
  root: string,
  world: World,
  programs?: readonly string[],
): Action[] =>
  actions.flatMap((action) =>
    action.kind === "exec" && !isPlain(action.command, programs)
      ? understandCommand(action, root, world)
      : [action],
  );

/** An exec action with the commands it unfolds to, followed by what they do to files and the network. */
export function understandCommand(action: ExecAction, root: string, world: World, disk?: Disk): Action[] {
  try {
    const place = { cwd: action.cwd, home: world.folders().home, root, ...(disk ? { disk } : {}) };
    const { runs, troubles } = unfold(action.command, place, action.shell);
    const effects: Action[] = [];
    for (const run of runs) for (const each of actionsOf(run, world)) effects.push(each);
    return [{ ...action, commands: runs, troubles }, ...throughLinks(effects, world)];
  } catch (error) {
    if (isReaderMissing(error)) throw error;
    // What we cannot follow nobody has vouched for.
    return [{ ...action, troubles: [error instanceof Error ? error.message : String(error)] }];
  }
}

function actionsOf(run: Run, world: World): Action[] {
  // What runs in a container or on another machine does not touch this one's files.
  if (run.elsewhere !== undefined)
    return effectsOf(run)
      .flatMap((effect) => mounted(effect, run))
      .flatMap((effect) => toActions(effect, run, world));
  const actions: Action[] = [];
  if (!run.effects) {
    for (const effect of effectsOf(run)) actions.push(...toActions(effect, run, world));
    return actions;
  }
  const { effects, ...bare } = run;
  // In an interpreter's code `~` means the home folder; in a shell's words it has been replaced already.
  const inCode = effects.map((effect) =>
    "path" in effect && effect.path?.startsWith("~")
      ? { ...effect, path: expandHome(effect.path, world) }
      : effect,
  );
  for (const effect of [...effectsOf(bare), ...inCode]) actions.push(...toActions(effect, run, world));
  return actions;
}

/** What a container does in a folder it shares with this machine. */
function mounted(effect: Effect, run: Run): Effect[] {
  if (!("path" in effect) || effect.path === undefined) return [];
  const path = resolve(run.cwd ?? "/", effect.path);
  return (run.mounts ?? []).flatMap(([inside, outside]) =>
    path === inside || path.startsWith(`${inside.replace(/\/$/, "")}/`)
      ? [{ ...effect, path: (outside + path.slice(inside.length)).replace("//", "/") }]
      : [],
  );
}

function toActions(effect: Effect, run: Run, world: World): Action[] {
  switch (effect.do) {
    case "fetch":
      return [
        {
          kind: "fetch",
          by: run,
          ...(effect.url === undefined ? {} : { url: effect.url }),
          ...(effect.sends === undefined ? {} : { sends: effect.sends }),
        },
      ];
    case "exec":
    case "call":
      return [];
    case "read":
      return targetsOf(effect.path, run, world).map((target) => ({ kind: "read", by: run, ...target }));
    case "delete":
      return targetsOf(effect.path, run, world).map((target) => ({
        kind: "delete",
        by: run,
        recursive: effect.recursive ?? false,
        ...target,
      }));
    case "write": {
      const change = changeOf(effect, run);
      // What a pattern fits is looked for where it comes from, not where it goes to.
      const isPattern = effect.from?.some((path) => /[*?[][^/]*$/.test(path)) ?? false;
      const places = isPattern ? placesOf : targetsOf;
      const targets = places(effect.path, run, world).flatMap(({ target }) => {
        const isFolder = target && effect.entries && world.isDirectory(target.real);
        return isFolder
          ? (effect.entries ?? []).flatMap((name, at) =>
              places(`${target.path}/${name}`, run, world).map((each) => ({
                ...each,
                ...fromOf(effect.from?.[at], run, world),
              })),
            )
          : [{ ...(target ? { target } : {}), ...fromOf(effect.from?.[0], run, world) }];
      });
      return targets.map((target) => ({ kind: "write", by: run, change, ...target }));
    }
    case "patch":
      return patched(effect, run, world);
  }
}

const fromOf = (path: string | undefined, run: Run, world: World): { from?: Target } =>
  path === undefined || (run.cwd === undefined && !isAbsolute(path))
    ? {}
    : { from: toTarget(path, run.cwd ?? "/", world) };

/** The files a patch changes; where it cannot be read, a write to nobody knows where. */
function patched(effect: Effect & { do: "patch" }, run: Run, world: World): Action[] {
  const { from } = fromOf(effect.path, run, world);
  const text = effect.text ?? (from && readable(from.real, world));
  const unknown = { kind: "write", by: run, change: { by: "unknown" }, ...(from ? { from } : {}) } as const;
  if (text === undefined)
    return effect.folder === undefined
      ? [unknown]
      : targetsOf(effect.folder, run, world).map((target) => ({ ...unknown, ...target }));
  const strip = effect.strip;
  const paths = filesInDiff(text).flatMap((path) =>
    strip === undefined ? [path, stripped(path, Infinity)] : [stripped(path, strip)],
  );
  const placed = paths.map((path) => (effect.folder === undefined ? path : `${effect.folder}/${path}`));
  // Git counts from the top of the repository, wherever it is started.
  const top = run.program === "git" && run.cwd !== undefined ? topOf(run.cwd, world) : undefined;
  const all =
    top === undefined || top === run.cwd ? placed : [...placed, ...placed.map((path) => join(top, path))];
  return [...new Set(all)].flatMap((path) =>
    targetsOf(path, run, world).map((target): Action => ({
      kind: "write",
      by: run,
      change: { by: "unknown" },
      ...target,
    })),
  );
}

function readable(path: string, world: World): string | undefined {
  try {
    return world.read(path);
  } catch {
    return undefined;
  }
}

function topOf(cwd: string, world: World): string | undefined {
  try {
    return world.git(cwd)?.root;
  } catch {
    return undefined;
  }
}

/** Where a path leads from the command's own directory; nowhere that can be told, if that is unknown. */
function targetsOf(path: string | undefined, run: Run, world: World): { target?: Target }[] {
  const own = placesOf(path, run, world);
  if (path === undefined || !own[0]?.target) return own;
  const fitting = matching(path, run.cwd ?? "/", world).flatMap((each) => placesOf(each, run, world));
  return [...own, ...fitting.map(({ target }) => (target ? { target: { ...target, fits: path } } : {}))];
}

/** The same, a pattern taken as it stands. */
function placesOf(path: string | undefined, run: Run, world: World): { target?: Target }[] {
  if (path?.startsWith(homeMark))
    return toTargets(join(world.folders().home, path.slice(homeMark.length)), "/", world).map((target) => ({
      target,
    }));
  if (path === undefined || (run.cwd === undefined && !isAbsolute(path))) return [{}];
  // The shell has expanded `~` already; what still begins with it is a name.
  const given = path.startsWith("~") ? `./${path}` : path;
  return toTargets(given, run.cwd ?? "/", world).map((target) => ({ target }));
}

/** The files a pattern in the last part of a path fits now. */
function matching(path: string, cwd: string, world: World): string[] {
  const [, folder = "", name = ""] = /^(.*\/)?([^/]*)$/.exec(path) ?? [];
  if (!/[?[]|\*./.test(name) && !/.\*/.test(name)) return [];
  try {
    const names = world.list(resolve(cwd, folder || ".")) ?? [];
    // A shell takes it for itself.
    const pattern = name.startsWith("!") ? `\\${name}` : name;
    // A folder has many names, and most of them plainly do not fit.
    const [first = "", last = ""] = /[\\{(]/.test(name)
      ? []
      : [/^[^?*[]*/.exec(name)?.[0], /[^?*\]]*$/.exec(name)?.[0]];
    return names
      .filter(
        (each) =>
          each.startsWith(".") === name.startsWith(".") &&
          each.startsWith(first) &&
          each.endsWith(last) &&
          matchesGlob(each, pattern),
      )
      .slice(0, 50)
      .map((each) => folder + each);
  } catch {
    return [];
  }
}

/** What a command prints, wherever it goes. It may go to thousands of files. */
const printedBy = onceFor((run: Run) => outputOf([{ ...run, redirects: [] }]));

function changeOf(effect: Effect & { do: "write" }, run: Run): Extract<Action, { kind: "write" }>["change"] {
  const text = effect.text ?? (effect.append === undefined ? undefined : printedBy(run));
  if (text === undefined) return effect.sed ? { by: "sed", ...effect.sed } : { by: "unknown" };
  return effect.append ? { by: "append", text } : { by: "text", text };
}
