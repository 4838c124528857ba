import { nearest } from "../../core/nearest.ts";
import { bringGit, liveWorld } from "../../platform/live-world.ts";
import { writeStdout } from "../../platform/stdout.ts";
import { showProblem } from "../../policy/policy.ts";
import { checkWorkflow } from "../../workflow/declared/check.ts";
import { mermaidOf } from "../../workflow/declared/mermaid.ts";
import type { Workflow } from "../../workflow/declared/model.ts";
import { standingsNow } from "../../workflow/declared/scene.ts";
import { shippedWorkflows } from "../../workflow/shipped/index.ts";
import { sceneAt, workflowsOf } from "../workflow/declared.ts";
import { placeFinder } from "../workflow/places.ts";
import { lastSession, statusOf, type WorkflowStatus } from "../workflow/status.ts";
import { svgOf } from "../workflow/svg.ts";
import { actionOf, defineCommand, textFlag, UsageError, type Command, type Given } from "./_command.ts";
import { rootHere } from "./_ralph.ts";
import { paint, table } from "./_table.ts";

const formats = ["mermaid", "svg"];

const command: Command = defineCommand({
  summary: "Workflows the policy declares: look for mistakes, draw one, see where each stands.",
  usage: [
    "workflow check [NAME] [--json]",
    "workflow graph [NAME] [--format mermaid|svg] [--session ID]",
    "workflow status [NAME] [--session ID] [--json]",
  ],
  actions: {
    check:
      "Finds unreachable states, dead ends, guards that can never hold, steps nobody may take. Exits 1 on findings.",
    graph: "Draws a workflow, with the state it is at.",
    status: "Where each workflow stands, what is forbidden there, and what is missing before it can go on.",
  },
  details:
    "NAME may also be one that comes with Hookline and is held by the rules of a pack: pipeline, ralph, ralph-later.\n" +
    "docs/workflows.md says how a workflow is declared.",
  flags: {
    format: {
      type: "string",
      value: "mermaid|svg",
      summary: "graph: how it is drawn; mermaid.",
      values: () => formats,
    },
    session: {
      type: "string",
      value: "ID",
      summary:
        "graph, status: the agent's session, for what Hookline remembers by session; the last one when not given.",
    },
    json: { type: "boolean", summary: "Print JSON." },
  },
  async run(given) {
    const action = actionOf("workflow", command, given);
    if (action === "check") return check(given);
    return action === "graph" ? graph(given) : status(given);
  },
});

export default command;

async function check(given: Given): Promise<number> {
  const root = rootHere(liveWorld(process.env));
  const { workflows, loaded } = await workflowsOf(root, process.env);
  const named = given.words[1];
  const chosen = named === undefined ? workflows : [choose(named, workflows)];
  const placeOf = placeFinder(loaded.files);
  const findings = chosen.flatMap((workflow) =>
    checkWorkflow(workflow, workflows).map((finding) => ({
      workflow: workflow.name,
      ...finding,
      key: [...(workflow.bare ? [] : ["workflows", workflow.name]), ...finding.path].join("."),
      place: placeOf(workflow, finding.path) ?? null,
    })),
  );
  const { problems } = loaded;
  const isSound = findings.length === 0 && problems.length === 0;
  if (given.flags["json"] === true) {
    console.log(
      JSON.stringify({ ok: isSound, workflows: chosen.map(({ name }) => name), problems, findings }),
    );
    return isSound ? 0 : 1;
  }
  for (const problem of problems) console.log(showProblem(problem));
  for (const { workflow, code, key, text, instead, place } of findings)
    console.log(`${place ?? workflow}  ${key}: ${text} (${code})\n  ${instead}`);
  const states = chosen.reduce((sum, each) => sum + Object.keys(each.states).length, 0);
  if (chosen.length === 0 && isSound) console.log("The policy declares no workflow (docs/workflows.md).");
  else if (isSound)
    console.log(`${count(chosen.length, "workflow")}, ${count(states, "state")}: nothing to find.`);
  else console.log(paint(`${findings.length + problems.length} to mend.`, "yellow"));
  return isSound ? 0 : 1;
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`;

async function graph(given: Given): Promise<number> {
  const format = textFlag(given, "format") ?? "mermaid";
  if (!formats.includes(format))
    throw new UsageError(`--format takes ${formats.join(" or ")}, not ${JSON.stringify(format)}`);
  const world = liveWorld(process.env);
  const root = rootHere(world);
  const { workflows, loaded } = await workflowsOf(root, process.env);
  for (const problem of loaded.problems) console.error(showProblem(problem));
  const workflow = choose(given.words[1], workflows);
  const scene = sceneAt(
    root,
    workflows,
    world,
    textFlag(given, "session") ?? lastSession(workflow, root, world),
  );
  const here = [...new Set(standingsNow(workflow, scene).flatMap(({ state }) => state ?? []))];
  // All at once: a picture may be larger than what a pipe takes before we end.
  const trouble = writeStdout(format === "svg" ? svgOf(workflow, here) : mermaidOf(workflow, here));
  if (trouble !== undefined) throw new Error(`the picture could not be written: ${trouble}`);
  return loaded.problems.length === 0 ? 0 : 2;
}

async function status(given: Given): Promise<number> {
  await bringGit();
  const world = liveWorld(process.env);
  const root = rootHere(world);
  const { workflows, loaded } = await workflowsOf(root, process.env);
  const named = given.words[1];
  const chosen = named === undefined ? workflows : [choose(named, workflows)];
  const runs = chosen.flatMap((workflow) => {
    const session = textFlag(given, "session") ?? lastSession(workflow, root, world);
    return statusOf(workflow, sceneAt(root, workflows, world, session));
  });
  for (const problem of loaded.problems) console.error(showProblem(problem));
  if (given.flags["json"] === true) console.log(JSON.stringify(runs));
  else if (chosen.length === 0) console.log("The policy declares no workflow (docs/workflows.md).");
  else if (runs.length === 0) console.log("No run of it is there yet.");
  else console.log(runs.map(show).join("\n\n"));
  return loaded.problems.length === 0 ? 0 : 2;
}

function show(run: WorkflowStatus): string {
  const head = [
    ["Workflow", [run.workflow, run.file === null ? "" : `(${run.file})`].join(" ").trim()],
    [
      "State",
      run.state === null
        ? paint(`cannot be told: ${run.trouble}`, "red")
        : `${run.state}${run.label === null ? "" : ` (${run.label})`}`,
    ],
    ...run.notes.map((note, at) => [at === 0 ? "Here" : "", note]),
    ...run.next.map(({ to, by, on, missing }, at) => [
      at === 0 ? "Next" : "",
      [
        to,
        on === null ? "" : `on ${on}`,
        by === null ? "" : `by ${by.join(" or ")}`,
        missing.length === 0 ? "" : paint(`not yet: ${missing.join("; ")}`, "yellow"),
      ]
        .filter(Boolean)
        .join("  "),
    ]),
    ...run.stop.map((missing, at) => [at === 0 ? "No stop" : "", missing]),
    ...run.retries.map(({ what, failed, most }, at) => [
      at === 0 ? "Retries" : "",
      `${what}: ${failed} of ${most} failed`,
    ]),
    ...(run.seen.length === 0 ? [] : [["Seen", run.seen.join(", ")]]),
  ];
  return table(head);
}

/** The workflow that is meant, of the policy or of those that come with Hookline; the only one needs no name. */
function choose(name: string | undefined, workflows: readonly Workflow[]): Workflow {
  const all = [
    ...workflows,
    ...shippedWorkflows.filter((each) => !workflows.some((other) => other.name === each.name)),
  ];
  const found =
    name === undefined
      ? workflows.length === 1
        ? workflows[0]
        : undefined
      : all.find((each) => each.name === name);
  if (found) return found;
  const names = all.map((each) => each.name);
  const near = name === undefined ? undefined : nearest(name, names);
  if (name === undefined) throw new UsageError(`name a workflow: ${names.join(", ")}`);
  throw new UsageError(
    `no workflow "${name}"${near === undefined ? "" : `; did you mean "${near}"?`}; there are ${names.join(", ")}`,
  );
}
