import { isObject } from "../../core/json.ts";
import { nearest } from "../../core/nearest.ts";
import { pathBelow } from "../../core/paths.ts";
import { plainName } from "../../core/plain-name.ts";
import { kindOf } from "../../platform/stamps.ts";
import { findAbility, loadAbilities } from "../../routing/load-abilities.ts";
import { showRoutingProblem } from "../../routing/problem.ts";
import type { Ability } from "../../routing/ability.ts";
import { trustOf } from "../../sources/trust.ts";
import { runnableOf, trustedAs, Unavailable, type Runnable } from "./implementation.ts";
import { BadSchema, schemaProblems } from "./schema.ts";
import { savePage } from "./records.ts";
import type { Task } from "./task.ts";
import { isTooDeep } from "./words.ts";
import { allocateKey, readTask, writeTask, type TaskStore } from "./task-store.ts";

/** What somebody wants to have done. */
export interface Wanted {
  readonly ability: string;
  readonly input: unknown;
  readonly environment: string;
  readonly reason?: string;
  readonly expect?: string;
  readonly session?: string;
  readonly stage?: string;
  /** The task on whose behalf it is. */
  readonly parent?: string;
}

export interface Created {
  readonly task: Task;
  readonly warnings: readonly string[];
}

/** What was asked for does not fit what the ability takes. */
export class BadInput extends Error {
  override readonly name = "BadInput";
  constructor(readonly problems: readonly string[]) {
    super(`the input does not fit:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
  }
}

/** A task dies so long after it was made, if it has not succeeded by then. */
const lifeMs = 60 * 60_000;

const mostInput = 1024 * 1024;

/** Checks all that can be checked, gives the task a key and writes it down. Runs nothing. */
export function createTask(store: TaskStore, wanted: Wanted): Created {
  const { environment, input } = wanted;
  const runnable = runnableNamed(store, wanted.ability, environment);
  checkInput(runnable, input);
  const parent = parentOf(store, wanted, runnable);
  const warnings = warningsAbout(store, runnable);
  const now = store.world.now();
  const { reason, expect, session, stage } = wanted;
  const { ability, operation, implementation, digest } = runnable;
  const task: Task = {
    v: 1,
    key: allocateKey(store, now),
    ability,
    operation,
    implementation: implementation.id,
    kind: implementation.kind,
    definition: digest,
    environment,
    input,
    created: new Date(now).toISOString(),
    expires: new Date(now + lifeMs).toISOString(),
    attempts: [],
    feedback: [],
    ...(reason === undefined ? {} : { reason }),
    ...(expect === undefined ? {} : { expect }),
    ...(session === undefined ? {} : { session }),
    ...(stage === undefined ? {} : { stage }),
    ...(parent === undefined ? {} : { parent }),
  };
  writeTask(store, task);
  return { task, warnings: [...warnings, ...savePage(store, task)] };
}

/** An ability as it can be run now, by its id or its operation key. */
export function runnableNamed({ root, world }: TaskStore, name: string, environment: string): Runnable {
  const { ability, problems } = findAbility(name, root, world);
  const errors = problems.filter(({ level }) => level === "error");
  if (!ability) throw unknown(name, root, world);
  // What is said twice or does not fit together is not guessed at.
  if (errors[0])
    throw new Unavailable(
      `the registry of ${name} has mistakes:\n${errors.map(showRoutingProblem).join("\n")}`,
    );
  return runnableOf(ability, environment, root, world);
}

function unknown(name: string, root: string, world: TaskStore["world"]): Unavailable {
  const ids = loadAbilities(root, world).abilities.map((each: Ability) => each.id);
  const near = nearest(name, ids);
  const hint = ids.length === 0 ? "There are none here (docs/abilities.md)." : "See hookline ability list.";
  return new Unavailable(
    `there is no ability ${plainName(JSON.stringify(name.slice(0, 100)))}`,
    near === undefined ? hint : `Did you mean "${near}"?`,
  );
}

function checkInput({ entry, ability, parameters }: Runnable, input: unknown): void {
  if (!isObject(input)) throw new BadInput(["input: expected a JSON object"]);
  if (isTooDeep(input)) throw new BadInput(["input: nested too deeply"]);
  if (JSON.stringify(input).length > mostInput)
    throw new BadInput(["input: larger than 1 MB; name a file instead"]);
  if (!entry.inputSchema) return;
  try {
    const problems = schemaProblems(entry.inputSchema, { ...parameters, ...input }, "input");
    if (problems.length > 0) throw new BadInput(problems);
  } catch (error) {
    if (error instanceof BadSchema)
      throw new Unavailable(`the input_schema of ${ability} cannot be used: ${error.message}`);
    throw error;
  }
}

/** A task may be on behalf of another one, if that may call it. */
function parentOf(
  store: TaskStore,
  { parent, environment }: Wanted,
  { ability }: Runnable,
): string | undefined {
  if (parent === undefined) return undefined;
  const above = readTask(store, parent);
  const { ability: found } = findAbility(above.ability, store.root, store.world);
  const allowed = found?.entry?.operations ?? [];
  if (!allowed.includes(ability))
    throw new Unavailable(
      `${above.ability} (${parent}) may not call ${ability} in ${environment}`,
      allowed.length === 0 ? "It calls nothing." : `It may call ${allowed.join(", ")}.`,
    );
  return parent;
}

/** What would stand in the way of running it and can still be put right. */
function warningsAbout({ root, env }: TaskStore, runnable: Runnable): string[] {
  const { invocation, ability } = runnable;
  const script = invocation.kind === "api" ? undefined : invocation.command.script;
  if (script !== undefined && kindOf(script)?.type !== "file")
    throw new Unavailable(`${pathBelow(root, script) ?? script}, which ${ability} runs, is not there`);
  const { state, why } = trustOf(trustedAs(runnable), root, env);
  return state === "trusted"
    ? []
    : [`it will not run before a person has looked at it with \`hookline trust\`: ${why}`];
}
