import { redact, redactText } from "../../secrets/redact.ts";
import { addFeedback, statusJson, taskNow, type TaskNow } from "../abilities/records.ts";
import { toolCallPath } from "../abilities/task.ts";
import { taskKeys, TaskTrouble, type TaskStore } from "../abilities/task-store.ts";
import { oneLine } from "../abilities/words.ts";
import { refusal, tasksHere } from "./_ability.ts";
import { textFlag, UsageError, type Given } from "./_command.ts";
import { table } from "./_table.ts";

/** Where tasks stand; of one also what was asked for and how it went. */
export function run(given: Given): number {
  const json = given.flags["json"] === true;
  const store = tasksHere();
  const key = given.words[1];
  const feedback = textFlag(given, "feedback");
  if (key === undefined && feedback !== undefined) throw new UsageError("--feedback needs the key of a task");
  try {
    if (key === undefined) return all(store, json);
    if (feedback !== undefined) addFeedback(store, key, feedback);
    const now = taskNow(store, key);
    console.log(json ? JSON.stringify(statusJson(now)) : inWords(now).join("\n"));
    return 0;
  } catch (error) {
    return refusal(error, json);
  }
}

function all(store: TaskStore, json: boolean): number {
  const found = taskKeys(store).flatMap((key): TaskNow[] => {
    try {
      return [taskNow(store, key)];
    } catch (error) {
      // Deleted since, or broken: the others are still worth being told.
      if (error instanceof TaskTrouble) console.error(`hookline: ${error.message}`);
      else throw error;
      return [];
    }
  });
  const tasks = found.toSorted((a, b) => a.task.created.localeCompare(b.task.created));
  if (json) console.log(JSON.stringify(tasks.map(statusJson)));
  else if (tasks.length === 0) console.log("There are no tasks here (hookline ability create ID).");
  else
    console.log(
      table([
        ["KEY", "STATUS", "ABILITY", "CREATED", "REASON"],
        ...tasks.map(({ task, state }) => [
          task.key,
          state,
          task.ability,
          task.created,
          oneLine(redactText(task.reason ?? "").text).slice(0, 60),
        ]),
      ]),
    );
  return 0;
}

function inWords({ task, state }: TaskNow): string[] {
  const last = task.attempts.at(-1);
  const rows = [
    ["status", state],
    ["ability", `${task.ability} (${task.implementation}, ${task.kind}) in ${task.environment}`],
    ["created", `${task.created}, until ${task.expires}`],
    ...(task.reason === undefined ? [] : [["reason", oneLine(redactText(task.reason).text)]]),
    ["input", oneLine(JSON.stringify(redact(task.input).value))],
    ["runs", String(task.attempts.length)],
    ...(last?.detail === undefined ? [] : [["detail", oneLine(redactText(last.detail).text)]]),
    ["record", toolCallPath(task.key)],
  ];
  return [task.key, table(rows, "  ")];
}
