import { join } from "node:path";
import * as v from "valibot";
import type { DeleteAction, WriteAction } from "../../core/action.ts";
import type { Run } from "../../core/command.ts";
import { beforeTool, type Event } from "../../core/event.ts";
import { isInside } from "../../core/paths.ts";
import { defineRule } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { readOnlyPhases } from "../../workflow/pipeline-phases.ts";
import {
  activePipeline,
  isActive,
  pipelinesIn,
  specsFolder,
  type Pipeline,
} from "../../workflow/pipeline-state.ts";
import { active } from "./_examples.ts";
import { following, hasCommands, realOr } from "./_following.ts";
import { manifestsOf, rewritesSources } from "../../shell/formatters.ts";

const other = { ".specs/20251224-old/state.json": '{"currentPhaseStatus":"pending"}' };

export default defineRule({
  summary: "Lets nothing but artifacts be written while a pipeline analyses and investigates.",
  why: "An analysis of files that change under it is about files that are not there any more.",
  since: "0.1.0",
  outcome: "block",
  presets: { pipeline: {} },
  on: { events: beforeTool, actions: ["write", "delete", "exec"] },
  options: () => v.strictObject({}),
  messages: {
    readOnly: {
      what: `${readOnlyPhases.get("phase-1") ?? ""} ({path}; {workspace} is at {phase})`,
      instead: "Write what you find to {workspace}, and leave the change for the implementation.",
    },
    unclear: {
      what: "what `{what}` does cannot be told, and {phase} of {workspace} is read-only.",
      instead: "Use a command that says what it does.",
    },
    others: {
      what: "{path} is the state of another active pipeline.",
      why: "Two pipelines that write each other's state lose both.",
      instead: "Work in {workspace}.",
    },
  },
  examples: {
    catches: [
      { files: active("phase-1"), write: "src/cart.go", text: "package cart\n" },
      { files: active("phase-2"), shell: "sed -i s/a/b/ src/cart.go" },
      { files: active("phase-1"), shell: "rm src/cart.go" },
      { files: active("phase-1"), shell: "npx prettier --write src" },
      { files: active("phase-1"), shell: "git merge feature/other" },
      { files: active("phase-1"), shell: "echo x > $FILE" },
      { files: active("phase-1"), write: ".specs/20260115-cart/../../src/cart.go", text: "" },
      { files: active("phase-1"), write: ".specs-old/notes.md", text: "" },
      { files: { ...active("phase-1"), ...other }, write: ".specs/20251224-old/state.json", text: "{}" },
    ],
    allows: [
      { write: "src/cart.go", text: "package cart\n" },
      { files: active("phase-1"), write: ".specs/20260115-cart/analysis.md", text: "# Analysis\n" },
      { files: active("phase-1"), write: ".specs/20260115-cart/state.json", text: "{}" },
      { files: { ...active("phase-1"), ...other }, write: ".specs/20251224-old/notes.md", text: "" },
      { files: active("phase-2"), shell: "grep -rn cart src 2>/dev/null > .specs/20260115-cart/uses.txt" },
      { files: active("phase-1"), shell: "git switch -c feature/cart" },
      { files: active("phase-1"), shell: "npx prettier --check src && go vet ./..." },
      { files: active("phase-1", "pending"), write: "src/cart.go", text: "" },
      { files: active("phase-3"), write: "src/cart.go", text: "" },
    ],
  },
  load: (event, world) =>
    hasCommands(event) && reading(event.root, world) ? following(event, world) : undefined,
  *check({ event: given, world, loaded }) {
    const pipeline = reading(given.root, world);
    if (!pipeline) return;
    const data = { workspace: pipeline.folder, phase: pipeline.phase };
    const places = placesOf(given, pipeline, world);
    const event = loaded?.event ?? given;
    const seen = new Set<string>();
    for (const action of event.actions) {
      if (action.kind !== "write" && action.kind !== "delete") continue;
      const path = shown(action);
      if (seen.has(path)) continue;
      if (isForeign(action, places)) yield { message: "others", data: { ...data, path } };
      else if (isFree(action, places)) continue;
      else yield { message: "readOnly", data: { ...data, path } };
      seen.add(path);
    }
    const runs = event.actions.flatMap((action) => (action.kind === "exec" ? action.commands : []));
    const formatter = runs.find((run) => rewritesSources(run) || manifestsOf(run).length > 0);
    if (formatter && seen.size === 0)
      yield { message: "readOnly", data: { ...data, path: formatter.program } };
    const commands = loaded?.gitCommands(event, world) ?? [];
    const moving = commands.find((command) => loaded?.changesTree(command));
    if (moving && seen.size === 0)
      yield { message: "readOnly", data: { ...data, path: `git ${moving.verb}` } };
    const strange = commands.find((command) => command.strange);
    if (strange) yield { message: "unclear", outcome: "ask", data: { ...data, what: `git ${strange.verb}` } };
  },
});

/** The pipeline that reads at the moment, if it is the active one. */
function reading(root: string, world: World): Pipeline | undefined {
  const pipeline = activePipeline(root, world);
  return pipeline?.status === "in_progress" && readOnlyPhases.has(pipeline.phase) ? pipeline : undefined;
}

interface Places {
  readonly specs: string;
  readonly root: string;
  readonly temp: readonly string[];
  /** State files of other active pipelines. */
  readonly foreign: readonly string[];
}

function placesOf({ root }: Event, pipeline: Pipeline, world: World): Places {
  const others = pipelinesIn(root, world).filter((each) => isActive(each) && each.folder !== pipeline.folder);
  return {
    specs: realOr(join(root, specsFolder), world),
    root: realOr(root, world),
    temp: world.folders().temp.map((folder) => realOr(folder, world)),
    foreign: others.map(({ folder }) => realOr(join(folder, "state.json"), world)),
  };
}

const isForeign = ({ kind, target }: WriteAction | DeleteAction, { foreign }: Places): boolean =>
  target !== undefined &&
  foreign.some((file) => target.real === file || (kind === "delete" && isInside(target.real, file)));

/** Artifacts, and what is no source. A target nobody can tell may be one. */
function isFree({ target, by }: WriteAction | DeleteAction, places: Places): boolean {
  if (!target) return false;
  return isInside(places.specs, target.real) || (by !== undefined && isNoSource(by, target.real, places));
}

/** What a command may write besides: devices, scratch space outside the workspace, and git's own files through git. */
function isNoSource(by: Run, real: string, { root, temp }: Places): boolean {
  if (real.startsWith("/dev/")) return true;
  if (by.program === "git" && real.endsWith("/.git")) return true;
  return !isInside(root, real) && temp.some((folder) => isInside(folder, real) && real !== folder);
}

const shown = ({ target }: WriteAction | DeleteAction): string =>
  target?.given ?? "a file nobody can tell before it runs";
