import { change } from "../abilities/records.ts";
import { checkKey, removeTask } from "../abilities/task-store.ts";
import { refusal, subjectOf, tasksHere } from "./_ability.ts";
import type { Given } from "./_command.ts";

/** Deletes a task that nobody is running, and its record in the workspace. Log and counts keep what they have. */
export function run(given: Given): number {
  const json = given.flags["json"] === true;
  const key = subjectOf(given, "name a task, for example: hookline ability delete task-20260514-3f9a1c2b");
  const store = tasksHere();
  try {
    checkKey(key);
    change(store, key, () => removeTask(store, key));
    console.log(json ? JSON.stringify({ deleted: key }) : `Deleted ${key}.`);
    return 0;
  } catch (error) {
    return refusal(error, json);
  }
}
