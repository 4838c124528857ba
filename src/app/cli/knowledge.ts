import { stages } from "../../core/hook.ts";
import { loadIndexes } from "../../routing/load-knowledge.ts";
import { showRoutingProblem } from "../../routing/problem.ts";
import { actionOf, defineCommand, type Command, type Given } from "./_command.ts";
import { placeHere } from "./_routing.ts";
import { paint, table } from "./_table.ts";

const command: Command = defineCommand({
  summary: "The knowledge documents of the workspace: which topics there are, and which documents help.",
  usage: [
    "knowledge route [--scope SCOPE] [--topic TOPIC] [--stage STAGE] --intent TEXT [--command LINE] [--most N] [--text [--budget KB]] [--json]",
    "knowledge list [--json]",
  ],
  actions: {
    route: "one to five documents for an intent, and why; exit 1 when there is none",
    list: "the topics of the nearest ROUTING.md",
  },
  details:
    "What is named filters, what is not is found by the words. `hookline ability lint` says what is wrong with the files.\n" +
    "docs/routing.md says what they look like.",
  flags: {
    scope: { type: "string", value: "SCOPE", summary: "route: only topics of this scope." },
    topic: { type: "string", value: "TOPIC", summary: "route: only this topic." },
    stage: {
      type: "string",
      value: "STAGE",
      summary: `route: where the work stands (${stages.join(", ")}).`,
      values: () => stages,
    },
    intent: { type: "string", value: "TEXT", summary: "route: what is wanted, in words." },
    command: { type: "string", value: "LINE", summary: "route: the last command line, as a further hint." },
    most: { type: "string", value: "N", summary: "route: how many documents at most, 1 to 5. 5." },
    text: { type: "boolean", summary: "route: also what stands in them, as it is given to a model." },
    budget: { type: "string", value: "KB", summary: "route: how much of that. 16." },
    json: { type: "boolean", summary: "Print JSON." },
  },
  async run(given) {
    return actionOf("knowledge", command, given) === "route"
      ? (await import("./_knowledge-route.ts")).run(given)
      : list(given);
  },
});

export default command;

function list(given: Given): number {
  const { root, files, from } = placeHere();
  const { indexes, problems, document } = loadIndexes(root, files, from);
  if (given.flags["json"] === true)
    console.log(JSON.stringify({ document, topics: indexes, problems }, null, 2));
  else if (indexes.length === 0) console.log("There is no knowledge here: no ROUTING.md with route_indexes.");
  else {
    const head = ["scope", "topic", "summary"].map((name) => paint(name, "bold"));
    console.log(table([head, ...indexes.map(({ scope, topic, summary }) => [scope, topic, summary])]));
  }
  for (const problem of problems) console.error(`hookline: ${showRoutingProblem(problem)}`);
  return 0;
}
