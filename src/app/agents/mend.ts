import type { Patient } from "../doctor-check.ts";
import { holding, type Change } from "../install/change.ts";
import { planInit, planUpdate, type Plan } from "../install/plan.ts";
import { backupOf } from "../install/record.ts";
import { ConfigTrouble } from "../install/trouble.ts";
import { machineAt, survey } from "./survey.ts";

/** Brings the agents' configuration in order, agent by agent, so that one that cannot be mended keeps no other back; what was done. */
export function mendAgents(patient: Patient): string[] {
  const { root, env } = patient;
  const machine = machineAt(root, env);
  return survey(patient).flatMap(({ id, title, sign, plugin, installed }) => {
    const request = { only: [id], machine, env };
    const plans =
      installed.length === 0
        ? sign === undefined || plugin !== undefined
          ? []
          : [() => planInit({ ...request, scope: "repo" as const })]
        : installed.map(
            ({ scope }) =>
              () =>
                planUpdate({ ...request, scope }),
          );
    return plans.flatMap((plan) => attempt(title, plan, patient));
  });
}

function attempt(title: string, plan: () => Plan, { env }: Patient): string[] {
  try {
    return holding(env, (carryOut) => {
      const { changes } = plan();
      carryOut(changes);
      return changes.map((change) => told(change, env));
    });
  } catch (error) {
    if (!(error instanceof ConfigTrouble)) throw error;
    return [`${title}: ${error.message}`];
  }
}

const told = ({ path, before }: Change, env: Patient["env"]): string =>
  before === undefined ? `wrote ${path}` : `mended ${path}; what was there is ${backupOf(path, env)}`;
