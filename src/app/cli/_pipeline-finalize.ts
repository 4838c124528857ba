import type { World } from "../../core/world.ts";
import { namesOf, readPipeline, type Pipeline } from "../../workflow/pipeline-state.ts";
import { takeStep } from "../../workflow/pipeline-steps.ts";
import { hasText } from "../pipeline/board.ts";
import { finalize, type Finalized } from "../pipeline/finalize.ts";
import { choosePipeline, writeState } from "./_pipeline.ts";
import { textFlag, UsageError, type Given } from "./_command.ts";
import { paint } from "./_table.ts";

/** The final commit as a step of its own: the state is completed first, so that the commit has it as it will stay. */
export async function finalizeCommand(root: string, given: Given, world: World): Promise<number> {
  const chosen = choosePipeline(root, textFlag(given, "workspace"), world, true);
  const refused = whyNotYet(chosen);
  const pipeline = refused === undefined ? completed(chosen, root, world) : chosen;
  const result: Finalized =
    refused === undefined
      ? await finalize(pipeline, root, world)
      : { done: false, amended: [], pushed: false, step: "check", trouble: refused, notes: [] };
  if (given.flags["json"] === true) console.log(JSON.stringify({ workspace: pipeline.folder, ...result }));
  else {
    for (const note of result.notes) console.error(`${paint("note", "yellow")}  ${note}`);
    if (result.done) console.log(sayDone(result));
    else console.error(`${paint("refused", "red")}  ${sayTrouble(result)}`);
  }
  return result.done ? 0 : 1;
}

export const sayDone = ({ amended, pushed, branch }: Finalized): string =>
  amended.length === 0 && !pushed
    ? `Nothing to do: the last commit of ${branch} has them, and it is pushed.`
    : `${amended.length === 0 ? "The last commit" : `${amended.join(" and ")} amended into the last commit, which`} was ${pushed ? "pushed" : "pushed before"} to ${branch}.`;

export const sayTrouble = ({ step, trouble, branch }: Finalized): string =>
  step === "push"
    ? `the commit is amended, and the push to ${branch} failed: ${trouble}`
    : step === "amend"
      ? `the last commit could not be amended: ${trouble}`
      : (trouble ?? "");

/** The final commit comes last, and only where there is a pull request to be brought up to date. */
function whyNotYet(pipeline: Pipeline): string | undefined {
  const { phase, status } = pipeline;
  if (status === "abandoned") return "the pipeline is abandoned";
  const skipped = namesOf(pipeline, "skippedPhases");
  if (skipped.includes("pr-creation") || pipeline.state["skipPr"] === true)
    return "no pull request was made, so there is nothing to bring up to date";
  if (phase === "completed" || phase === "final-commit") return undefined;
  return `the pipeline is at ${phase} (${status}); the final commit comes after post-to-source`;
}

function completed(pipeline: Pipeline, root: string, world: World): Pipeline {
  if (pipeline.phase === "completed") return pipeline;
  const asked = {
    now: new Date(world.now()).toISOString(),
    has: (name: string) => hasText(pipeline.folder, name, world),
  };
  // Without a summary nothing is amended, and the state stays as it is.
  if (!asked.has("summary.md")) return pipeline;
  const start = pipeline.status === "in_progress" ? pipeline : afterStep(pipeline, "start", asked);
  const end = afterStep(start, "complete", asked);
  writeState(pipeline, end.state, root, world);
  return readPipeline(pipeline.folder, world) ?? end;
}

function afterStep(
  pipeline: Pipeline,
  step: "start" | "complete",
  asked: Parameters<typeof takeStep>[2],
): Pipeline {
  const taken = takeStep(pipeline, step, asked);
  if ("refused" in taken) throw new UsageError(taken.refused);
  const { currentPhase, currentPhaseStatus } = taken.state;
  return { ...pipeline, phase: String(currentPhase), status: String(currentPhaseStatus), state: taken.state };
}
