import { isStage } from "../../core/hook.ts";
import { createTask, type Created } from "../abilities/create-task.ts";
import { toolCallPath } from "../abilities/task.ts";
import { environmentOf } from "../hooks.ts";
import { readStdin } from "../../platform/stdin.ts";
import { refusal, subjectOf, tasksHere } from "./_ability.ts";
import { textFlag, UsageError, type Given } from "./_command.ts";

/** Checks an input, makes a task and prints its key. Runs nothing. */
export async function run(given: Given): Promise<number> {
  const json = given.flags["json"] === true;
  try {
    const created = await createAsked(given);
    show(created, json);
    return 0;
  } catch (error) {
    return refusal(error, json);
  }
}

async function createAsked(given: Given): Promise<Created> {
  const ability = subjectOf(
    given,
    "name an ability, for example: hookline ability create billing_regression",
  );
  const stage = textFlag(given, "stage");
  if (stage !== undefined && !isStage(stage))
    throw new UsageError(`--stage takes understand, plan, act or review, not ${JSON.stringify(stage)}`);
  const text = (name: string): Record<string, string> => {
    const value = textFlag(given, name);
    return value === undefined ? {} : { [name]: value };
  };
  const parent = textFlag(given, "parent") ?? process.env["HOOKLINE_ABILITY_KEY"];
  const session = textFlag(given, "session") ?? process.env["HOOKLINE_SESSION"];
  return createTask(tasksHere(), {
    ability,
    input: await inputOf(given),
    environment: environmentOf(textFlag(given, "env"), process.env),
    ...text("reason"),
    ...text("expect"),
    ...(stage === undefined ? {} : { stage }),
    ...(session === undefined ? {} : { session }),
    ...(parent === undefined ? {} : { parent }),
  });
}

/** JSON as it stands, or `-` for standard input; nothing is an empty object. A file is read by the shell, where rules see it. */
async function inputOf(given: Given): Promise<unknown> {
  const said = textFlag(given, "input");
  if (said === undefined) return {};
  const text = said === "-" ? new TextDecoder().decode(await readStdin()) : said;
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--input is not JSON (${why}); expected an object, or - for standard input`);
  }
}

function show({ task, warnings }: Created, json: boolean): void {
  const { key, ability, operation, implementation, environment, expires } = task;
  if (json)
    console.log(
      JSON.stringify({
        available: true,
        key,
        ability_id: ability,
        operation_key: operation,
        implementation,
        environment,
        expires,
        tool_call_path: toolCallPath(key),
        warnings,
      }),
    );
  else console.log(`${key}\n  ${ability} in ${environment}, until ${expires}: hookline ability run ${key}`);
  for (const warning of json ? [] : warnings) console.error(`hookline: ${warning}`);
}
