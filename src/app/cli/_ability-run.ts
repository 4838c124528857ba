import { plainText } from "../../core/plain-name.ts";
import { callerOf, isAgent } from "../abilities/caller.ts";
import { runJson, runTask, type HowToRun, type RunResult } from "../abilities/run-task.ts";
import { callerSources, type Caller } from "../abilities/task.ts";
import { refusal, subjectOf, tasksHere } from "./_ability.ts";
import { textFlag, UsageError, type Given } from "./_command.ts";

/** Runs a task: exit 0 when it succeeded, 1 when it failed or could not be run, 2 when it was refused. */
export async function run(given: Given): Promise<number> {
  const json = given.flags["json"] === true;
  const key = subjectOf(given, "name a task, for example: hookline ability run task-20260514-3f9a1c2b");
  const how = howAsked(given);
  try {
    const result = await runTask(tasksHere(), key, how);
    if (json) console.log(JSON.stringify(runJson(result)));
    else show(result);
    return { success: 0, failure: 1, skipped: 2 }[result.status];
  } catch (error) {
    return refusal(error, json);
  }
}

function howAsked(given: Given): HowToRun {
  const caller = callerAsked(given);
  const again = given.flags["again"] === true;
  const confirm = confirmation(textFlag(given, "ask"), caller);
  return { caller, again, ...(confirm ? { confirm } : {}) };
}

function callerAsked(given: Given): Caller {
  const named = textFlag(given, "caller");
  const source = callerSources.find((each) => each === named);
  if (named !== undefined && !source)
    throw new UsageError(`--caller takes ${callerSources.join(", ")}, not ${JSON.stringify(named)}`);
  const job_id = textFlag(given, "job");
  const triggered_by = textFlag(given, "by");
  return callerOf(process.env, {
    ...(source ? { source } : {}),
    ...(job_id === undefined ? {} : { job_id }),
    ...(triggered_by === undefined ? {} : { triggered_by }),
  });
}

/** Who answers when a rule or a hook wants a confirmation: the person at the terminal, else nobody. */
function confirmation(ask: string | undefined, { source }: Caller): HowToRun["confirm"] {
  if (ask !== undefined && ask !== "deny" && ask !== "allow")
    throw new UsageError(`--ask takes deny or allow, not ${JSON.stringify(ask)}`);
  const asAgent = source === "ai_session" || isAgent(process.env);
  if (ask === "allow" && asAgent)
    throw new UsageError(
      "an agent cannot confirm for the person it works for; let a person run the task at a terminal",
    );
  if (ask === "allow") return () => Promise.resolve(true);
  if (ask === "deny" || asAgent || !process.stdin.isTTY) return undefined;
  return (question) =>
    Promise.resolve(/^y(?:es)?$/i.test(prompt(`${question}\nRun it? [y/N]`)?.trim() ?? ""));
}

function show({ key, ability, status, detail, ms, output, messages, warnings, toolCall }: RunResult): void {
  const text =
    output === undefined
      ? ""
      : typeof output === "string"
        ? output.trimEnd()
        : JSON.stringify(output, undefined, 2);
  if (text !== "") console.log(text);
  const last = `${ability} (${key}) ${status} after ${ms} ms${detail === undefined ? "" : `: ${detail}`}\n  ${toolCall}`;
  // Words of hooks, of servers and of whatever ran.
  for (const line of [...messages, ...[...warnings, last].map((each) => `hookline: ${each}`)])
    console.error(plainText(line));
}
