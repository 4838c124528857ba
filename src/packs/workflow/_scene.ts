import type { Event } from "../../core/event.ts";
import type { Context } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { fitsGlob } from "../../workflow/declared/glob.ts";
import { isMarkdown, needsYaml, type ReadYaml } from "../../workflow/declared/keys.ts";
import { momentAfter, realRoot } from "../../workflow/declared/moment.ts";
import { asksGit, conditionsOf, type Workflow } from "../../workflow/declared/model.ts";
import type { Scene } from "../../workflow/declared/scene.ts";
import { isInside, pathBelow } from "../../core/paths.ts";
import { mayRunMore } from "../../shell/may-run-more.ts";
import { lazily } from "../../core/lazily.ts";

/** What rules about workflows are given: the policy has checked them. */
export const workflowsIn = (declared: unknown): readonly Workflow[] =>
  (declared ?? []) as readonly Workflow[];

/** What it takes to read some workflows at an event, beyond what is always there. */
export interface Readers {
  readonly yaml?: ReadYaml;
  readonly branches?: readonly string[];
  /** The event with what its command lines do by way of scripts. */
  readonly event?: Event;
}

const yamlLibrary = lazily(() => import("../../workflow/yaml.ts"));
const git = lazily(async () => ({
  ...(await import("../../shell/git-commands.ts")),
  ...(await import("../../shell/git-branch.ts")),
  ...(await import("../../shell/git-head.ts")),
}));
const scripts = lazily(() => import("../../shell/scripts.ts"));

/** What a rule about workflows is asked: with what its policy declares, and what was brought for it. */
export type Asked<Loaded extends Readers = Readers> = Pick<
  Context<unknown, Loaded>,
  "event" | "world" | "declared" | "loaded"
>;

/** What brings a rule what it needs. */
type Bring<Loaded> = (
  event: Event,
  world: World,
  declared: unknown,
) => Loaded | Promise<Loaded | undefined> | undefined;

/**
 * What a rule needs before it can be asked. Git may take longer than a rule has, so what the rule is going to ask of it is asked before its
 * time runs.
 */
export function loading<Loaded extends Readers = Readers>(
  check: (asked: Asked<Loaded>) => Iterable<unknown>,
  bring: Bring<Loaded>,
): Bring<Loaded> {
  return (event, world, declared) => {
    const readers = bring(event, world, declared);
    if (!workflowsIn(declared).some((workflow) => conditionsOf(workflow).some(asksGit))) return readers;
    return (async () => {
      const loaded = await readers;
      askGit(world, (noting) => check({ event, world: noting, declared, loaded }));
      return loaded;
    })();
  };
}

/** Goes through a check with a world that only notes what git is asked, and asks it. */
function askGit(world: World, check: (noting: World) => Iterable<unknown>): void {
  const noted: (() => unknown)[] = [];
  const note =
    <T>(ask: (directory: string) => unknown, answer: T) =>
    (directory: string): T => {
      noted.push(() => ask(directory));
      return answer;
    };
  const noting: World = Object.assign(Object.create(world) as World, {
    changed: note((directory) => world.changed(directory), []),
    unpushed: note((directory) => world.unpushed(directory), { hasRemote: true, commits: 0 }),
    branchChanges: note((directory) => world.branchChanges(directory), { base: "", files: [] }),
  });
  try {
    Array.from(check(noting));
  } catch {
    // It fails again when it counts.
  }
  for (const ask of noted) quietly(ask);
}

function quietly(ask: () => unknown): void {
  try {
    ask();
  } catch {
    // The answer is known to be an error now.
  }
}

/** Brings the YAML library if a state cannot be read at a glance, what scripts do, and git's commands if the branch is one. */
export function readersFor(
  event: Event,
  world: World,
  declared: unknown,
): Readers | Promise<Readers> | undefined {
  const workflows = workflowsIn(declared);
  const isByBranch = workflows.some(({ state }) => state.by === "branch");
  if (isFollowed(event)) return followed(event, world, workflows, isByBranch);
  return isByBranch || workflows.some((workflow) => isYamlAtStake(workflow, event, world))
    ? bring(event, world, workflows, isByBranch)
    : undefined;
}

export const isFollowed = ({ actions }: Event): boolean =>
  actions.some((action) => action.kind === "exec" && action.commands.some(mayRunMore));

async function followed(
  given: Event,
  world: World,
  workflows: readonly Workflow[],
  isByBranch: boolean,
): Promise<Readers> {
  const event = await withScripts(given, world);
  return { ...(await bring(event, world, workflows, isByBranch)), event };
}

export async function withScripts(event: Event, world: World): Promise<Event> {
  const place = realRoot(event.root, world);
  // What lies in the repository is trusted as far as nobody can tell what it does.
  return (await scripts()).throughScripts(event, world, (path) => !isInside(place, path));
}

async function bring(
  event: Event,
  world: World,
  workflows: readonly Workflow[],
  isByBranch: boolean,
): Promise<Readers> {
  const wantsYaml = workflows.some((workflow) => isYamlAtStake(workflow, event, world));
  const yaml = wantsYaml ? { yaml: (await yamlLibrary()).readYaml } : {};
  if (!isByBranch) return yaml;
  const { gitCommands, checkedOutNames, branchesWritten } = await git();
  const branches = checkedOutNames(gitCommands(event, world), event.cwd, world);
  return {
    ...yaml,
    branches: [...branches, ...branchesWritten(event.actions, realRoot(event.root, world), world)],
  };
}

const isYaml = (path: string): boolean => /\.ya?ml$/i.test(path) || isMarkdown(path);

/** Is there a YAML file that a glance cannot read, or one about to be written? */
function isYamlAtStake(workflow: Workflow, event: Event, world: World): boolean {
  const keys = keysOf(workflow).filter(({ file }) => isYaml(file));
  if (keys.length === 0) return false;
  const place = realRoot(event.root, world);
  const writes = event.actions.some((action) => {
    const path = action.kind === "write" && action.target ? pathBelow(place, action.target.real) : undefined;
    return path !== undefined && isYaml(path) && keys.some(({ file }) => fitsGlob(file, path));
  });
  if (writes) return true;
  const now = momentAfter([], 0, event.root, world);
  return keys.some(({ file, key }) =>
    now.files(file).some((path) => {
      const content = now.content(path);
      return typeof content === "object" && needsYaml(path, content.text, key);
    }),
  );
}

/** Every key a workflow reads. */
const keysOf = (workflow: Workflow): { file: string; key: readonly string[] }[] => [
  ...(workflow.state.by === "key" ? [workflow.state] : []),
  ...conditionsOf(workflow).flatMap((each) =>
    each.is === "key" ? [{ ...each, file: each.file.replaceAll("{dir}", "**") }] : [],
  ),
];

/** The event with what it takes to read the workflows of the policy. */
export const sceneOf = (
  event: Event,
  world: World,
  declared: unknown,
  loaded: Readers | undefined,
): Scene => ({
  workflows: workflowsIn(declared),
  event,
  world,
  ...loaded,
});
