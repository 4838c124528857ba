import { callerOf } from "../abilities/caller.ts";
import { runJson, runTask } from "../abilities/run-task.ts";
import { defineTool, objectOf, text, textIn, ToolTrouble } from "./tool.ts";

/** More is in the way of whoever reads it; the task's record has the beginning. */
const mostOutput = 60_000;

export default defineTool({
  title: "Run an ability task",
  description:
    "Runs a task that was created, through the workspace's policy and hooks, and puts it on record. A call that is cancelled ends " +
    "the process. A refusal or a failure is an error with the reason.",
  input: objectOf(
    {
      key: text("The key that create_ability_task gave.", 100),
      again: {
        type: "boolean",
        description: "Also when the last run was broken off and may have done some of its work.",
      },
    },
    ["key"],
  ),
  async run(input, call) {
    const { cancel, confirm } = call;
    const result = await runTask(call, textIn(input, "key") ?? "", {
      caller: callerOf(call.env, { source: "ai_session", triggered_by: "mcp" }),
      again: input["again"] === true,
      cancel,
      ...(confirm ? { confirm } : {}),
    });
    const json = runJson({ ...result, output: bounded(result.output) });
    if (result.status === "success") return json;
    throw new ToolTrouble(JSON.stringify(json));
  },
});

function bounded(output: unknown): unknown {
  if (output === undefined) return undefined;
  const shown = typeof output === "string" ? output : JSON.stringify(output);
  return shown.length <= mostOutput
    ? output
    : `${shown.slice(0, mostOutput)}… (${shown.length - mostOutput} more characters)`;
}
