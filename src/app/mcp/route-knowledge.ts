import { TimeoutError } from "../../core/engine.ts";
import { isStage, stages } from "../../core/hook.ts";
import { watchedLimits } from "../../platform/limits.ts";
import { giveDocuments } from "../routing/give-documents.ts";
import { showRoutingProblem } from "../../routing/problem.ts";
import { selectDocuments } from "../../routing/select-documents.ts";
import { defineTool, given, objectOf, oneOf, text, textIn, ToolTrouble } from "./tool.ts";

const mostKb = 64;
const selectMs = 10_000;

/** Whatever a repository has in its routing documents, other calls are not kept for long. */
function inTime<T>(work: () => T): T {
  try {
    return watchedLimits.within(selectMs, work);
  } catch (error) {
    if (error instanceof TimeoutError) throw new ToolTrouble("the routing documents take too long to read");
    throw error;
  }
}

export default defineTool({
  title: "Route knowledge",
  description:
    "One to five documents of the workspace for what somebody wants to know, each with why it was chosen, and with text what stands in them.",
  input: objectOf({
    intent: text("What is wanted, in words."),
    scope: text("Only topics of this scope.", 200),
    topic: text("Only this topic.", 200),
    stage: oneOf(stages, "Where the work stands."),
    last_command: text("The last command line, as a further hint."),
    text: { type: "boolean", description: "Also what stands in the documents." },
    budget_kb: {
      type: "integer",
      minimum: 1,
      maximum: mostKb,
      description: "With text: how much of it together; 16 when not given.",
    },
  }),
  reads: true,
  run(input, { root, world }) {
    const { stage, budget_kb } = input;
    const named = given(input, { scope: "scope", topic: "topic" });
    const intent = textIn(input, "intent") ?? "";
    if (intent.trim() === "" && Object.keys(named).length === 0)
      throw new ToolTrouble("say what is wanted with intent, or name a scope or a topic");
    const command = textIn(input, "last_command");
    const wanted = {
      intent,
      ...named,
      ...(isStage(stage) ? { stage } : {}),
      ...(command === undefined ? {} : { signals: { cli_command: command } }),
    };
    const selection = inTime(() => selectDocuments(wanted, root, world));
    const { documents, why, problems } = selection;
    const budget = (typeof budget_kb === "number" ? budget_kb : 16) * 1024;
    return {
      intent: selection.intent,
      suggested_documents: documents,
      ...(why === undefined ? {} : { why }),
      ...(input["text"] === true ? giveDocuments(documents, budget, root, world) : {}),
      problems: problems.slice(0, 10).map(showRoutingProblem),
    };
  },
});
