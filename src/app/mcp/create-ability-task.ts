import { isObject } from "../../core/json.ts";
import { createTask } from "../abilities/create-task.ts";
import { toolCallPath } from "../abilities/task.ts";
import { environmentOf } from "../hooks.ts";
import { defineTool, given, objectOf, oneOf, text, textIn } from "./tool.ts";

export default defineTool({
  title: "Create an ability task",
  description:
    "Checks an input against an ability's schema and makes a task for it, with a key. Runs nothing; run_ability_task does. " +
    "The answer has the key, or says why the ability is not available.",
  input: objectOf(
    {
      ability_id: text("The ability, by its id or operation key.", 200),
      input: { type: "object", description: "The ability's input, as its input_schema has it." },
      reason: text("Why it is wanted; goes into the record."),
      expect: text("What is expected of it; goes into the record."),
      environment: text("The environment, such as dev or staging.", 100),
      session_id: text("The session it belongs to.", 200),
      stage: oneOf(["understand", "plan", "act", "review"], "Where the work stands."),
      parent: text("The key of the task on whose behalf it is.", 100),
    },
    ["ability_id"],
  ),
  run(input, call) {
    const { task, warnings } = createTask(call, {
      ability: textIn(input, "ability_id") ?? "",
      input: isObject(input["input"]) ? input["input"] : {},
      environment: environmentOf(textIn(input, "environment"), call.env),
      ...given(input, {
        reason: "reason",
        expect: "expect",
        session: "session_id",
        stage: "stage",
        parent: "parent",
      }),
    });
    return {
      available: true,
      key: task.key,
      ability_id: task.ability,
      operation_key: task.operation,
      environment: task.environment,
      expires: task.expires,
      tool_call_path: toolCallPath(task.key),
      warnings,
    };
  },
});
