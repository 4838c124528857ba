import { defined } from "../core/json.ts";
import type { Workflow } from "../workflow/declared/model.ts";
import { checkShape, type Complain } from "./_workflow-words.ts";
import { conditionKeys, readCondition, readConditions, type Names } from "./read-conditions.ts";
import { stopSchema, type StopSource } from "./workflow-settings.ts";

/** The workflow that conditions of stopping make, which stand in the policy by themselves. */
export const stopName = "stop";

/** Reads what must hold before the agent may stop: a workflow of one state. Nothing when something is wrong, which was said. */
export function readStop(value: unknown, complain: Complain): Workflow | undefined {
  let isSound = true;
  const say: Complain = (...problem) => {
    isSound = false;
    complain(...problem);
  };
  if (!Array.isArray(value)) {
    say([], "HL_BAD_VALUE", "not a list", "Write a line for each condition, such as `- tests: npm test`.");
    return undefined;
  }
  checkShape(stopSchema, value, say);
  if (!isSound) return undefined;
  const names: Names = { states: [], watches: [], implied: new Map(), say };
  const stop = (value as StopSource).flatMap((each, at) => readGate(each, at, names));
  if (!isSound || stop.length === 0) return undefined;
  return {
    name: stopName,
    bare: true,
    state: { by: "record" },
    initial: "work",
    states: { work: { forbid: [], requires: [], final: true } },
    transitions: [],
    watch: Object.fromEntries(names.implied),
    remember: "session",
    stop,
    retries: [],
    schemas: [],
  };
}

function readGate(
  { needs, most = 3, instead, ...own }: StopSource[number],
  at: number,
  names: Names,
): Workflow["stop"] {
  const isOne = conditionKeys.some((key) => own[key] !== undefined);
  const isSeveral = needs !== undefined && needs.length > 0;
  if (isOne === isSeveral)
    names.say(
      [at],
      "HL_BAD_VALUE",
      isOne ? "it says a condition, and others under `needs`" : "it says no condition",
      `Expected one of ${conditionKeys.join(", ")}, or \`needs\`.`,
    );
  const single = isOne ? readCondition(own, [at], names) : undefined;
  const conditions = single ? [single] : readConditions(needs, [at, "needs"], names);
  return [{ in: [], needs: conditions, most, ...defined({ instead }) }];
}
