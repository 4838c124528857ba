import type { Action } from "../core/action.ts";
import type { Event } from "../core/event.ts";
import type { World } from "../core/world.ts";
import { trusted, type Disk } from "./_walk.ts";
import { gitSettings } from "./git-settings.ts";
import { isGitVerb } from "./git-verbs.ts";
import { mayRunMore } from "./may-run-more.ts";
import { understandCommand, withReaders } from "./understand.ts";

/**
 * An event with what its command lines do by way of scripts: files that a shell or an interpreter runs, targets of a makefile,
 * scripts of a `package.json`, aliases of git. Of a `loose` one, which the agent may have made, all that it does counts; what scripts of the
 * repository write, and nobody can tell where, is left to them.
 */
export async function throughScripts(
  event: Event,
  world: World,
  isLoose: (path: string) => boolean,
): Promise<Event> {
  return withReaders(() => followed(event, world, isLoose));
}

function followed(event: Event, world: World, isLoose: (path: string) => boolean): Event {
  if (!event.actions.some((action) => action.kind === "exec" && action.commands.some(mayRunMore)))
    return event;
  const disk = diskOf(world, isLoose);
  const follow = (action: Action): Action[] =>
    action.kind === "exec" ? understandCommand(action, event.root, world, disk).filter(counts) : [action];
  return { ...event, actions: event.actions.filter((action) => !isBy(action)).flatMap(follow) };
}

/** What an event's command lines do is told again. */
const isBy = (action: Action): boolean => "by" in action && action.by !== undefined;

function counts(action: Action): boolean {
  if ((action.kind !== "write" && action.kind !== "delete") || action.target) return true;
  return !action.by?.via.includes(trusted);
}

const longest = 64 * 1024;

function diskOf(world: World, isLoose: (path: string) => boolean): Disk {
  return {
    isTrusted: (path) => !isLoose(path),
    text(path) {
      try {
        const real = world.realPath(path);
        const stat = world.stat(real);
        return stat?.type === "file" && stat.size <= longest ? world.read(real) : undefined;
      } catch {
        return undefined;
      }
    },
    alias: (name, folder) =>
      isGitVerb(name) || name.startsWith("-")
        ? undefined
        : gitSettings(folder, world).aliases.get(name.toLowerCase()),
  };
}
