import { statusJson, taskNow } from "../abilities/records.ts";
import { taskKeys, TaskTrouble } from "../abilities/task-store.ts";
import { defineTool, objectOf, text, textIn } from "./tool.ts";

const most = 50;

export default defineTool({
  title: "Status of ability tasks",
  description:
    "Where a task stands and how its runs went, with secrets masked; without a key the latest tasks of the workspace.",
  input: objectOf({ key: text("The key of a task.", 100) }),
  reads: true,
  run(input, call) {
    const key = textIn(input, "key");
    if (key !== undefined) return statusJson(taskNow(call, key));
    const keys = taskKeys(call);
    const tasks = keys.flatMap((each) => {
      try {
        const { task, state } = taskNow(call, each);
        return [{ key: each, status: state, ability_id: task.ability, created: task.created }];
      } catch (error) {
        if (error instanceof TaskTrouble) return [];
        throw error;
      }
    });
    return {
      tasks: tasks.toSorted((a, b) => b.created.localeCompare(a.created)).slice(0, most),
      total: tasks.length,
    };
  },
});
