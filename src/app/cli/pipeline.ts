import { join, relative } from "node:path";
import type { World } from "../../core/world.ts";
import { liveWorld } from "../../platform/live-world.ts";
import { flows, newState, type Effort } from "../../workflow/pipeline-new.ts";
import { defined } from "../../core/json.ts";
import { readOnlyPhases } from "../../workflow/pipeline-phases.ts";
import { specsFolder, type Pipeline } from "../../workflow/pipeline-state.ts";
import { stepNames, takeStep, type Asked, type StepName } from "../../workflow/pipeline-steps.ts";
import { run } from "../run.ts";
import { boardOf, hasText } from "../pipeline/board.ts";
import { asFile, choosePipeline, writeAll, writeState } from "./_pipeline.ts";
import { actionOf, defineCommand, textFlag, UsageError, type Command, type Given } from "./_command.ts";
import { rootHere } from "./_ralph.ts";
import { paint } from "./_table.ts";

const command: Command = defineCommand({
  summary: "Pipelines in .specs: set one up, take it from phase to phase, see where it stands.",
  usage: [
    "pipeline init NAME [--effort S|M|L] [--request TEXT] [--branch NAME] [--auto-approve] [--skip-pr]",
    "pipeline start | complete | skip | checkpoint | approve | abandon [PHASE] [--workspace NAME] [--json]",
    "pipeline fail [PHASE] [--reason TEXT] [--workspace NAME] [--json]",
    "pipeline finalize [--workspace NAME] [--json]",
    "pipeline finalize --hook",
    "pipeline status [--workspace NAME] [--json]",
    "pipeline scripts DIR [--json]",
  ],
  actions: {
    init: "Makes .specs/<YYYYMMDD-name> with request.md and state.json, ready for phase-1.",
    start: "A pending phase, or one that has failed, is under way.",
    complete: "The phase is done: its artifact has to be there. The next one is pending.",
    fail: "The phase has failed, for a reason.",
    skip: "The phase is left out. The next one is pending.",
    checkpoint: "The pipeline waits for a person.",
    approve: "A person has approved what it waits for. The next phase is pending.",
    abandon: "Gives the pipeline up; the agent may stop.",
    finalize:
      "Puts summary.md and state.json into the last commit and pushes it with a lease; never on main or master, and as often as wanted.",
    status: "A board: phases, artifacts, tasks.",
    scripts:
      "Writes pre-tool-hook.sh, post-agent-hook.sh, post-bash-hook.sh and stop-hook.sh, for an installation that calls these.",
  },
  details:
    "Steps write state.json at once or not at all, and keep what they do not know. Exit 1 when a step is refused. PHASE, where it is\n" +
    "given, has to be the current one. docs/pipeline.md says more.",
  flags: {
    workspace: {
      type: "string",
      value: "NAME",
      summary: "The pipeline, by the name of its folder in .specs; the active one when not given.",
    },
    effort: {
      type: "string",
      value: "S|M|L",
      summary: "init: how much of the pipeline the request needs.",
      values: () => Object.keys(flows),
    },
    request: { type: "string", value: "TEXT", summary: "init: what is wanted, for request.md." },
    branch: { type: "string", value: "NAME", summary: "init: the feature branch." },
    "auto-approve": { type: "boolean", summary: "init: checkpoints can be completed without a person." },
    "skip-pr": { type: "boolean", summary: "init: no pull request, and so no final commit." },
    reason: { type: "string", value: "TEXT", summary: "fail: why." },
    hook: {
      type: "boolean",
      summary:
        "finalize: as a hook after shell commands, when one of them has completed post-to-source. Always exits 0.",
    },
    json: { type: "boolean", summary: "Print JSON." },
  },
  async run(given) {
    const action = actionOf("pipeline", command, given);
    if (action === "scripts") return (await import("./_pipeline-scripts.ts")).writeScripts(given);
    const world = liveWorld(process.env);
    const root = rootHere(world);
    const step = stepNames.find((name) => name === action);
    if (step) return take(step, root, given, world);
    if (action === "finalize") {
      if (given.flags["hook"] === true) return finalizeHook(root, world);
      return (await import("./_pipeline-finalize.ts")).finalizeCommand(root, given, world);
    }
    return action === "init" ? init(root, given, world) : status(root, given, world);
  },
});

export default command;

function init(root: string, given: Given, world: World): number {
  const name = given.words[1] ?? "";
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60);
  if (slug === "") throw new UsageError("name the pipeline, for example: hookline pipeline init add-cart");
  const effort = textFlag(given, "effort");
  if (effort !== undefined && !Object.hasOwn(flows, effort))
    throw new UsageError(`--effort takes S, M or L, not ${JSON.stringify(effort)}`);
  const now = new Date(world.now()).toISOString();
  const id = `${now.slice(0, 10).replaceAll("-", "")}-${slug}`;
  const folder = join(root, specsFolder, id);
  if (world.stat(folder)) throw new UsageError(`${relative(root, folder)} is there already`);
  const branch = textFlag(given, "branch");
  const wanted = {
    ...(effort === undefined ? {} : { effort: effort as Effort }), // one of the keys, as was just seen
    ...(branch === undefined ? {} : { branch }),
    autoApprove: given.flags["auto-approve"] === true,
    skipPr: given.flags["skip-pr"] === true,
  };
  const state = newState(id, `${specsFolder}/${id}`, wanted, now);
  const request = textFlag(given, "request") ?? name;
  writeAll(
    [
      { do: "replace", path: join(folder, "request.md"), text: `# Request\n\n${request}\n`, was: null },
      { do: "replace", path: join(folder, "state.json"), text: asFile(state), was: null },
    ],
    root,
    world,
  );
  if (given.flags["json"] === true) console.log(JSON.stringify({ workspace: folder, state }));
  else console.log(`Made ${specsFolder}/${id}; phase-1 is pending (hookline pipeline start).`);
  return 0;
}

async function take(step: StepName, root: string, given: Given, world: World): Promise<number> {
  const pipeline = choosePipeline(root, textFlag(given, "workspace"), world);
  const phase = given.words[1];
  const reason = textFlag(given, "reason");
  const sources = readOnlyPhases.has(pipeline.phase) ? await sourcesFor(step, pipeline, root) : {};
  const taken = takeStep(pipeline, step, {
    now: new Date(world.now()).toISOString(),
    has: (name) => hasText(pipeline.folder, name, world),
    ...(phase === undefined ? {} : { phase }),
    ...(reason === undefined ? {} : { reason }),
    ...sources,
  });
  const json = given.flags["json"] === true;
  if ("refused" in taken) {
    if (json)
      console.log(JSON.stringify({ done: false, workspace: pipeline.folder, refused: taken.refused }));
    else console.error(`${paint("refused", "red")}  ${taken.refused}`);
    return 1;
  }
  writeState(pipeline, taken.state, root, world);
  const { currentPhase, currentPhaseStatus } = taken.state;
  if (json)
    console.log(
      JSON.stringify({
        done: true,
        workspace: pipeline.folder,
        from: { phase: pipeline.phase, status: pipeline.status },
        to: { phase: currentPhase, status: currentPhaseStatus },
        warnings: taken.warnings,
      }),
    );
  else {
    for (const warning of taken.warnings) console.error(`${paint("warning", "yellow")}  ${warning}`);
    console.log(
      `${pipeline.phase} (${pipeline.status}) → ${String(currentPhase)} (${String(currentPhaseStatus)})`,
    );
  }
  return 0;
}

/** How the files are when a phase begins that only reads, and which of them have changed when it is to end. */
async function sourcesFor(
  step: StepName,
  { state }: Pipeline,
  root: string,
): Promise<Pick<Asked, "tree" | "changed">> {
  const { changedSince, sourceTree } = await import("../pipeline/source-tree.ts");
  if (step === "start") return defined({ tree: await sourceTree(root) });
  return step === "complete" || step === "skip"
    ? { changed: await changedSince(state["sourceTree"], root) }
    : {};
}

/** The event is judged and recorded like any other; what came of the commit is part of the answer. */
async function finalizeHook(root: string, world: World): Promise<number> {
  const [{ pipelineContract }, { commitAfter }, { sayDone, sayTrouble }] = await Promise.all([
    import("../pipeline/contract.ts"),
    import("../pipeline/v1-commit.ts"),
    import("./_pipeline-finalize.ts"),
  ]);
  return run({
    event: "PostToolUse",
    ...(await pipelineContract(async (text) => {
      try {
        const result = await commitAfter(text, root, world);
        if (!result) return undefined;
        return result.done ? sayDone(result) : `WARNING: ${sayTrouble(result)}`;
      } catch (error) {
        return `WARNING: the final commit failed: ${error instanceof Error ? error.message : String(error)}`;
      }
    })),
  });
}

function status(root: string, given: Given, world: World): Promise<number> {
  const board = boardOf(choosePipeline(root, textFlag(given, "workspace"), world, true), world);
  return show(board, given);
}

async function show(board: ReturnType<typeof boardOf>, given: Given): Promise<number> {
  if (given.flags["json"] === true) console.log(JSON.stringify(board));
  else console.log((await import("./_pipeline-board.ts")).showBoard(board));
  return 0;
}
