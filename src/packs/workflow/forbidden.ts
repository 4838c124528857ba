import { join, relative } from "node:path";
import type { Action } from "../../core/action.ts";
import type { Run } from "../../core/command.ts";
import { beforeTool, type Event } from "../../core/event.ts";
import { lazily } from "../../core/lazily.ts";
import { defineRule, type Yield } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { manifestsOf, rewritesSources } from "../../shell/formatters.ts";
import { holds } from "../../workflow/declared/conditions.ts";
import { concernsPaths, editGlobs, offenceOf } from "../../workflow/declared/forbidden.ts";
import { realRoot } from "../../workflow/declared/moment.ts";
import type { Forbidden, Workflow } from "../../workflow/declared/model.ts";
import type { Course } from "../../workflow/declared/moves.ts";
import { courseIn, lookAt, now, type Scene } from "../../workflow/declared/scene.ts";
import { shown, type Standing } from "../../workflow/declared/standing.ts";
import { release, releaseFile } from "./_examples.ts";
import { loading, readersFor, sceneOf, type Asked, type Readers } from "./_scene.ts";

export default defineRule({
  summary: "Stops what the state of a workflow forbids: edits by path, programs, reads, requests, subagents.",
  why: "The workflow of this repository does not allow it in this state.",
  since: "0.1.0",
  outcome: "block",
  presets: { workflow: {} },
  on: { events: beforeTool },
  options: (v) => v.strictObject({}),
  messages: {
    forbidden: {
      what: "`{what}` is forbidden while {workflow} is at {state}.",
      why: "{why}",
      instead: "{instead}",
    },
    unknown: {
      what: "`{what}` may be forbidden: where {workflow} stands cannot be told ({state}).",
      instead: "Ask the user to put {place} right; `hookline workflow status` shows what is there.",
    },
  },
  examples: {
    catches: [
      { files: { [releaseFile]: "phase: review\n" }, declared: [release], write: "src/cart.ts", text: "" },
      {
        files: { [releaseFile]: "phase: review\n" },
        declared: [release],
        shell: "sed -i s/a/b/ src/cart.ts",
      },
      { files: { [releaseFile]: "phase: review\n" }, declared: [release], shell: "rm -r src" },
      { files: { [releaseFile]: "phase: review\n" }, declared: [release], shell: "npx prettier --write src" },
      { files: { [releaseFile]: "phase: review\n" }, declared: [release], shell: "git merge feature/other" },
      { declared: [release], shell: "cd app && npm publish" },
      { declared: [release], shell: "git -C app push origin main" },
      { files: { [releaseFile]: "phase: reviewed\n" }, declared: [release], write: "src/cart.ts", text: "" },
    ],
    allows: [
      {
        files: { [releaseFile]: "phase: review\n" },
        declared: [release],
        write: "src/cart.test.ts",
        text: "",
      },
      {
        files: { [releaseFile]: "phase: review\n" },
        declared: [release],
        shell: "grep -rn cart src > uses.txt",
      },
      {
        files: { [releaseFile]: "phase: review\n" },
        declared: [release],
        shell: "npx prettier --write docs",
      },
      { declared: [release], write: "src/cart.ts", text: "" },
      { files: { [releaseFile]: "phase: published\n" }, declared: [release], shell: "npm publish" },
    ],
  },
  load: loading(judge, bring),
  check: judge,
});

function* judge({
  event,
  world,
  declared,
  loaded,
}: Asked<Brought>): Iterable<Yield<"forbidden" | "unknown">> {
  const scene = sceneOf(event, world, declared, loaded);
  for (const workflow of scene.workflows) {
    const course = courseIn(workflow, scene);
    const said = new Set<string>();
    for (const each of offencesOf(workflow, course, scene, loaded?.treeChanges ?? [])) {
      if (said.has(each.key)) continue;
      said.add(each.key);
      yield each.finding;
    }
  }
}

const tree = lazily(async () => ({
  ...(await import("../../shell/git-commands.ts")),
  ...(await import("../../shell/git-tree.ts")),
}));

/** Git commands that put other files into the worktree count as edits, where edits are forbidden; so does one nobody knows. */
async function treeChangesIn(event: Event, world: World): Promise<readonly string[]> {
  const { gitCommands, changesTree } = await tree();
  return gitCommands(event, world).flatMap((command) =>
    command.strange || changesTree(command) ? [`git ${command.verb}`] : [],
  );
}

interface Brought extends Readers {
  readonly treeChanges?: readonly string[];
}

function bring(event: Event, world: World, declared: unknown): Promise<Brought> | undefined {
  const readers = readersFor(event, world, declared);
  if (!readers && !hasGit(event)) return undefined;
  return (async () => {
    const brought = await readers;
    const whole = brought?.event ?? event;
    return { ...brought, treeChanges: hasGit(whole) ? await treeChangesIn(whole, world) : [] };
  })();
}

const hasGit = ({ actions }: Event): boolean =>
  actions.some(
    (action) =>
      action.kind === "exec" &&
      action.commands.some(({ program }) => /^(?:git(?:-|$)|gh$|hub$|glab$)/.test(program)),
  );

interface Offence {
  readonly key: string;
  readonly finding: Yield<"forbidden" | "unknown">;
}

function* offencesOf(
  workflow: Workflow,
  course: Course,
  scene: Scene,
  treeChanges: readonly string[],
): Iterable<Offence> {
  const { event, world } = scene;
  const place = realRoot(event.root, world);
  // Asked last: it may take git to tell.
  const isExcused = ({ unless }: Forbidden, standing: Standing): boolean =>
    unless.length > 0 && holds(unless, lookAt(workflow, standing, now(scene), scene));
  for (const [at, action] of event.actions.entries())
    for (const standing of standingsDuring(workflow, course, action.kind === "exec" ? undefined : at))
      for (const forbidden of forbiddenAt(workflow, standing)) {
        const what = offenceOf(forbidden, action, place) ?? formatted(forbidden, action, place);
        if (what !== undefined && !isExcused(forbidden, standing))
          yield offence(workflow, standing, forbidden, what);
      }
  for (const what of treeChanges)
    for (const standing of standingsDuring(workflow, course, undefined))
      for (const forbidden of forbiddenAt(workflow, standing))
        if (editGlobs(forbidden).length > 0 && !isExcused(forbidden, standing))
          yield offence(workflow, standing, forbidden, what);
}

/** Where the runs of a workflow stand when an action comes; without one, everywhere the event takes them. */
function standingsDuring(
  workflow: Workflow,
  { start, moves }: Course,
  at: number | undefined,
): readonly Standing[] {
  if (moves.length === 0) return start;
  if (at === undefined || workflow.state.by === "branch") return [...start, ...moves.map(({ to }) => to)];
  const current = new Map(start.map((each) => [each.file, each]));
  for (const { count, to } of moves) if (count <= at) current.set(to.file, to);
  return [...current.values()];
}

/** What is forbidden at a state; where that cannot be told, all that some state forbids. */
const forbiddenAt = (workflow: Workflow, standing: Standing): readonly Forbidden[] =>
  standing.state === undefined
    ? Object.values(workflow.states).flatMap(({ forbid }) => forbid)
    : (workflow.states[standing.state]?.forbid ?? []);

/** Formatters rewrite what they are given, and without anything all there is; others a project's own manifests. */
function formatted(forbidden: Forbidden, action: Action, place: string): string | undefined {
  const globs = editGlobs(forbidden);
  if (action.kind !== "exec" || globs.length === 0) return undefined;
  const run = action.commands.find(
    (each) =>
      (rewritesSources(each) && concernsPaths(pathsOf(each, place), globs, forbidden.except)) ||
      manifestsOf(each).some((name) => {
        const path = relative(place, join(each.cwd ?? place, name));
        return concernsPaths([path], globs, forbidden.except);
      }),
  );
  return run && [run.program, ...run.args.slice(0, 3).map(({ text }) => text)].join(" ");
}

const pathsOf = ({ args, cwd, program }: Run, place: string): string[] =>
  args
    .map(({ text }) => text)
    .filter(
      (text, at) =>
        !text.startsWith("-") &&
        !(at === 0 && /^(?:fmt|fix|generate|format|check|clippy)$/.test(text) && program !== "prettier"),
    )
    .map((text) => relative(place, `${cwd ?? place}/${text.replace(/\/?\.{3}$/, "")}`) || ".")
    .map((path) => (path === "." ? "" : path));

function offence(workflow: Workflow, standing: Standing, { why, instead }: Forbidden, what: string): Offence {
  const data = { workflow: workflow.name, state: shown(standing), what };
  const key = `${standing.file} ${what}`;
  if (standing.state === undefined)
    return {
      key,
      finding: { message: "unknown", outcome: "ask", data: { ...data, place: standing.file || "its state" } },
    };
  return {
    key,
    finding: {
      message: "forbidden",
      data: {
        ...data,
        why: why ?? "The workflow of this repository does not allow it in this state.",
        instead: instead ?? nextOf(workflow, standing.state),
      },
    },
  };
}

function nextOf(workflow: Workflow, state: string): string {
  const next = workflow.transitions
    .filter(({ from }) => from.includes(state) || from.includes("*"))
    .map(({ to }) => to);
  return next.length === 0
    ? "Leave it, or ask the user."
    : `It may be allowed at ${[...new Set(next)].join(" or ")}; \`hookline workflow status\` shows what is missing.`;
}
